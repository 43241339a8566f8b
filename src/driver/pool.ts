/**
 * A stream-ordered memory pool: `cudaMallocAsync`, `cudaMallocFromPoolAsync`, `cudaFreeAsync` outside graphs.
 *
 *     address:   | live | freed in stream 0 | live | idle | freed in stream 1 |  end -> never used yet ...
 *     memory:    [ 32 MiB ][ 32 MiB ][      ][ 32 MiB ]      mapped or not, block by block
 *
 * A freed range first belongs to the stream it was freed in: only that stream, and streams ordered behind it by an event,
 * may take it. A synchronisation proves the free has happened: the range becomes idle, that is free for every stream.
 * Idle ranges touch neither each other nor the end.
 *
 * The rules are those that reproduce the recordings of pools (experiments with `opportunistic` off).
 */

import {
  createFreeBlocks,
  type FreeBlock,
  type FreeBlocks,
  firstAtLeast,
  insertBlock,
  removeBlock,
} from './free-blocks.ts';

export interface PoolOptions {
  readonly followEvents: boolean;
  readonly opportunistic: boolean;
  readonly internalDependencies: boolean;
  readonly releaseThreshold: number;
}

export interface StreamPool {
  readonly id: number;
  readonly device: number;
  readonly options: PoolOptions;
  readonly granularity: number;
  readonly blockBytes: number;
  readonly base: number;
  /** Everything from here on was never handed out, or came back. */
  end: number;
  /** In the order in which streams first freed something. `owner` of a range is the sequence number of the latest free in it. */
  readonly freed: StreamRanges[];
  readonly idle: FreeBlocks;
  /** Numbers of the 32 MiB address blocks that have memory. */
  readonly mapped: Set<number>;
  readonly live: Map<number, PoolAllocation>;
  ages: number;
  used: number;
  usedHigh: number;
  reservedHigh: number;
}

/** What was freed in one stream and is not known to be over. */
interface StreamRanges {
  readonly stream: number;
  readonly ranges: FreeBlocks;
}

interface PoolAllocation {
  readonly start: number;
  readonly rounded: number;
  readonly bytes: number;
}

/** What a stream knows about another: how many of its operations are over, or certainly come before. */
export interface PoolTime {
  /** How many operations of `other` come before whatever `stream` does next. */
  seen(stream: number, other: number): number;
  /** How many operations of `other` the device has finished by now. */
  finished(other: number): number;
}

export function createStreamPool(
  id: number,
  device: number,
  options: PoolOptions,
  sizes: { readonly granularity: number; readonly blockBytes: number; readonly base: number },
): StreamPool {
  return {
    id,
    device,
    options,
    ...sizes,
    end: sizes.base,
    freed: [],
    idle: createFreeBlocks(),
    mapped: new Set(),
    live: new Map(),
    ages: 0,
    used: 0,
    usedHigh: 0,
    reservedHigh: 0,
  };
}

/** Rule C.1: where an allocation goes. Returns its address. */
export function poolMalloc(pool: StreamPool, id: number, bytes: number, stream: number, time: PoolTime): number {
  const rounded = Math.ceil(bytes / pool.granularity) * pool.granularity;
  const start =
    takeBest(pool, freedIn(pool, stream), rounded, () => true) ??
    takeFollowing(pool, rounded, stream, time) ??
    takeIdle(pool, rounded) ??
    takeOpportunistic(pool, rounded, stream, time) ??
    takeEnd(pool, rounded);
  pool.live.set(id, { start, rounded, bytes });
  pool.used += bytes;
  pool.usedHigh = Math.max(pool.usedHigh, pool.used);
  mapRange(pool, start, start + rounded);
  return start;
}

/** Rule C.2: the range goes to the stream of the free and merges only there. False when it is not live. */
export function poolFree(pool: StreamPool, id: number, stream: number, sequence: number): boolean {
  const allocation = pool.live.get(id);
  if (!allocation) return false;
  pool.live.delete(id);
  pool.used -= allocation.bytes;
  insertMerged(pool, freedIn(pool, stream), allocation.start, allocation.rounded, sequence);
  return true;
}

/** Rule C.3: frees known to have happened become idle, the newest first; `known(stream)` is how far each stream is known. */
export function poolSynchronised(pool: StreamPool, known: (stream: number) => number): void {
  makeIdle(pool, known);
  releaseIdle(pool, pool.options.releaseThreshold);
}

/** Rule C.4: gives idle memory back until at most `keep` bytes are reserved. */
export function poolTrim(pool: StreamPool, keep: number): void {
  releaseIdle(pool, keep);
}

function freedIn(pool: StreamPool, stream: number): FreeBlocks {
  const known = pool.freed.find((entry) => entry.stream === stream);
  if (known) return known.ranges;
  const entry = { stream, ranges: createFreeBlocks() };
  pool.freed.push(entry);
  return entry.ranges;
}

