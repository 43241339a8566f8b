/** Statements. A block owns what is declared in it and destroys it at its end, whichever way it is left. */

import type { Span } from '../../base/span.ts';
import type { Expression, Statement } from '../../program/program.ts';
import type { Acting } from '../../trace/decision.ts';
import { expandCall, macroScope } from '../calls/macro-calls.ts';
import { acting, actingBesidesThrowing, stronger } from '../choices/acting.ts';
import { holdFrom, saidToHold } from '../choices/assumed.ts';
import { isHeldToBound } from '../choices/bounds.ts';
import { matters, skipQuietly } from '../choices/conditions.ts';
import {
  calledName,
  decide,
  endsFunction,
  endsInFailure,
  leaves,
  onlyChecks,
  whileEnding,
} from '../choices/decisions.ts';
import { kept } from '../choices/identity.ts';
import { leavingArms } from '../choices/nothing-to-do.ts';
import { leavePlace, returnIt } from '../closure-holdings.ts';
import { forgetVariable } from '../cuda/host-accesses.ts';
import { isMove } from '../expressions/assign.ts';
import { fullCondition, isOrdinary } from '../expressions/conditional.ts';
import { convertedTo } from '../expressions/conversions.ts';
import { deviceElement } from '../expressions/device-elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { type Place, place } from '../expressions/locate.ts';
import { inMacro } from '../expressions/macro-parameters.ts';
import { findName, useEnumerators } from '../expressions/names.ts';
import { forgetNamed } from '../given-elements.ts';
import { endHostObject, endKeptVariables } from '../host-ends.ts';
import { whileThrown } from '../library/library-exceptions.ts';
import { initialised, isCopiedByConstructor } from '../objects/copies.ts';
import { destroyCell } from '../objects/destroy.ts';
import { fromOther } from '../objects/implicit.ts';
import { createScope, type Scope } from '../scope.ts';
import { declareFunctions, omittedSections, partsOfBlock } from '../sections.ts';
import { ParkSignal, type Resume } from '../threads.ts';
import { defineLocalClass, nameTypeHere } from '../types/local-classes.ts';
import { substitute } from '../types/types.ts';
import { type Cell, type RecordObject, truth, unknownValue, type Value } from '../value.ts';
import { ExitSignal, noteGap, spend, ThrowSignal, type World } from '../world.ts';
import { declare } from './declare.ts';
import { destructure } from './destructure.ts';
import { executeTry } from './exceptions.ts';
import { indexOfLabel, labelMeant, pathInto } from './labels.ts';
import { executeForEach, executeLoop } from './loops.ts';
import { keepGuard } from './scope-guards.ts';
import { executeSwitch } from './switches.ts';
import { endTemporaries, evaluateFully, hasEnd, noteTemporary } from './temporaries.ts';

export interface Returned {
  readonly kind: 'return';
  readonly value: Value;
  readonly cell: Cell | null;
  /** It was the function's own object. */
  readonly isLocal?: boolean;
  /** It was given away with `std::move`. */
  readonly isMoved?: boolean;
  /** A name stands there, or that of a member. */
  readonly isNamed?: boolean;
}

/** How a statement ended, when not by reaching its end. */
export type Completion =
  | Returned
  | { readonly kind: 'break'; readonly loop?: string }
  | { readonly kind: 'continue'; readonly loop?: string }
  | { readonly kind: 'goto'; readonly label: string; readonly span: Span }
  | undefined;

/**
 * Runs statements in `scope`, then destroys what it owns. `from`: where it goes on in a thread that waited, with what was left of
 * that statement.
 */
