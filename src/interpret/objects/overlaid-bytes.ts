/**
 * Unions of numbers of several sizes, `union { uint64_t all; struct { uint32_t low : 20, high : 12; } parts; uint8_t bytes[8]; }`: what is
 * stored in one member are bits, which the others read, the lowest first as on x86 and GPUs.
 */

import { bitFieldUnit, type Storage } from '../../program/number-types.ts';
import type { Declaration, TypeReference } from '../../program/program.ts';
import { type Cell, numberValue, type RecordObject, unknownValue, type Value } from '../value.ts';
import { noteWhole } from './whole-members.ts';

/** A number in a union: a member, a member of one, or an element of one that is an array. */
interface Leaf {
  /** The member, and what it is called in that. */
  readonly path: readonly string[];
  readonly index: number | null;
  /** Which bit it begins at. */
  readonly begin: number;
  readonly storage: Storage;
}

/** Where the numbers of a union lie, in order of their declaration. */
export type Overlay = readonly Leaf[];

/** What a member of a union is made of: numbers of one type, or members of its own. */
export type Shape =
  | { readonly storage: Storage; readonly typeName: string }
  | { readonly members: readonly Declaration[]; readonly mostAligned: number | null };

/** Asks for that; null where it is something else. */
export type ShapeOf = (field: Declaration) => Shape | null;

/** What a piece of a union takes, counted in bits from its own beginning. */
interface Piece {
  readonly leaves: readonly Leaf[];
  readonly end: number;
  readonly alignment: number;
}

const mostBits = 512;
const deepest = 4;

/** The numbers of the union that begins there; null where a member is something else, or all are plain members of one place. */
export function overlayOf(fields: readonly Declaration[], at: number, shapeOf: ShapeOf): Overlay | null {
  const own = fields.filter(({ unionAt, isStatic }) => unionAt === at && !isStatic);
  const choices = new Map<number | string, Declaration[]>();
  for (const field of own) {
    const key = field.structAt ?? field.name;
    choices.set(key, [...(choices.get(key) ?? []), field]);
  }
  const pieces = [...choices.values()].map((row) => inRow(row, null, shapeOf, 0));
  if (!pieces.every((piece) => piece !== null && piece.end <= mostBits)) return null;
  const leaves = pieces.flatMap((piece) => piece?.leaves ?? []);
  const isPlain = ({ path, index }: Leaf): boolean => path.length === 1 && index === null;
  const isMixed = own.some(({ structAt, bits }) => structAt !== undefined || bits) || !leaves.every(isPlain);
  return isMixed ? leaves : null;
}

/** Members that lie one behind the other. `mostAligned`: in how many bytes at most, by `#pragma pack` and the like. */
function inRow(
  fields: readonly Declaration[],
  mostAligned: number | null,
  shapeOf: ShapeOf,
  depth: number,
): Piece | null {
  const leaves: Leaf[] = [];
  let end = 0;
  let alignment = 8;
  for (const field of fields) {
    if (field.isStatic) continue;
    const piece = pieceOf(field, shapeOf, depth);
    if (!piece) return null;
    const own = Math.min(piece.alignment, mostAligned === null ? piece.alignment : mostAligned * 8);
    const begin = field.bits ? beginOfBits(end, piece, mostAligned === 1) : roundUp(end, own);
    for (const leaf of piece.leaves) leaves.push({ ...leaf, begin: leaf.begin + begin });
    end = begin + piece.end;
    alignment = Math.max(alignment, own);
  }
  return { leaves, end: roundUp(end, alignment), alignment };
}

/** It lies in one unit of its type, unless there is no room left between any. */
function beginOfBits(end: number, { alignment, end: width }: Piece, isTight: boolean): number {
  if (isTight) return end;
  if (width === 0) return roundUp(end, alignment);
  return Math.floor(end / alignment) === Math.floor((end + width - 1) / alignment) ? end : roundUp(end, alignment);
}

