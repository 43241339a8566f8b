/** Static members of class templates, for the arguments that are written, and what the library says of types. */

import { numbersOf, storageNamed } from '../../program/number-types.ts';
import type { ClassDefinition, Expression, NameTemplate, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName, staticMember } from '../expressions/names.ts';
import { memberOfInstance } from '../expressions/static-variables.ts';
import { isPointerToOpaque } from '../handle-types.ts';
import { viewOfNumber } from '../library/views.ts';
import { memberNamed } from '../objects/hidden-members.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { createScope, isThunk, type Scope, typeStoodFor } from '../scope.ts';
import { type Cell, createCell, createRecord, numberValue, type RecordObject, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { valueGiven } from './argument-values.ts';
import { constantOf, ownerNamed, workedOut } from './class-constants.ts';
import { templatesOf, withBase, withTemplates } from './class-templates.ts';
import { givesNothing, isInvocable } from './invocable.ts';
import { nestedInSelf } from './nested-classes.ts';
import { concreteType } from './packs.ts';
import { relationOf } from './related-types.ts';
import { classOf } from './specialisations.ts';
import { argumentValue, sameType } from './template-patterns.ts';
import { asExpression, isType } from './type-arguments.ts';
import { countOf, typeConstant } from './type-constants.ts';
import { transformed } from './type-transformations.ts';
import { substitute } from './types.ts';
import { meantType } from './types-in-classes.ts';

/** Stands for a class with its template arguments where no object is at hand; null when the program does not define it. */
export function instanceOf(world: World, scope: Scope, written: TypeReference): RecordObject | null {
  const meant = written.qualifier ? meantType(world, scope, written) : written;
  const type = transformed(world, scope, resolveType(world.program, substitute(meant, scope)));
  const definition = classOf(world, scope, type);
  return definition ? createRecord(definition.name, false, templatesOf(world, scope, definition, type)) : null;
}

/** The instance of a template of variables, `place<T>`; of a class template's own, `Stages::place<T>`, for what that stands for. */
function variableTemplate(
  world: World,
  scope: Scope,
  name: string,
  list: NameTemplate['arguments'],
): RecordObject | null {
  const type = typeNamed(lastPart(name), list);
  const outer = name.includes('::') ? ownerNamed(world, scope, name) : null;
  return instanceOf(world, scope, outer ? { ...type, outer } : nestedInSelf(world, scope, type));
}

/** In `Traits<T>::type::f` the type of whose `f` the text speaks: `Traits<T>` itself, or what that calls `type`. */
export function ownerBehind(world: World, scope: Scope, name: string, qualifier: TypeReference): TypeReference {
  const owner = name.slice(0, -lastPart(name).length - 2);
  if (lastPart(owner) === lastPart(qualifier.name)) return qualifier;
  return meantType(world, scope, { ...typeNamed(owner), qualifier });
}

/** The value of `Traits<int>::size` and `std::is_same_v<A, B>`; null for a name that is found without its arguments. */
export function templatedValue(world: World, scope: Scope, name: string, template: NameTemplate): Value | null {
  const { qualifier } = template;
  const plain = lastPart(name);
  if (!qualifier && (plain === 'in_place_index' || plain === 'in_place_type'))
    return placeOf(world, scope, template.arguments[0]);
  const view = qualifier ? null : viewOfNumber(world, scope, name, template.arguments[0]);
  if (view) return view;
  if (!qualifier) {
    const variable = variableTemplate(world, scope, name, template.arguments);
    if (variable) return constantOf(world, variable, plain)?.value ?? null;
    if (Object.hasOwn(concepts, plain) && name !== plain)
      return traitOf(world, scope, concepts[plain]!, template.arguments);
    if (!plain.endsWith('_v')) return null;
    const asked = plain.slice(0, -2);
    return traitOf(world, scope, asked, template.arguments) ?? countOf(world, scope, asked, template.arguments);
  }
  const type = resolveType(world.program, substitute(ownerBehind(world, scope, name, qualifier), scope));
  const definition = classOf(world, scope, type);
  if (!definition) {
    const trait = plain === 'value' ? traitOf(world, scope, lastPart(type.name), type.arguments) : null;
    const constant = plain === 'value' ? integralConstant(world, scope, inLibrary(type)) : null;
    return constant ?? trait ?? typeConstant(world, scope, type, plain);
  }
  const field = definition.fields.find((each) => each.isStatic && each.name === plain);
  const templates = templatesOf(world, scope, definition, type);
  const variable =
    !field && template.arguments.length > 0 ? instanceOf(world, scope, typeNamed(plain, template.arguments)) : null;
  if (variable) {
    const both = createRecord(variable.className, false, withBase(variable.templates, templates));
    return constantOf(world, both, plain)?.value ?? null;
  }
  const constant = templates && constantOf(world, createRecord(definition.name, false, templates), plain);
  if (constant) return constant.value;
  // In `template <> struct Fib<0>` the names of its other members are its own.
  const inner = templates
    ? withTemplates(createScope(scope), templates)
    : createScope(world.globals, createRecord(definition.name, false));
  if (!field && plain === 'value') return constantOfBase(world, inner, definition);
  if (!field?.initializer || !field.type.isConst) return null;
  const { initializer } = field;
  return workedOut(() => evaluate(world, inner, initializer)) ?? { kind: 'unknown' };
}

/** The variable that `Pool<int>::count`, or `count<int>`, names: each instance has its own; null for a name that is found without its arguments. */
export function templatedCell(
  world: World,
  scope: Scope,
  name: string,
  { qualifier, arguments: list }: NameTemplate,
): Cell | null {
  const plain = lastPart(name);
  if (!world.program.staticMembers.has(plain)) return qualifier ? memberOfBase(world, scope, qualifier, plain) : null;
  const instance = qualifier ? instanceOf(world, scope, qualifier) : variableTemplate(world, scope, name, list);
  if (!instance) return null;
  const own = memberOfInstance(world, instance, plain);
  if (own || instance.templates) return own;
  // `template <> struct Fib<0>` has one of its own.
  const specialised = staticMember(world, instance.className, plain);
  return specialised && !isThunk(specialised) ? specialised : null;
}

/** `Slot<Stream>::handle` in a method of what derives from `Slot<Stream>` and `Slot<Event>`. */
function memberOfBase(world: World, scope: Scope, qualifier: TypeReference, name: string): Cell | null {
  if (!scope.self?.hidden?.has(name)) return null;
  const base = classOf(world, scope, resolveType(world.program, substitute(qualifier, scope)));
  return (base && memberNamed(world, scope.self, base.name, name)) ?? null;
}

/** `std::in_place_index<1>`, `std::in_place_type<T>`: which of a variant's types is meant, by place or by name. */
function placeOf(world: World, scope: Scope, written: TypeReference | Expression | undefined): Value | null {
  if (!written) return null;
  if (isType(written)) {
    const type = resolveType(world.program, substitute(written, scope));
    return {
      kind: 'record',
      record: createRecord(inPlace, true, { types: new Map([['T', type]]), values: new Map() }),
    };
  }
  const record = createRecord(inPlace, true);
  const index = evaluate(world, scope, asExpression(written, world.statement));
  record.fields.set('(index)', createCell('(index)', index));
  return { kind: 'record', record };
}

export const inPlace = 'std::in_place';

/** A type that the program does not define, as one of the library. */
function inLibrary(type: TypeReference): TypeReference {
  return { ...type, name: `std::${lastPart(type.name)}` };
}

/** What `std::integral_constant<int, 3>`, `std::bool_constant<b>` and `std::true_type` stand for; null for other types. */
export function integralConstant(world: World, scope: Scope, type: TypeReference): Value | null {
  if (type.pointers > 0) return null;
  // `std::is_integral<T>()` is a `true_type` or a `false_type`.
  if (type.name.startsWith('std::is_') && type.arguments.length > 0)
    return traitOf(world, scope, lastPart(type.name), type.arguments);
  const name = /^std::(integral_constant|bool_constant|true_type|false_type)$/.exec(type.name)?.[1];
  if (!name) return null;
  if (name.endsWith('_type')) return numberValue(name === 'true_type' ? 1 : 0);
  const written = type.arguments.at(-1);
  return written ? evaluate(world, scope, asExpression(written, world.statement)) : null;
}

/** `struct IsPointer<T *> : std::true_type`: the constant that a class derives from. */
function constantOfBase(world: World, scope: Scope, { bases, baseTypes }: ClassDefinition): Value | null {
  for (const type of [...(baseTypes ?? []), ...bases.map((name) => typeNamed(name))]) {
    const constant = integralConstant(world, scope, type);
    if (constant) return constant;
  }
  return null;
}

/**
 * As {@link integralConstant}, also of a class of the program that is nothing but such a constant, as `is_buffer<T>` with
 * `template <class T> struct is_buffer : std::false_type {};`: its objects hold, and are given to functions, as what they stand for.
 */
export function constantOfClass(world: World, scope: Scope, type: TypeReference, depth = 0): Value | null {
  const template = type.pointers > 0 || depth > 8 ? undefined : findClass(world.program, type.name);
  if (!template) return integralConstant(world, scope, type);
  if (!isBare(template)) return null;
  const definition = classOf(world, scope, type);
  if (!definition || definition.bases.length === 0 || !isBare(definition)) return null;
  const templates = templatesOf(world, scope, definition, type);
  const inner = templates ? withTemplates(createScope(scope), templates) : scope;
  const { bases, baseTypes } = definition;
  for (const base of baseTypes ?? bases.map((name) => typeNamed(name))) {
    const constant = constantOfClass(world, inner, resolveType(world.program, substitute(base, inner)), depth + 1);
    if (constant) return constant;
  }
  return null;
}

function isBare({ fields, methods }: ClassDefinition): boolean {
  return fields.length === 0 && methods.length === 0;
}

const stripping = /^std::(?:decay|remove_cvref|remove_reference|remove_cv|remove_const)_t$/;

/** The variable of `decltype(x)`; null for all other types. */
export function variableIn(world: World, scope: Scope, { name }: TypeReference): Cell | null {
  const variable = /^decltype\(\s*(\w+)\s*\)$/.exec(name)?.[1];
  const cell = variable ? findName(world, scope, variable) : undefined;
  return cell && !isThunk(cell) ? cell : null;
}

/** A type by what it is in the end: `std::decay_t<decltype(x)>` is the type of `x`; null when that is not known. */
function writtenType(world: World, scope: Scope, written: TypeReference): TypeReference | null {
  const type = resolveType(world.program, concreteType(world, scope, written));
  // `Traits<T>::type` of a class that has none.
  if (type.qualifier) return null;
  const [inner] = type.arguments;
  if (stripping.test(type.name) && inner && isType(inner)) {
    const found = writtenType(world, scope, inner);
    const isConst = type.name === 'std::remove_reference_t' && found?.isConst === true;
    return found && { ...found, isReference: false, takesMoved: false, isConst };
  }
  if (!type.name.startsWith('decltype')) {
    const made = transformed(world, scope, type);
    // What the library makes of other types may be any of them.
    return made === type && /^std::\w+_t$/.test(type.name) && type.arguments.length > 0 ? null : made;
  }
  const cell = variableIn(world, scope, type);
  if (!cell) return null;
  if (cell.value.kind === 'record') return typeNamed(cell.value.record.className);
  return cell.type && cell.type.name !== 'auto' ? resolveType(world.program, substitute(cell.type, scope)) : null;
}

/** `int` and `int32_t` are one type: numbers in as many bits, kept alike. `std::vector<A>` and `std::vector<B>` are two. */
function isOneType(world: World, scope: Scope, first: TypeReference, second: TypeReference): boolean {
  if (sameType(first, second)) return !differInArguments(world, scope, first, second);
  if (first.pointers !== second.pointers) return false;
  const own = numbersOf(first.name);
  return own !== null && own === numbersOf(second.name);
}

/** `const int` and `int`, `T &` and `T`, where both are written so: what parameters of templates stand for may have lost such words. */
function differInWriting(scope: Scope, written: readonly TypeReference[], types: readonly TypeReference[]): boolean {
  const isPlain = written.every(
    ({ name }, index) => !typeStoodFor(scope, name) && types[index]?.name === name && numbersOf(name) !== null,
  );
  const [first, second] = types;
  if (!isPlain || !first || !second) return false;
  return (
    (first.isConst === true) !== (second.isConst === true) ||
    (first.isReference === true) !== (second.isReference === true)
  );
}

/** Whether two types of one name are surely given something else; of one that does not say what it is given nobody can tell. */
function differInArguments(world: World, scope: Scope, first: TypeReference, second: TypeReference): boolean {
  return first.arguments.some((one, index) => {
    const other = second.arguments[index];
    if (!other) return false;
    const known = areOneValue(world, scope, one, other);
    if (known !== null) return !known;
    const [own, its] = [one, other].map((each) => (isType(each) ? writtenType(world, scope, each) : null));
    return own && its ? !isOneType(world, scope, own, its) : false;
  });
}

/** Whether two template arguments are one number, function or member; null where one of them is none, or not known. */
function areOneValue(
  world: World,
  scope: Scope,
  first: TypeReference | Expression,
  second: TypeReference | Expression,
): boolean | null {
  const [one, other] = [first, second].map((each) =>
    isType(each) ? argumentValue(world, scope, each) : valueGiven(world, scope, each),
  );
  if (one?.kind === 'number' && other?.kind === 'number') return one.value === other.value;
  if (one?.kind === 'function' && other?.kind === 'function') return one.name === other.name;
  return null;
}

/** Concepts of the library, by the traits that say the same. */
const concepts: Readonly<Record<string, string>> = {
  integral: 'is_integral',
  floating_point: 'is_floating_point',
  signed_integral: 'is_signed',
  unsigned_integral: 'is_unsigned',
  same_as: 'is_same',
  derived_from: 'derived_from',
  convertible_to: 'is_convertible',
  constructible_from: 'is_constructible',
  invocable: 'is_invocable',
  regular_invocable: 'is_invocable',
};

/** `Traits<T>::type`, which reads like a value where no `typename` stands before it; null for a value. */
function asWrittenType(argument: TypeReference | Expression): TypeReference | null {
  if (isType(argument)) return argument;
  const qualifier = argument.kind === 'name' ? argument.template?.qualifier : null;
  return argument.kind === 'name' && qualifier ? { ...typeNamed(argument.name), qualifier } : null;
}

/** A number, an address or a handle; null for what may be an enumeration of a header that nobody sees. */
function isScalarType(world: World, type: TypeReference, isNumber: boolean): boolean | null {
  if (type.isReference || type.extents.length > 0) return false;
  if (isNumber || type.pointers > 0 || isPointerToOpaque(type)) return true;
  return type.name === 'void' || type.name.startsWith('std::') || findClass(world.program, type.name) ? false : null;
}

/** What `std::is_…` says of types; null when it is none that is known. */
function traitOf(
  world: World,
  scope: Scope,
  name: string,
  list: readonly (TypeReference | Expression)[],
): Value | null {
  const isCalled = isInvocable(world, scope, name, list);
  if (isCalled !== null) return numberValue(isCalled ? 1 : 0);
  const written = list.flatMap((each) => asWrittenType(each) ?? []);
  const isNothing = name === 'is_void' && written[0] ? givesNothing(world, scope, written[0]) : null;
  if (isNothing !== null) return numberValue(isNothing ? 1 : 0);
  if (written.length < list.length) return null;
  const types = written.flatMap((each) => writtenType(world, scope, each) ?? []);
  const [first, second] = types;
  // What a variable is may not be known.
  if (!first || types.length < written.length) return null;
  const related = relationOf(world, name, types);
  if (related !== null) return numberValue(related ? 1 : 0);
  const isPlain = first.pointers === 0 && first.extents.length === 0;
  const number = isPlain ? storageNamed(first.name) : null;
  const says: Readonly<Record<string, boolean | null>> = {
    is_same: second !== undefined && !differInWriting(scope, written, types) && isOneType(world, scope, first, second),
    // CUDA's handles are pointers, though most hide what they point to.
    is_pointer: first.pointers > 0 || isPointerToOpaque(first),
    is_void: isPlain && first.name === 'void',
    is_integral: number !== null && number.kind !== 'real',
    is_floating_point: number?.kind === 'real',
    is_arithmetic: number !== null,
    is_fundamental: number !== null || (isPlain && first.name === 'void'),
    is_scalar: isScalarType(world, first, number !== null),
    is_reference: first.isReference,
    is_const: first.isConst && first.pointers === 0 && !first.isReference,
    is_array: first.extents.length > 0,
    is_unsigned: number?.kind === 'unsigned',
    is_signed: number !== null && number.kind !== 'unsigned',
    // A class may stand in a header that nobody sees, and what a parameter of a template stands for has lost its reference.
    is_class: findClass(world.program, first.name) !== undefined ? isPlain : !isPlain || number ? false : null,
    is_lvalue_reference: first.isReference ? !first.takesMoved : first.takesMoved === false ? false : null,
    is_rvalue_reference: first.isReference ? first.takesMoved === true : first.takesMoved === false ? false : null,
  };
  const holds = Object.hasOwn(says, name) ? says[name] : undefined;
  return holds === undefined || holds === null ? null : numberValue(holds ? 1 : 0);
}
