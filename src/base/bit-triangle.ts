/** One bit for each pair of small whole numbers of which the second is below the first, all in one piece. */

export interface BitTriangle {
  readonly words: Uint32Array;
  /** Where the words of each number's row begin. */
  readonly starts: Uint32Array;
}

export function createBitTriangle(size: number): BitTriangle {
  const starts = new Uint32Array(size + 1);
  for (let row = 0; row < size; row++) starts[row + 1] = starts[row]! + wordsOfRow(row);
  return { words: new Uint32Array(starts[size]!), starts };
}

function wordsOfRow(row: number): number {
  return (row + 31) >>> 5;
}

export function isInRow({ words, starts }: BitTriangle, row: number, index: number): boolean {
  return (words[starts[row]! + (index >>> 5)]! & (1 << (index & 31))) !== 0;
}

/** Adds a number below, and all that is in its row, to a row. */
export function addRow({ words, starts }: BitTriangle, row: number, below: number): void {
  const own = starts[row]!;
  const other = starts[below]!;
  const count = wordsOfRow(below);
  for (let word = 0; word < count; word++) words[own + word]! |= words[other + word]!;
  words[own + (below >>> 5)]! |= 1 << (below & 31);
}
