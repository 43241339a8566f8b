/** Several places that are given the parts of one value. */

import type { Expression } from '../../program/program.ts';
import type { Scope } from '../scope.ts';
import { unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { store } from './assign.ts';
import { cellOf } from './locate.ts';

/** `std::tie(a, b) = f()`. */
export function tie(world: World, scope: Scope, targets: readonly Expression[], value: Value): void {
  const parts =
    value.kind === 'record'
      ? [...value.record.fields.values()]
      : value.kind === 'sequence'
        ? targets.map((_, index) => value.sequence.cells.get(index))
        : [];
  for (const [index, target] of targets.entries()) {
    const cell = cellOf(world, scope, target);
    const part = parts[index];
    if (cell) store(world, scope, cell, part?.value ?? unknownValue);
  }
}