export function executeBlock(
  world: World,
  scope: Scope,
  body: readonly Statement[],
  from = 0,
  rest: Resume | null = null,
): Completion {
  let index = from;
  let start = from;
  let before = 0;
  let isLeftAsItIs = false;
  let isThrown = false;
  try {
    const { functions, sections } = partsOfBlock(body);
    if (functions.length > 0) declareFunctions(scope, functions);
    const omitted = sections.length > 1 ? omittedSections(world, sections) : null;
    let jumps = 0;
    for (; index < body.length; index++) {
      const statement = body[index]!;
      if (omitted?.has(statement)) continue;
      before = world.events.length;
      if (!rest && keepGuard(world, scope, body, index)) continue;
      const completion = rest && index === start ? rest() : execute(world, scope, statement);
      rest = null;
      if (completion?.kind !== 'goto') {
        if (completion) return completion;
        continue;
      }
      const label = indexOfLabel(body, completion.label);
      if (label < 0) return completion;
      if (jumps++ >= world.budget.iterations) {
        noteGap(world, 'budget', 'a goto that is taken more often than is followed', statement.span);
        return undefined;
      }
      rest = pathInto(world, scope, body[label]!, completion.label);
      // The label itself does nothing; a statement around it is entered there.
      index = rest ? label - 1 : label;
      start = label;
    }
    return undefined;
  } catch (signal) {
    // `exit` destroys nothing of the functions that are under way.
    isLeftAsItIs = signal instanceof ParkSignal || signal instanceof ExitSignal;
    isThrown = signal instanceof ThrowSignal;
    if (signal instanceof ParkSignal) {
      parkBlock(world, scope, body, index, signal, before);
    }
    throw signal;
  } finally {
    if (isThrown) whileThrown(world, scope, endScope);
    else if (!isLeftAsItIs) endScope(world, scope);
  }
}

/**
 * A thread waits inside a statement of a block. One that needs what a function returns begins again, unless it has asked something
 * of CUDA by then; others go on where they were left.
 */
function parkBlock(
  world: World,
  scope: Scope,
  body: readonly Statement[],
  at: number,
  signal: ParkSignal,
  before: number,
): void {
  const statement = body[at];
  const isPlainCall = statement?.kind === 'expression' && statement.expression.kind === 'call';
  const isRepeated = signal.isResultAsked && !isPlainCall && world.events.length === before;
  const rest = isRepeated ? null : signal.resume;
  if (isRepeated) signal.scopes.length = 0;
  signal.scopes.push(scope);
  signal.isResultAsked = false;
  signal.resume = () => executeBlock(world, scope, body, at, rest);
}

/** Destroys what the scope owns, last first. */
export function endScope(world: World, scope: Scope): void {
  while (scope.owned.length > 0) {
    const cell = scope.owned.pop();
    if (!cell) continue;
    endHostObject(world, cell);
    destroyCell(world, cell);
  }
  endKeptVariables(world, scope);
}

export function execute(world: World, scope: Scope, statement: Statement): Completion {
  spend(world);
  if (world.macroDepth === 0) world.statement = statement.span;
  switch (statement.kind) {
    case 'expression':
      return executeExpression(world, scope, statement);
    case 'declare':
      for (const declaration of statement.declarations) {
        const mark = world.temporaries.length;
        declare(world, scope, declaration);
        endTemporaries(world, mark);
      }
      return undefined;
    case 'destructure':
      destructure(world, scope, statement);
      return undefined;
    case 'block':
      return executeBlock(world, createScope(scope), statement.body);
    case 'if':
      return executeIf(world, scope, statement);
    case 'loop':
      return executeLoop(world, scope, statement);
    case 'forEach':
      return executeForEach(world, scope, statement);
    case 'switch':
      return executeSwitch(world, scope, statement);
    case 'return':
      return executeReturn(world, scope, statement);
    case 'break':
      return statement.loop === undefined ? { kind: 'break' } : { kind: 'break', loop: statement.loop };
    case 'continue':
      return statement.loop === undefined ? { kind: 'continue' } : { kind: 'continue', loop: statement.loop };
    case 'goto':
      return { kind: 'goto', label: labelMeant(world, scope, statement), span: statement.span };
    case 'try':
      return executeTry(world, scope, statement);
    case 'function':
    case 'label':
      return undefined;
    case 'using':
      if (statement.isEnum) useEnumerators(world, scope, statement.name);
      return undefined;
    case 'alias':
      nameTypeHere(world, scope, statement.name, statement.type);
      return undefined;
    case 'class':
      defineLocalClass(world, scope, statement.definition);
      return undefined;
    case 'unknown':
      for (const part of statement.parts) evaluate(world, scope, part);
      noteGap(world, 'syntax', statement.what, statement.span);
      return undefined;
  }
}

