/**
 * Unions of numbers of several sizes, `union { uint64_t all; struct { uint32_t low, high; }; uint8_t bytes[8]; }`: what is stored in one
 * member are bytes, which the others read, the lowest first as on x86 and GPUs.
 */

import { type Storage, storageNamed } from '../../program/number-types.ts';
import type { Declaration, TypeReference } from '../../program/program.ts';
import { type Cell, numberValue, type RecordObject, type Value } from '../value.ts';

/** A number in a union: a member, or an element of one that is an array. */
interface Leaf {
  readonly member: string;
  readonly index: number | null;
  readonly offset: number;
  readonly storage: Storage;
}

/** Where the numbers of a union lie, in order of their declaration. */
export type Overlay = readonly Leaf[];

const mostBytes = 64;

/** The numbers of the union that begins there; null where a member is something else, or all are plain members of one place. */
export function overlayOf(fields: readonly Declaration[], at: number): Overlay | null {
  const leaves: Leaf[] = [];
  const ends = new Map<number, number>();
  let isMixed = false;
  for (const { name, type, unionAt, structAt, isStatic, bits } of fields) {
    if (unionAt !== at || isStatic) continue;
    const storage = type.pointers === 0 && !type.isReference && !bits ? storageNamed(type.name) : null;
    const count = countOf(type);
    if (!storage || storage.bits % 8 !== 0 || storage.bits > 64 || count === null) return null;
    const bytes = storage.bits / 8;
    const before = structAt === undefined ? 0 : (ends.get(structAt) ?? 0);
    const first = Math.ceil(before / bytes) * bytes;
    const isArray = type.extents.length > 0;
    isMixed ||= isArray || structAt !== undefined;
    for (let index = 0; index < count; index++)
      leaves.push({ member: name, index: isArray ? index : null, offset: first + index * bytes, storage });
    if (structAt !== undefined) ends.set(structAt, first + count * bytes);
    if (first + count * bytes > mostBytes) return null;
  }
  return isMixed ? leaves : null;
}

function countOf({ extents }: TypeReference): number | null {
  if (extents.length === 0) return 1;
  const [extent] = extents;
  return extents.length === 1 && extent?.kind === 'number' && extent.value <= mostBytes ? extent.value : null;
}

/** The bytes of one union in one object, and which of them are known. */
interface Bytes {
  readonly view: DataView;
  readonly known: boolean[];
}

class Overlaid implements Cell {
  readonly type: TypeReference | null;
  readonly name: string;
  readonly owner: RecordObject | null;
  readonly #bytes: Bytes;
  readonly #leaf: Leaf;

  constructor({ type, name, owner }: Cell, bytes: Bytes, leaf: Leaf) {
    this.type = type;
    this.name = name;
    this.owner = owner;
    this.#bytes = bytes;
    this.#leaf = leaf;
  }

  get value(): Value {
    const { offset, storage } = this.#leaf;
    const { view, known } = this.#bytes;
    for (let at = offset; at < offset + storage.bits / 8; at++) if (!known[at]) return { kind: 'unknown' };
    return read(view, offset, storage);
  }

  set value(value: Value) {
    const { offset, storage } = this.#leaf;
    const { view, known } = this.#bytes;
    const isStored = value.kind === 'number' && store(view, offset, storage, value.exact ?? value.value);
    known.fill(isStored, offset, offset + storage.bits / 8);
  }
}

function read(view: DataView, offset: number, { bits, kind, type }: Storage): Value {
  if (kind === 'real')
    return numberValue(bits === 32 ? view.getFloat32(offset, true) : view.getFloat64(offset, true), type);
  let whole = 0n;
  for (let at = bits / 8 - 1; at >= 0; at--) whole = (whole << 8n) | BigInt(view.getUint8(offset + at));
  // What has 64 bits and no sign is kept as if it had one.
  const exact = kind === 'signed' || bits === 64 ? BigInt.asIntN(bits, whole) : whole;
  const value = Number(exact);
  if (Number.isSafeInteger(value)) return numberValue(value, type);
  return { kind: 'number', value, isRounded: true, exact, ...(type ? { type } : {}) };
}

/** False for what is not known to the last digit. */
function store(view: DataView, offset: number, { bits, kind }: Storage, value: number | bigint): boolean {
  if (kind === 'real') {
    if (bits === 32) view.setFloat32(offset, Number(value), true);
    else view.setFloat64(offset, Number(value), true);
    return true;
  }
  if (typeof value === 'number' && !Number.isSafeInteger(Math.trunc(value))) return false;
  let whole = BigInt.asUintN(bits, typeof value === 'bigint' ? value : BigInt(Math.trunc(value)));
  for (let at = 0; at < bits / 8; at++, whole >>= 8n) view.setUint8(offset + at, Number(whole & 255n));
  return true;
}

/** Puts the numbers of an object's union into one place; what they hold already stays. */
export function overlay(record: RecordObject, leaves: Overlay): void {
  const bytes: Bytes = {
    view: new DataView(new ArrayBuffer(mostBytes)),
    known: new Array<boolean>(mostBytes).fill(false),
  };
  const made = new Map<Leaf, { readonly cell: Overlaid; readonly before: Value }>();
  for (const leaf of leaves) {
    const member = record.fields.get(leaf.member);
    if (!member) return;
    const sequence = leaf.index === null ? null : member.value.kind === 'sequence' ? member.value.sequence : undefined;
    if (sequence === undefined) return;
    const known = sequence && leaf.index !== null ? sequence.cells.get(leaf.index) : member;
    const plain: Cell = known ?? {
      value: { kind: 'unknown' },
      type: sequence?.elementType ?? null,
      name: `${leaf.member}[${leaf.index}]`,
      owner: null,
    };
    const cell = new Overlaid(plain, bytes, leaf);
    made.set(leaf, { cell, before: plain.value });
    if (sequence && leaf.index !== null) sequence.cells.set(leaf.index, cell);
    else record.fields.set(leaf.member, cell);
  }
  for (const { cell, before } of made.values()) if (before.kind === 'number') cell.value = before;
}
