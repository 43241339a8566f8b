/**
 * What a launch or upload does to the mapping of its graph: which blocks it keeps, which it gives up, what it takes.
 *
 * A graph's address range is made of whole blocks. Those with an allocation on them are "touched"; the rest are "spare",
 * and the driver treats them oddly: they are reserved and replaced like the others, but not counted as used when they are
 * taken. The rules below were found by trying variants on the recordings of launches, each of them the only one of its
 * neighbours that loses no case; those marked "fitted" have no experiment of their own. "launch-302" names a recorded case.
 */

import {
  type AddressBlock,
  type Block,
  type BlockChange,
  type GraphMemory,
  isUsable,
  type MapReason,
  type PhysicalPool,
} from './physical.ts';

export interface MapOutcome {
  readonly created: number;
  readonly mapped: number;
  readonly reason: MapReason | undefined;
  readonly changes: readonly BlockChange[];
  /** The call blocks until then. */
  readonly waitUntil: number;
}

/** An address block that lost its physical block in this call. */
interface Drop {
  readonly place: AddressBlock;
  readonly block: Block;
  /** A spare block of a graph that is in flight in another stream. */
  readonly behind: boolean;
}

/** The call under way: what its steps share. */
interface Mapping {
  readonly pool: PhysicalPool;
  readonly graph: GraphMemory;
  readonly stream: number;
  readonly now: number;
  readonly streamChanged: boolean;
  readonly changes: BlockChange[];
  created: number;
}

/** Makes every address block of the graph backed for a launch or upload in `stream`. */
export function mapForLaunch(pool: PhysicalPool, graph: GraphMemory, stream: number, now: number): MapOutcome {
  const streamChanged = graph.stream !== undefined && graph.stream !== stream;
  if (!streamChanged && graph.checkedAt === pool.changes) return nothingToDo(now);
  const mapping: Mapping = { pool, graph, stream, now, streamChanged, changes: [], created: 0 };
  const drops = dropUnusable(mapping);
  const missing = graph.addresses.filter((place) => !place.block);
  const reason = missing[0]?.missing;
  fill(mapping, missing);
  // Fitted: what replaces a spare block of a graph in flight elsewhere is the last to be taken by others.
  for (const { place, behind } of drops) if (behind && place.block) moveToBack(pool, [place.block]);
  // Rule B.5: the highs first; then the dropped blocks are uncounted. A spare block never was counted, yet is uncounted too:
  // its count may fall below zero, and the next graph that uses it then does not show in `used` (launch-320, launch-1107).
  pool.usedHigh = Math.max(pool.usedHigh, pool.usedBlocks);
  pool.reservedHigh = Math.max(pool.reservedHigh, pool.blocks.length);
  for (const { block } of drops) if (block.count-- === 1) pool.usedBlocks--;
  if (missing.length > 0) pool.changes++;
  graph.checkedAt = pool.changes;
  // Rule B.6: what is unmapped must be at rest, so the call blocks until the graph's launch, and the frees of its own
  // allocations, are over.
  const waitUntil = drops.length > 0 ? Math.max(now, graph.end, graph.freesEnd) : now;
  return { created: mapping.created, mapped: missing.length, reason, changes: mapping.changes, waitUntil };
}

const NO_CHANGES: readonly BlockChange[] = [];

function nothingToDo(now: number): MapOutcome {
  return { created: 0, mapped: 0, reason: undefined, changes: NO_CHANGES, waitUntil: now };
}

/**
 * Rule B.3: what has to go.
 *
 * - A block with another graph's unfreed allocation goes.
 * - A block that exactly one graph counts is kept, even when it is busy in another stream: it is taken for exclusive. That
 *   is right for touched blocks, and harmless for a spare one, which nobody writes to.
 * - A block that several graphs count, or none, goes when it is busy in another stream.
 * - A spare block that nobody counts stays when the stream changed and it is idle, but moves to the front (fitted).
 */