function executeExpression(world: World, scope: Scope, statement: Statement & { kind: 'expression' }): Completion {
  const expression = statement.expression;
  if (expression.kind === 'call' && expression.callee.kind === 'name' && !expression.isBracketed) {
    const name = expression.callee.name;
    const isMacro = world.program.macro(name)?.parameters != null && !findName(world, scope, name);
    const body = isMacro ? world.program.expand(name) : null;
    if (body?.kind === 'statements' && world.macroDepth <= 24)
      return inMacro(world, macroScope(world, scope, expression, name), executeBlock, body.body);
    if (body) {
      expandCall(world, scope, expression, name);
      return undefined;
    }
  }
  if (expression.kind === 'name') {
    const isMacro =
      world.program.macro(expression.name)?.parameters === null && !findName(world, scope, expression.name);
    const body = isMacro ? world.program.expand(expression.name) : null;
    if (body?.kind === 'statements') return inMacro(world, createScope(scope), executeBlock, body.body);
  }
  const isLast = endsFunction(expression);
  const alone = expression.kind === 'cast' ? expression.operand : expression;
  world.unheeded = alone.kind === 'call' ? alone.span : null;
  evaluateFully(world, scope, expression);
  // What is named and not used is not read.
  forgetNamed(world, alone.span, alone);
  const held = saidToHold(world, expression);
  if (held && !mayHold(world, scope, held)) throw new ExitSignal(false);
  // `try { call(); FAIL(); } catch …`: the call is expected to throw, and in an ordinary run it has.
  if (isLast && world.tryDepth > 0 && !/SKIP/.test(calledName(expression))) throw new ThrowSignal();
  if (!isLast) return undefined;
  world.isTestLeft = true;
  return { kind: 'return', value: unknownValue, cell: null };
}

function mayHold(world: World, scope: Scope, said: Expression): boolean {
  return holdFrom(world, said, (part) => fullCondition(world, scope, part));
}

/** Where CUDA sees nothing of what is chosen, and an ordinary run has no answer either. */
function isQuietlyOpen(world: World, condition: Value): boolean {
  return world.quietUntil !== null && truth(condition) === null && !isOrdinary(condition);
}

/** What one of the arms of a choice may do. */
function armActs(world: World, arm: Statement | null, isLeaving: boolean): Acting {
  if (!arm) return 'never';
  return isLeaving ? actingBesidesThrowing(world, arm) : acting(world, arm);
}

function executeIf(world: World, scope: Scope, statement: Statement & { kind: 'if' }): Completion {
  const inner = createScope(scope);
  if (statement.initializer) execute(world, inner, statement.initializer);
  world.decided = null;
  const condition = fullCondition(world, inner, statement.condition);
  if (isQuietlyOpen(world, condition) && skipQuietly(world, inner, statement)) {
    endScope(world, inner);
    return undefined;
  }
  if (truth(condition) === null && !matters(world, statement)) {
    endScope(world, inner);
    return undefined;
  }
  const trueLeaves = leaves(world, statement.whenTrue);
  const falseLeaves = leaves(world, statement.whenFalse);
  // Where all that may happen is that it leaves, an ordinary run goes by, unless it would fail: `if (a) return f(); else throw …;`
  const isPassedBy = trueLeaves
    ? statement.whenFalse === null ||
      !endsInFailure(world, statement.whenFalse) ||
      endsInFailure(world, statement.whenTrue)
    : !statement.whenFalse &&
      (onlyChecks(world, statement.whenTrue) || isHeldToBound(statement.condition, statement.whenTrue));
  const taken = decide(
    world,
    condition,
    statement.condition.span,
    !isPassedBy,
    trueLeaves || falseLeaves,
    stronger(armActs(world, statement.whenTrue, trueLeaves), armActs(world, statement.whenFalse, falseLeaves)),
    trueLeaves ? leavingArms(world, statement) : statement,
  );
  const guess: string | null = world.decided;
  const arm = taken ? statement.whenTrue : statement.whenFalse;
  if (guess !== null) world.within.push(guess);
  const completion = arm ? execute(world, inner, arm) : undefined;
  if (guess !== null) world.within.pop();
  endScope(world, inner);
  return completion;
}

