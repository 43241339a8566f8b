/**
 * Where the name of a function means another one inside it. A function that calls itself in any case never ends: what stands
 * there without a condition is an overload, perhaps of another file. And `lib::f()` inside a function `f` of another namespace is that library's.
 */

import { rememberedByProgram } from '../../program/consulted.ts';
import type { Expression, FunctionDefinition, Statement } from '../../program/program.ts';
import { childNodes, isNode, someNode } from '../../program/walk.ts';
import { keptByRun } from '../kept-by-run.ts';
import { lastPart, type ProgramTable } from '../program-table.ts';
import type { World } from '../world.ts';

/** The functions of the program that are under way, innermost last. */
export const runningIn = keptByRun((): FunctionDefinition[] => []);

/** Whether a function that is under way, or one of that name around it, calls another where it calls its own name. */
export function isOtherInside(world: World, candidate: FunctionDefinition): boolean {
  const running = runningIn(world);
  for (let at = running.length - 1; at >= 0 && running[at]!.name === candidate.name; at--)
    if (running[at] === candidate) return callsOthers(world.program, candidate);
  return false;
}

const answers = rememberedByProgram<FunctionDefinition, boolean>();

function callsOthers(program: ProgramTable, definition: FunctionDefinition): boolean {
  return answers(program).get(definition, false, () => {
    const plain = lastPart(definition.name);
    const operator = /^operator(\W+)$/.exec(plain)?.[1];
    const isOwnCall = (node: Expression | Statement): boolean =>
      node.kind === 'call'
        ? node.callee.kind === 'name' && lastPart(node.callee.name) === plain
        : node.kind === 'binary' && node.operator === operator;
    if (delegates(definition)) return true;
    const calls = new Set<object>();
    for (const statement of definition.body?.statements ?? [])
      someNode(statement, (node) => {
        if (isOwnCall(node)) calls.add(node);
        return false;
      });
    const certain = new Set<object>();
    if (calls.size > 0) runInAnyCase(program, definition.body?.statements ?? [], certain);
    const isEndless = (call: object): boolean => certain.has(call) && isSameInstance(definition, call);
    return calls.size > 0 && [...calls].every((call) => isEndless(call) || isElsewhere(definition, call));
  });
}

/** What a template calls with other types may be another instance of it; with just what it was given it is not. */
function isSameInstance(definition: FunctionDefinition, call: object): boolean {
  const { templateParameters, parameters } = definition;
  if (isOfOtherClass(definition, call)) return false;
  if (templateParameters.length === 0) return true;
  if (!isNode(call) || parameters.length === 0) return false;
  if (call.kind === 'call' && call.templateArguments.length > 0) return false;
  const given = call.kind === 'call' ? call.arguments : call.kind === 'binary' ? [call.left, call.right] : [];
  return (
    given.length === parameters.length &&
    given.every((each, index) => each.kind === 'name' && each.name === parameters[index]!.name)
  );
}

/** `Layers<Depth - 1>::run()`, or `Next::run()`, in a `run` of `Layers`: of an instance of which there may be a specialisation. */
function isOfOtherClass({ className }: FunctionDefinition, call: object): boolean {
  if (className === null || !isNode(call) || call.kind !== 'call' || call.callee.kind !== 'name') return false;
  const { name, template } = call.callee;
  if ((template?.qualifier?.arguments.length ?? 0) > 0) return true;
  const owner = name.slice(0, Math.max(0, name.lastIndexOf('::')));
  return owner !== '' && lastPart(owner) !== lastPart(className);
}

/** `Window() : Window(640, 480) {}`: a constructor that hands over to another of its class. */
function delegates({ className, name, memberInitializers }: FunctionDefinition): boolean {
  const own = className === null ? null : lastPart(className);
  return own !== null && lastPart(name) === own && memberInitializers.some((each) => lastPart(each.name) === own);
}

/** `lib::f()` in a free function `f` that stands in no namespace `lib`. */
function isElsewhere({ className, namespace = '' }: FunctionDefinition, call: object): boolean {
  if (className !== null || !isNode(call) || call.kind !== 'call' || call.callee.kind !== 'name') return false;
  const { name } = call.callee;
  const end = name.lastIndexOf('::');
  if (end < 0) return false;
  const around = lastPart(name.slice(0, end));
  return around === '' ? namespace !== '' : around !== lastPart(namespace);
}

/** Adds what is evaluated whenever the statements are run. False where they may be left before their end. */
function runInAnyCase(program: ProgramTable, statements: readonly object[], found: Set<object>): boolean {
  for (const statement of statements) if (!evaluatedInAnyCase(program, statement, found)) return false;
  return true;
}

function evaluatedInAnyCase(program: ProgramTable, node: object, found: Set<object>): boolean {
  if (isNode(node)) found.add(node);
  const within = (...parts: readonly (object | null)[]): boolean =>
    runInAnyCase(
      program,
      parts.filter((part) => part !== null),
      found,
    );
  if (!isNode(node)) return within(...childNodes(node));
  switch (node.kind) {
    case 'lambda':
    case 'function':
    case 'class':
      return true;
    case 'conditional':
      return within(node.condition);
    case 'binary':
      return node.operator === '&&' || node.operator === '||' ? within(node.left) : within(node.left, node.right);
    case 'if':
      return within(node.initializer ?? null, node.condition) && !mayLeave(program, node);
    case 'switch':
      return within(node.subject) && !mayLeave(program, node);
    case 'loop':
      return within(node.initializer, node.bodyFirst ? null : node.condition) && !mayLeave(program, node);
    case 'forEach':
      return within(node.range) && !mayLeave(program, node);
    case 'try':
      return false;
    case 'return':
      within(node.value);
      return false;
    case 'throw':
    case 'goto':
    case 'label':
      return false;
    case 'call':
      return within(...childNodes(node)) && !mayLeave(program, node);
    default:
      return within(...childNodes(node));
  }
}

const leaving = new Set(['return', 'throw', 'goto']);

/** Whether what stands here may leave the function; a macro may do anything. */
function mayLeave(program: ProgramTable, node: object): boolean {
  return someNode(
    node,
    (each) =>
      leaving.has(each.kind) ||
      (each.kind === 'call' && each.callee.kind === 'name' && program.macro(each.callee.name) !== undefined),
  );
}
