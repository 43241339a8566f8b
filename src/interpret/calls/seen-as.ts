/**
 * Of what type an object is where it is named. By that, not by what it is, the language tells overloads for `const` objects from the
 * others, finds functions that are not virtual, and takes default arguments.
 */

import { Attached } from '../../base/attached.ts';
import type { Declaration, Expression, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { pointee, retyped } from '../../program/retyped.ts';
import { typeNamed } from '../../program/type-named.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { isThunk, type Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { containerOf, substitute } from '../types/types.ts';
import type { Cell, RecordObject, Value } from '../value.ts';
import type { World } from '../world.ts';
import { goesByView, isBase, isOfSeenClass } from './seen-classes.ts';

/** What references are declared as, by the scope and their name: they name the object's own cell, which does not say it. */
const references = new Attached<Scope, Map<string, TypeReference>>();

/** The methods that run, by the scope of their parameters. */
const methods = new Attached<Scope, FunctionDefinition>();

/** A reference, or a `const` object, that was declared just now; noted only where it may make a difference. */
export function noteSeenAs(world: World, scope: Scope, name: string, type: TypeReference, value: Value): void {
  if (!goesByView(world, value)) return;
  const known = references.get(scope) ?? new Map<string, TypeReference>();
  references.set(scope, known.set(name, type));
}

/** `auto &r = x`, `T &r` of a template: what is given says whether it is `const`. */
export function seenThrough(
  world: World,
  scope: Scope,
  name: string,
  type: TypeReference,
  given: Expression,
  value: Value,
): void {
  if (!goesByView(world, value)) return;
  const seen = type.name === 'auto' ? seenAs(world, scope, given, 0) : null;
  const isConst = type.isConst || seen?.isConst === true;
  noteSeenAs(world, scope, name, retyped(seen ?? type, { isConst }), value);
}

/** `const auto &each : all` */
export function noteElement(world: World, scope: Scope, { name, type }: Declaration, element: Cell): void {
  if (!goesByView(world, element.value)) return;
  const plain = type.name === 'auto' ? typeOfCell(element, scope) : type;
  if (plain) noteSeenAs(world, scope, name, retyped(plain, { isConst: true }), element.value);
}

/** The method whose body is about to run in that scope. */
export function noteMethod(world: World, scope: Scope, definition: FunctionDefinition, self: RecordObject): void {
  if (isOfSeenClass(world, self.className)) methods.set(scope, definition);
}

/** The object that a method is called on, as it is seen there; null where that makes no difference, or is not known. */
export function objectSeenAs(
  world: World,
  scope: Scope,
  object: Expression,
  isArrow: boolean,
  value: Value,
): TypeReference | null {
  if (!goesByView(world, value)) return null;
  const type = seenAs(world, scope, object, 0);
  return type && (isArrow ? pointedAt(type) : type);
}

/** The base that an object is seen as where it is of another class; null where it is seen as what it is. */
export function baseSeen({ program }: World, { name, pointers }: TypeReference, value: Value): string | null {
  if (value.kind !== 'record' || pointers > 0) return null;
  const seen = lastPart(resolveType(program, typeNamed(name)).name);
  return isBase(program, value.record.className, seen) ? seen : null;
}

/** `this` of the method that runs; null where that makes no difference. */
export function selfSeenAs(world: World, scope: Scope): TypeReference | null {
  const { self } = scope;
  return self && isOfSeenClass(world, self.className) ? selfType(scope) : null;
}

const deepest = 12;

/** The type of an expression as it is written; null where nothing says. */
export function seenAs(world: World, scope: Scope, expression: Expression, depth: number): TypeReference | null {
  if (depth > deepest) return null;
  switch (expression.kind) {
    case 'name':
      return named(world, scope, expression.name, depth);
    case 'member': {
      const object = seenAs(world, scope, expression.object, depth + 1);
      const owner = object && (expression.isArrow ? pointedAt(object) : object);
      return owner && memberSeen(world, scope, owner, expression.name);
    }
    case 'index': {
      const object = seenAs(world, scope, expression.object, depth + 1);
      return object && elementSeen(world, scope, object);
    }
    case 'unary': {
      const operand = expression.operator === '*' || expression.operator === '&' ? expression.operand : null;
      const type = operand && seenAs(world, scope, operand, depth + 1);
      if (!type) return null;
      return expression.operator === '*' ? pointedAt(type) : retyped(type, { pointers: type.pointers + 1 });
    }
    case 'binary': {
      // `first + 1`
      const type = /^[+-]$/.test(expression.operator) ? seenAs(world, scope, expression.left, depth + 1) : null;
      return type && type.pointers > 0 ? type : null;
    }
    case 'call':
      return resultSeen(world, scope, expression, depth);
    case 'cast':
      return substitute(expression.type, scope);
    case 'construct':
      return expression.isNew ? retyped(expression.type, { pointers: expression.type.pointers + 1 }) : expression.type;
    case 'conditional':
      return seenAs(world, scope, expression.whenTrue, depth + 1);
    case 'assign':
      return seenAs(world, scope, expression.target, depth + 1);
    default:
      return null;
  }
}

function named(world: World, scope: Scope, name: string, depth: number): TypeReference | null {
  if (name === 'this') {
    const type = selfType(scope);
    return type && retyped(type, { pointers: 1 });
  }
  for (let current: Scope | null = scope; current; current = current.parent) {
    const entry = current.names?.get(name);
    if (!entry) continue;
    if (!isThunk(entry)) return references.get(current)?.get(name) ?? typeOfCell(entry, scope);
    const [only] = entry.expressions;
    return only ? seenAs(world, entry.scope, only, depth + 1) : null;
  }
  const self = selfType(scope);
  return self && memberSeen(world, scope, self, name);
}

function typeOfCell({ type, value }: Cell, scope: Scope): TypeReference | null {
  if (type && type.name !== 'auto') return substitute(type, scope);
  return value.kind === 'record' && value.record.className !== '' ? typeNamed(value.record.className) : null;
}

/** The class of the method that runs, `const` in one that leaves its object as it is. */
function selfType(scope: Scope): TypeReference | null {
  for (let current: Scope | null = scope; current; current = current.parent) {
    const method = methods.get(current);
    if (method?.className) return retyped(typeNamed(lastPart(method.className)), { isConst: method.isConst === true });
  }
  return scope.self && typeNamed(scope.self.className);
}

/** `const S *`, `unique_ptr<S>`, `optional<S>`: what `*` and `->` lead to. */
export function pointedAt(type: TypeReference): TypeReference | null {
  if (type.pointers > 0) return pointee(type);
  const container = containerOf(type);
  const [element] = type.arguments;
  if (!element || !isType(element)) return null;
  if (container === 'pointer') return element;
  return container === 'optional' ? retyped(element, { isConst: element.isConst || type.isConst }) : null;
}

function elementSeen(world: World, scope: Scope, written: TypeReference): TypeReference | null {
  const type = resolveType(world.program, substitute(written, scope));
  if (type.extents.length > 0) return retyped(type, { extents: type.extents.slice(1) });
  if (type.pointers > 0) return pointee(type);
  const container = containerOf(type);
  const element = type.arguments[container === 'map' ? 1 : 0];
  if (!element || !isType(element)) return null;
  if (container === 'pointer') return element;
  return container ? retyped(element, { isConst: element.isConst || (type.isConst && element.pointers === 0) }) : null;
}

function memberSeen(world: World, scope: Scope, owner: TypeReference, name: string): TypeReference | null {
  const type = fieldType(world, resolveType(world.program, substitute(owner, scope)).name, name, 0);
  if (!type || !owner.isConst || type.isReference || type.pointers > 0) return type;
  return retyped(type, { isConst: true });
}

function fieldType(world: World, className: string, name: string, depth: number): TypeReference | null {
  const definition = findClass(world.program, className);
  if (!definition || depth > deepest) return null;
  const own = definition.fields.find((field) => field.name === name);
  if (own) return own.type;
  for (const base of definition.bases) {
    const inherited = fieldType(world, lastPart(base), name, depth + 1);
    if (inherited) return inherited;
  }
  return null;
}

/** What a function that is called gives back, where all of its name agree. */
function resultSeen(
  world: World,
  scope: Scope,
  { callee, arguments: given }: Expression & { kind: 'call' },
  depth: number,
): TypeReference | null {
  const [first] = given;
  if (callee.kind === 'name') {
    const plain = lastPart(callee.name);
    if (first && (plain === 'as_const' || plain === 'move' || plain === 'forward')) {
      const type = seenAs(world, scope, first, depth + 1);
      return type && plain === 'as_const' ? retyped(type, { isConst: true }) : type;
    }
    const inClass = scope.self && world.program.functions.get(`${scope.self.className}::${plain}`);
    return resultOf(inClass ?? world.program.functions.get(callee.name) ?? [], selfType(scope)?.isConst === true);
  }
  if (callee.kind !== 'member') return null;
  const object = seenAs(world, scope, callee.object, depth + 1);
  const owner = object && (callee.isArrow ? pointedAt(object) : object);
  if (!owner) return null;
  const type = resolveType(world.program, substitute(owner, scope));
  if (elementMethods.has(callee.name) && containerOf(type)) {
    const element = containerOf(type) === 'optional' ? pointedAt(type) : elementSeen(world, scope, type);
    return callee.name === 'get' && element ? retyped(element, { pointers: element.pointers + 1 }) : element;
  }
  return resultOf(world.program.functions.get(`${type.name}::${callee.name}`) ?? [], owner.isConst);
}

const elementMethods = new Set(['at', 'front', 'back', 'get', 'value']);

function resultOf(definitions: readonly FunctionDefinition[], isConst: boolean): TypeReference | null {
  const [first, ...others] = definitions.filter((each) => definitions.length === 1 || !each.isConst === !isConst);
  return first && others.length === 0 ? first.returnType : null;
}

/** The base of which the constructor or destructor runs just now: what derives from it is not there yet, or no more. */
export function partBeingMade(world: World, className: string): string | null {
  const name = world.frames.at(-1)?.name;
  const end = name?.lastIndexOf('::') ?? -1;
  if (!name || end <= 0) return null;
  const [owner, plain] = [name.slice(0, end), name.slice(end + 2)];
  if (owner === className || (plain !== lastPart(owner) && plain !== `~${lastPart(owner)}`)) return null;
  return isPartOf(world, className, lastPart(owner), 0) ? owner : null;
}
