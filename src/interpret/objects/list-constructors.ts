/** Classes that are made from lists: `Shape(std::initializer_list<int64_t>)`. */

import type { Span } from '../../base/span.ts';
import type { TypeReference } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { constructorOf, findClass } from '../program-table.ts';
import { createCell, createSequence } from '../value.ts';
import type { World } from '../world.ts';

/** `T{a, b}` of a class that is made from lists: that comes before what is made from two. */
export function takesList(world: World, type: TypeReference, values: readonly Argument[]): boolean {
  const name = findClass(world.program, type.name)?.name;
  if (name === undefined || values.length === 0) return false;
  const [only] = values;
  if (values.length === 1 && only?.value.kind === 'record' && only.value.record.className === name) return false;
  const constructors = world.program.functions.get(constructorOf(name)) ?? [];
  return constructors.some(({ parameters: [first, second] }) => {
    const isList = first !== undefined && /(?:^|::)initializer_list$/.test(first.type.name);
    return isList && (!second || second.defaultValue !== null);
  });
}

/** What is listed, as one argument. */
export function listOf(values: readonly Argument[], span: Span): Argument {
  const sequence = createSequence('list', values.length, null, true);
  for (const [index, { value }] of values.entries()) sequence.cells.set(index, createCell(`${index}`, value));
  return { value: { kind: 'sequence', sequence }, cell: null, span };
}
