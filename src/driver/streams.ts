/** Streams, events and pools of the simulated driver: what is ordered with what, and what the device has finished. */

import type { PoolOperation, StreamOperation } from './operations.ts';
import {
  createStreamPool,
  type PoolTime,
  poolFree,
  poolMalloc,
  poolSynchronised,
  poolTrim,
  type StreamPool,
} from './pool.ts';
import type { Driver, Stream } from './state.ts';

/** The stream of that number, created at its first use. */
export function streamOf(driver: Driver, id: number): Stream {
  let stream = driver.streams.get(id);
  if (!stream) {
    stream = { id, tail: 0, sequence: 0, sees: new Map(), unfinished: [] };
    driver.streams.set(id, stream);
  }
  return stream;
}

/** Enqueues something that starts not before `earliest`; returns when it ends. */
export function enqueue(driver: Driver, stream: Stream, microseconds: number, earliest = 0): number {
  const start = Math.max(driver.now, stream.tail, earliest);
  stream.tail = start + microseconds;
  stream.sequence++;
  if (microseconds > 0) noteUnfinished(driver, stream);
  return stream.tail;
}

/** Beyond this many pieces of unfinished work, the later ones count as one. */
const MOST_UNFINISHED = 1000;

function noteUnfinished(driver: Driver, stream: Stream): void {
  dropFinished(driver, stream);
  const last = stream.unfinished.at(-1);
  if (last && stream.unfinished.length >= MOST_UNFINISHED) last.end = stream.tail;
  else stream.unfinished.push({ sequence: stream.sequence, end: stream.tail });
}

function dropFinished(driver: Driver, stream: Stream): void {
  const running = stream.unfinished.findIndex((work) => work.end > driver.now);
  if (running !== 0) stream.unfinished.splice(0, running < 0 ? stream.unfinished.length : running);
}

/** Events, waits, synchronisation and work in streams. */
export function streamOperation(driver: Driver, operation: StreamOperation): void {
  switch (operation.kind) {
    case 'eventRecord': {
      const stream = streamOf(driver, operation.stream);
      driver.events.set(operation.event, { end: stream.tail, sees: knownBehind(stream) });
      return;
    }
    case 'eventWait':
      waitForEvent(driver, operation.event, streamOf(driver, operation.stream));
      return;
    case 'syncStream': {
      const stream = streamOf(driver, operation.stream);
      synchronised(driver, stream.tail, knownBehind(stream));
      return;
    }
    case 'syncEvent': {
      const event = driver.events.get(operation.event);
      if (event) synchronised(driver, event.end, event.sees);
      return;
    }
    case 'syncDevice':
      synchroniseDevice(driver);
      return;
    case 'work':
      enqueue(driver, streamOf(driver, operation.stream), operation.microseconds ?? driver.workMicroseconds);
      return;
  }
}

/** `cudaDeviceSynchronize`: everything enqueued anywhere is over. */
function synchroniseDevice(driver: Driver): void {
  let end = driver.now;
  const known = new Map<number, number>();
  for (const stream of driver.streams.values()) {
    end = Math.max(end, stream.tail);
    known.set(stream.id, stream.sequence);
  }
  synchronised(driver, end, known);
}

/** Waiting for an event that was never recorded does nothing. */
function waitForEvent(driver: Driver, id: number, stream: Stream): void {
  const event = driver.events.get(id);
  if (!event) return;
  stream.tail = Math.max(stream.tail, event.end);
  for (const [other, sequence] of event.sees) {
    if (other !== stream.id) stream.sees.set(other, Math.max(sequence, stream.sees.get(other) ?? 0));
  }
}

function synchronised(driver: Driver, until: number, known: ReadonlyMap<number, number>): void {
  driver.now = Math.max(driver.now, until);
  for (const pool of driver.pools.values()) poolSynchronised(pool, (stream) => known.get(stream) ?? 0);
}

/** What is over once everything enqueued in the stream so far is over. */
function knownBehind(stream: Stream): ReadonlyMap<number, number> {
  return new Map(stream.sees).set(stream.id, stream.sequence);
}

/** Pool operations; returns the address of an allocation, or undefined when the call is refused. */
export function poolOperation(
  driver: Driver,
  operation: PoolOperation,
): { readonly pool: StreamPool; readonly address?: number } | undefined {
  if (operation.kind === 'poolCreate') {
    if (driver.pools.has(operation.pool)) return undefined;
    const pool = newPool(driver, operation);
    driver.pools.set(operation.pool, pool);
    return { pool };
  }
  const pool = driver.pools.get(operation.pool);
  if (!pool) return undefined;
  switch (operation.kind) {
    case 'poolMalloc': {
      if (!(operation.bytes > 0) || driver.poolOf.has(operation.allocation)) return undefined;
      const stream = streamOf(driver, operation.stream);
      enqueue(driver, stream, 0);
      driver.poolOf.set(operation.allocation, pool);
      return { pool, address: poolMalloc(pool, operation.allocation, operation.bytes, stream.id, timeOf(driver)) };
    }
    case 'poolTrimTo':
      poolTrim(pool, operation.bytes);
      return { pool };
    case 'poolDestroy':
      driver.pools.delete(operation.pool);
      return { pool };
  }
}

/** Frees a pool's allocation: in a stream, or with `cudaFree`, which waits for the device first (an estimate). */
export function freeFromPool(
  driver: Driver,
  pool: StreamPool,
  allocation: number,
  stream: number | undefined,
): boolean {
  if (!pool.live.has(allocation)) return false;
  driver.poolOf.delete(allocation);
  if (stream === undefined) synchroniseDevice(driver);
  const target = streamOf(driver, stream ?? -1);
  enqueue(driver, target, 0);
  poolFree(pool, allocation, target.id, target.sequence);
  if (stream === undefined) synchroniseDevice(driver);
  return true;
}

function newPool(driver: Driver, operation: PoolOperation & { readonly kind: 'poolCreate' }): StreamPool {
  const { granularity, blockBytes, firstAddress, deviceStride } = driver.profile;
  const device = operation.device ?? 0;
  const options = {
    followEvents: operation.followEvents ?? true,
    opportunistic: operation.opportunistic ?? true,
    internalDependencies: operation.internalDependencies ?? true,
    releaseThreshold: operation.releaseThreshold ?? 0,
  };
  return createStreamPool(operation.pool, device, options, {
    granularity,
    blockBytes,
    base: firstAddress + device * deviceStride,
  });
}

function timeOf(driver: Driver): PoolTime {
  return {
    seen: (stream, other) => driver.streams.get(stream)?.sees.get(other) ?? 0,
    finished: (other) => finishedOf(driver, other),
  };
}

/** How many operations of the stream the device has finished by now. */
function finishedOf(driver: Driver, id: number): number {
  const stream = driver.streams.get(id);
  if (!stream) return 0;
  dropFinished(driver, stream);
  const first = stream.unfinished[0];
  return first ? first.sequence - 1 : stream.sequence;
}
