/** Members of a union: what is stored in one that is plain is what the other plain ones hold. */

import { type Storage, storageNamed } from '../../program/number-types.ts';
import type { Declaration, TypeReference } from '../../program/program.ts';
import { elementCell } from '../expressions/elements.ts';
import { bitsAs } from '../expressions/number-bits.ts';
import { type Cell, type RecordObject, type Sequence, unknownValue, type Value } from '../value.ts';
import { type Overlay, overlay, overlayOf, type ShapeOf } from './overlaid-bytes.ts';
import { noteWhole } from './whole-members.ts';

/** What the members of one union hold together. */
interface Shared {
  value: Value;
  /** How the member stores numbers that was stored to last. */
  by: Storage | null;
}

class Member implements Cell {
  readonly type: TypeReference | null;
  readonly name: string;
  readonly owner: RecordObject | null;
  readonly #shared: Shared;
  /** What the member's pointer steps by. */
  readonly #elementBytes: number | null;
  readonly #storage: Storage | null;

  constructor({ type, name }: Cell, owner: RecordObject, shared: Shared, elementBytes: number | null) {
    this.type = type;
    this.name = name;
    this.owner = owner;
    this.#shared = shared;
    this.#elementBytes = elementBytes;
    this.#storage = type && type.pointers === 0 ? storageNamed(type.name) : null;
  }

  isOf(shared: Shared): boolean {
    return this.#shared === shared;
  }

