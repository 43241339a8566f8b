/**
 * Unions of numbers of several sizes, `union { uint64_t all; struct { uint32_t low, high; }; uint8_t bytes[8]; }`: what is stored in one
 * member are bytes, which the others read, the lowest first as on x86 and GPUs.
 */

import { type Storage, storageNamed } from '../../program/number-types.ts';
import type { Declaration, TypeReference } from '../../program/program.ts';
import { type Cell, numberValue, type RecordObject, unknownValue, type Value } from '../value.ts';

/** A number in a union: a member, an element of one that is an array, or one of these in a structure that is a member. */
interface Leaf {
  /** Names of members, from the union to the number. */
  readonly path: readonly string[];
  readonly index: number | null;
  readonly offset: number;
  readonly storage: Storage;
  /** `unsigned index : 12`: which bits of those it has. */
  readonly field: { readonly shift: number; readonly width: number } | null;
}

/** Where the numbers of a union lie, in order of their declaration. */
export type Overlay = readonly Leaf[];

/** The members of a structure; null for what is none. */
export type MembersOf = (type: TypeReference) => readonly Declaration[] | null;

const mostBytes = 64;

/** The numbers of the union that begins there; null where a member is something else, or all are plain members of one place. */
export function overlayOf(fields: readonly Declaration[], at: number, membersOf: MembersOf): Overlay | null {
  const leaves: Leaf[] = [];
  const ends = new Map<number, number>();
  let isMixed = false;
  for (const field of fields) {
    const { name, type, unionAt, structAt, isStatic, bits } = field;
    if (unionAt !== at || isStatic) continue;
    const members = bits ? null : structureIn(type, membersOf);
    isMixed ||= type.extents.length > 0 || structAt !== undefined || members !== null || bits !== undefined;
    if (members) {
      if (structAt !== undefined) return null;
      let end = 0;
      for (const member of members) {
        const behind = member.unionAt === undefined ? addLeaves(leaves, [name, member.name], member, end) : null;
        if (behind === null) return null;
        end = behind;
      }
      continue;
    }
    const end = addLeaves(leaves, [name], field, structAt === undefined ? 0 : (ends.get(structAt) ?? 0));
    if (end === null) return null;
    if (structAt !== undefined) ends.set(structAt, end);
  }
  return isMixed ? leaves : null;
}

/** What a member that is a structure of numbers is made of. */
function structureIn(type: TypeReference, membersOf: MembersOf): readonly Declaration[] | null {
  if (type.pointers > 0 || type.isReference || type.extents.length > 0 || storageNamed(type.name)) return null;
  return membersOf(type)?.filter(({ isStatic }) => !isStatic) ?? null;
}

/** Adds the numbers of a member that may begin behind so many bits; how many are before what comes next, null for what is no number. */
function addLeaves(leaves: Leaf[], path: readonly string[], field: Declaration, before: number): number | null {
  const { type, bits } = field;
  const storage = type.pointers === 0 && !type.isReference ? storageNamed(type.name) : null;
  const count = countOf(type);
  if (!storage || storage.bits % 8 !== 0 || storage.bits > 64 || count === null) return null;
  if (bits) return addBits(leaves, path, storage, before, bits.kind === 'number' ? bits.value : null);
  const bytes = storage.bits / 8;
  const first = Math.ceil(before / storage.bits) * bytes;
  if (first + count * bytes > mostBytes) return null;
  const isArray = type.extents.length > 0;
  for (let index = 0; index < count; index++)
    leaves.push({ path, index: isArray ? index : null, offset: first + index * bytes, storage, field: null });
  return (first + count * bytes) * 8;
}

/** A bit-field does not lie across the borders of its type. */
function addBits(
  leaves: Leaf[],
  path: readonly string[],
  storage: Storage,
  before: number,
  width: number | null,
): number | null {
  if (width === null || width > storage.bits || storage.kind === 'real') return null;
  const unit = storage.bits;
  const isAcross = width === 0 || Math.floor(before / unit) !== Math.floor((before + width - 1) / unit);
  const first = isAcross ? Math.ceil(before / unit) * unit : before;
  const shift = first % unit;
  if (first + unit > mostBytes * 8) return null;
  if (width > 0) leaves.push({ path, index: null, offset: (first - shift) / 8, storage, field: { shift, width } });
  return first + width;
}

function countOf({ extents }: TypeReference): number | null {
  if (extents.length === 0) return 1;
  const [extent] = extents;
  return extents.length === 1 && extent?.kind === 'number' && extent.value <= mostBytes ? extent.value : null;
}

/** The bytes of one union in one object, and which of their bits are known. */
interface Bytes {
  readonly view: DataView;
  readonly known: Uint8Array;
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
    const { offset, storage, field } = this.#leaf;
    const { view, known } = this.#bytes;
    if (field) return readBits(view, known, this.#leaf);
    for (let at = offset; at < offset + storage.bits / 8; at++) if (known[at] !== 255) return unknownValue;
    return read(view, offset, storage);
  }

