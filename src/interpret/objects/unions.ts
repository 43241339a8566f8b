/** Members of a union: what is stored in one that is plain is what the other plain ones hold. */

import { type Storage, storageNamed } from '../../program/number-types.ts';
import type { Declaration, TypeReference } from '../../program/program.ts';
import { bitsAs } from '../expressions/number-bits.ts';
import type { Cell, RecordObject, Value } from '../value.ts';

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

/** Those plain members of an object that lie in one place, each with what its pointer steps by. */
export type UnionPart = ReadonlyMap<string, number | null>;

/** Sorts the plain members of unions by where they lie; null when there are none. */
export function unionParts(
  fields: readonly Declaration[],
  isPlain: (type: TypeReference) => boolean,
  stepOf: (type: TypeReference) => number | null,
): readonly UnionPart[] | null {
  const parts = new Map<number, Map<string, number | null>>();
  for (const { name, type, unionAt, isStatic } of fields) {
    if (unionAt === undefined || isStatic || type.isReference || type.extents.length > 0 || !isPlain(type)) continue;
    const part = parts.get(unionAt) ?? new Map<string, number | null>();
    parts.set(unionAt, part.set(name, stepOf(type)));
  }
  const shared = [...parts.values()].filter((part) => part.size > 1);
  return shared.length > 0 ? shared : null;
}

/** Puts those members of an object into one place. */
export function joinMembers(record: RecordObject, parts: readonly UnionPart[]): void {
  for (const part of parts) {
    const cells = [...part.keys()].flatMap((name) => record.fields.get(name) ?? []);
    const known = cells.find(({ value }) => value.kind !== 'unknown');
    const by = known?.type && known.type.pointers === 0 ? storageNamed(known.type.name) : null;
    const shared: Shared = { value: known?.value ?? { kind: 'unknown' }, by };
    for (const cell of cells)
      record.fields.set(cell.name, new Member(cell, record, shared, part.get(cell.name) ?? null));
  }
}
