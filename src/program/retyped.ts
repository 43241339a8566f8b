/** Types with some parts replaced. */

import { arrayMeant } from './array-pointer.ts';
import type { TypeReference } from './program.ts';

/** What every type has. */
type Plain = Pick<TypeReference, 'name' | 'arguments' | 'pointers' | 'isReference' | 'isConst' | 'extents'>;

/**
 * A type with some of its parts replaced, and itself where they are what it has. Written out and not spread: this is done for
 * every variable, and V8 (up to 12) leaves its fast path at each part of a spread that is replaced.
 */
export function retyped(type: TypeReference, parts: Partial<Plain>): TypeReference {
  const {
    name = type.name,
    arguments: list = type.arguments,
    pointers = type.pointers,
    isReference = type.isReference,
    isConst = type.isConst,
    extents = type.extents,
  } = parts;
  if (
    name === type.name &&
    list === type.arguments &&
    pointers === type.pointers &&
    isReference === type.isReference &&
    isConst === type.isConst &&
    extents === type.extents
  )
    return type;
  const plain = { name, arguments: list, pointers, isReference, isConst, extents };
  const { takesMoved, isOutermost, of, parameters, qualifier, takes, isOfMember, isVolatile, outer } = type;
  const isPlain =
    takesMoved === undefined &&
    isOutermost === undefined &&
    of === undefined &&
    parameters === undefined &&
    qualifier === undefined &&
    takes === undefined &&
    isOfMember === undefined &&
    outer === undefined &&
    isVolatile === undefined;
  return isPlain ? plain : Object.assign({ ...type }, plain);
}

/** What a pointer of that type points to. */
export function pointee(type: TypeReference): TypeReference {
  const target = retyped(type, { pointers: type.pointers - 1, isReference: false });
  return arrayMeant(target) ?? target;
}
