/** Classes that are made from lists: `Shape(std::initializer_list<int64_t>)`. */

import type { Span } from '../../base/span.ts';
import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { constructorOf, findClass, lastPart, resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { isType } from '../types/type-arguments.ts';
import { isScalar, substitute } from '../types/types.ts';
import { createCell, createSequence } from '../value.ts';
import type { World } from '../world.ts';

/** `T{a, b}` of a class that is made from lists of such values: that comes before what is made from two. */
export function takesList(world: World, scope: Scope, type: TypeReference, values: readonly Argument[]): boolean {
  const name = findClass(world.program, type.name)?.name;
  if (name === undefined || values.length === 0) return false;
  const [only] = values;
  if (values.length === 1 && only?.value.kind === 'record' && only.value.record.className === name) return false;
  const constructors = world.program.functions.get(constructorOf(name)) ?? [];
  return constructors.some(({ parameters: [first, second] }) => {
    const isList = first !== undefined && /(?:^|::)initializer_list$/.test(first.type.name);
    if (!isList || (second && second.defaultValue === null)) return false;
    const [element] = first.type.arguments;
    return element !== undefined && isType(element) && values.every((each) => isElement(world, scope, element, each));
  });
}

/** Whether a list of that type may hold a value: an object of the class, a list for one, or what is no object. */
function isElement(world: World, scope: Scope, written: TypeReference, { value }: Argument): boolean {
  const type = resolveType(world.program, substitute(written, scope));
  if (value.kind === 'record') return lastPart(type.name) === value.record.className || value.record.className === '';
  return isScalar(world.program, type) ? value.kind !== 'sequence' : value.kind !== 'number';
}

/** What is listed, as one argument. */
export function listOf(values: readonly Argument[], span: Span): Argument {
  const sequence = createSequence('list', values.length, null, true);
  for (const [index, { value }] of values.entries()) sequence.cells.set(index, createCell(`${index}`, value));
  return { value: { kind: 'sequence', sequence }, cell: null, span };
}
