/**
 * Physical memory for graphs on one device: a pool of 32 MiB blocks, and which graph maps which block where.
 *
 *     pool (in order of search):   [#7][#2][#5] ...
 *     graph 0: address blocks      0 -> #2   1 -> #7          a block may serve several graphs, as long as
 *     graph 1: address blocks      0 -> #2   1 -> #5          they run one after the other in one stream
 *
 * A mapping belongs to the graph, not to the executable (experiment `reinst_keepmap`). Nothing is mapped when a graph is
 * instantiated; launching and uploading do it. Times are microseconds of a simulated clock and only decide whether an
 * earlier launch is still in flight.
 */

/** A physical block. */
export interface Block {
  readonly id: number;
  /** Graph -> the index of its address block that this block backs. */
  readonly users: Map<GraphMemory, number>;
  /** Launches, uploads and frees that may still touch it, the latest per user: until when, and in which stream. */
  readonly pending: Map<GraphMemory | number, PendingUse>;
  /** Unfreed allocations on it, with the graph that made them. */
  readonly live: Map<number, GraphMemory>;
  /** How many graphs count it as used. */
  count: number;
}

interface PendingUse {
  readonly stream: number;
  readonly end: number;
}

/** 32 MiB of a graph's address range. */
export interface AddressBlock {
  readonly address: number;
  /** Whether an allocation lies on it; the others are spare: reserved, but not used. */
  touched: boolean;
  block: Block | undefined;
  /** Why there is no block: shown when the next launch has to map one. */
  missing: MapReason;
}

/** Why a launch or upload had to map memory. */
export type MapReason = 'firstUse' | 'streamChanged' | 'uploadedElsewhere' | 'trimmed' | 'heldByUnfreed' | 'concurrentGraph';

/** What one graph has on one device. */
export interface GraphMemory {
  readonly graph: number;
  readonly addresses: AddressBlock[];
  /** Index into `addresses` by address. */
  readonly byAddress: Map<number, number>;
  /** How many of the graph's chunks `addresses` covers. */
  chunks: number;
  /** Where and how long the latest launch or upload runs. */
  stream: number | undefined;
  end: number;
  lastWasUpload: boolean;
}

export interface PhysicalPool {
  blocks: Block[];
  usedBlocks: number;
  usedHigh: number;
  reservedHigh: number;
  created: number;
}

/** One block that came or went: what a memory map has to redraw. */
export interface BlockChange {
  readonly kind: 'map' | 'unmap' | 'create' | 'release';
  readonly block: number;
  readonly graph?: number;
  /** Address of the 32 MiB that the block backs or backed. */
  readonly address?: number;
}

export interface MapOutcome {
  readonly created: number;
  readonly mapped: number;
  readonly reason: MapReason | undefined;
  readonly changes: readonly BlockChange[];
  /** The call blocks until then, because the graph is in flight in another stream (rule B.6). */
  readonly waitUntil: number;
}

export function createPhysicalPool(): PhysicalPool {
  return { blocks: [], usedBlocks: 0, usedHigh: 0, reservedHigh: 0, created: 0 };
}

export function createGraphMemory(graph: number): GraphMemory {
  return { graph, addresses: [], byAddress: new Map(), chunks: 0, stream: undefined, end: 0, lastWasUpload: false };
}