  set value(value: Value) {
    const { offset, storage, field } = this.#leaf;
    const { view, known } = this.#bytes;
    if (field) {
      storeBits(view, known, this.#leaf, value);
      return;
    }
    const isStored = value.kind === 'number' && store(view, offset, storage, value.exact ?? value.value);
    known.fill(isStored ? 255 : 0, offset, offset + storage.bits / 8);
  }
}

function readBits(view: DataView, known: Uint8Array, { offset, storage, field }: Leaf): Value {
  const { shift, width } = field!;
  let whole = 0n;
  for (let bit = width - 1; bit >= 0; bit--) {
    const at = offset + ((shift + bit) >> 3);
    const mask = 1 << ((shift + bit) & 7);
    if ((known[at]! & mask) === 0) return unknownValue;
    whole = (whole << 1n) | (view.getUint8(at) & mask ? 1n : 0n);
  }
  const exact = storage.kind === 'signed' ? BigInt.asIntN(width, whole) : whole;
  const value = Number(exact);
  // Bits that an `int` has room for are one.
  if (Number.isSafeInteger(value)) return numberValue(value, width < 32 ? undefined : storage.type);
  return { kind: 'number', value, isRounded: true, exact, ...(storage.type ? { type: storage.type } : {}) };
}

function storeBits(view: DataView, known: Uint8Array, { offset, field }: Leaf, value: Value): void {
  const { shift, width } = field!;
  const number = value.kind === 'number' ? (value.exact ?? value.value) : null;
  const isKnown = number !== null && (typeof number === 'bigint' || Number.isSafeInteger(Math.trunc(number)));
  const whole = isKnown ? (typeof number === 'bigint' ? number : BigInt(Math.trunc(number))) : 0n;
  for (let bit = 0; bit < width; bit++) {
    const at = offset + ((shift + bit) >> 3);
    const mask = 1 << ((shift + bit) & 7);
    const isSet = (whole >> BigInt(bit)) & 1n;
    view.setUint8(at, isSet ? view.getUint8(at) | mask : view.getUint8(at) & ~mask);
    known[at] = isKnown ? known[at]! | mask : known[at]! & ~mask;
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

/** A structure that is a member of a union: whatever object it is given, that object's numbers lie in the bytes. */
class OverlaidPart implements Cell {
  readonly type: TypeReference | null;
  readonly name: string;
  readonly owner: RecordObject | null;
  readonly #bytes: Bytes;
  readonly #leaves: Overlay;
  #value: Value;

  constructor({ type, name, owner, value }: Cell, bytes: Bytes, leaves: Overlay) {
    this.type = type;
    this.name = name;
    this.owner = owner;
    this.#bytes = bytes;
    this.#leaves = leaves;
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set value(value: Value) {
    this.#value = value;
    if (value.kind !== 'record') return;
    for (const { cell, before } of putInto(value.record, this.#leaves, this.#bytes) ?? []) cell.value = before;
  }
}

/** Puts the numbers of an object's union into one place; what they hold already stays. */
export function overlay(record: RecordObject, leaves: Overlay): void {
  const bytes: Bytes = { view: new DataView(new ArrayBuffer(mostBytes)), known: new Uint8Array(mostBytes) };
  const made = putInto(
    record,
    leaves.filter(({ path }) => path.length === 1),
    bytes,
  );
  if (!made) return;
  for (const name of new Set(leaves.flatMap(({ path }) => (path.length > 1 ? path[0]! : [])))) {
    const part = record.fields.get(name);
    if (part?.value.kind !== 'record') return;
    const own = leaves.filter(({ path }) => path.length > 1 && path[0] === name);
    const within = own.map((leaf) => ({ ...leaf, path: leaf.path.slice(1) }));
    made.push(...(putInto(part.value.record, within, bytes) ?? []));
    record.fields.set(name, new OverlaidPart(part, bytes, within));
  }
  for (const { cell, before } of made) if (before.kind === 'number') cell.value = before;
}

/** A number that lies in the bytes now, and what it was before. */
interface PutInto {
  readonly cell: Overlaid;
  readonly before: Value;
}

/** Null where the object does not have those numbers. */
function putInto({ fields }: RecordObject, leaves: Overlay, bytes: Bytes): PutInto[] | null {
  const made: PutInto[] = [];
  for (const leaf of leaves) {
    const name = leaf.path[0]!;
    const member = fields.get(name);
    if (!member) return null;
    const sequence = leaf.index === null ? null : member.value.kind === 'sequence' ? member.value.sequence : undefined;
    if (sequence === undefined) return null;
    const known = sequence && leaf.index !== null ? sequence.cells.get(leaf.index) : member;
    const plain: Cell = known ?? {
      value: unknownValue,
      type: sequence?.elementType ?? null,
      name: `${name}[${leaf.index}]`,
      owner: null,
    };
    const cell = new Overlaid(plain, bytes, leaf);
    made.push({ cell, before: plain.value });
    if (sequence && leaf.index !== null) sequence.cells.set(leaf.index, cell);
    else fields.set(name, cell);
  }
  return made;
}
