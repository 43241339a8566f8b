/** Bases that no constructor of the program makes: copied from another object, or given their members one by one. */

import type { Span } from '../../base/span.ts';
import type { ClassDefinition } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { store } from '../expressions/assign.ts';
import { listArguments } from '../expressions/braced-lists.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { constructorOf, findClass } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { type Cell, createCell, type RecordObject } from '../value.ts';
import type { World } from '../world.ts';
import { initialised, saysHowItIsMoved } from './copies.ts';
import { fieldKey } from './hidden-members.ts';

/** `: Base(other)` where the compiler writes the constructor: each member of the base is copied, or moved. False for all else. */
export function copiesBase(
  world: World,
  scope: Scope,
  record: RecordObject,
  base: ClassDefinition,
  values: readonly Argument[],
  span: Span,
): boolean {
  const [given] = values;
  if (values.length !== 1 || given?.value.kind !== 'record' || given.value.record === record) return false;
  const other = given.value.record;
  const isOne = other.className === base.name || isPartOf(world, other.className, base.name, 0);
  if (!isOne || saysHowItIsMoved(world, base.name)) return false;
  for (const [own, name] of membersOf(world, base, 0)) {
    const field = record.fields.get(fieldKey(record, own, name));
    const from = other.fields.get(fieldKey(other, own, name));
    if (!field || !from) continue;
    const part: Argument = { value: from.value, cell: from, span, isMoved: given.isMoved === true };
    field.value = initialised(world, scope, part, span);
  }
  return true;
}

/** `: Base{stream, pointer}` where the base has no constructor: its members take what is given, in their order. */
export function fillBase(
  world: World,
  scope: Scope,
  record: RecordObject,
  base: ClassDefinition,
  values: readonly Argument[],
): void {
  if (world.program.functions.has(constructorOf(base.name))) return;
  const only = values.length === 1 ? values[0]!.value : null;
  const isList = only?.kind === 'sequence' && only.sequence.name === 'list';
  const written = isList ? listArguments(world, only.sequence) : values;
  const cells = base.bases.length > 0 ? written.map(({ value }) => createCell('', value)) : null;
  const given = cells ? withoutBaseBraces(world, base.name, cells) : written;
  for (const [index, [own, name]] of membersOf(world, base, 0).entries()) {
    const field = record.fields.get(fieldKey(record, own, name));
    const value = given[index];
    if (field && value) store(world, scope, field, value.value);
  }
}

/** `Derived{{stream, pointer}, 3}`: what stands for a base stands for its members, one by one. */
export function withoutBaseBraces(world: World, className: string, elements: readonly Cell[]): readonly Cell[] {
  const bases = findClass(world.program, className)?.bases ?? [];
  return elements.flatMap((element, index): readonly Cell[] => {
    const base = bases[index] === undefined ? undefined : findClass(world.program, bases[index]);
    if (!base || world.program.functions.has(constructorOf(base.name))) return [element];
    const { value } = element;
    if (value.kind === 'sequence' && value.sequence.name === 'list')
      return withoutBaseBraces(world, base.name, [...value.sequence.cells.values()]);
    const isBase = value.kind === 'record' && value.record.className === base.name;
    return isBase ? [...value.record.fields.values()] : [element];
  });
}

/** The members of a class and of its bases, each with the class that it is a member of. */
function membersOf(
  world: World,
  { name, bases, fields }: ClassDefinition,
  depth: number,
): (readonly [string, string])[] {
  const own = fields.filter(({ isStatic }) => !isStatic).map((field) => [name, field.name] as const);
  if (depth > 8) return own;
  const inherited = bases.flatMap((each) => {
    const base = findClass(world.program, each);
    return base ? membersOf(world, base, depth + 1) : [];
  });
  return [...inherited, ...own];
}
