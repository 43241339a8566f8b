/** Types that the library makes of others: `std::conditional_t<B, X, Y>`, `std::tuple_element_t<1, T>`, `std::remove_pointer<T>::type`. */

import { storageNamed } from '../../program/number-types.ts';
import type { Expression, TypeReference } from '../../program/program.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import type { World } from '../world.ts';
import { concreteType, expandedTypes } from './packs.ts';
import { asExpression, isType } from './type-arguments.ts';
import { containerOf, substitute } from './types.ts';
import { meantType, namedByClass, ofInstance } from './types-in-classes.ts';
import { workingOut } from './under-way.ts';
import { typeOfWritten } from './written-types.ts';

type Arguments = TypeReference['arguments'];

/** What one of them makes of its arguments; null where that is not known. */
type Transformation = (world: World, scope: Scope, list: Arguments) => TypeReference | null;

const stripped: Transformation = (world, scope, [type]) => {
  const inner = typeGiven(world, scope, type);
  return inner && { ...inner, isReference: false, isConst: false };
};

/** Of an array the address of its first element. */
const decayed: Transformation = (world, scope, list) => {
  const inner = stripped(world, scope, list);
  if (!inner || inner.extents.length === 0) return inner;
  // What rows point to has a form of its own.
  return inner.extents.length > 1 ? null : { ...inner, pointers: inner.pointers + 1, extents: [] };
};

/** An element of an array, or of its rows. */
const elementOf =
  (isInnermost: boolean): Transformation =>
  (world, scope, [type]) => {
    const inner = typeGiven(world, scope, type);
    return inner && { ...inner, extents: isInnermost ? [] : inner.extents.slice(1) };
  };

const pointedAt: Transformation = (world, scope, [type]) => {
  const inner = typeGiven(world, scope, type);
  return inner && inner.pointers > 0 ? { ...inner, pointers: inner.pointers - 1 } : null;
};

/** Numbers as wide, with a sign or without. */
const withSign =
  (isSigned: boolean): Transformation =>
  (world, scope, [type]) => {
    const inner = typeGiven(world, scope, type);
    const storage = inner && inner.pointers === 0 ? storageNamed(inner.name) : null;
    if (!inner || !storage || storage.kind === 'real') return null;
    return { ...inner, name: `${isSigned ? '' : 'u'}int${storage.bits}_t` };
  };

const transformations: ReadonlyMap<string, Transformation> = new Map<string, Transformation>([
  [
    'conditional',
    (world, scope, [condition, ...types]) => {
      const holds = condition ? numberGiven(world, scope, condition) : null;
      return holds === null ? null : typeGiven(world, scope, types[holds === 0 ? 1 : 0]);
    },
  ],
  ['enable_if', (world, scope, [, type]) => typeGiven(world, scope, type)],
  ['tuple_element', elementAt],
  ['variant_alternative', elementAt],
  ['type_identity', (world, scope, [type]) => typeGiven(world, scope, type)],
  // An enumeration is another name for the type of its numbers.
  ['underlying_type', stripped],
  ['decay', decayed],
  ['remove_extent', elementOf(false)],
  ['remove_all_extents', elementOf(true)],
  ['remove_cvref', stripped],
  ['remove_reference', stripped],
  ['remove_cv', stripped],
  ['remove_const', stripped],
  ['remove_pointer', pointedAt],
  ['make_signed', withSign(true)],
  ['make_unsigned', withSign(false)],
  [
    'add_pointer',
    (world, scope, [type]) => {
      const inner = typeGiven(world, scope, type);
      return inner && { ...inner, pointers: inner.pointers + 1 };
    },
  ],
]);

/** The type itself where it is none of them, or what it is hangs on what nobody knows. */
export function transformed(world: World, scope: Scope, type: TypeReference): TypeReference {
  const { name } = type;
  if (!name.endsWith('_t') || type.arguments.length === 0) return type;
  const make = transformations.get(
    name.slice(name.startsWith('std::') ? 5 : name.startsWith('cuda::std::') ? 11 : 0, -2),
  );
  const made = make?.(world, scope, type.arguments);
  if (!made) return type;
  return {
    ...made,
    pointers: made.pointers + type.pointers,
    isReference: made.isReference || type.isReference,
    isConst: made.isConst || type.isConst,
    extents: [...type.extents, ...made.extents],
  };
}

/** `g<std::decay_t<T>>()` and `g<typename Traits<T>::type>()` in a template: what its `T` is, for the parameter of what is called may be a `T`, too. */
export function typeHandedOn(world: World, scope: Scope, written: TypeReference): TypeReference {
  if (written.qualifier) return meantType(world, scope, written);
  if (written.arguments.length === 0) return substitute(written, scope);
  return transformed(world, scope, concreteType(world, scope, written));
}

/** What `std::conditional<B, X, Y>` calls its `type`; null for all else. */
export function typeMadeBy(world: World, scope: Scope, { name, arguments: list }: TypeReference): TypeReference | null {
  return transformations.get(name.startsWith('std::') ? name.slice(5) : name)?.(world, scope, list) ?? null;
}

/** The type that is meant in the end, by whatever names: of templates, of classes, of the library. */
export function typeInTheEnd(world: World, scope: Scope, asked: TypeReference): TypeReference {
  // `std::make_shared<decltype(task)>(std::move(task))`
  const written = (asked.of && typeOfWritten(world, scope, asked)) ?? asked;
  const put = written.qualifier ? written : substitute(written, scope);
  const named = put.qualifier ? put : (namedByClass(world, put) ?? put);
  const isOfClass = named.qualifier !== undefined || named.name.includes('::');
  const meant = isOfClass ? substitute(meantType(world, scope, named), scope) : named;
  return transformed(world, scope, resolveType(world.program, meant));
}

/** `typename Traits<T>::type` as what that class calls so; any other type as it is written. */
export function ofClass(world: World, scope: Scope, type: TypeReference): TypeReference {
  const named = type.qualifier ? type : ofInstance(world, scope, type);
  return named.qualifier ? meantType(world, scope, named) : type;
}

function elementAt(world: World, scope: Scope, [place, written]: Arguments): TypeReference | null {
  const holder = typeGiven(world, scope, written);
  const index = place ? numberGiven(world, scope, place) : null;
  if (!holder || index === null) return null;
  const container = containerOf(holder);
  if (container === 'array') return typeGiven(world, scope, holder.arguments[0]);
  return typeGiven(world, scope, expandedTypes(scope, holder.arguments)[index]);
}

function typeGiven(world: World, scope: Scope, written: TypeReference | Expression | undefined): TypeReference | null {
  if (!written || !isType(written) || written.name.startsWith('decltype')) return null;
  const meant = (): TypeReference =>
    transformed(world, scope, resolveType(world.program, substitute(meantType(world, scope, written), scope)));
  return workingOut(world, null, meant);
}

function numberGiven(world: World, scope: Scope, written: TypeReference | Expression): number | null {
  const value = evaluate(world, scope, asExpression(written, world.statement));
  return value.kind === 'number' ? value.value : null;
}
