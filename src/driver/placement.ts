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
import { type Bits, findMember, hasBit, NO_BITS, unionOfAll, withBit } from './bits.ts';
import {
  createFreeBlocks,
  type FreeBlock,
  type FreeBlocks,
  firstAtLeast,
  insertBlock,
  removeBlock,
} from './free-blocks.ts';
import { sameNumbers } from './graph-order.ts';

export type HostOrder = 'up' | 'down';

/** What a chain of ordered free nodes gave back. Arenas are numbered; the number stands for the host pointer. */
interface Arena {
  /** Ordinal of the latest free node that fed it. */
  last: number;
  readonly blocks: FreeBlocks;
}

/** The arenas in which a node looks: a sorted set, and one that was appended behind it (-1: none). */
interface ArenaList {
  readonly sorted: Bits;
  readonly appended: number;
}

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
  readonly arenas: Arena[];
  /** Arenas with at least one block. */
  filled: Bits;
  /** Size of the largest block of each arena. */
  readonly largest: number[];
  insertions: number;
  /** What the last list of several dependencies came to: nodes side by side often share one. */
  joined: { readonly dependencies: readonly number[]; readonly list: ArenaList } | undefined;
}

const NO_ARENAS: ArenaList = { sorted: NO_BITS, appended: -1 };

export function createPlacement(space: AddressSpace, hostOrder: HostOrder, blockBytes: number): Placement {
  return {
    space,
    hostOrder,
    blockBytes,
    lists: [],
    chunks: [],
    virgin: [],
    arenas: [],
    filled: NO_BITS,
    largest: [],
    insertions: 0,
    joined: undefined,
  };
}

/** A node that neither allocates nor frees here only passes its arenas on (rule A.1). */
export function placeOther(placement: Placement, dependencies: readonly number[]): void {
  placement.lists.push(inheritedArenas(placement, dependencies));
}

/** An allocation node of `bytes` (already rounded); `seen` are the free nodes before it. Returns its address. */
export function placeAllocation(
  placement: Placement,
  dependencies: readonly number[],
  seen: Bits,
  bytes: number,
): number {
  const list = inheritedArenas(placement, dependencies);
  placement.lists.push(list);
  const { largest } = placement;
  const reused = findArena(placement, list, placement.filled, (number) => {
    if ((largest[number] as number) < bytes) return undefined;
    const block = findBlock((placement.arenas[number] as Arena).blocks, seen, bytes);
    return block && takeFrom(placement, number, block, bytes);
  });
  if (reused !== undefined) return reused;
  return takeVirgin(placement, bytes) ?? takeFromNewChunk(placement, bytes);
}

/** A free node that gives `[start, start + bytes)` back; `free` is its own ordinal. */
export function placeFree(
  placement: Placement,
  dependencies: readonly number[],
  seen: Bits,
  free: number,
  start: number,
  bytes: number,
): void {
  const list = sortedList(inheritedArenas(placement, dependencies));
  // Rule A.2: the first arena whose latest free node comes before this one; a new arena goes to the end of the list.
  const known = findArena(placement, list, list.sorted, (number) =>
    hasBit(seen, (placement.arenas[number] as Arena).last) ? number : undefined,
  );
  const number = known ?? placement.arenas.push({ last: free, blocks: createFreeBlocks() }) - 1;
  placement.lists.push(known === undefined ? { sorted: list.sorted, appended: number } : list);
  const arena = placement.arenas[number] as Arena;
  arena.last = free;
  insertMerged(placement, number, start, bytes, free);
}

/**
 * A moved child graph of `bytes`: the parent sets room aside as if the child node allocated it and freed it again
 * (experiments `c1` and `c3`). Returns the address of that room.
 */
export function placeChild(
  placement: Placement,
  dependencies: readonly number[],
  seen: Bits,
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
  placement.joined = undefined;
  for (const node of nodes) {
    const own = placement.lists[node] ?? NO_ARENAS;
    placement.lists[node] = joined([own, ...dependenciesOf(node).map((at) => placement.lists[at] ?? NO_ARENAS)]);
  }
}