  get value(): Value {
    const { value, by } = this.#shared;
    if (value.kind === 'number') return bitsAs(value, by, this.#storage);
    return value.kind === 'device' && this.type && this.type.pointers > 0
      ? { ...value, elementBytes: this.#elementBytes }
      : value;
  }

  set value(value: Value) {
    this.#shared.by = this.#storage;
    this.#shared.value = value;
  }
}

/** Members of an object that lie in one place. */
export interface UnionPart {
  /** The plain ones, each with what its pointer steps by. */
  readonly plain: ReadonlyMap<string, number | null>;
  /** An array, and the members of a structure that are its elements. */
  readonly rows: readonly { readonly array: string; readonly members: readonly string[] }[];
  /** All members are numbers, and their bytes lie in one place. */
  readonly overlay: Overlay | null;
  /** What the union may be, of which some is a structure; the members of one without a name belong together. */
  readonly choices: readonly (readonly string[])[];
}

/** Sorts the members of unions by where they lie; null when no two lie in one place. */
export function unionParts(
  fields: readonly Declaration[],
  isPlain: (type: TypeReference) => boolean,
  stepOf: (type: TypeReference) => number | null,
  shapeOf: ShapeOf,
): readonly UnionPart[] | null {
  const parts = new Map<number, Map<string, number | null>>();
  const begun = new Set<number>();
  for (const { name, type, unionAt, structAt, isStatic } of fields) {
    if (unionAt === undefined || isStatic) continue;
    const isBehind = structAt !== undefined && begun.has(structAt);
    if (structAt !== undefined) begun.add(structAt);
    if (isBehind || type.isReference || type.extents.length > 0 || !isPlain(type)) continue;
    const part = parts.get(unionAt) ?? new Map<string, number | null>();
    parts.set(unionAt, part.set(name, stepOf(type)));
  }
  const places = new Set(fields.flatMap(({ unionAt }) => unionAt ?? []));
  const shared = [...places].map(
    (at): UnionPart => ({
      plain: parts.get(at) ?? new Map(),
      rows: rowsIn(fields, at),
      overlay: overlayOf(fields, at, shapeOf),
      choices: choicesIn(fields, at, isPlain),
    }),
  );
  const found = shared.filter(
    ({ plain, rows, overlay, choices }) => plain.size > 1 || rows.length > 0 || overlay || choices.length > 0,
  );
  return found.length > 0 ? found : null;
}

/** `union { struct { float x, y; }; float v[2]; }` */
function rowsIn(fields: readonly Declaration[], at: number): UnionPart['rows'] {
  const own = fields.filter(({ unionAt, isStatic }) => unionAt === at && !isStatic);
  const structures = new Set(own.flatMap(({ structAt }) => structAt ?? []));
  return own.flatMap(({ name, type }) => {
    if (type.extents.length !== 1) return [];
    return [...structures].flatMap((structAt) => {
      const members = own.filter((each) => each.structAt === structAt);
      const isAlike = members.every(
        (each) =>
          each.type.name === type.name && each.type.pointers === type.pointers && each.type.extents.length === 0,
      );
      return isAlike ? [{ array: name, members: members.map((each) => each.name) }] : [];
    });
  });
}

/** `union { struct header head; struct { int kind; float *p; } copy; }` */
function choicesIn(
  fields: readonly Declaration[],
  at: number,
  isPlain: (type: TypeReference) => boolean,
): UnionPart['choices'] {
  const own = fields.filter(({ unionAt, isStatic }) => unionAt === at && !isStatic);
  if (own.every(({ type, structAt }) => structAt === undefined && isPlain(type))) return [];
  const choices = new Map<number | string, string[]>();
  for (const { name, structAt } of own) {
    const key = structAt ?? name;
    choices.set(key, [...(choices.get(key) ?? []), name]);
  }
  return choices.size > 1 ? [...choices.values()] : [];
}

/** Puts those members of an object into one place. */
export function joinMembers(record: RecordObject, parts: readonly UnionPart[]): void {
  for (const { plain, rows, overlay: leaves, choices } of parts) {
    if (leaves) {
      overlay(record, leaves);
      continue;
    }
    if (plain.size > 1) joinPlain(record, plain);
    for (const { array, members } of rows) {
      const value = record.fields.get(array)?.value;
      if (value?.kind !== 'sequence') continue;
      for (const [index, name] of members.entries()) {
        const cell = record.fields.get(name);
        if (cell) value.sequence.cells.set(index, cell);
      }
    }
    joinBeginnings(record, choices);
  }
}

/** A plain member, and the object that it is a member of; `within`: the array that it is an element of. */
interface Leaf {
  readonly cell: Cell;
  readonly name: string;
  readonly owner: RecordObject;
  readonly within?: { readonly sequence: Sequence; readonly index: number };
}

function putLeaf({ name, owner, within }: Leaf, cell: Cell): void {
  if (within) within.sequence.cells.set(within.index, cell);
  else owner.fields.set(name, cell);
}

/** Elements of an array that has others beside it in a union. */
const mostElements = 16;

/** What the structures of one union have in common, by the types of all that lie before it and of itself. */
type Common = ReadonlyMap<string, Shared>;

/** Structures of a union that begin with members of the same types have those in common. */
function joinBeginnings(record: RecordObject, choices: UnionPart['choices']): void {
  const alike = new Map<string, Leaf[]>();
  for (const names of choices)
    for (const [key, leaf] of keyed(leavesOf(record, names))) alike.set(key, [...(alike.get(key) ?? []), leaf]);
  const common = new Map<string, Shared>();
  for (const [key, leaves] of alike)
    if (leaves.length > 1)
      common.set(
        key,
        joinLeaves(leaves, () => null),
      );
  if (common.size === 0) return;
  for (const names of choices)
    for (const name of names) noteWhole(record, name, () => joinAgain(record, names, common));
}

function joinAgain(record: RecordObject, names: readonly string[], common: Common): void {
  for (const [key, leaf] of keyed(leavesOf(record, names))) {
    const shared = common.get(key);
    const { cell, owner } = leaf;
    if (!shared || (cell instanceof Member && cell.isOf(shared))) continue;
    const { value } = cell;
    const member = new Member(cell, owner, shared, null);
    putLeaf(leaf, member);
    member.value = value;
  }
  for (const name of names) noteWhole(record, name, () => joinAgain(record, names, common));
}

/** Each with the types of those before it and its own, up to the first of no type. */
function keyed(leaves: readonly Leaf[]): readonly (readonly [string, Leaf])[] {
  let key = '';
  const end = leaves.findIndex(({ cell }) => !cell.type);
  return leaves.slice(0, end < 0 ? leaves.length : end).map((leaf) => {
    key += `${leaf.cell.type?.name}${'*'.repeat(leaf.cell.type?.pointers ?? 0)};`;
    return [key, leaf];
  });
}

/** The plain members in the order in which they lie there, up to the first that is an array or a union. */
function leavesOf(owner: RecordObject, names: Iterable<string>): readonly Leaf[] {
  const leaves: Leaf[] = [];
  for (const name of names) {
    const cell = owner.fields.get(name);
    if (!cell || cell.type?.isReference) return leaves;
    if (cell.value.kind === 'sequence') {
      const { sequence } = cell.value;
      const { length, elementType } = sequence;
      const isPlain = elementType?.extents.length === 0 && (elementType.pointers > 0 || storageNamed(elementType.name));
      if (sequence.byValue || !isPlain || length === null || length > mostElements) return leaves;
      for (let index = 0; index < length; index++)
        leaves.push({ cell: elementCell(sequence, index), name, owner, within: { sequence, index } });
    } else if (cell.value.kind !== 'record') leaves.push({ cell, name, owner });
    else if (cell.value.record.unions) return leaves;
    else leaves.push(...leavesOf(cell.value.record, cell.value.record.fields.keys()));
  }
  return leaves;
}

function joinPlain(record: RecordObject, plain: UnionPart['plain']): void {
  const leaves = [...plain.keys()].flatMap((name): Leaf[] => {
    const cell = record.fields.get(name);
    return cell ? [{ cell, name, owner: record }] : [];
  });
  joinLeaves(leaves, (name) => plain.get(name) ?? null);
}

function joinLeaves(leaves: readonly Leaf[], stepOf: (name: string) => number | null): Shared {
  const known = leaves.find(({ cell: { value } }) => value.kind !== 'unknown')?.cell;
  const by = known?.type && known.type.pointers === 0 ? storageNamed(known.type.name) : null;
  const shared: Shared = { value: known?.value ?? leaves[0]?.cell.value ?? unknownValue, by };
  for (const leaf of leaves) putLeaf(leaf, new Member(leaf.cell, leaf.owner, shared, stepOf(leaf.name)));
  return shared;
}
