/** Whether what a template asks of a type is there: `requires(T t) { t.close(); }`, `std::void_t<decltype(T::frees)>`. */

import type { Expression, Parameter, TypeReference } from '../../program/program.ts';
import { childNodes, isNode } from '../../program/walk.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { externalCell, findName } from '../expressions/names.ts';
import { isText } from '../library/strings.ts';
import { typeOfObject } from '../objects/copies.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { isThunk, type Scope, typeStoodFor } from '../scope.ts';
import { heldBy, numberValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { operatorThere } from './required-operators.ts';
import { asExpression, isType } from './type-arguments.ts';
import { transformed } from './type-transformations.ts';
import { containerOf, isScalar, substitute } from './types.ts';

/** The value of a `requires` expression; where the text does not tell, it is the same each time it is written so. */
export function requirement(
  world: World,
  scope: Scope,
  { parameters, needs, text }: Expression & { kind: 'requires' },
): Value {
  let isOpen = false;
  for (const need of needs) {
    const holds = isWellFormed(world, scope, need, parameters);
    if (holds === false) return numberValue(0);
    isOpen ||= holds === null;
  }
  return isOpen ? heldBy(externalCell(world, text)) : numberValue(1);
}

/** Whether a pattern of a specialisation says nothing but that something is well formed; null when that is not known. */
export function holdsFor(world: World, scope: Scope, pattern: TypeReference): boolean | null {
  if (/^std::enable_if(?:_t)?$/.test(pattern.name)) {
    const [condition] = pattern.arguments;
    if (!condition) return null;
    const value = evaluate(world, scope, asExpression(condition, world.statement));
    return value.kind === 'number' ? value.value !== 0 : null;
  }
  return isWellFormed(world, scope, pattern, []);
}

/** Whether a specialisation's argument is such a pattern. */
export function isRequirement({ name, of }: TypeReference): boolean {
  return of !== undefined || /^std::(?:void_t|enable_if(?:_t)?)$/.test(name);
}

/** Whether all members that are named below are there; null when that is not known of one, and of none that it is not. */
function isWellFormed(world: World, scope: Scope, what: object, parameters: readonly Parameter[]): boolean | null {
  const own = isNode(what) || 'pointers' in what ? membersThere(world, scope, what, parameters) : true;
  if (own === false) return false;
  let isKnown = own !== null;
  for (const child of childNodes(what)) {
    const inner = isWellFormed(world, scope, child, parameters);
    if (inner === false) return false;
    isKnown &&= inner !== null;
  }
  return isKnown ? true : null;
}

function membersThere(world: World, scope: Scope, node: object, parameters: readonly Parameter[]): boolean | null {
  const { kind, name, object, qualifier } = node as {
    readonly kind?: string;
    readonly name?: unknown;
    readonly object?: Expression;
    readonly qualifier?: TypeReference;
  };
  if (kind === 'member' && object && typeof name === 'string') {
    const type = typeOf(world, scope, object, parameters);
    return type ? hasMember(world, scope, type, name, 0) : null;
  }
  if (kind === undefined && qualifier && typeof name === 'string') {
    const type = transformed(world, scope, substitute(qualifier, scope));
    return type === qualifier ? null : hasMember(world, scope, type, lastPart(name), 0);
  }
  if ((kind === undefined || kind === 'name') && typeof name === 'string') {
    const [first, ...rest] = name.split('::');
    const type = first && rest.length > 0 ? typeStoodFor(scope, first) : null;
    return !type || hasMember(world, scope, type, rest[0]!, 0);
  }
  return !isNode(node) || operatorThere(world, node, (of) => typeOf(world, scope, of, parameters));
}

/** `t` of the parameters, an object, and `std::declval<T>()`. */
function typeOf(
  world: World,
  scope: Scope,
  object: Expression,
  parameters: readonly Parameter[],
): TypeReference | null {
  if (object.kind === 'name') {
    const parameter = parameters.find(({ name }) => name === object.name);
    if (parameter) return substitute(parameter.type, scope);
    const variable = findName(world, scope, object.name);
    const value = variable && !isThunk(variable) ? variable.value : null;
    return value?.kind === 'record' ? typeOfObject(world, value.record) : null;
  }
  if (object.kind !== 'call' || object.callee.kind !== 'name' || lastPart(object.callee.name) !== 'declval')
    return null;
  const [type] = object.templateArguments;
  return type && isType(type) ? substitute(type, scope) : null;
}

/** What containers and texts of the library have, all of them or nearly so. */
const ofContainers = new Set(['size', 'empty', 'begin', 'end', 'data', 'value_type', 'iterator', 'swap', 'clear']);

function hasMember(world: World, scope: Scope, written: TypeReference, name: string, depth: number): boolean | null {
  const type = resolveType(world.program, substitute(written, scope));
  const definition = type.pointers === 0 ? findClass(world.program, type.name) : undefined;
  if (!definition && type.pointers === 0 && (containerOf(type) || isText(type)))
    return ofContainers.has(name) ? true : null;
  if (!definition) return type.pointers > 0 || isScalar(world.program, type) ? false : null;
  if (definition.fields.some((field) => field.name === name)) return true;
  if (definition.aliases?.some(([alias]) => alias === name)) return true;
  if (definition.methods.some((method) => lastPart(method.name) === name)) return true;
  // A class that stands in it.
  if (world.program.classes.has(name)) return null;
  let isKnown = true;
  for (const base of depth < 8 ? definition.bases : []) {
    const inherited = findClass(world.program, lastPart(base))
      ? hasMember(world, scope, { ...type, name: base, arguments: [] }, name, depth + 1)
      : null;
    if (inherited) return true;
    isKnown &&= inherited !== null;
  }
  return isKnown ? false : null;
}
