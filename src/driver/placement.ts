/**
 * Addresses inside one graph on one device: where the driver puts an allocation node at the moment it is added.
 *
 *     arena list of a node:  [ arena A ][ arena B ] ...     arena = freed blocks + the latest free node that fed it
 *     chunk of the graph:    | taken | free block | taken | virgin ............... |
 *
 * An arena collects what a chain of ordered free nodes gave back. A node inherits the arenas of its dependencies, so it
 * looks only where some of its ancestors freed. The driver orders arenas by host heap pointers, which nobody can know
 * beforehand; `hostOrder` says whether the heap is taken to rise or to fall (experiment `pointer_order`).
 *
 * The rules below reproduce every address of the recordings made with rising and with falling heap addresses. Names such
 * as "arena" are ours: the recordings show behaviour, not source code.
 */

import { type AddressRange, type AddressSpace, reserveFirstRange, reserveFurtherRange } from './address-space.ts';
import {
  createFreeBlocks,
  type FreeBlock,
  type FreeBlocks,
  firstAtLeast,
  insertBlock,
  removeBlock,
} from './free-blocks.ts';
import { hasSeen } from './graph-order.ts';

export type HostOrder = 'up' | 'down';

/** What a chain of ordered free nodes gave back. */
interface Arena {
  /** Creation number, which stands for the host pointer. */
  readonly order: number;
  /** Ordinal of the latest free node that fed it. */
  last: number;
  readonly blocks: FreeBlocks;
}

type ArenaList = readonly Arena[];

export interface Placement {
  readonly space: AddressSpace;
  readonly hostOrder: HostOrder;
  readonly blockBytes: number;
  /** Arena list per node. Lists are shared and never changed in place. */
  readonly lists: ArenaList[];
  /** Address ranges that belong to the graph, multiples of a block. */
  readonly chunks: AddressRange[];
  /** Parts of chunks that were never handed out, sorted by address. */
  readonly virgin: AddressRange[];
  arenas: number;
  insertions: number;
}

const NO_ARENAS: ArenaList = [];

export function createPlacement(space: AddressSpace, hostOrder: HostOrder, blockBytes: number): Placement {
  return { space, hostOrder, blockBytes, lists: [], chunks: [], virgin: [], arenas: 0, insertions: 0 };
}

/** A node that neither allocates nor frees here only passes its arenas on (rule A.1). */
export function placeOther(placement: Placement, dependencies: readonly number[]): void {
  placement.lists.push(inheritedArenas(placement, dependencies));
}

/** An allocation node of `bytes` (already rounded); `seen` are the free nodes before it. Returns its address. */
export function placeAllocation(
  placement: Placement,
  dependencies: readonly number[],
  seen: Uint32Array,
  bytes: number,
): number {
  const arenas = inheritedArenas(placement, dependencies);
  placement.lists.push(arenas);
  for (const arena of arenas) {
    const block = findBlock(arena.blocks, seen, bytes);
    if (block) return takeFrom(placement, arena.blocks, block, bytes);
  }
  return takeVirgin(placement, bytes) ?? takeFromNewChunk(placement, bytes);
}

/** A free node that gives `[start, start + bytes)` back; `free` is its own ordinal. */
export function placeFree(
  placement: Placement,
  dependencies: readonly number[],
  seen: Uint32Array,
  free: number,
  start: number,
  bytes: number,
): void {
  const arenas = sortedArenas(placement, inheritedArenas(placement, dependencies));
  // Rule A.2: the first arena whose latest free node comes before this one; a new arena goes to the end of the list.
  let arena = arenas.find((candidate) => hasSeen(seen, candidate.last));
  if (arena) {
    arena.last = free;
    placement.lists.push(arenas);
  } else {
    arena = { order: placement.arenas++, last: free, blocks: createFreeBlocks() };
    placement.lists.push([...arenas, arena]);
  }
  insertMerged(placement, arena.blocks, start, bytes, free);
}

/**
 * A moved child graph of `bytes`: the parent sets room aside as if the child node allocated it and freed it again
 * (experiments `c1` and `c3`). Returns the address of that room.
 */
export function placeChild(
  placement: Placement,
  dependencies: readonly number[],
  seen: Uint32Array,
  free: number,
  bytes: number,
): number {
  const start = placeAllocation(placement, dependencies, seen, bytes);
  placement.lists.pop();
  placeFree(placement, dependencies, seen, free, start, bytes);
  return start;
}

/** After an edge between existing nodes: each changed node also looks where its new dependencies look. */
export function refreshLists(
  placement: Placement,
  nodes: readonly number[],
  dependenciesOf: (node: number) => readonly number[],
): void {
  for (const node of nodes) {
    const own = placement.lists[node] ?? NO_ARENAS;
    placement.lists[node] = unionOf(placement, [
      own,
      ...dependenciesOf(node).map((at) => placement.lists[at] ?? NO_ARENAS),
    ]);
  }
}