function executeReturn(world: World, scope: Scope, statement: Statement & { kind: 'return' }): Completion {
  if (!statement.value) return { kind: 'return', value: unknownValue, cell: null };
  const mark = world.temporaries.length;
  const element = world.returnType?.isReference ? deviceElement(world, scope, statement.value) : null;
  const { value: written } = statement;
  const placed = (): Place => place(world, scope, written);
  const isEnd = world.frames.length === 0 && world.isWholeProgram;
  const found = element ? { value: element.value, cell: element } : isEnd ? whileEnding(world, placed) : placed();
  if (world.returnType?.isReference && found.cell) forgetVariable(world, found.cell, statement.value.span);
  const value = kept(found);
  if (!world.returnType?.isReference) returnIt(value, statement.value.kind === 'lambda');
  const { cell } = found;
  const made = value.kind === 'record' ? convertedResult(world, scope, value.record, statement.value.span) : null;
  if (made) {
    // What is converted stays the function's own: it goes when its scope, or the full expression, ends.
    noteTemporary(world, statement.value, { value, cell });
    endTemporaries(world, mark);
    return { kind: 'return', value: made, cell: null };
  }
  const gives = cell !== null && disowns(statement.value);
  const isSource = gives ? ownParameter(world, scope, cell) !== null : false;
  if (cell && (isSource || isOfLocals(world, scope, statement.value, value))) {
    // A parameter, or a part of a local, is not the result itself, but what the result is made from.
    const span = statement.value.span;
    const result = initialised(world, scope, { value, cell, span, isMoved: isSource || isMove(statement.value) }, span);
    endTemporaries(world, mark);
    return { kind: 'return', value: result, cell: null };
  }
  const isLocal = gives && !world.returnType?.isReference && disown(scope, cell);
  if (isLocal) leavePlace(cell);
  endTemporaries(world, mark);
  // `return std::move(member_)`: what is returned may take what that has.
  const isMoved = found.isMoved === true || isMove(statement.value);
  const { kind } = statement.value;
  return {
    kind: 'return',
    value,
    cell,
    isLocal,
    isMoved,
    isNamed: !statement.isPlace && (kind === 'name' || kind === 'member'),
  };
}

/** An object that is returned as something that its class converts it to, or that is made of it. */
function convertedResult(world: World, scope: Scope, record: RecordObject, span: Span): Value | null {
  const type = world.returnType;
  if (!type || type.isReference) return null;
  const other = fromOther(world, scope, type, { value: { kind: 'record', record }, cell: null, span });
  if (other || world.program.conversions.size === 0) return other;
  return convertedTo(world, record, substitute(type, scope));
}

/** `return x` and `return std::move(x)` give away what they name. */
function disowns(expression: Expression): boolean {
  return expression.kind === 'name' || isMove(expression);
}

/** Whether it is perhaps a part of what ends with the function: the result is made of it before that. */
function isOfLocals(world: World, scope: Scope, { kind }: Expression, value: Value): boolean {
  const { returnType } = world;
  if (kind === 'name' || !returnType || returnType.isReference || returnType.name === 'decltype') return false;
  if (!isCopiedByConstructor(world, value, 0) && !hasEnd(world.program, value)) return false;
  for (let current: Scope | null = scope; current; current = current.parent)
    if (current.parent && current.owned.length > 0) return true;
  return false;
}

/** The cell, if it is a parameter that is an object of a class of the program. */
function ownParameter(world: World, scope: Scope, cell: Cell): Cell | null {
  if (cell.value.kind !== 'record' || world.returnType?.isReference) return null;
  if (!isCopiedByConstructor(world, cell.value, 0)) return null;
  for (let current: Scope | null = scope; current; current = current.parent) {
    const index = current.owned.indexOf(cell);
    if (index >= 0) return index < current.parameterCount ? cell : null;
  }
  return null;
}

/** A local that is returned is not destroyed here: the caller has it now. Whether it is one, and no variable of what is around the function. */
function disown(scope: Scope, cell: Cell): boolean {
  for (let current: Scope | null = scope; current?.parent; current = current.parent) {
    const index = current.owned.indexOf(cell);
    if (index >= 0) {
      current.owned.splice(index, 1);
      return true;
    }
    if (current.parameterCount >= 0) return false;
  }
  return false;
}
