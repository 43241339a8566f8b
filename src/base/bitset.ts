/** Sets of small whole numbers, 32 to a word. */

export type Bitset = Uint32Array;

export function createBitset(size: number): Bitset {
  return new Uint32Array((size + 31) >>> 5);
}

export function addBit(set: Bitset, index: number): void {
  set[index >>> 5]! |= 1 << (index & 31);
}

export function hasBit(set: Bitset, index: number): boolean {
  return ((set[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}

/** Adds all of `other`; both must have room for the same numbers, `other` may be shorter. */
export function uniteInto(set: Bitset, other: Bitset): void {
  for (let word = 0; word < other.length; word++) set[word]! |= other[word]!;
}