/** Makes every address block of the graph backed for a launch or upload in `stream` (rules B.2 to B.6). */
export function mapForLaunch(pool: PhysicalPool, graph: GraphMemory, stream: number, now: number): MapOutcome {
  const E = (globalThis as any).process.env;
  const changes: BlockChange[] = [];
  const streamChanged = graph.stream !== undefined && graph.stream !== stream;
  const inFlightElsewhere = streamChanged && graph.end > now;
  const dropped: { address: AddressBlock; block: Block; uncount: boolean }[] = [];
  const wasMissing = graph.addresses.filter((a) => !a.block);
  for (const address of graph.addresses) {
    const { block } = address;
    if (!block) continue;
    const own = [...block.live.values()].some((o) => o === graph);
    const foreign = !own && [...block.live.values()].some((o) => o !== graph);
    const usable = own || isUsable(block, graph, stream, now);
    let drop = foreign || (block.count !== 1 && !usable);
    let uncount = true;
    if (!address.touched && !drop && streamChanged && usable && (block.count === 0 || E.C1 !== 'keep')) { drop = true; uncount = false; }
    if (!drop) continue;
    address.missing = dropReason(block, graph, stream, now, streamChanged);
    dropped.push({ address, block, uncount });
    block.users.delete(graph);
    address.block = undefined;
    changes.push({ kind: 'unmap', block: block.id, graph: graph.graph, address: address.address });
  }
  const f = new Set(dropped.map((d) => d.block));
  if (f.size) pool.blocks = [...[...f].reverse(), ...pool.blocks.filter((b) => !f.has(b))];
  let missing = graph.addresses.filter((a) => !a.block);
  const total = missing.length;
  const reason = missing[0]?.missing;
  let created = 0;
  const fill = (list: AddressBlock[], at: number) => {
    if (!list.length) return;
    const usable = pool.blocks.filter((block) => !block.users.has(graph) && isUsable(block, graph, stream, at));
    const candidates = [...usable.filter((block) => hasPending(block, at)), ...usable.filter((block) => !hasPending(block, at))];
    const taken: Block[] = [];
    let next = 0;
    for (const address of [...list].reverse()) {
      let block = candidates[next++];
      if (!block) {
        block = { id: pool.created++, users: new Map(), pending: new Map(), live: new Map(), count: 0 };
        created++;
        changes.push({ kind: 'create', block: block.id });
      }
      taken.push(block);
      address.block = block;
      block.users.set(graph, address.address);
      if (address.touched && block.count++ === 0) pool.usedBlocks++;
      changes.push({ kind: 'map', block: block.id, graph: graph.graph, address: address.address });
    }
    const takenSet = new Set(taken);
    pool.blocks = [...taken.reverse(), ...pool.blocks.filter((block) => !takenSet.has(block))];
  };
  const split = E.SPLIT === 'no' ? false : E.SPLIT === 'always' ? wasMissing.length < graph.addresses.length : streamChanged && wasMissing.length < graph.addresses.length;
  let waitUntil = now;
  if (split) {
    const touched = missing.filter((a) => a.touched);
    fill(touched, now);
    if (touched.length > 0 && inFlightElsewhere) waitUntil = graph.end;
    fill(missing.filter((a) => !a.touched), waitUntil);
  } else fill(missing, now);
  if (total > 0 && inFlightElsewhere) waitUntil = graph.end;
  raiseHighs(pool);
  for (const { block, uncount } of dropped) if (uncount && block.count > 0 && --block.count === 0) pool.usedBlocks--;
  return { created, mapped: total, reason, changes, waitUntil };
}

/** Notes that the graph's blocks are in use by a launch or upload in `stream` until `end`. */
export function markPending(graph: GraphMemory, stream: number, end: number, upload: boolean): void {
  graph.stream = stream;
  graph.end = end;
  graph.lastWasUpload = upload;
  for (const address of graph.addresses) address.block?.pending.set(graph, { stream, end });
}

/** Rule B.9: releases every block without unfinished use and without unfreed allocation. */
export function trimPool(pool: PhysicalPool, now: number): readonly BlockChange[] {
  const changes: BlockChange[] = [];
  const kept: Block[] = [];
  for (const block of pool.blocks) {
    if (block.live.size > 0 || hasPending(block, now)) {
      kept.push(block);
      continue;
    }
    if (block.count > 0) pool.usedBlocks--;
    for (const [graph, addressOfBlock] of block.users) {
      const address = graph.addresses[graph.byAddress.get(addressOfBlock) ?? -1];
      if (address) {
        address.block = undefined;
        address.missing = 'trimmed';
      }
      changes.push({ kind: 'unmap', block: block.id, graph: graph.graph, address: addressOfBlock });
    }
    changes.push({ kind: 'release', block: block.id });
  }
  pool.blocks = kept;
  return changes;
}

export function raiseHighs(pool: PhysicalPool): void {
  pool.usedHigh = Math.max(pool.usedHigh, pool.usedBlocks);
  pool.reservedHigh = Math.max(pool.reservedHigh, pool.blocks.length);
}

/** Rule B.2: no other graph's unfreed allocation, and whatever is unfinished on it runs in the same stream. */
function isUsable(block: Block, graph: GraphMemory, stream: number, now: number): boolean {
  for (const owner of block.live.values()) if (owner !== graph) return false;
  for (const use of block.pending.values()) if (use.end > now && use.stream !== stream) return false;
  return true;
}

function hasPending(block: Block, now: number): boolean {
  for (const [user, use] of block.pending) {
    if (use.end > now) return true;
    block.pending.delete(user);
  }
  return false;
}

function dropReason(
  block: Block,
  graph: GraphMemory,
  stream: number,
  now: number,
  streamChanged: boolean,
): MapReason {
  for (const owner of block.live.values()) if (owner !== graph) return 'heldByUnfreed';
  for (const [user, use] of block.pending)
    if (user !== graph && use.end > now && use.stream !== stream) return 'concurrentGraph';
  if (!streamChanged) return 'concurrentGraph';
  return graph.lastWasUpload ? 'uploadedElsewhere' : 'streamChanged';
}
