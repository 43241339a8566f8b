/** A square of bits in one piece: a set of small whole numbers for each of them. */
export interface BitMatrix {
  readonly words: Uint32Array;
  /** Words of a row. */
  readonly width: number;
}

export function createBitMatrix(size: number): BitMatrix {
  const width = (size + 31) >>> 5;
  return { words: new Uint32Array(width * size), width };
}

export function addToRow({ words, width }: BitMatrix, row: number, index: number): void {
  words[row * width + (index >>> 5)]! |= 1 << (index & 31);
}

export function rowHas({ words, width }: BitMatrix, row: number, index: number): boolean {
  return (words[row * width + (index >>> 5)]! & (1 << (index & 31))) !== 0;
}

/** Adds all that is in one row to another. */
export function uniteRows({ words, width }: BitMatrix, row: number, other: number): void {
  for (let word = 0; word < width; word++) words[row * width + word]! |= words[other * width + word]!;
}