function dropUnusable(mapping: Mapping): readonly Drop[] {
  const { graph, stream, now, streamChanged, pool } = mapping;
  const drops: Drop[] = [];
  const toFront: Block[] = [];
  for (const place of graph.addresses) {
    const { block } = place;
    if (!block) continue;
    const held = heldBy(block, graph);
    const usable = held === 'own' || isUsable(block, graph, stream, now);
    if (held === 'another' || (block.count !== 1 && !usable)) {
      place.missing = dropReason(mapping, block);
      const behind = streamChanged && graph.end > now && !place.touched && held !== 'another';
      drops.push({ place, block, behind });
      unmap(mapping, place, block);
    } else if (!place.touched && streamChanged && usable && block.count <= 0) {
      toFront.push(block);
    }
  }
  for (const block of toFront) moveToFront(pool, [block]);
  return drops;
}

/**
 * Rule B.4: from the highest address down, the best candidates; when there is none left, new blocks. What was taken moves to
 * the front, the last one first, and new blocks come behind the others (recordings launch-302, launch-849).
 */
function fill(mapping: Mapping, places: readonly AddressBlock[]): void {
  if (places.length === 0) return;
  const { pool } = mapping;
  const found = candidates(mapping);
  const taken: Block[] = [];
  for (const [index, place] of [...places].reverse().entries()) {
    const block = found[index] ?? createBlock(mapping);
    taken.push(block);
    map(mapping, place, block);
    if (place.touched && block.count++ === 0) pool.usedBlocks++;
  }
  const reused = taken.slice(0, found.length);
  const created = taken.slice(found.length);
  moveToFront(pool, [...reused.reverse(), ...created.reverse()]);
}

/**
 * Usable blocks that the graph does not map yet, in the order the driver takes them: those last used in this stream, the
 * latest first; then those of the other streams, stream by stream (recordings launch-668, launch-730, launch-988).
 */
function candidates(mapping: Mapping): Block[] {
  const { pool, graph, stream, now } = mapping;
  const rank = (block: Block): number => (block.stream === stream ? -2 : block.stream);
  return pool.blocks
    .filter((block) => !block.users.has(graph) && isUsable(block, graph, stream, now))
    .sort((left, right) => rank(left) - rank(right) || right.turn - left.turn);
}

function createBlock(mapping: Mapping): Block {
  const id = mapping.pool.created++;
  mapping.created++;
  mapping.changes.push({ kind: 'create', block: id });
  return { id, users: new Map(), leftovers: new Map(), live: new Map(), stream: -1, turn: 0, count: 0 };
}

function map(mapping: Mapping, place: AddressBlock, block: Block): void {
  const { graph } = mapping;
  place.block = block;
  block.users.set(graph, place.address);
  block.leftovers.delete(graph);
  mapping.changes.push({ kind: 'map', block: block.id, graph: graph.graph, address: place.address });
}

function unmap(mapping: Mapping, place: AddressBlock, block: Block): void {
  const { graph, now } = mapping;
  place.block = undefined;
  block.users.delete(graph);
  if (graph.end > now && graph.stream !== undefined) {
    block.leftovers.set(graph, { stream: graph.stream, end: graph.end });
  }
  mapping.changes.push({ kind: 'unmap', block: block.id, graph: graph.graph, address: place.address });
}

/** Puts the blocks, in the order given, before all others. */
function moveToFront(pool: PhysicalPool, blocks: readonly Block[]): void {
  if (blocks.length === 0) return;
  const moved = new Set(blocks);
  pool.blocks = [...moved, ...pool.blocks.filter((block) => !moved.has(block))];
}

function moveToBack(pool: PhysicalPool, blocks: readonly Block[]): void {
  const moved = new Set(blocks);
  pool.blocks = [...pool.blocks.filter((block) => !moved.has(block)), ...moved];
}

/** Whose unfreed allocation lies on the block. One's own wins: it was put there when the block was one's own alone. */
function heldBy(block: Block, graph: GraphMemory): 'own' | 'another' | 'nobody' {
  if (block.live.size === 0) return 'nobody';
  for (const owner of block.live.values()) if (owner === graph) return 'own';
  return 'another';
}

function dropReason(mapping: Mapping, block: Block): MapReason {
  const { graph, stream, now } = mapping;
  for (const owner of block.live.values()) if (owner !== graph) return 'heldByUnfreed';
  for (const user of block.users.keys())
    if (user !== graph && user.end > now && user.stream !== stream) return 'concurrentGraph';
  return graph.lastWasUpload ? 'uploadedElsewhere' : 'streamChanged';
}
