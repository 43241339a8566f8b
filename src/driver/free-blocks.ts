/**
 * The free blocks of one arena, found by size when an allocation looks for room and by address when a free node merges.
 *
 * Kept true: `bySize` is sorted by size, equal sizes by age; blocks do not overlap and no two of them touch, except where
 * a block's owner split it.
 */

/** A piece of address range that a free node made available. */
export interface FreeBlock {
  readonly start: number;
  readonly bytes: number;
  /** Ordinal of the free node that made it available: only nodes ordered behind that one may take it. */
  readonly owner: number;
  /** Insertion number within the graph: the smaller, the older. */
  readonly age: number;
}

export interface FreeBlocks {
  readonly bySize: FreeBlock[];
  readonly byStart: Map<number, FreeBlock>;
  readonly byEnd: Map<number, FreeBlock>;
}

export function createFreeBlocks(): FreeBlocks {
  return { bySize: [], byStart: new Map(), byEnd: new Map() };
}

export function insertBlock(blocks: FreeBlocks, block: FreeBlock): void {
  blocks.bySize.splice(firstAtLeast(blocks, block.bytes, block.age), 0, block);
  blocks.byStart.set(block.start, block);
  blocks.byEnd.set(block.start + block.bytes, block);
}

export function removeBlock(blocks: FreeBlocks, block: FreeBlock): void {
  blocks.bySize.splice(firstAtLeast(blocks, block.bytes, block.age), 1);
  blocks.byStart.delete(block.start);
  blocks.byEnd.delete(block.start + block.bytes);
}

/** Index of the smallest block of at least `bytes`; among equal sizes the first one at least as young as `age`. */
export function firstAtLeast(blocks: FreeBlocks, bytes: number, age = -1): number {
  let low = 0;
  let high = blocks.bySize.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const block = blocks.bySize[middle] as FreeBlock;
    if (block.bytes < bytes || (block.bytes === bytes && block.age < age)) low = middle + 1;
    else high = middle;
  }
  return low;
}
