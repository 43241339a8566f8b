/** Types, and what stands among their arguments. */

import type { Expression, TypeReference } from './program.ts';

/** A type of which there is nothing but its name. */
export function typeNamed(name: string, list: TypeReference['arguments'] = []): TypeReference {
  return { name, arguments: list, pointers: 0, isReference: false, isConst: false, extents: [] };
}

/** Template arguments are types or expressions; this tells them apart. */
export function isType(argument: TypeReference | Expression): argument is TypeReference {
  return !('kind' in argument);
}
