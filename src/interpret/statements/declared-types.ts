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

/** `char name[] = "text"`: as long as that, with the zero behind it. */
export function withLengthOf(initializer: Expression, type: TypeReference): TypeReference {
  if (initializer.kind !== 'string' || type.extents.length !== 1 || type.extents[0] !== null) return type;
  const length = { kind: 'number', value: initializer.value.length + 1, span: initializer.span } as const;
  return { ...type, extents: [length] };
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