/** Rule A.1: one dependency: its list as it is. Several: the union, sorted; their order in the array has no effect. */
function inheritedArenas(placement: Placement, dependencies: readonly number[]): ArenaList {
  if (dependencies.length === 0) return NO_ARENAS;
  if (dependencies.length === 1) return placement.lists[dependencies[0] as number] ?? NO_ARENAS;
  if (!placement.joined || !sameNumbers(placement.joined.dependencies, dependencies)) {
    const list = joined(dependencies.map((dependency) => placement.lists[dependency] ?? NO_ARENAS));
    placement.joined = { dependencies, list };
  }
  return placement.joined.list;
}

function joined(lists: readonly ArenaList[]): ArenaList {
  return { sorted: unionOfAll(lists.map((list) => sortedList(list).sorted)), appended: -1 };
}

function sortedList(list: ArenaList): ArenaList {
  return list.appended < 0 ? list : { sorted: withBit(list.sorted, list.appended), appended: -1 };
}

/** The first answer along the list, in host order; of the sorted arenas only those in `mask` are asked. */
function findArena<Found>(
  placement: Placement,
  list: ArenaList,
  mask: Bits,
  find: (number: number) => Found | undefined,
): Found | undefined {
  const found = findMember(list.sorted, mask, placement.hostOrder === 'up', find);
  return found ?? (list.appended < 0 ? undefined : find(list.appended));
}

/**
 * Rule A.3: the best fit, the oldest among equals, when its owner comes before the node. Otherwise, of the blocks that fit
 * and whose owner does come before the node, the one with the oldest owner, which need not be the best fit.
 */
function findBlock(blocks: FreeBlocks, seen: Bits, bytes: number): FreeBlock | undefined {
  const from = firstAtLeast(blocks, bytes);
  const best = blocks.bySize[from];
  if (!best || hasBit(seen, best.owner)) return best;
  let oldest: FreeBlock | undefined;
  for (let index = from + 1; index < blocks.bySize.length; index++) {
    const block = blocks.bySize[index] as FreeBlock;
    if (hasBit(seen, block.owner) && (!oldest || block.owner < oldest.owner)) oldest = block;
  }
  return oldest;
}

/** Rule A.4: the allocation takes the start; the remainder keeps its owner and counts as newly inserted. */
function takeFrom(placement: Placement, number: number, block: FreeBlock, bytes: number): number {
  const { blocks } = placement.arenas[number] as Arena;
  removeBlock(blocks, block);
  if (block.bytes > bytes) {
    const start = block.start + bytes;
    insertBlock(blocks, { start, bytes: block.bytes - bytes, owner: block.owner, age: placement.insertions++ });
  }
  noteLargest(placement, number);
  return block.start;
}

/** Rule A.2: merges with both neighbours in this arena only; the whole then belongs to the new free node. */
function insertMerged(placement: Placement, number: number, start: number, bytes: number, owner: number): void {
  const { blocks } = placement.arenas[number] as Arena;
  const before = blocks.byEnd.get(start);
  const after = blocks.byStart.get(start + bytes);
  if (before) removeBlock(blocks, before);
  if (after) removeBlock(blocks, after);
  const merged = bytes + (before?.bytes ?? 0) + (after?.bytes ?? 0);
  insertBlock(blocks, { start: before?.start ?? start, bytes: merged, owner, age: placement.insertions++ });
  noteLargest(placement, number);
}

/** `filled` is the placement's own set and changed in place; it doubles when it has to grow. */
function noteLargest(placement: Placement, number: number): void {
  const largest = (placement.arenas[number] as Arena).blocks.bySize.at(-1)?.bytes ?? 0;
  placement.largest[number] = largest;
  const index = number >>> 5;
  if (index >= placement.filled.length) {
    const grown = new Uint32Array(Math.max(4, 2 * index));
    grown.set(placement.filled);
    placement.filled = grown;
  }
  const bit = 1 << (number & 31);
  const word = placement.filled[index] as number;
  placement.filled[index] = largest > 0 ? word | bit : word & ~bit;
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
