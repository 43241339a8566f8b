/** Sets of small numbers as words of 32 bits. Sets are shared freely, so none of these functions changes one in place. */

export type Bits = Uint32Array;

export const NO_BITS: Bits = new Uint32Array(0);

export function hasBit(bits: Bits, number: number): boolean {
  return (((bits[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1;
}

/** A copy with one more member. */
export function withBit(bits: Bits, number: number): Bits {
  const copy = new Uint32Array(Math.max(bits.length, (number >>> 5) + 1));
  copy.set(bits);
  copy[number >>> 5] = (copy[number >>> 5] as number) | (1 << (number & 31));
  return copy;
}

/** The union, and the very same set when one side already holds the other. */
export function unionOf(first: Bits, second: Bits): Bits {
  if (first === second) return first;
  const [long, short] = first.length >= second.length ? [first, second] : [second, first];
  let longHoldsShort = true;
  let shortHoldsLong = long.length === short.length;
  for (let index = 0; index < short.length; index++) {
    const left = long[index] as number;
    const right = short[index] as number;
    if ((right & ~left) !== 0) longHoldsShort = false;
    if ((left & ~right) !== 0) shortHoldsLong = false;
    if (!longHoldsShort && !shortHoldsLong) return merged(long, short);
  }
  return longHoldsShort ? long : short;
}

/** The union of many: written into one new set, so that it costs one pass over each. */
export function unionOfAll(sets: readonly Bits[]): Bits {
  const [first = NO_BITS, second] = sets;
  if (second === undefined) return first;
  if (sets.length === 2) return unionOf(first, second);
  let longest = first;
  for (const set of sets) if (set.length > longest.length) longest = set;
  let union: Bits | undefined;
  for (const set of sets) {
    if (set === longest) continue;
    for (let index = 0; index < set.length; index++) {
      const word = set[index] ?? 0;
      const before = (union ?? longest)[index] ?? 0;
      if ((word & ~before) === 0) continue;
      union ??= longest.slice();
      union[index] = before | word;
    }
  }
  return union ?? longest;
}

function merged(long: Bits, short: Bits): Bits {
  const union = long.slice();
  for (let index = 0; index < short.length; index++) union[index] = (union[index] as number) | (short[index] as number);
  return union;
}

/** The first member, lowest or highest first, for which `find` has an answer. `mask` members alone are looked at. */
export function findMember<Found>(
  bits: Bits,
  mask: Bits,
  lowestFirst: boolean,
  find: (number: number) => Found | undefined,
): Found | undefined {
  const words = Math.min(bits.length, mask.length);
  for (let step = 0; step < words; step++) {
    const index = lowestFirst ? step : words - 1 - step;
    let word = (bits[index] as number) & (mask[index] as number);
    while (word !== 0) {
      const bit = lowestFirst ? 31 - Math.clz32(word & -word) : 31 - Math.clz32(word);
      const found = find((index << 5) + bit);
      if (found !== undefined) return found;
      word &= ~(1 << bit);
    }
  }
  return undefined;
}
