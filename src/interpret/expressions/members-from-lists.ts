/** What a braced list makes of the members of an object, one after the other. */

import { withoutBaseBraces } from '../objects/base-parts.ts';
import { findClass } from '../program-table.ts';
import { referTo } from '../referred-parts.ts';
import { createScope, type Scope } from '../scope.ts';
import { withTemplates } from '../types/class-templates.ts';
import { type Cell, createCell, type RecordObject, type Sequence, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { isBraced, namedIn, noteCopy, put, referredFrom } from './braced-lists.ts';
import { isPlain, partsWithoutBraces } from './left-out-braces.ts';
import { fieldCell } from './locate.ts';
import { zeroFields } from './zeroes.ts';

/** One member after the other; of those that the list says nothing of, numbers are zero. */
export function listIntoMembers(
  world: World,
  scope: Scope,
  record: RecordObject,
  list: Sequence,
  names: readonly string[],
): void {
  zeroFields(world, record, 0);
  // What its members are made of may hang on what its class was given.
  const { templates } = record;
  const inner = templates ? withTemplates(createScope(scope), templates) : scope;
  const elements = withoutBaseBraces(world, record.className, [...list.cells.values()]);
  const values = elements.map(({ value }) => value);
  let taken = 0;
  for (let index = 0; taken < values.length; index++) {
    const name = names[index];
    const element = elements[taken];
    const value = element?.value ?? unknownValue;
    const part = name === undefined ? null : unnamedPart(world, record, name);
    if (part && isBraced(value)) {
      fillUnnamed(world, inner, record, part, value);
      taken++;
      index += part.members - 1;
      continue;
    }
    if (part?.isLast) index += part.members - 1;
    const field = name === undefined ? basePart(record, index, value) : fieldCell(world, record, name);
    if (!field && name === undefined) break;
    if (field?.type?.isReference && name !== undefined && element) {
      referTo(record, name, referredFrom(world, list, element) ?? createCell(name, value, field.type));
      taken++;
      continue;
    }
    const named = element && field ? namedIn(world, list, element, field.type) : null;
    taken = field ? putParts(world, inner, field, values, taken, named) : taken + 1;
    if (field && element && list.copies?.has(element)) noteCopy(world, field, value);
  }
}

/**
 * Gives a member the values that are for it, from the `taken`th: one, or as many as it has parts where it is itself an object
 * or an array whose braces are left out. How many are taken then.
 */
function putParts(
  world: World,
  scope: Scope,
  cell: Cell,
  values: readonly Value[],
  taken: number,
  named: Cell | null = null,
): number {
  const value = values[taken];
  if (!value) return taken;
  const parts = isPlain(value) ? partsWithoutBraces(world, cell) : null;
  if (!parts) {
    put(world, scope, cell, value, named);
    return taken + 1;
  }
  let next = taken;
  for (const part of parts) next = putParts(world, scope, part, values, next);
  return next;
}

/** `overloaded{[](A) { … }, [](B) { … }}`: lambdas that a class derives from. */
function basePart(record: RecordObject, index: number, value: Value): Cell | null {
  if (value.kind !== 'closure') return null;
  const cell = createCell(`(base ${index})`);
  record.fields.set(cell.name, cell);
  return cell;
}

/** An unnamed union or structure among the members of an object, where one of its members stands. */
interface UnnamedPart {
  /** What a list in braces is for: the members of the structure, or the first of the union. */
  readonly row: readonly string[];
  readonly isUnion: boolean;
  /** How many members it goes on for, from this one on. */
  readonly members: number;
  /** A value without braces is for the last, or only, of them: the next is for what stands behind the union. */
  readonly isLast: boolean;
}

/** `union { struct { int a, b; }; int word; };` in a structure, or such a structure in a union. */
function unnamedPart(world: World, record: RecordObject, name: string): UnnamedPart | null {
  const fields = findClass(world.program, record.className)?.fields.filter(({ isStatic }) => !isStatic) ?? [];
  const at = fields.findIndex((each) => each.name === name);
  const field = fields[at];
  if (field?.unionAt === undefined) return null;
  const { unionAt, structAt } = field;
  const row = structAt === undefined ? [field] : fields.filter((each) => each.structAt === structAt);
  const isUnion = fields.some((each) => each.unionAt !== unionAt);
  if (!isUnion && structAt === undefined) return null;
  const behind = fields.slice(at).findIndex((each) => each.unionAt !== unionAt);
  return {
    row: row.map((each) => each.name),
    isUnion,
    members: isUnion ? (behind < 0 ? fields.length - at : behind) : row.length,
    isLast: isUnion && row.at(-1) === field,
  };
}

/** `{kind, {a, b}}`, `{kind, {.first = a}}` where the second braces are those of an unnamed part. */
function fillUnnamed(
  world: World,
  scope: Scope,
  record: RecordObject,
  { row, isUnion }: UnnamedPart,
  value: Value & { kind: 'sequence' | 'record' },
): void {
  const set = (name: string, given: Value | undefined): void => {
    const cell = record.fields.get(name);
    if (cell && given) put(world, scope, cell, given);
  };
  if (value.kind === 'record') {
    for (const [name, { value: given }] of value.record.fields) set(name, given);
    return;
  }
  const only = value.sequence.length === 1 ? value.sequence.cells.get(0)?.value : undefined;
  const isOfOne = isUnion && only !== undefined && isBraced(only);
  if (row.length === 1) {
    const cell = record.fields.get(row[0]!);
    const isWhole = !isOfOne && cell !== undefined && partsWithoutBraces(world, cell) !== null;
    set(row[0]!, isWhole ? value : value.sequence.cells.get(0)?.value);
    return;
  }
  const list = isOfOne && only.kind === 'sequence' ? only.sequence : value.sequence;
  for (const [index, name] of row.entries()) set(name, list.cells.get(index)?.value);
}
