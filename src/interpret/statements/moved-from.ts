/** What a variable is made of, and whether that stays: it is copied, or given away by `std::move`. */

import type { Expression } from '../../program/program.ts';
import { isMove } from '../expressions/assign.ts';
import type { Place } from '../expressions/locate.ts';
import { leaveEmpty } from '../objects/copies.ts';
import { findClass } from '../program-table.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

/** `std::move(a)`, and what a function returned as `T &&`. */
function isTaken(initializer: Expression, source: Pick<Place, 'cell' | 'isMoved'> | null): boolean {
  return isMove(initializer) || (source?.isMoved === true && source.cell !== null);
}

/** An object of the library that is moved from: it stays, and has nothing any more. */
export function isGivenAway(initializer: Expression, source: Place, value: Value): boolean {
  return isTaken(initializer, source) && value.kind === 'record' && value.record.className.startsWith('std::');
}

/** What is copied stays where it is: it has a name, or a function returned it by reference. */
export function staysBeside(initializer: Expression, { cell, isMoved }: Place): boolean {
  const { kind } = initializer;
  if (kind === 'call') return cell !== null && isMoved !== true && !isMove(initializer);
  return kind === 'name' || kind === 'member' || kind === 'index' || kind === 'unary';
}

/** After `T b = std::move(a)` the old object no longer owns anything, unless a move constructor saw to it. */
export function moveFrom(
  world: World,
  initializer: Expression | undefined,
  given: Pick<Place, 'cell' | 'isMoved'> | null,
  source: Value | undefined,
  target: Value,
): void {
  if (!initializer || !source || !isTaken(initializer, given)) return;
  if (source.kind === 'record' && findClass(world.program, source.record.className)) return;
  if (source.kind === 'record' ? target.kind !== 'record' || source.record === target.record : source === target)
    return;
  leaveEmpty(source);
}
