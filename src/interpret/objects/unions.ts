/** Members of a union: what is stored in one that is plain is what the other plain ones hold. */

import { type Storage, storageNamed } from '../../program/number-types.ts';
import type { Declaration, TypeReference } from '../../program/program.ts';
import { bitsAs } from '../expressions/number-bits.ts';
import type { Cell, RecordObject, Value } from '../value.ts';
import { type Overlay, overlay, overlayOf } from './overlaid-bytes.ts';

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
}

/** Sorts the members of unions by where they lie; null when no two lie in one place. */
export function unionParts(
  fields: readonly Declaration[],
  isPlain: (type: TypeReference) => boolean,
  stepOf: (type: TypeReference) => number | null,
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
      overlay: overlayOf(fields, at),
    }),
  );
  const found = shared.filter(({ plain, rows, overlay }) => plain.size > 1 || rows.length > 0 || overlay);
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

/** Puts those members of an object into one place. */
export function joinMembers(record: RecordObject, parts: readonly UnionPart[]): void {
  for (const { plain, rows, overlay: leaves } of parts) {
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
  }
}

function joinPlain(record: RecordObject, plain: UnionPart['plain']): void {
  const cells = [...plain.keys()].flatMap((name) => record.fields.get(name) ?? []);
  const known = cells.find(({ value }) => value.kind !== 'unknown');
  const by = known?.type && known.type.pointers === 0 ? storageNamed(known.type.name) : null;
  const shared: Shared = { value: known?.value ?? { kind: 'unknown' }, by };
  for (const cell of cells)
    record.fields.set(cell.name, new Member(cell, record, shared, plain.get(cell.name) ?? null));
}
