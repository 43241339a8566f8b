/** A type of which there is nothing but its name. */

import type { TypeReference } from './program.ts';

export function typeNamed(name: string, list: TypeReference['arguments'] = []): TypeReference {
  return { name, arguments: list, pointers: 0, isReference: false, isConst: false, extents: [] };
}
