/** Types of variables where these are not as they are written: of `auto`, of arrays that are as long as what they begin as. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { numberName, typeOfNumber } from '../types/deduction.ts';
import { containerOf } from '../types/types.ts';
import type { Cell, Value } from '../value.ts';
import type { World } from '../world.ts';

/** What `auto` makes of a variable: no reference, and of an array a pointer to its first element. */
export function decayed(type: TypeReference): TypeReference {
  const isArray = type.extents.length > 0;
  return {
    ...type,
    isReference: false,
    pointers: type.pointers + (isArray ? 1 : 0),
    extents: type.extents.slice(1),
  };
}

/** `char name[] = "text"`: as long as that, with the zero behind it; `T list[]{a, b}`: as long as what stands there. */
export function withLengthOf(initializer: Expression, type: TypeReference): TypeReference {
  if (type.extents.length !== 1 || type.extents[0] !== null) return type;
  const length = lengthOf(initializer);
  return length === null ? type : { ...type, extents: [{ kind: 'number', value: length, span: initializer.span }] };
}

/** How many elements an array has that begins as this; null where that is not plain to see. */
function lengthOf(initializer: Expression): number | null {
  if (initializer.kind === 'string') return (initializer.whole ?? initializer.value).length + 1;
  if (initializer.kind !== 'list' || initializer.elements.length === 0) return null;
  const isPlain = initializer.elements.every(
    ({ name, index, value }) => name === null && !index && standsForOne(value),
  );
  return isPlain ? initializer.elements.length : null;
}

/** A pack is as many as it has, and `{"text"}` is as long as the text. */
function standsForOne(value: Expression): boolean {
  return value.kind !== 'string' && !(value.kind === 'unary' && value.operator === '...');
}

const characters: TypeReference = { ...typeNamed('char'), pointers: 1, isConst: true };

/** What the initialiser says of its type: a cast, a text of C's, a number that says what it is. */
export function castTypeOf(world: World, initializer: Expression, value: Value): Cell['type'] {
  if (world.program.isScript) return initializer.kind === 'cast' ? initializer.type : null;
  if (initializer.kind === 'string') return characters;
  if (initializer.kind === 'cast') return initializer.type;
  // `0` may be a null.
  const isNumber = initializer.kind === 'binary' || (initializer.kind === 'number' && initializer.value !== 0);
  return isNumber && value.kind === 'number' ? typeNamed(numberName(value)) : typeOfNumber(value);
}

/** An object whose members, or whose parts, have constructors of their own. */
export function isMadeOfParts(type: TypeReference): boolean {
  const container = containerOf(type);
  return container === null || container === 'pair' || container === 'tuple';
}