function pieceOf(field: Declaration, shapeOf: ShapeOf, depth: number): Piece | null {
  const { name, type, bits, isPacked, alignment: written } = field;
  const shape = type.isReference || written ? null : shapeOf(field);
  const count = countOf(type);
  if (!shape || count === null) return null;
  if ('members' in shape) {
    if (type.extents.length > 0 || depth > deepest) return null;
    const inside = inRow(shape.members, shape.mostAligned, shapeOf, depth + 1);
    const leaves = inside?.leaves.map((leaf) => ({ ...leaf, path: [name, ...leaf.path] }));
    return inside && leaves ? { ...inside, leaves } : null;
  }
  const { storage, typeName } = shape;
  // A truth value takes a byte.
  const width = bits ? storage.bits : Math.max(8, storage.bits);
  const stored = { ...storage, bits: width };
  const unit = bits ? bitFieldUnit(typeName) : width;
  if (width > 64 || count * width > mostBits || unit === null) return null;
  const isArray = type.extents.length > 0;
  const leaves = Array.from({ length: name === '' ? 0 : count }, (_, index): Leaf => {
    return { path: [name], index: isArray ? index : null, begin: index * width, storage: stored };
  });
  return { leaves, end: count * width, alignment: isPacked ? 8 : unit };
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}

function countOf({ extents }: TypeReference): number | null {
  if (extents.length === 0) return 1;
  const [extent] = extents;
  return extents.length === 1 && extent?.kind === 'number' && extent.value <= mostBits / 8 ? extent.value : null;
}

/** The bits of one union in one object, each of which is 0, 1 or not known; `undefined` while nobody has touched it. */
type Bits = (0 | 1 | null | undefined)[];

class Overlaid implements Cell {
  readonly type: TypeReference | null;
  readonly name: string;
  readonly owner: RecordObject | null;
  readonly #bits: Bits;
  readonly #leaf: Leaf;

  constructor({ type, name, owner }: Cell, bits: Bits, leaf: Leaf) {
    this.type = type;
    this.name = name;
    this.owner = owner;
    this.#bits = bits;
    this.#leaf = leaf;
  }

  isIn(bits: Bits): boolean {
    return this.#bits === bits;
  }

  isAtFront(bits: number): boolean {
    return this.#leaf.begin === 0 && this.#leaf.storage.bits === bits;
  }

