/**
 * `for (int i = 0; i < 256; i++) if (pool[i].ptr == nullptr) { pool[i].ptr = p; return; }`: a search through an array. A round that did
 * nothing does nothing for elements that hold the same, either, so that those behind it are passed over at once: a pool that is
 * searched a thousand times costs as much as its elements differ.
 */

import { Attached } from '../../base/attached.ts';
import type { Expression, Statement } from '../../program/program.ts';
import { childNodes, isNode, someNode } from '../../program/walk.ts';
import { isUnmarked, type Marks } from '../doings.ts';
import { elementCell } from '../expressions/elements.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { place } from '../expressions/locate.ts';
import { findName } from '../expressions/names.ts';
import { isThunk, type Scope } from '../scope.ts';
import { type Cell, numberValue, type Sequence, type Value } from '../value.ts';
import type { World } from '../world.ts';

type Loop = Statement & { readonly kind: 'loop' };

/** A loop that counts up by one, and whose count only says which elements of which arrays a round looks at, unless it does something. */
interface Search {
  readonly counter: string;
  readonly end: Expression;
  readonly arrays: readonly Expression[];
}

const searches = new Attached<Loop, { readonly search: Search | null }>();

/** How deep objects in elements are compared. */
const deepest = 3;
/** Elements that are passed over at once: each is made to be compared. */
const mostPassedOver = 4096;

/** Whether rounds of a loop may be alike. */
export function mayBeAlike(loop: Loop): boolean {
  return searchIn(loop) !== null;
}

/** After a round of which `before` are the marks: the counter goes to the last of the elements behind that hold the same. */
export function passOverAlike(world: World, outer: Scope, loop: Loop, before: Marks): void {
  const search = searchIn(loop);
  if (!search || world.watched !== null || !isUnmarked(world, before)) return;
  const counter = findName(world, outer, search.counter);
  if (!counter || isThunk(counter) || counter.value.kind !== 'number') return;
  const end = evaluate(world, outer, search.end);
  if (end.kind !== 'number') return;
  const arrays: Sequence[] = [];
  for (const each of search.arrays) {
    const { value } = place(world, outer, each);
    if (value.kind !== 'sequence') return;
    arrays.push(value.sequence);
  }
  const at = counter.value.value;
  let last = at;
  const most = Math.min(end.value, at + mostPassedOver);
  while (last + 1 < most && areAlike(arrays, at, last + 1)) last++;
  if (last > at) counter.value = numberValue(last, counter.value.type);
}

/** The same of a round over one element after another: the last of those behind `round` that hold the same. */
export function lastAlike(
  world: World,
  body: Statement,
  before: Marks,
  round: number,
  count: number,
  at: (round: number) => Cell,
): number {
  if (world.watched !== null || !isUnmarked(world, before) || takesAddresses(body)) return round;
  let last = round;
  while (last + 1 < count && isAlike(at(round).value, at(last + 1).value, 0)) last++;
  return last;
}

const addresses = new Attached<Statement, boolean>();

function takesAddresses(body: Statement): boolean {
  let known = addresses.get(body);
  if (known === undefined) {
    known = someNode(body, isAddress);
    addresses.set(body, known);
  }
  return known;
}

function areAlike(arrays: readonly Sequence[], first: number, second: number): boolean {
  return arrays.every((array) => {
    if (array.onDevice || array.length === null || second >= array.length) return false;
    return isAlike(elementCell(array, first).value, elementCell(array, second).value, 0);
  });
}

/** Nobody who only looks at them can tell them apart. What is not known can be: each has answers of its own. */
function isAlike(first: Value, second: Value, depth: number): boolean {
  if (first.kind === 'number') return second.kind === 'number' && first.value === second.value;
  if (first.kind === 'string') return second.kind === 'string' && first.value === second.value;
  if (first.kind === 'handle') return second.kind === 'handle' && first.id === second.id;
  if (first.kind !== 'record' || second.kind !== 'record' || depth > deepest) return false;
  const { className, fields } = first.record;
  if (className !== second.record.className || fields.size !== second.record.fields.size) return false;
  for (const [name, { value }] of fields) {
    const other = second.record.fields.get(name);
    if (!other || !isAlike(value, other.value, depth + 1)) return false;
  }
  return true;
}

function searchIn(loop: Loop): Search | null {
  const known = searches.get(loop);
  if (known) return known.search;
  const search = readSearch(loop);
  searches.set(loop, { search });
  return search;
}

function readSearch({ condition, update, body }: Loop): Search | null {
  if (condition?.kind !== 'binary' || (condition.operator !== '<' && condition.operator !== '!=')) return null;
  const { left, right: end } = condition;
  if (left.kind !== 'name' || update?.kind !== 'update' || update.operator !== '++') return null;
  const { operand } = update;
  if (operand.kind !== 'name' || operand.name !== left.name || !isPlainName(end)) return null;
  const arrays: Expression[] = [];
  return onlyPlaces(body, left.name, arrays) && arrays.length > 0 && !arrays.some((each) => isDeclaredIn(body, each))
    ? { counter: left.name, end, arrays }
    : null;
}

/** A number, a variable, or a member of one. */
function isPlainName(expression: Expression): boolean {
  if (expression.kind === 'member') return isPlainName(expression.object);
  return expression.kind === 'number' || expression.kind === 'name';
}

/** Kinds of what does something where it is evaluated: what a counter says there is not looked at in a round that did nothing. */
const doing: ReadonlySet<string> = new Set([
  'assign',
  'update',
  'call',
  'launch',
  'construct',
  'delete',
  'throw',
  'return',
]);

/** Whether the counter stands nowhere but as an index, or in what does something; `arrays`: grows by what it is an index of. */
function onlyPlaces(node: object, counter: string, arrays: Expression[]): boolean {
  if (isNode(node)) {
    if (doing.has(node.kind)) return true;
    if (node.kind === 'name') return node.name !== counter;
    if (node.kind === 'lambda' || node.kind === 'unknown' || isAddress(node)) return false;
    if (node.kind === 'index' && node.index.kind === 'name' && node.index.name === counter) {
      if (!isPlainName(node.object)) return false;
      arrays.push(node.object);
      return true;
    }
  }
  return childNodes(node).every((child) => onlyPlaces(child, counter, arrays));
}

/** Where an element lies tells it from all others. */
function isAddress(node: Expression | Statement): boolean {
  return node.kind === 'unary' && node.operator === '&';
}

function isDeclaredIn(body: Statement, array: Expression): boolean {
  let root = array;
  while (root.kind === 'member') root = root.object;
  const name = root.kind === 'name' ? root.name : '';
  return someNode(body, (node) => node.kind === 'declare' && node.declarations.some((each) => each.name === name));
}
