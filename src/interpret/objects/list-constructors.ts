/** Classes that are made from lists: `Shape(std::initializer_list<int64_t>)`. */

import type { Span } from '../../base/span.ts';
import type { ClassDefinition, FunctionDefinition, TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { convertedTo, isConverted } from '../expressions/conversions.ts';
import { constructorOf, findClass, lastPart, resolveType } from '../program-table.ts';
import { createScope, type Scope } from '../scope.ts';
import { templatesOf, withTemplates } from '../types/class-templates.ts';
import { isType } from '../types/type-arguments.ts';
import { isScalar, substitute } from '../types/types.ts';
import { createCell, createSequence } from '../value.ts';
import type { World } from '../world.ts';

/** `T{a, b}` of a class that is made from lists of such values, as the one list that it is given: that comes before what is made from two. Null for other classes. */
export function listFor(
  world: World,
  scope: Scope,
  type: TypeReference,
  values: readonly Argument[],
  span: Span,
): Argument | null {
  const element = elementOfLists(world, scope, type, values);
  if (!element) return null;
  const sequence = createSequence('list', values.length, null, true);
  for (const [index, { value }] of values.entries()) {
    const converted = value.kind === 'record' ? convertedTo(world, value.record, element) : null;
    sequence.cells.set(index, createCell(`${index}`, converted ?? value));
  }
  return { value: { kind: 'sequence', sequence }, cell: null, span };
}

/** Whether a constructor is for lists, of which it does not matter how long they are. */
export function isForLists({ parameters: [first, second] }: FunctionDefinition): boolean {
  const isList = first !== undefined && /(?:^|::)initializer_list$/.test(first.type.name);
  return isList && (second === undefined || second.defaultValue !== null);
}

/** Of what the lists are that a class is made from, where these values may be in one; null for other classes. */
function elementOfLists(
  world: World,
  scope: Scope,
  type: TypeReference,
  values: readonly Argument[],
): TypeReference | null {
  const definition = findClass(world.program, type.name);
  if (!definition) return null;
  const { name } = definition;
  // `T{}` is made by the constructor without arguments where there is one, else from an empty list.
  if (values.length === 0 && isMadeOfNothing(world, definition)) return null;
  const [only] = values;
  if (values.length === 1 && only?.value.kind === 'record' && only.value.record.className === name) return null;
  for (const each of world.program.functions.get(constructorOf(name)) ?? []) {
    const element = isForLists(each) ? each.parameters[0]!.type.arguments[0] : undefined;
    if (!element || !isType(element)) continue;
    const given = type.arguments.length > 0 ? templatesOf(world, scope, definition, type) : null;
    const inner = given ? withTemplates(createScope(scope), given) : scope;
    const held = resolveType(world.program, substitute(element, inner));
    if (values.every((each) => isElement(world, held, each))) return held;
  }
  return null;
}

function isMadeOfNothing({ program }: World, { name, methods }: ClassDefinition): boolean {
  const constructors = program.functions.get(constructorOf(name)) ?? [];
  return (
    constructors.length === 0 ||
    constructors.some(({ parameters }) => parameters.every((each) => each.defaultValue !== null || each.isPack)) ||
    methods.some(
      (each) => each.isDefaulted === true && each.parameters.length === 0 && lastPart(each.name) === lastPart(name),
    )
  );
}

/** Whether a list of that type may hold a value: an object of the class, or that becomes one, a list for one, or what is no object. */
function isElement(world: World, type: TypeReference, { value }: Argument): boolean {
  if (value.kind === 'record') {
    const { className } = value.record;
    return lastPart(type.name) === className || className === '' || isConverted(world, value.record, type);
  }
  if (isScalar(world.program, type)) return value.kind !== 'sequence';
  if (value.kind === 'sequence' && value.sequence.name === 'list')
    return mayBeMadeOf(world, type, value.sequence.length);
  return value.kind !== 'number';
}

/** Whether `{a, b}` may be an object of the class: of one without constructors it has at most as many as that has members. */
function mayBeMadeOf(world: World, type: TypeReference, count: number | null): boolean {
  const definition = findClass(world.program, type.name);
  if (!definition || count === null || definition.bases.length > 0) return true;
  if ((world.program.functions.get(constructorOf(definition.name)) ?? []).length > 0) return true;
  return count <= definition.fields.filter(({ isStatic }) => !isStatic).length;
}
