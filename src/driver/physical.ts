/**
 * Physical memory for graphs on one device: a pool of 32 MiB blocks, and which graph maps which block where.
 *
 *     pool, by stream of last use: 0: [#7][#2]   1: [#5] ...
 *     graph 0, address blocks:     0 -> #2   1 -> #7          a block may serve several graphs, as long as
 *     graph 1, address blocks:     0 -> #2   1 -> #5          they run one after the other in one stream
 *
 * A mapping belongs to the graph, not to the executable (experiment `reinst_keepmap`). Instantiating maps nothing;
 * launching and uploading do (mapping.ts decides what). Times are microseconds of a simulated clock and only tell whether
 * an earlier launch is still in flight.
 *
 * Kept true: `usedBlocks` is the number of blocks whose `count` is above zero; a graph maps a block at most once.
 */

/** A physical block. */
export interface Block {
  readonly id: number;
  /** Graph -> address of the 32 MiB that this block backs there. Their running launches use the block. */
  readonly users: Map<GraphMemory, number>;
  /** Work that may still touch the block though its graph no longer maps it, or that frees an allocation on it. */
  readonly leftovers: Map<GraphMemory | number, PendingUse>;
  /** Unfreed allocations on it, with the graph that made them. */
  readonly live: Map<number, GraphMemory>;
  /** The stream of its latest use (-1: none yet), and the pool's turn at that use: a stream looks among its own first. */
  stream: number;
  turn: number;
  /** How many graphs count it as used. Spare blocks spoil it: it may be too low, even negative (see mapping.ts). */
  count: number;
}

export interface PendingUse {
  readonly stream: number;
  readonly end: number;
}

/** 32 MiB of a graph's address range. */
export interface AddressBlock {
  readonly address: number;
  /** Whether an allocation lies on it. The others are spare: they are reserved, but do not count as used (`pair33_33`). */
  touched: boolean;
  block: Block | undefined;
  /** Why there is no block: what the next launch gives as its reason for mapping one. */
  missing: MapReason;
}

/** Why a launch or upload had to map memory. */
export type MapReason =
  | 'firstUse'
  | 'streamChanged'
  | 'uploadedElsewhere'
  | 'trimmed'
  | 'heldByUnfreed'
  | 'concurrentGraph';

/** What one graph has on one device. */
export interface GraphMemory {
  readonly graph: number;
  /** Sorted by address. */
  readonly addresses: AddressBlock[];
  /** Index into `addresses` by address. */
  readonly byAddress: Map<number, number>;
  /** How many of the graph's chunks `addresses` covers. */
  chunks: number;
  /** Where and how long the latest launch or upload runs; only the latest counts (rule B.2). */
  stream: number | undefined;
  end: number;
  /** Until when frees of its own allocations run in other launches and streams. */
  freesEnd: number;
  lastWasUpload: boolean;
  /** The pool's `changes` when the graph was last found completely mapped. */
  checkedAt: number;
}

export interface PhysicalPool {
  /** Among blocks of the same stream and turn, the earlier one is taken first. */
  blocks: Block[];
  usedBlocks: number;
  usedHigh: number;
  reservedHigh: number;
  created: number;
  /** Counts launches, uploads and frees. */
  turn: number;
  /** Grows whenever something happens that may take a block away from a graph. */
  changes: number;
}

/** One block that came or went: what a memory map has to redraw. */
export interface BlockChange {
  readonly kind: 'map' | 'unmap' | 'create' | 'release';
  readonly block: number;
  readonly graph?: number;
  /** Address of the 32 MiB that the block backs or backed. */
  readonly address?: number;
}

export function createPhysicalPool(): PhysicalPool {
  return { blocks: [], usedBlocks: 0, usedHigh: 0, reservedHigh: 0, created: 0, turn: 0, changes: 0 };
}

export function createGraphMemory(graph: number): GraphMemory {
  return {
    graph,
    addresses: [],
    byAddress: new Map(),
    chunks: 0,
    stream: undefined,
    end: 0,
    freesEnd: 0,
    lastWasUpload: false,
    checkedAt: -1,
  };
}

