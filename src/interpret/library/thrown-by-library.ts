/** What functions of the library throw when they are asked for something that is not there. */

import { createRecord, type RecordObject, type Sequence, type Value } from '../value.ts';
import { ThrowSignal, type World } from '../world.ts';

/** `v.at(7)` of fewer elements, where somebody waits for it: elsewhere that the program ends there is no more likely than that we miscounted. */
export function checkPlace(world: World, { length }: Sequence, index: Value | undefined): void {
  if (world.tryDepth === 0 || length === null || index?.kind !== 'number') return;
  if (index.value < 0 || index.value >= length) throw thrownAs('std::out_of_range');
}

/** `map.at(key)` where nothing lies under the key. */
export function checkKey(world: World, { fields }: RecordObject, field: string): void {
  if (world.tryDepth > 0 && !fields.has(field)) throw thrownAs('std::out_of_range');
}

/** `std::get<T>(variant)` where it holds something else: null says so. */
export function checkHeld(world: World, held: unknown): void {
  if (world.tryDepth > 0 && held === null) throw thrownAs('std::bad_variant_access');
}

function thrownAs(className: string): ThrowSignal {
  return new ThrowSignal({ kind: 'record', record: createRecord(className, true) });
}
