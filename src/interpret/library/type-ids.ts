/** `typeid(T)`: something of which all that matters is whether it is the same as another, as a key of a map is. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { handleTypeOf } from '../handle-types.ts';
import { typeOfObject } from '../objects/copies.ts';
import { findClass, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { isScalar, substitute } from '../types/types.ts';
import { unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Builtin } from './builtin.ts';

/** A text for each type of which the whole is known; an object's is that of the class it is made of. */
export const typeId: Builtin = (world, scope, [given], { arguments: [written] }) => {
  if (given?.value.kind === 'record') return textOf(world, scope, typeOfObject(world, given.value.record));
  if (written?.kind !== 'name') return unknownValue;
  return textOf(world, scope, typeNamed(written.name, written.template?.arguments ?? []));
};

/** `any.type()`: of objects and handles, whose values say what they are; `void` where there is none. */
export function typeHeld(world: World, scope: Scope, held: Value | undefined): Value {
  if (!held) return textOf(world, scope, typeNamed('void'));
  if (held.kind === 'record') return textOf(world, scope, typeOfObject(world, held.record));
  return held.kind === 'handle' ? { kind: 'string', value: held.type } : unknownValue;
}

function textOf(world: World, scope: Scope, type: TypeReference): Value {
  const text = nameOf(world, scope, type);
  return text === null ? unknownValue : { kind: 'string', value: text };
}

function nameOf(world: World, scope: Scope, written: TypeReference | Expression): string | null {
  if (!isType(written)) return written.kind === 'number' ? String(written.value) : null;
  const type = resolveType(world.program, substitute(written, scope));
  const handle = handleTypeOf(type);
  if (handle !== null) return handle;
  const isKnown = findClass(world.program, type.name) !== undefined || isScalar(world.program, type);
  if (!isKnown || type.extents.length > 0) return null;
  const parts = type.arguments.map((each) => nameOf(world, scope, each));
  return parts.includes(null) ? null : `${type.name}<${parts.join(',')}>${'*'.repeat(type.pointers)}`;
}
