/** `std::numeric_limits<T>::max()`, `min()` and `lowest()` of C's number types. */

import type { TypeReference } from '../program/program.ts';
import { lastPart, resolveType } from './program-table.ts';
import type { Scope } from './scope.ts';
import { bytesOfType } from './type-bytes.ts';
import { substitute } from './types.ts';
import { numberValue, unknownValue, type Value } from './value.ts';
import type { World } from './world.ts';

/** What one of its functions returns; null where `owner` is another class. What no double holds exactly is not known. */
export function limitOf(world: World, scope: Scope, owner: TypeReference, name: string): Value | null {
  if (!/^(?:(?:cuda::)?std::)?numeric_limits$/.test(owner.name)) return null;
  const [written] = owner.arguments;
  if (!written || 'kind' in written) return unknownValue;
  const type = resolveType(world.program, substitute(written, scope));
  const bytes = bytesOfType(world, type, scope);
  const isWhole = /^(?:u?int\d+_t|size_t|(?:un)?signed|char|short|int|long)\b/.test(lastPart(type.name));
  if (bytes === null || !isWhole || bytes > 4) return unknownValue;
  const isUnsigned = /^(?:unsigned|uint|size_t)/.test(lastPart(type.name));
  const span = 2 ** (8 * bytes);
  const most = isUnsigned ? span - 1 : span / 2 - 1;
  const least = isUnsigned ? 0 : -span / 2;
  switch (lastPart(name)) {
    case 'max':
      return numberValue(most, isUnsigned && bytes === 4 ? 'u32' : undefined);
    case 'min':
    case 'lowest':
      return numberValue(least, isUnsigned && bytes === 4 ? 'u32' : undefined);
    default:
      return unknownValue;
  }
}
