/** Objects that nobody here has made: what a pointer from outside points at. */

import { pointee, retyped } from '../../program/retyped.ts';
import { forgetInitialValues } from '../choices/outside.ts';
import { findClass } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { createObject } from '../types/types.ts';
import { type Cell, createCell, createSequence, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** An object that nobody here has made is not as its class would make it. */
export function adopted(record: RecordObject): RecordObject {
  forgetInitialValues(record, 0);
  return record;
}

/** A pointer that came from outside gets something to point at, once. */
export function adoptPointee(world: World, scope: Scope, holder: Cell): Cell {
  const { type, value: asked } = holder;
  const known = world.unseenArrays.get(asked);
  if (known && known.cell.type?.name === type?.name) {
    holder.value = known;
    return known.cell;
  }
  const element = type ? (type.pointers > 0 ? pointee(type) : retyped(type, { isReference: false })) : null;
  const definition = element && element.pointers === 0 ? findClass(world.program, element.name) : undefined;
  const value: Value =
    definition && element ? { kind: 'record', record: adopted(createObject(world, scope, element)) } : unknownValue;
  const target = createCell(holder.name, value, element);
  const sequence = createSequence(holder.name, null, element, false);
  sequence.cells.set(0, target);
  const pointer = { kind: 'pointer', cell: target, sequence, index: 0 } as const;
  // Copies that were made before point there, too.
  if (asked !== unknownValue) world.unseenArrays.set(asked, pointer);
  holder.value = pointer;
  return target;
}
