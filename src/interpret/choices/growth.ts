/** Containers that a loop adds to in each of its rounds: where the loop is left early, how long they become is known all the same. */

import { Attached } from '../../base/attached.ts';
import type { Expression, Statement } from '../../program/program.ts';
import { eachNode, someNode } from '../../program/walk.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName } from '../expressions/names.ts';
import { isThunk, type Scope } from '../scope.ts';
import type { Cell, Sequence } from '../value.ts';
import type { World } from '../world.ts';
import { forgetAssigned } from './forgetting.ts';
import { roundsLeft } from './rounds-left.ts';

type Loop = Statement & { kind: 'loop' };

/** How many elements each round adds, by the name of the container. */
const growths = new Attached<Loop, ReadonlyMap<string, number>>();

const adding = new Set(['push_back', 'emplace_back']);
const reading = new Set(['size', 'length', 'empty', 'back', 'front', 'capacity', 'at']);
const leaving = new Set(['break', 'continue', 'return', 'goto', 'throw']);

/** Gives containers, once what the loop changes is forgotten, the lengths that they have behind it; asked for before that. */
export function lengthsBehind(world: World, scope: Scope, loop: Loop): () => void {
  const known = growths.get(loop) ?? growthOf(loop);
  growths.set(loop, known);
  const lengths = new Map<Cell, number>();
  for (const [name, count] of known) {
    const entry = findName(world, scope, name);
    const sequence = entry && !isThunk(entry) ? vectorIn(entry) : null;
    if (!entry || isThunk(entry) || sequence?.length == null) continue;
    const rounds = roundsLeft(world, scope, loop) ?? roundsUntil(world, scope, loop, name, sequence.length, count);
    if (rounds !== null) lengths.set(entry, sequence.length + rounds * count);
  }
  return () => {
    for (const [cell, length] of lengths) {
      const sequence = vectorIn(cell);
      if (!sequence) continue;
      if (sequence.room !== undefined) sequence.room = roomAfterLoop(sequence.room, length);
      sequence.length = length;
      // What was added is not zero, as what nobody has set before may be.
      sequence.isZero = false;
    }
  };
}

/**
 * What a loop adds to, of which nobody knows how often it goes round: what is in it, and how much it is, is not known behind. Of one that asks
 * something of CUDA in each round, `acts`, only what does nothing else than to count: the rest belongs to what was asked for.
 */
export function forgetAdded(world: World, scope: Scope, loop: Statement, acts: boolean): void {
  const known = acts ? onlyCounted : additions;
  const names = known.get(loop) ?? (acts ? countedIn(loop, true) : addedIn(loop));
  known.set(loop, names);
  if (names.size > 0) forgetAssigned(world, scope, loop, names);
}

const additions = new Attached<Statement, ReadonlySet<string>>();
const onlyCounted = new Attached<Statement, ReadonlySet<string>>();

/** The names of containers, also of members, that something in it adds to, and of numbers. */
function addedIn(loop: Statement): ReadonlySet<string> {
  const names = new Set(countedIn(loop, false));
  eachNode(loop, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member' || !adding.has(node.callee.name)) return;
    const { object } = node.callee;
    if (object.kind === 'name' || object.kind === 'member') names.add(object.name);
  });
  return names;
}

/** `n++`, `n += size`: variables that the loop's condition does not ask for; `isNothingElse`: and that it uses for nothing else. */
function countedIn(loop: Statement, isNothingElse: boolean): ReadonlySet<string> {
  const counted = new Map<string, number>();
  const named = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  eachNode(loop, (node) => {
    const target =
      node.kind === 'update' ? node.operand : node.kind === 'assign' && node.operator === '+=' ? node.target : null;
    if (target?.kind === 'name') add(counted, target.name);
    if (node.kind === 'name') add(named, node.name);
  });
  const condition = loop.kind === 'loop' ? loop.condition : null;
  const isAsked = (name: string): boolean =>
    condition !== null &&
    condition !== undefined &&
    someNode(condition, (node) => node.kind === 'name' && node.name === name);
  const names = [...counted].filter(([name, times]) => !isAsked(name) && !(isNothingElse && named.get(name) !== times));
  return new Set(names.map(([name]) => name));
}

function vectorIn({ value }: Cell): Sequence | null {
  return value.kind === 'sequence' && value.sequence.byValue && !value.sequence.isSet && !value.sequence.takesFrom
    ? value.sequence
    : null;
}

/** `while (v.size() < n)` */
function roundsUntil(
  world: World,
  scope: Scope,
  { condition }: Loop,
  name: string,
  length: number,
  count: number,
): number | null {
  if (condition?.kind !== 'binary' || condition.operator !== '<' || condition.left.kind !== 'call') return null;
  const { callee } = condition.left;
  const { right } = condition;
  if (callee.kind !== 'member' || callee.name !== 'size' || !isNamed(callee.object, name)) return null;
  const bound = right.kind === 'name' || right.kind === 'number' ? evaluate(world, scope, right) : null;
  return bound?.kind === 'number' ? Math.max(0, Math.ceil((bound.value - length) / count)) : null;
}

/** Only what is added in every round, and to what nothing else is done, is counted. */
function growthOf({ body }: Loop): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (someNode(body, ({ kind }) => leaving.has(kind))) return found;
  for (const statement of body.kind === 'block' ? body.body : [body]) {
    const name = statement.kind === 'expression' ? addedTo(statement.expression) : null;
    if (name !== null) found.set(name, (found.get(name) ?? 0) + 1);
  }
  for (const [name, count] of found) if (mentions(body, name) !== count) found.delete(name);
  return found;
}

function addedTo(expression: Expression): string | null {
  if (expression.kind !== 'call' || expression.callee.kind !== 'member') return null;
  const { name, object } = expression.callee;
  return adding.has(name) && object.kind === 'name' ? object.name : null;
}

/** How often a body names a container for something else than to look into it. */
function mentions(body: Statement, name: string): number {
  let count = 0;
  someNode(body, (node) => {
    if (node.kind === 'name' && node.name === name) count++;
    if (node.kind === 'member' && reading.has(node.name) && isNamed(node.object, name)) count--;
    if (node.kind === 'index' && isNamed(node.object, name)) count--;
    return false;
  });
  return count;
}

function isNamed(expression: Expression, name: string): boolean {
  return expression.kind === 'name' && expression.name === name;
}

/** Room behind a loop that has added one element after the other until there were so many. */
function roomAfterLoop(room: number, length: number): number {
  let grown = Math.max(room, 1);
  while (grown < length) grown *= 2;
  return grown;
}
