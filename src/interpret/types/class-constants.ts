/** Constants of class templates: what they are for the arguments that an object, or a type of another name, was given. */

import type { Declaration, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { staticMember } from '../expressions/names.ts';
import { basesWith, memberOfInstance } from '../expressions/static-variables.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { createScope, isThunk, type Scope, typeStoodFor } from '../scope.ts';
import { type Cell, createCell, createRecord, type RecordObject, type TemplateBindings } from '../value.ts';
import type { World } from '../world.ts';
import { mayBeGivenNone, withTemplates } from './class-templates.ts';
import { instanceOf, integralConstant, variableIn } from './static-members.ts';
import { typeConstant } from './type-constants.ts';
import { isScalar } from './types.ts';
import { meantType, typeInClass } from './types-in-classes.ts';

/** Constants that need one another, as `fib<N - 1>`, and how many are just worked out. */
const deepest = 64;
let depth = 0;

const evaluated = new WeakMap<TemplateBindings, Map<string, Cell | null>>();

/** `static constexpr int bytes = N * 4;`: the constant for the template arguments of this object; null where its class has no such one. */
export function constantOf(world: World, record: RecordObject, name: string): Cell | null {
  const { templates } = record;
  if (!templates || !world.program.staticMembers.has(name)) return null;
  const known = evaluated.get(templates) ?? new Map<string, Cell | null>();
  evaluated.set(templates, known);
  const before = known.get(name);
  if (before !== undefined) return before;
  // Until it is known: one that needs itself has no value, nor has one that needs others without an end.
  known.set(name, null);
  const found = constantField(world, record.className, templates, name, 0);
  const initializer = found?.field.initializer;
  if (!found || !initializer) return null;
  const { field, given } = found;
  const holder = given === templates ? record : createRecord(found.className, false, given);
  const scope = withTemplates(createScope(world.globals, holder), given);
  const value = workedOut(() => evaluate(world, scope, initializer));
  const cell = value && createCell(name, value, field.type);
  known.set(name, cell);
  return cell;
}

/** What a constant comes to; null where it needs others without an end. */
export function workedOut<T>(work: () => T): T | null {
  if (depth >= deepest) return null;
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

interface ConstantField {
  readonly field: Declaration;
  readonly className: string;
  /** What the parameters of the class stand for that has it. */
  readonly given: TemplateBindings;
}

/** The constant of a class or of a base, which is a class for other arguments: `struct Next : Sizes<N + 1>`. */
function constantField(
  world: World,
  className: string,
  given: TemplateBindings,
  name: string,
  depth: number,
): ConstantField | null {
  const definition = findClass(world.program, className);
  if (!definition || depth > 8) return null;
  const field = definition.fields.find((each) => each.isStatic && each.name === name);
  if (field) {
    const isPlain = definition.templateParameters.length === 0 && !definition.specialises;
    return isPlain || !field.type.isConst || !isScalar(world.program, field.type) ? null : { field, className, given };
  }
  const stated = basesWith(world, definition, given);
  for (const { base, given: its } of stated) {
    const inherited = constantField(world, base.name, its, name, depth + 1);
    if (inherited) return inherited;
  }
  if (stated.length > 0) return null;
  for (const base of definition.bases) {
    const inherited = constantField(world, lastPart(base), given, name, depth + 1);
    if (inherited) return inherited;
  }
  return null;
}

/** The constant, or variable, that `Frame::bytes` names, where `Frame` stands for `Sizes<1024>`; null where it stands for no such class. */
export function namedMember(world: World, scope: Scope, name: string): Cell | null {
  const plain = lastPart(name);
  const isDeclared = world.program.staticMembers.has(plain);
  if (!isDeclared && !ofLibrary.has(plain)) return null;
  // `decltype(grid)::size`
  const holder = isDeclared ? variableIn(world, scope, typeNamed(name.slice(0, -plain.length - 2)))?.value : undefined;
  if (holder?.kind === 'record') return memberOf(world, holder.record, plain);
  const owner = ownerNamed(world, scope, name);
  // `Four::value`, where that is another name for `std::integral_constant<int, 4>`.
  const integral = owner && plain === 'value' ? integralConstant(world, scope, owner) : null;
  const constant = integral ?? (owner && ofLibrary.has(plain) ? typeConstant(world, scope, owner, plain) : null);
  if (constant) return createCell(name, constant);
  if (!isDeclared) return null;
  const instance = owner ? instanceOf(world, scope, owner) : derived(world, name.slice(0, -plain.length - 2));
  return instance && staticOfInstance(world, instance, plain);
}

/** Constants of the library's types that programs have other names for: `using Scale = std::ratio<3, 2>;`, `Scale::num`. */
const ofLibrary = new Set(['value', 'num', 'den']);

/** The constant, or variable, that a class has for its template arguments; `template <> struct Traits<float>` has its own. */
export function staticOfInstance(world: World, instance: RecordObject, name: string): Cell | null {
  if (!world.program.staticMembers.has(name)) return null;
  const own = ofInstance(world, instance, name);
  return own || instance.templates ? own : ofClass(world, instance, name);
}

function memberOf(world: World, record: RecordObject, name: string): Cell | null {
  return ofInstance(world, record, name) ?? ofClass(world, record, name);
}

function ofInstance(world: World, record: RecordObject, name: string): Cell | null {
  return constantOf(world, record, name) ?? memberOfInstance(world, record, name);
}

function ofClass(world: World, { className }: RecordObject, name: string): Cell | null {
  const plain = staticMember(world, className, name);
  return plain && !isThunk(plain) ? plain : null;
}

/** A class that derives from a template, and is none. */
function derived(world: World, name: string): RecordObject | null {
  const definition = findClass(world.program, name);
  return definition?.baseTypes && definition.templateParameters.length === 0
    ? createRecord(definition.name, false)
    : null;
}

/** `List::tail` of `List::tail::size`, where `List` is another name for a type. */
function partNamed(world: World, scope: Scope, name: string): TypeReference | null {
  const end = name.indexOf('::');
  const first = end > 0 ? name.slice(0, end) : '';
  if (first === '' || !(typeStoodFor(scope, first) ?? world.program.aliases.get(first))) return null;
  return typeInClass(world, scope, typeNamed(name));
}

/** What the part before the last `::` stands for, where that is another name for a type with template arguments. */
export function ownerNamed(world: World, scope: Scope, name: string): TypeReference | null {
  const end = name.lastIndexOf('::');
  if (end <= 0 || name.startsWith('std::')) return null;
  const qualifier = name.slice(0, end);
  const target =
    typeStoodFor(scope, qualifier) ?? world.program.aliases.get(qualifier) ?? partNamed(world, scope, qualifier);
  const named = target && resolveType(world.program, target);
  // `using Made = Traits<int>::type;`
  const type = named?.qualifier ? meantType(world, scope, named) : named;
  if (!type || type.pointers > 0) return null;
  const template = type.arguments.length > 0 ? undefined : findClass(world.program, type.name);
  return type.arguments.length > 0 || (template && mayBeGivenNone(template)) ? type : null;
}