  zeroRest(): void {
    for (let at = 0; at < mostBits; at++) if (this.#bits[at] === undefined) this.#bits[at] = 0;
  }

  get value(): Value {
    const { begin, storage } = this.#leaf;
    let whole = 0n;
    for (let at = begin + storage.bits - 1; at >= begin; at--) {
      const bit = this.#bits[at] ?? null;
      if (bit === null) return { kind: 'unknown' };
      whole = (whole << 1n) | BigInt(bit);
    }
    return numberOf(whole, storage);
  }

  set value(value: Value) {
    const { begin, storage } = this.#leaf;
    let whole = value.kind === 'number' ? bitsOf(storage, value.exact ?? value.value) : null;
    // A structure that begins without values leaves its bits as they are before anybody has touched them.
    const unknown = value === unknownValue ? undefined : null;
    for (let at = begin; at < begin + storage.bits; at++) {
      this.#bits[at] = whole === null ? unknown : whole & 1n ? 1 : 0;
      if (whole !== null) whole >>= 1n;
    }
  }
}

const scratch = new DataView(new ArrayBuffer(8));

function numberOf(whole: bigint, { bits, kind, type }: Storage): Value {
  if (kind === 'real') {
    scratch.setBigUint64(0, whole, true);
    return numberValue(bits === 32 ? scratch.getFloat32(0, true) : scratch.getFloat64(0, true), type);
  }
  // What has 64 bits and no sign is kept as if it had one.
  const exact = kind === 'signed' || bits === 64 ? BigInt.asIntN(bits, whole) : whole;
  const value = Number(exact);
  if (Number.isSafeInteger(value)) return numberValue(value, type);
  return { kind: 'number', value, isRounded: true, exact, ...(type ? { type } : {}) };
}

/** Null for what is not known to the last digit. */
function bitsOf({ bits, kind }: Storage, value: number | bigint): bigint | null {
  if (kind === 'real') {
    scratch.setBigUint64(0, 0n, true);
    if (bits === 32) scratch.setFloat32(0, Number(value), true);
    else scratch.setFloat64(0, Number(value), true);
    return scratch.getBigUint64(0, true);
  }
  if (typeof value === 'number' && !Number.isSafeInteger(Math.trunc(value))) return null;
  return BigInt.asUintN(bits, typeof value === 'bigint' ? value : BigInt(Math.trunc(value)));
}

/** What nobody has touched of the unions of numbers that an object is, or has, begins as zero: also what lies between their members. */
export function zeroOverlaid({ fields }: RecordObject): void {
  for (const cell of fields.values()) if (cell instanceof Overlaid) cell.zeroRest();
}

/** The member of a union, or of an object that begins with one, that is a number of so many bits; null where it has none. */
export function numberAtFront({ fields }: RecordObject, bits: number): Cell | null {
  const found = [...fields.values()].find((cell) => cell instanceof Overlaid && cell.isAtFront(bits));
  return found ?? null;
}

/** Puts the numbers of an object's union into one place; what they hold already stays. */
export function overlay(record: RecordObject, leaves: Overlay): void {
  const bits: Bits = new Array<undefined>(mostBits).fill(undefined);
  for (const { cell, before } of put(record, leaves, bits)) if (before.kind === 'number') cell.value = before;
  noteStructures(record, leaves, bits);
}

/** A structure in the union that is given a value as a whole is numbers in the same place again. */
function noteStructures(record: RecordObject, leaves: Overlay, bits: Bits): void {
  const names = new Set(leaves.flatMap(({ path }) => (path.length > 1 ? [path[0]!] : [])));
  for (const name of names)
    noteWhole(record, name, () => {
      const own = leaves.filter(({ path }) => path[0] === name);
      for (const { cell, before } of put(record, own, bits)) cell.value = before;
      noteStructures(record, leaves, bits);
    });
}

/** The cells of those that were not in that place, each with what it held. */
function put(
  record: RecordObject,
  leaves: Overlay,
  bits: Bits,
): readonly { readonly cell: Cell; readonly before: Value }[] {
  return leaves.flatMap((leaf) => {
    const owner = ownerAt(record, leaf.path);
    const name = leaf.path.at(-1) ?? '';
    const member = owner?.fields.get(name);
    if (!owner || !member) return [];
    if (leaf.index === null) {
      if (member instanceof Overlaid && member.isIn(bits)) return [];
      const cell = new Overlaid(member, bits, leaf);
      owner.fields.set(name, cell);
      return [{ cell, before: member.value }];
    }
    if (member.value.kind !== 'sequence') return [];
    const { cells, elementType } = member.value.sequence;
    const known = cells.get(leaf.index);
    if (known instanceof Overlaid && known.isIn(bits)) return [];
    const plain: Cell = known ?? {
      value: { kind: 'unknown' },
      type: elementType,
      name: `${name}[${leaf.index}]`,
      owner: null,
    };
    const cell = new Overlaid(plain, bits, leaf);
    cells.set(leaf.index, cell);
    return [{ cell, before: plain.value }];
  });
}

/** The object that the last in a row of names is a member of. */
function ownerAt(record: RecordObject, path: readonly string[]): RecordObject | null {
  let owner = record;
  for (const name of path.slice(0, -1)) {
    const value = owner.fields.get(name)?.value;
    if (value?.kind !== 'record') return null;
    owner = value.record;
  }
  return owner;
}
