/** Template arguments are types or expressions; this tells them apart. */

import type { Expression, TypeReference } from '../../program/program.ts';

export function isType(argument: TypeReference | Expression): argument is TypeReference {
  return !('kind' in argument);
}