/** Notes that the graph's blocks are in use by a launch or upload in `stream` until `end`. */
export function markPending(pool: PhysicalPool, graph: GraphMemory, use: PendingUse, upload: boolean): void {
  if (graph.stream !== use.stream) pool.changes++;
  graph.stream = use.stream;
  graph.end = use.end;
  graph.lastWasUpload = upload;
  pool.turn++;
  for (const place of graph.addresses) if (place.block) noteUse(pool, place.block, use.stream);
}

function noteUse(pool: PhysicalPool, block: Block, stream: number): void {
  block.stream = stream;
  block.turn = pool.turn;
}

/** Rule B.9: releases every block without unfinished use and without unfreed allocation (`trim_partial`, `trim_live`). */
export function trimPool(pool: PhysicalPool, now: number): readonly BlockChange[] {
  const changes: BlockChange[] = [];
  const kept: Block[] = [];
  for (const block of pool.blocks) {
    if (block.live.size > 0 || hasPending(block, now)) {
      kept.push(block);
      continue;
    }
    if (block.count > 0) pool.usedBlocks--;
    for (const [graph, address] of block.users) {
      const place = graph.addresses[graph.byAddress.get(address) ?? -1];
      if (place) {
        place.block = undefined;
        place.missing = 'trimmed';
      }
      changes.push({ kind: 'unmap', block: block.id, graph: graph.graph, address });
    }
    changes.push({ kind: 'release', block: block.id });
  }
  if (kept.length < pool.blocks.length) pool.changes++;
  pool.blocks = kept;
  return changes;
}

/**
 * The graph is gone: it maps nothing any more. Its blocks stay reserved and counted until a trim (recordings of launches,
 * after `destroyAll`). That they stay counted even when another graph takes them is an estimate.
 */
export function forgetGraph(pool: PhysicalPool, graph: GraphMemory): void {
  for (const { block } of graph.addresses) {
    if (!block) continue;
    block.users.delete(graph);
    if (graph.stream !== undefined) block.leftovers.set(graph, { stream: graph.stream, end: graph.end });
  }
  pool.changes++;
}

/** The blocks under `[start, end)` of the graph's range, as far as they are mapped. */
export function blocksUnder(graph: GraphMemory, start: number, end: number, blockBytes: number): Block[] {
  const blocks: Block[] = [];
  for (let address = start - (start % blockBytes); address < end; address += blockBytes) {
    const block = graph.addresses[graph.byAddress.get(address) ?? -1]?.block;
    if (block) blocks.push(block);
  }
  return blocks;
}

/** Rule B.7: an unfreed allocation holds every block it touches until it is freed. */
export function holdBlocks(pool: PhysicalPool, blocks: readonly Block[], allocation: number, owner: GraphMemory): void {
  if (blocks.length > 0) pool.changes++;
  for (const block of blocks) block.live.set(allocation, owner);
}

/** The allocation is freed; unless it was `cudaFree`, the freeing stream may touch the blocks until `use.end`. */
export function releaseBlocks(
  pool: PhysicalPool,
  blocks: readonly Block[],
  allocation: number,
  use: PendingUse | undefined,
): void {
  if (blocks.length > 0) pool.changes++;
  if (use) pool.turn++;
  for (const block of blocks) {
    block.live.delete(allocation);
    if (!use) continue;
    block.leftovers.set(allocation, use);
    noteUse(pool, block, use.stream);
  }
}

/** Rule B.2: no other graph's unfreed allocation, and whatever is unfinished on it runs in the same stream. */
export function isUsable(block: Block, graph: GraphMemory, stream: number, now: number): boolean {
  for (const owner of block.live.values()) if (owner !== graph) return false;
  for (const user of block.users.keys()) if (user.end > now && user.stream !== stream) return false;
  for (const [user, use] of block.leftovers) {
    if (use.end <= now) block.leftovers.delete(user);
    else if (use.stream !== stream) return false;
  }
  return true;
}

/** Whether anything on the device may still touch the block. */
function hasPending(block: Block, now: number): boolean {
  for (const user of block.users.keys()) if (user.end > now) return true;
  for (const [user, use] of block.leftovers) {
    if (use.end > now) return true;
    block.leftovers.delete(user);
  }
  return false;
}
