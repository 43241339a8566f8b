/** `typeid(T)`: something of which all that matters is whether it is the same as another, as a key of a map is. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { handleTypeOf } from '../handle-types.ts';
import { typeOfObject } from '../objects/copies.ts';
import { findClass, type ProgramTable, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { isScalar, substitute } from '../types/types.ts';
import { unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Builtin } from './builtin.ts';

/** A text for each type of which the whole is known; an object's is that of the class it is made of. */
export const typeId: Builtin = (world, scope, [given], { arguments: [written] }) => {
  if (given?.value.kind === 'record') {
    const { record } = given.value;
    // Of an object without virtual functions the type is what it is seen as, which may be a base.
    const isTold = isPolymorphic(world.program, record.className, 0) !== false;
    return isTold ? textOf(world, scope, typeOfObject(world, record)) : unknownValue;
  }
  const declared = given?.cell?.type;
  if (declared && declared.name !== 'auto' && isScalar(world.program, declared))
    return textOf(world, scope, retyped(declared, { isConst: false, isReference: false }));
  if (written?.kind !== 'name') return unknownValue;
  return textOf(world, scope, typeNamed(written.name, written.template?.arguments ?? []));
};

/** Whether a class that derives from another has virtual functions; null where there is nothing that its objects could be seen as. */
function isPolymorphic(program: ProgramTable, className: string, depth: number): boolean | null {
  const definition = findClass(program, className);
  if (!definition || depth > 8) return null;
  if (definition.methods.some(({ isVirtual }) => isVirtual)) return true;
  if (definition.bases.some((base) => isPolymorphic(program, base, depth + 1))) return true;
  const isSeen = definition.bases.every((base) => findClass(program, base) !== undefined);
  return definition.bases.length > 0 && isSeen ? false : null;
}

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