/** Rule A.1: one dependency: its list as it is. Several: the union, sorted; their order in the array has no effect. */
function inheritedArenas(placement: Placement, dependencies: readonly number[]): ArenaList {
  if (dependencies.length === 0) return NO_ARENAS;
  if (dependencies.length === 1) return placement.lists[dependencies[0] as number] ?? NO_ARENAS;
  return unionOf(
    placement,
    dependencies.map((dependency) => placement.lists[dependency] ?? NO_ARENAS),
  );
}

function unionOf(placement: Placement, lists: readonly ArenaList[]): ArenaList {
  const [first = NO_ARENAS] = lists;
  if (lists.every((list) => list === first || list.length === 0)) return sortedArenas(placement, first);
  const union = new Set<Arena>();
  for (const list of lists) for (const arena of list) union.add(arena);
  return sortedArenas(placement, [...union]);
}

function sortedArenas(placement: Placement, arenas: ArenaList): ArenaList {
  const sign = placement.hostOrder === 'up' ? 1 : -1;
  for (let index = 1; index < arenas.length; index++) {
    const ordered = sign * ((arenas[index] as Arena).order - (arenas[index - 1] as Arena).order) > 0;
    if (!ordered) return [...arenas].sort((left, right) => sign * (left.order - right.order));
  }
  return arenas;
}

/**
 * Rule A.3: the best fit, the oldest among equals, when its owner comes before the node. Otherwise, of the blocks that fit
 * and whose owner does come before the node, the one with the oldest owner, which need not be the best fit.
 */
function findBlock(blocks: FreeBlocks, seen: Uint32Array, bytes: number): FreeBlock | undefined {
  const from = firstAtLeast(blocks, bytes);
  const best = blocks.bySize[from];
  if (!best || hasSeen(seen, best.owner)) return best;
  let oldest: FreeBlock | undefined;
  for (let index = from + 1; index < blocks.bySize.length; index++) {
    const block = blocks.bySize[index] as FreeBlock;
    if (hasSeen(seen, block.owner) && (!oldest || block.owner < oldest.owner)) oldest = block;
  }
  return oldest;
}

/** Rule A.4: the allocation takes the start; the remainder keeps its owner and counts as newly inserted. */
function takeFrom(placement: Placement, blocks: FreeBlocks, block: FreeBlock, bytes: number): number {
  removeBlock(blocks, block);
  if (block.bytes > bytes) {
    const start = block.start + bytes;
    insertBlock(blocks, { start, bytes: block.bytes - bytes, owner: block.owner, age: placement.insertions++ });
  }
  return block.start;
}

/** Rule A.2: merges with both neighbours in this arena only; the whole then belongs to the new free node. */
function insertMerged(placement: Placement, blocks: FreeBlocks, start: number, bytes: number, owner: number): void {
  const before = blocks.byEnd.get(start);
  const after = blocks.byStart.get(start + bytes);
  if (before) removeBlock(blocks, before);
  if (after) removeBlock(blocks, after);
  const merged = bytes + (before?.bytes ?? 0) + (after?.bytes ?? 0);
  insertBlock(blocks, { start: before?.start ?? start, bytes: merged, owner, age: placement.insertions++ });
}

/** Rule A.5: the smallest never-used range that holds it (experiments v4 and v5). */
function takeVirgin(placement: Placement, bytes: number): number | undefined {
  let best = -1;
  let bestBytes = Number.POSITIVE_INFINITY;
  for (const [index, range] of placement.virgin.entries()) {
    const size = range.end - range.start;
    if (size >= bytes && size < bestBytes) {
      best = index;
      bestBytes = size;
    }
  }
  const range = placement.virgin[best];
  if (!range) return undefined;
  const rest = { start: range.start + bytes, end: range.end };
  placement.virgin.splice(best, 1, ...(rest.start < rest.end ? [rest] : []));
  return range.start;
}

/** Rules A.6 and A.7: whole blocks for the size alone; where they touch an old tail, the allocation starts in the tail. */
function takeFromNewChunk(placement: Placement, bytes: number): number {
  const chunkBytes = Math.ceil(bytes / placement.blockBytes) * placement.blockBytes;
  const reserve = placement.chunks.length === 0 ? reserveFirstRange : reserveFurtherRange;
  const chunk = reserve(placement.space, chunkBytes);
  placement.chunks.push(chunk);
  const tail = placement.virgin.findIndex((range) => range.end === chunk.start);
  const start = placement.virgin[tail]?.start ?? chunk.start;
  if (tail >= 0) placement.virgin.splice(tail, 1);
  if (start + bytes < chunk.end) placement.virgin.push({ start: start + bytes, end: chunk.end });
  return start;
}
