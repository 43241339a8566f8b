/** Whether two types are written alike, as far as that can be told without knowing what their names mean. */

import type { TypeReference } from './program.ts';

/** The same name, pointers and arguments; arrays are taken for different. */
export function isSameType(first: TypeReference, second: TypeReference): boolean {
  return (
    first.name === second.name &&
    first.pointers === second.pointers &&
    first.extents.length === 0 &&
    second.extents.length === 0 &&
    first.arguments.length === second.arguments.length &&
    first.arguments.every((each, index) => {
      const other = second.arguments[index];
      if (!other) return false;
      if ('kind' in each)
        return 'kind' in other && each.kind === 'number' && other.kind === 'number' && each.value === other.value;
      return !('kind' in other) && isSameType(each, other);
    })
  );
}
