/**
 * Loops that go through arrays of streams, events and the like as often as nobody knows: an element that the run has used is
 * there, so that such a loop comes by it. `for (int i = 0; i < n; i++) cudaStreamSynchronize(streams[i]);` waits for `streams[1]`.
 */

import { Attached } from '../../base/attached.ts';
import type { Expression, Statement } from '../../program/program.ts';
import { eachNode, someNode } from '../../program/walk.ts';
import { acting } from '../choices/acting.ts';
import { mostUnknownIterations, noteAnswer } from '../choices/implied.ts';
import { placeBehind } from '../expressions/array-places.ts';
import { place } from '../expressions/locate.ts';
import { findName } from '../expressions/names.ts';
import { isSymbolicPosition } from '../expressions/positions.ts';
import { isThunk, type Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import { unknownIterations } from './loop-elements.ts';

export type Loop = Statement & { readonly kind: 'loop' };

/** An array that a loop goes through, and the name of the number that it is indexed by. */
interface Walked {
  readonly counter: string;
  readonly arrays: readonly Expression[];
}

/** Whether the run has used an element of such an array at the loop's counter, or behind it; then what the loop asks is so. */
export function hasUsedElement(world: World, scope: Scope, loop: Loop, asked: Value): boolean {
  const { counter, arrays } = walkedBy(loop) ?? {};
  if (counter === undefined || arrays === undefined || arrays.length === 0) return false;
  const entry = findName(world, scope, counter);
  if (!entry || isThunk(entry) || entry.value.kind !== 'number') return false;
  const at = entry.value.value;
  if (at >= mostUnknownIterations) return false;
  const isUsed = arrays.some(
    (array) => acting(world, array) === 'never' && holdsFrom(place(world, scope, array).value, at),
  );
  if (isUsed && asked.kind === 'symbol') noteAnswer(world, asked.size, true);
  return isUsed;
}

/** A loop that may have gone on has made handles and memory in some elements of its arrays: the others may have been made as well. */
export function openRest(world: World, scope: Scope, loop: Loop): void {
  for (const array of walkedBy(loop)?.arrays ?? []) {
    const sequence = acting(world, array) === 'never' ? placeBehind(place(world, scope, array).value)?.sequence : null;
    if (
      sequence?.isZero &&
      [...sequence.cells.values()].some(({ value }) => isHandles(value) || value.kind === 'device')
    )
      sequence.isZero = false;
  }
}

function holdsFrom(array: Value, at: number): boolean {
  const start = placeBehind(array);
  if (!start) return false;
  // Of many, as a loop makes them, each is like the others: as many rounds as are tried of any loop are enough.
  if (at >= unknownIterations && start.sequence.cells.size > mostUnknownIterations) return false;
  for (const [position, { value }] of start.sequence.cells)
    if (position >= start.index + at && !isSymbolicPosition(position) && isHandles(value)) return true;
  return false;
}

/** A handle, or an array of them. */
function isHandles(value: Value): boolean {
  if (value.kind === 'handle') return true;
  if (value.kind !== 'sequence') return false;
  for (const each of value.sequence.cells.values()) if (each.value.kind === 'handle') return true;
  return false;
}

const known = new Attached<Loop, Walked | null>();

/** The arrays that a loop goes through by its counter; null where it has none. */
export function walkedBy(loop: Loop): Walked | null {
  const before = known.get(loop);
  if (before !== undefined) return before;
  const found = findWalked(loop);
  known.set(loop, found);
  return found;
}

function findWalked({ condition, update, body }: Loop): Walked | null {
  if (!update || condition?.kind !== 'binary' || !/^(?:<=?|!=)$/.test(condition.operator)) return null;
  if (condition.left.kind !== 'name') return null;
  const counter = condition.left.name;
  const declared = new Set<string>();
  const arrays: Expression[] = [];
  eachNode(body, (node) => {
    if (node.kind === 'declare') for (const { name } of node.declarations) declared.add(name);
    if (node.kind === 'index' && node.index.kind === 'name' && node.index.name === counter) arrays.push(node.object);
  });
  const isOfBody = (array: Expression): boolean =>
    someNode(array, (node) => node.kind === 'name' && declared.has(node.name));
  return { counter, arrays: arrays.filter((array) => !isOfBody(array)) };
}
