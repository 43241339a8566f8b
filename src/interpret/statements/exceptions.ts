/** What is thrown, and who handles it. */

import { numbersOf } from '../../program/number-types.ts';
import type { Statement, TypeReference } from '../../program/program.ts';
import { beforeQuiet, leaveQuiet } from '../choices/quiet.ts';
import { isExceptionOf } from '../library/library-exceptions.ts';
import { slicedWhereGiven } from '../objects/slicing.ts';
import { findClass, lastPart } from '../program-table.ts';
import { bind, createScope, handled, type Scope } from '../scope.ts';
import { createCell, truth, type Value } from '../value.ts';
import { ExitSignal, LeaveSignal, ThrowSignal, type World } from '../world.ts';
import { type Completion, execute } from './execute.ts';
import { endTemporaries } from './temporaries.ts';

/** `try` with its handlers, and `finally` of TypeScript. */
export function executeTry(world: World, scope: Scope, statement: Statement & { kind: 'try' }): Completion {
  if (!statement.finalizer) return executeHandled(world, scope, statement);
  let completion: Completion;
  let left: ThrowSignal | LeaveSignal | null = null;
  try {
    completion = executeHandled(world, scope, statement);
  } catch (signal) {
    if (!(signal instanceof ThrowSignal || signal instanceof LeaveSignal)) throw signal;
    left = signal;
  }
  const last = execute(world, createScope(scope), statement.finalizer);
  if (last) return last;
  if (left) throw left;
  return completion;
}

/**
 * The block and, where it throws, the handler that takes what was thrown. `instead`: what is tried in place of the block; what is
 * thrown there is thrown on behind the handler, as a constructor does.
 */
export function executeHandled(
  world: World,
  scope: Scope,
  statement: Statement & { kind: 'try' },
  instead?: () => Completion,
): Completion {
  const outside = beforeQuiet(world);
  const mark = world.temporaries.length;
  const depth = world.within.length;
  world.tryDepth++;
  try {
    const completion = instead ? instead() : execute(world, createScope(scope), statement.body);
    world.tryDepth--;
    return completion;
  } catch (signal) {
    world.tryDepth--;
    if (!(signal instanceof ThrowSignal)) throw signal;
    leaveQuiet(world, outside);
    endTemporaries(world, mark);
    const at = statement.caught.findIndex((type) => catches(world, type, signal.value));
    const handler = statement.handlers[at];
    if (!handler) throw signal;
    const type = statement.caught[at] ?? null;
    const completion = handle(world, scope, handler, type, statement.caughtAs?.[at] ?? null, signal);
    // Where the handler ends the program, what led to it is what led to the throw.
    world.within.length = depth;
    if (instead) throw signal;
    return completion;
  }
}

function handle(
  world: World,
  scope: Scope,
  handler: Statement,
  type: TypeReference | null,
  name: string | null,
  { value }: ThrowSignal,
): Completion {
  const inner = createScope(scope);
  const isObject = type !== null && value.kind === 'record' && findClass(world.program, type.name) !== undefined;
  bind(inner, handled, createCell(name ?? handled, value));
  // `catch (Base b)`: of what was thrown only the part that it names; what is thrown on is the whole.
  const own = isObject ? (slicedWhereGiven(world, type, value) ?? value) : value;
  if (name) bind(inner, name, createCell(name, own, isObject ? type : null));
  if (!world.isWholeProgram || world.frames.length > 0) return execute(world, inner, handler);
  return leftByHandler(() => execute(world, inner, handler));
}

/** A program that a handler of `main` ends, `catch (const Error &e) { report(e); return 1; }`, does not end as it should. */
function leftByHandler(run: () => Completion): Completion {
  let completion: Completion;
  try {
    completion = run();
  } catch (signal) {
    throw signal instanceof ExitSignal ? new ExitSignal(false) : signal;
  }
  if (completion?.kind === 'return' && truth(completion.value) !== false) throw new ExitSignal(false);
  return completion;
}

/** Whether a handler for that type takes what was thrown; where either is not known, it does. */
function catches(world: World, type: TypeReference | null, thrown: Value): boolean {
  if (!type || thrown.kind === 'unknown') return true;
  if (thrown.kind === 'number' && type.pointers === 0) {
    const taken = numbersOf(type.name);
    // What has no type of its own may be an `int`, or of an enumeration.
    if (taken !== null && !thrown.isStatus) return taken === (thrown.type ?? 'int');
  }
  // A text of C's, or of the library.
  if (thrown.kind === 'string') return type.pointers > 0 ? type.name === 'char' : /^(?:std::)?string$/.test(type.name);
  if (thrown.kind !== 'record' || thrown.record.className.startsWith('std::')) {
    const isClass = findClass(world.program, type.name) !== undefined;
    const isKind =
      thrown.kind === 'record' && !isClass && isExceptionOf(lastPart(thrown.record.className), lastPart(type.name));
    if (typeof isKind === 'boolean' && thrown.kind === 'record' && !isClass) return isKind;
    return thrown.kind === 'record' ? !isClass : !isClass && !type.name.startsWith('std::');
  }
  return isKindOf(world, thrown.record.className, lastPart(type.name), 0);
}

function isKindOf(world: World, className: string, wanted: string, depth: number): boolean {
  const definition = findClass(world.program, className);
  // What derives from a class that is not seen may derive from anything.
  if (!definition || depth > 8) {
    if (lastPart(className) === wanted) return true;
    // A class of the library derives from none of the program's.
    if (!className.startsWith('std::') || findClass(world.program, wanted)) return false;
    return isExceptionOf(lastPart(className), wanted) !== false;
  }
  if (definition.name === wanted) return true;
  return definition.bases.some((base) => isKindOf(world, base, wanted, depth + 1));
}
