/**
 * Loops that repeat themselves: the same calls on the same things, as in a benchmark of a thousand launches. Once two
 * iterations in a row have asked the same of CUDA, and nothing that the loop counts or assigns can change that, the
 * iterations left would teach nothing.
 */

import { Remembered } from '../../program/consulted.ts';
import type { CallExpression, Expression, Statement } from '../../program/program.ts';
import { eachNode, someNode } from '../../program/walk.ts';
import { sameEvent } from '../../trace/same-events.ts';
import { lastPart, type ProgramTable } from '../program-table.ts';
import type { World } from '../world.ts';

/** Whether the events from `first` to `second` ask the same as those from `second` on. */
export function repeats(world: World, first: number, second: number): boolean {
  const { events } = world;
  if (events.length - second !== second - first) return false;
  for (let index = second; index < events.length; index++)
    if (!sameEvent(events[index], events[index - (second - first)])) return false;
  return true;
}

const caches = new WeakMap<ProgramTable, Remembered<Statement, boolean>>();

/** Whether no choice inside the loop, nor in a function it calls, can hang on what earlier iterations left behind. */
export function isSteady(world: World, loop: Statement & { kind: 'loop' }): boolean {
  const cache = caches.get(world.program) ?? new Remembered<Statement, boolean>();
  caches.set(world.program, cache);
  return cache.get(loop, false, () => {
    const carried = new Set<string>();
    for (const part of [loop.body, loop.update]) if (part) collectCarried(part, carried);
    return !hangsOn(world, loop.body, carried, new Set());
  });
}

/** Names whose value goes from one iteration to the next: counters, assigned variables and members, filled containers. */
function collectCarried(root: object, carried: Set<string>): void {
  eachNode(root, (node) => {
    if (node.kind === 'assign' && !(node.operator === '=' && node.value.kind === 'call')) addName(node.target, carried);
    if (node.kind === 'update') addName(node.operand, carried);
    if (node.kind === 'call' && node.callee.kind === 'member') addName(node.callee.object, carried);
  });
}

function addName(target: Expression, carried: Set<string>): void {
  if (target.kind === 'name') carried.add(target.name);
  else if (target.kind === 'member') {
    carried.add(target.name);
    addName(target.object, carried);
  } else if (target.kind === 'index') addName(target.object, carried);
  else if (target.kind === 'unary') addName(target.operand, carried);
}

function mentions(root: object | null, names: ReadonlySet<string>): boolean {
  return (
    root !== null && someNode(root, (node) => (node.kind === 'name' || node.kind === 'member') && names.has(node.name))
  );
}

function hangsOn(world: World, root: object, carried: ReadonlySet<string>, entered: Set<object>): boolean {
  return someNode(root, (node) => {
    switch (node.kind) {
      case 'if':
      case 'conditional':
      case 'loop':
        return mentions(node.condition, carried);
      case 'switch':
        return mentions(node.subject, carried);
      case 'forEach':
        return mentions(node.range, carried);
      case 'binary':
        return (node.operator === '&&' || node.operator === '||') && mentions(node.left, carried);
      case 'call':
        return calledHangs(world, node, carried, entered);
      case 'lambda':
        return true;
      default:
        return false;
    }
  });
}

/** A function of the program: nothing carried may go in, and nothing but its own variables may change inside. */
function calledHangs(
  world: World,
  { callee, arguments: values }: CallExpression,
  carried: ReadonlySet<string>,
  entered: Set<object>,
): boolean {
  if (callee.kind !== 'name' && callee.kind !== 'member') return true;
  const name = lastPart(callee.name);
  const definitions =
    callee.kind === 'member'
      ? [...world.program.functions].flatMap(([key, all]) => (lastPart(key) === name ? all : []))
      : (world.program.functions.get(name) ?? []);
  for (const definition of definitions) {
    if (!definition.body || definition.isKernel) continue;
    if (mentions(values, carried)) return true;
    if (entered.has(definition)) continue;
    entered.add(definition);
    const changed = new Set<string>();
    collectCarried(definition.body.statements, changed);
    for (const parameter of definition.parameters) changed.delete(parameter.name);
    eachNode(definition.body.statements, (node) => {
      if (node.kind === 'declare') for (const each of node.declarations) if (!each.isStatic) changed.delete(each.name);
    });
    if (changed.size > 0 || hangsOn(world, definition.body.statements, carried, entered)) return true;
  }
  return false;
}
