/** Parameter packs, of values and of types: a pattern that names some, once for each of their elements. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { childNodes, isNode } from '../../program/walk.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName } from '../expressions/names.ts';
import { typeOfObject } from '../objects/copies.ts';
import { findClass } from '../program-table.ts';
import { bind, createScope, isThunk, lookUp, type Scope, type Thunk } from '../scope.ts';
import { createCell, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { valuesOfPack } from './argument-values.ts';
import { variableIn } from './static-members.ts';
import { packNamed } from './template-patterns.ts';
import { isType } from './type-arguments.ts';
import { transformed } from './type-transformations.ts';
import { isScalar, substitute } from './types.ts';
import { meantType, typeInClass } from './types-in-classes.ts';
import { workingOut } from './under-way.ts';

/** A scope for each element, in which the packs are that element; null when the pattern names no pack. */
export function packScopes(world: World, scope: Scope, pattern: Expression): readonly Scope[] | null {
  const packs = new Map<string, Thunk>();
  const types = new Map<string, readonly TypeReference[]>();
  eachName(pattern, (name) => {
    // A member of a class is none, and one of a template begins where it is asked for with its arguments.
    const entry = name.includes('::') ? undefined : findName(world, scope, name);
    if (entry && isThunk(entry) && entry.isPack) packs.set(name, entry);
    const pack = typePack(scope, name);
    if (pack) types.set(name, pack);
  });
  if (packs.size === 0 && types.size === 0) return null;
  const lengths = [...packs.values()].map((pack) => pack.expressions.length);
  const count = Math.max(...lengths, ...[...types.values()].map((pack) => pack.length));
  return Array.from({ length: count }, (_, index) => {
    const inner = createScope(scope);
    for (const [name, pack] of packs)
      bind(inner, name, { kind: 'thunk', expressions: pack.expressions.slice(index, index + 1), scope: pack.scope });
    for (const [name, pack] of types) {
      const type = pack[index];
      inner.templateTypes ??= new Map();
      if (type) inner.templateTypes.set(name, type);
    }
    return inner;
  });
}

/** Every name in an expression, and in the types that it mentions; of `Ops::run` also the first part. */
function eachName(node: object, see: (name: string) => void): void {
  if (isNode(node) ? node.kind === 'name' : 'pointers' in node) {
    if ('name' in node && typeof node.name === 'string') {
      see(node.name);
      const end = node.name.indexOf('::');
      if (end > 0) see(node.name.slice(0, end));
    }
  }
  for (const child of childNodes(node)) eachName(child, see);
}

/** `sizeof...(pack)`; null when it is none. */
export function packLength(world: World, scope: Scope, name: string): number | null {
  const entry = findName(world, scope, name);
  if (entry && isThunk(entry) && entry.isPack) return entry.expressions.length;
  return typePack(scope, name)?.length ?? null;
}

/** The types of a pack; null where the name is no pack, or, as inside a pattern, one type of it. */
function typePack(scope: Scope, name: string): readonly TypeReference[] | null {
  for (let current: Scope | null = scope; current; current = current.parent) {
    if (current.templateTypes?.has(name)) return null;
    const found = current.typePacks?.get(name);
    if (found) return found;
  }
  return null;
}

/** What a pack of template parameters stands for: types, or numbers. */
export function bindTypePack(
  world: World,
  scope: Scope,
  callerScope: Scope,
  name: string,
  given: readonly (TypeReference | Expression)[],
): void {
  const values = valuesOfPack(world, callerScope, given);
  if (values) {
    const names = values.map((value, index) => {
      const part = `${name} #${index}`;
      if (value) bind(scope, part, createCell(part, value));
      return part;
    });
    const expressions = names.map((part): Expression => ({ kind: 'name', name: part, span: world.statement }));
    bind(scope, name, { kind: 'thunk', isPack: true, scope, expressions });
    return;
  }
  scope.typePacks ??= new Map();
  scope.typePacks.set(
    name,
    given.flatMap((each) => (isType(each) ? [substitute(each, callerScope)] : [])),
  );
}

/** `Ts...`, `Ts *...` and `Lane<Ts>...`: the pattern for each type of the pack; itself where it names none. */
function patternTypes(scope: Scope, pattern: TypeReference): readonly TypeReference[] {
  const name = pattern.name.slice(0, -3);
  const own = typePack(scope, name);
  if (own) return own.map((type) => asInPattern(type, pattern));
  const [inner] = pattern.arguments.flatMap((each) => (isType(each) && typePack(scope, each.name) ? [each.name] : []));
  const types = inner === undefined ? null : typePack(scope, inner);
  if (!types) return [pattern];
  return types.map((type) => ({
    ...pattern,
    name,
    arguments: pattern.arguments.map((each) => (isType(each) && each.name === inner ? type : each)),
  }));
}

/** A type of a pack with what the pattern says besides: `const Ts &...`, `Ts *...`. */
function asInPattern(type: TypeReference, pattern: TypeReference): TypeReference {
  const pointers = type.pointers + pattern.pointers;
  if (!pattern.isReference && !pattern.isConst) return { ...type, pointers };
  const isConst = type.isConst || pattern.isConst;
  // `T &&` is `U &` where `T` is.
  const takesMoved = type.isReference ? type.takesMoved === true : pattern.takesMoved === true;
  return { ...type, pointers, isConst, isReference: type.isReference || pattern.isReference, takesMoved };
}

