/** What a method or function of the library gives back. */

import { type Cell, unknownValue, type Value } from '../value.ts';
import type { CallResult } from './call.ts';

/** Nothing that anybody knows. */
export const done: CallResult = { value: unknownValue, cell: null };

/** A value that lies nowhere. */
export function just(value: Value): CallResult {
  return { value, cell: null };
}

/** A reference. */
export function found(cell: Cell): CallResult {
  return { value: cell.value, cell };
}