/** The smallest allowed range that is large enough, the oldest among equals; the remainder stays where it was. */
function takeBest(
  pool: StreamPool,
  ranges: FreeBlocks,
  bytes: number,
  allowed: (block: FreeBlock) => boolean,
): number | undefined {
  for (let index = firstAtLeast(ranges, bytes); index < ranges.bySize.length; index++) {
    const block = ranges.bySize[index] as FreeBlock;
    if (!allowed(block)) continue;
    removeBlock(ranges, block);
    if (block.bytes > bytes) {
      insertBlock(ranges, { ...block, start: block.start + bytes, bytes: block.bytes - bytes, age: pool.ages++ });
    }
    return block.start;
  }
  return undefined;
}

/** Memory freed in another stream before an event that this stream waited for. */
function takeFollowing(pool: StreamPool, bytes: number, stream: number, time: PoolTime): number | undefined {
  if (!pool.options.followEvents) return undefined;
  return takeFromOthers(pool, bytes, stream, (other) => time.seen(stream, other));
}

function takeFromOthers(
  pool: StreamPool,
  bytes: number,
  stream: number,
  upTo: (other: number) => number,
): number | undefined {
  for (const { stream: other, ranges } of pool.freed) {
    if (other === stream) continue;
    const last = upTo(other);
    const start = takeBest(pool, ranges, bytes, (range) => range.owner <= last);
    if (start !== undefined) return start;
  }
  return undefined;
}

function takeIdle(pool: StreamPool, bytes: number): number | undefined {
  return takeBest(pool, pool.idle, bytes, () => true);
}

/** Memory whose free happens to be over: first as it lies in another stream, then everything that is over, as idle. */
function takeOpportunistic(pool: StreamPool, bytes: number, stream: number, time: PoolTime): number | undefined {
  if (!pool.options.opportunistic) return undefined;
  const start = takeFromOthers(pool, bytes, stream, time.finished);
  if (start !== undefined) return start;
  makeIdle(pool, time.finished);
  return takeIdle(pool, bytes);
}

function takeEnd(pool: StreamPool, bytes: number): number {
  const start = pool.end;
  pool.end += bytes;
  return start;
}

function insertMerged(pool: StreamPool, ranges: FreeBlocks, start: number, bytes: number, sequence: number): FreeBlock {
  const before = ranges.byEnd.get(start);
  const after = ranges.byStart.get(start + bytes);
  if (before) removeBlock(ranges, before);
  if (after) removeBlock(ranges, after);
  const merged = {
    start: before?.start ?? start,
    bytes: bytes + (before?.bytes ?? 0) + (after?.bytes ?? 0),
    owner: Math.max(sequence, before?.owner ?? 0, after?.owner ?? 0),
    age: pool.ages++,
  };
  insertBlock(ranges, merged);
  return merged;
}

/** Stream by stream, the newest first (recording pool-986). */
function makeIdle(pool: StreamPool, known: (stream: number) => number): void {
  for (const { stream, ranges } of pool.freed) {
    const upTo = known(stream);
    const over = ranges.bySize.filter((range) => range.owner <= upTo).sort((left, right) => right.age - left.age);
    for (const range of over) {
      removeBlock(ranges, range);
      const merged = insertMerged(pool, pool.idle, range.start, range.bytes, 0);
      if (merged.start + merged.bytes === pool.end) {
        removeBlock(pool.idle, merged);
        pool.end = merged.start;
      }
    }
  }
}

/** Rule C.4: missing blocks first take the memory of idle blocks, then new memory. */
function mapRange(pool: StreamPool, start: number, end: number): void {
  const missing: number[] = [];
  const { blockBytes } = pool;
  for (let number = Math.floor(start / blockBytes); number * blockBytes < end; number++)
    if (!pool.mapped.has(number)) missing.push(number);
  if (missing.length === 0) return;
  const spare = idleBlocks(pool);
  for (const number of missing) {
    const from = spare.pop();
    if (from !== undefined) pool.mapped.delete(from);
    pool.mapped.add(number);
  }
  pool.reservedHigh = Math.max(pool.reservedHigh, pool.mapped.size * blockBytes);
}

/** Mapped blocks that lie wholly in idle ranges or beyond the end, by address. */
function idleBlocks(pool: StreamPool): number[] {
  const { blockBytes } = pool;
  const result: number[] = [];
  for (const number of pool.mapped) {
    const start = number * blockBytes;
    if (start >= pool.end || pool.idle.bySize.some((range) => coversBlock(pool, range, start))) result.push(number);
  }
  return result.sort((left, right) => left - right);
}

function coversBlock(pool: StreamPool, range: FreeBlock, start: number): boolean {
  const end = range.start + range.bytes;
  return range.start <= start && end >= Math.min(start + pool.blockBytes, pool.end);
}

function releaseIdle(pool: StreamPool, keep: number): void {
  for (const number of idleBlocks(pool).reverse()) {
    if (pool.mapped.size * pool.blockBytes <= keep) return;
    pool.mapped.delete(number);
  }
}
