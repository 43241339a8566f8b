/**
 * Kernels that wait, while they run, for what others write: `while (flags[peer] != step) {}`. Two that tell each other through memory how
 * far they are stand in two streams because they are to run at once.
 */

import { rememberedByProgram } from '../../program/consulted.ts';
import type { Expression, FunctionDefinition, Statement } from '../../program/program.ts';
import { childNodes, eachNode, someNode } from '../../program/walk.ts';
import { assignedIn } from '../choices/assigned.ts';
import { lastPart, methodsOf } from '../program-table.ts';
import type { World } from '../world.ts';
import { mentionsOthers } from './kernel-talk.ts';

type Node = Expression | Statement;
type Loop = Statement & { readonly kind: 'loop' };
type Call = Expression & { readonly kind: 'call' };

const maximumDepth = 4;

/** Whether a kernel, or what it calls, stays in a loop until memory that the loop does not write has changed. */
export function waitsForOthers(world: World, kernel: FunctionDefinition): boolean {
  return answers(world.program).get(kernel, false, () => waits(world, kernel, 0));
}

const answers = rememberedByProgram<FunctionDefinition, boolean>();

function waits(world: World, { body }: FunctionDefinition, depth: number): boolean {
  if (!body || depth > maximumDepth) return false;
  return someNode(body.statements, (node) => {
    if (node.kind === 'loop') return isWaiting(world, node);
    return node.kind === 'call' && calledBy(world, node).some((each) => waits(world, each, depth + 1));
  });
}

/** The functions of the program that a call may be of: a function by its name, all methods of a name. */
function calledBy(world: World, { callee }: Call): readonly FunctionDefinition[] {
  if (callee.kind === 'name') return (world.program.functions.get(lastPart(callee.name)) ?? []).slice(0, 1);
  if (callee.kind !== 'member') return [];
  return methodsOf(world.program).get(lastPart(callee.name)) ?? [];
}

/** What it goes on for is read again in each round, from a place that it neither moves nor writes. */
function isWaiting(world: World, loop: Loop): boolean {
  if (loop.update) return false;
  const { names, arrays, declared } = assignedIn(loop);
  const isChanged = (node: Node): boolean => node.kind === 'name' && (names.has(node.name) || declared.has(node.name));
  const written = new Set<string>();
  for (const array of arrays) eachNode(array, (node) => node.kind === 'name' && written.add(node.name));
  const isReadAgain = (node: Node): boolean =>
    isReading(world, node) &&
    !someNode(childNodes(node), (part) => isChanged(part) || (part.kind === 'name' && written.has(part.name)));
  return leavingConditions(loop).some((condition) =>
    [condition, ...valuesBehind(loop, condition)].some((each) => someNode(each, isReadAgain)),
  );
}

/** Memory, or a call that takes it for something that others change. */
function isReading(world: World, node: Node): boolean {
  switch (node.kind) {
    case 'index':
      return true;
    case 'unary':
      return node.operator === '*';
    case 'member':
      return node.isArrow === true;
    case 'call': {
      const { callee } = node;
      const name = callee.kind === 'name' || callee.kind === 'member' ? lastPart(callee.name) : '';
      if (/^(?:ld_|__ld|atomic|__nv_atomic_|load$)/.test(name)) return true;
      return calledBy(world, node).some(({ body }) => body !== null && mentionsOthers(body));
    }
    default:
      return false;
  }
}

/** What says whether there is one more round: the condition, and what is asked before a `break` or a `return`. */
function leavingConditions(loop: Loop): readonly Expression[] {
  const conditions: Expression[] = loop.condition ? [loop.condition] : [];
  eachNode(loop.body, (node) => {
    if (node.kind !== 'if') return;
    const isLeaving = [node.whenTrue, node.whenFalse].some(
      (arm) => arm && someNode(arm, ({ kind }) => kind === 'break' || kind === 'return'),
    );
    if (isLeaving) conditions.push(node.condition);
  });
  return conditions;
}

/** What the loop gives the variables that a condition asks about. */
function valuesBehind(loop: Loop, condition: Expression): readonly Expression[] {
  const asked = new Set<string>();
  eachNode(condition, (node) => node.kind === 'name' && asked.add(node.name));
  const values: Expression[] = [];
  eachNode(loop.body, (node) => {
    if (node.kind === 'assign' && node.operator === '=' && node.target.kind === 'name' && asked.has(node.target.name))
      values.push(node.value);
    // `load(&packets[i], packet);`, which takes it by reference.
    if (node.kind === 'call' && node.arguments.some((each) => isGivenOne(each, asked))) values.push(node);
    if (node.kind === 'declare')
      for (const { name, initializer } of node.declarations)
        if (initializer && asked.has(name)) values.push(initializer);
  });
  return values;
}

function isGivenOne(argument: Expression, names: ReadonlySet<string>): boolean {
  const place = argument.kind === 'unary' && argument.operator === '&' ? argument.operand : argument;
  return place.kind === 'name' && names.has(place.name);
}
