/**
 * Pointers to whole arrays, `float (*rows)[8]`: a pointer to a type of this name, of which the only argument is the array. A type
 * with a pointer level and an extent is an array of pointers.
 */

import type { TypeReference } from './program.ts';
import { isType, typeNamed } from './type-named.ts';

const arrayName = '(array)';

/** A type that stands for an array, so that there can be pointers to it. */
export function wholeArray(array: TypeReference): TypeReference {
  return typeNamed(arrayName, [array]);
}

/** The array that a type stands for; null for all other types, pointers to arrays among them. */
export function arrayMeant(type: TypeReference): TypeReference | null {
  if (type.name !== arrayName || type.pointers > 0) return null;
  const [array] = type.arguments;
  if (!array || !isType(array)) return null;
  return { ...array, isReference: type.isReference, extents: [...type.extents, ...array.extents] };
}

/** Whether it is an array, or a pointer to one, that {@link wholeArray} made. */
export function isOfWholeArray({ name }: TypeReference): boolean {
  return name === arrayName;
}
