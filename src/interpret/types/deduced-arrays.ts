/** What a template parameter stands for where an array is given: all of it for `T &`, an address for `T`, its elements for `T *`. */

import { wholeArray } from '../../program/array-pointer.ts';
import type { TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import type { Value } from '../value.ts';

/** What an array is for a parameter of that form; null where nobody knows how large it is and that matters. */
export function arrayFor(pattern: TypeReference, array: TypeReference, given: Value): TypeReference | null {
  const isAddress = given.kind === 'pointer' || given.kind === 'device';
  const extents = knownExtents(array, given);
  if (pattern.extents.length > 0) return retyped(array, { extents: array.extents.slice(pattern.extents.length) });
  if (pattern.pointers === 0 && pattern.isReference && !isAddress) return extents && retyped(array, { extents });
  // What it is an address of.
  const rows = (extents ?? array.extents).slice(1);
  if (rows.length === 0) return retyped(array, { pointers: array.pointers + 1, extents: [] });
  if (!extents) return null;
  if (pattern.pointers === 1) return retyped(array, { pointers: array.pointers + 1, extents: rows });
  return retyped(wholeArray(retyped(array, { extents: rows, isReference: false })), { pointers: 1 });
}

/** How large an array is, as far as numbers say it; null where they do not. */
function knownExtents({ extents }: TypeReference, given: Value): TypeReference['extents'] | null {
  const [first, ...rest] = extents;
  if (rest.some((each) => each?.kind !== 'number')) return null;
  if (first?.kind === 'number') return extents;
  const length =
    given.kind === 'sequence' ? given.sequence.length : given.kind === 'string' ? given.value.length + 1 : null;
  return length === null ? null : [{ kind: 'number', value: length, span: noSpan }, ...rest];
}

const noSpan = { file: '', start: 0, end: 0 };
