/** `std::unexpected`. */

import type { Cell, RecordObject } from './value.ts';

/** What a `std::unexpected` says is wrong; null for other objects. */
export function unexpectedIn({ className, fields }: RecordObject): Cell | null {
  return className === 'std::unexpected' ? (fields.get('(value)') ?? null) : null;
}