/** Of what type the element at a place of `Ts... all` is, where the pack is of types that are known; undefined where it is not. */
export function typeInPack(scope: Scope, pattern: TypeReference, at: number): TypeReference | undefined {
  const type = typePack(scope, pattern.name)?.[at];
  return type && asInPattern(type, pattern);
}

/** Template arguments with `Ts...` spread out. */
export function expandedTypes(
  scope: Scope,
  given: readonly (TypeReference | Expression)[],
): readonly (TypeReference | Expression)[] {
  const out: (TypeReference | Expression)[] = [];
  for (const each of given) {
    if (isType(each) && each.name.endsWith('...')) out.push(...patternTypes(scope, each));
    else out.push(each);
  }
  return out;
}

/** Template arguments with packs spread out, of types and of numbers. */
export function expandedArguments(
  world: World,
  scope: Scope,
  given: readonly (TypeReference | Expression)[],
): readonly (TypeReference | Expression)[] {
  if (given.every(isWhole)) return given;
  return given.flatMap((each): readonly (TypeReference | Expression)[] => {
    const name = packNamed(each);
    if (name === null)
      return [
        isType(each) ? transformed(world, scope, concreteType(world, scope, each)) : numberMeant(world, scope, each),
      ];
    const types = typePack(scope, name);
    const entry = findName(world, scope, name);
    if (entry && isThunk(entry) && entry.isPack)
      return entry.expressions.map((part) => numberOf(evaluate(world, entry.scope, part), part));
    return types ?? (isType(each) ? spreadTypes(world, scope, each) : [each]);
  });
}

/** `Ts *...`, `Lane<Ts>...` and `typename F<Ts>::type...`: the pattern for each element of the packs that it names. */
function spreadTypes(world: World, scope: Scope, pattern: TypeReference): readonly TypeReference[] {
  const packs = new Map<string, readonly TypeReference[]>();
  const plain = { ...pattern, name: pattern.name.slice(0, -3) };
  eachName(plain, (name) => {
    const pack = typePack(scope, name);
    if (pack) packs.set(name, pack);
  });
  if (packs.size === 0) return [pattern];
  const count = Math.max(...[...packs.values()].map((pack) => pack.length));
  return Array.from({ length: count }, (_, index) => {
    const inner = createScope(scope);
    inner.templateTypes = new Map([...packs].flatMap(([name, pack]) => (pack[index] ? [[name, pack[index]]] : [])));
    return concreteType(world, inner, plain);
  });
}

/** Whether an argument means the same everywhere: a plain name or a number. */
function isWhole(argument: TypeReference | Expression): boolean {
  if (!isType(argument)) return argument.kind === 'number';
  const { name, arguments: list } = argument;
  return list.length === 0 && packNamed(argument) === null && !isOfClass(argument) && !name.startsWith('decltype(');
}

/** `T::type`, `Traits<T>::type` */
function isOfClass({ name, qualifier }: TypeReference): boolean {
  return qualifier !== undefined || (name.includes('::') && !name.startsWith('std::'));
}

/** A type whose arguments, and theirs, mean the same everywhere: what parameters and packs stand for here is put in. */
export function concreteType(world: World, scope: Scope, written: TypeReference): TypeReference {
  if (written.name.startsWith('decltype(')) return typeOfVariable(world, scope, written) ?? written;
  const type = substitute(isOfClass(written) ? memberMeant(world, scope, written) : written, scope);
  if (type.arguments.length === 0) return type;
  const list = type.arguments.map((each) => (isType(each) && isWhole(each) ? nameMeant(world, scope, each) : each));
  return workingOut(world, type, () => retyped(type, { arguments: expandedArguments(world, scope, list) }));
}

/** A name alone, which may also be that of a number: `Deleter<K>` where `K` is a parameter. */
function nameMeant(world: World, scope: Scope, written: TypeReference): TypeReference | Expression {
  const type = substitute(written, scope);
  if (type !== written || written.pointers > 0 || written.isReference || isScalar(world.program, written)) return type;
  const entry = lookUp(scope, written.name);
  if (!entry || isThunk(entry) || entry.value.kind !== 'number') return type;
  return numberOf(entry.value, { kind: 'name', name: written.name, span: world.statement });
}

function memberMeant(world: World, scope: Scope, written: TypeReference): TypeReference {
  const meant = meantType(world, scope, written);
  const isOpen = !meant.qualifier && isOfClass(meant) && !findClass(world.program, meant.name);
  return (isOpen ? typeInClass(world, scope, meant) : null) ?? meant;
}

/** `N - 1` of a template's parameters, as the number that it is. */
function numberMeant(world: World, scope: Scope, argument: Expression): Expression {
  return argument.kind === 'binary' || argument.kind === 'name'
    ? numberOf(evaluate(world, scope, argument), argument)
    : argument;
}

function numberOf(value: Value, otherwise: Expression): Expression {
  if (value.kind !== 'number') return otherwise;
  return { kind: 'number', value: value.value, ...(value.type ? { type: value.type } : {}), span: otherwise.span };
}

/** The type of the object that `decltype(x)` names. */
function typeOfVariable(world: World, scope: Scope, written: TypeReference): TypeReference | null {
  const variable = variableIn(world, scope, written);
  if (variable?.value.kind !== 'record') return null;
  return { ...typeOfObject(world, variable.value.record), isReference: variable.type?.isReference === true };
}
