/**
 * What the host itself reads and writes of memory that the device sees too: pinned and managed memory. Kept beside the trace
 * while the program runs, so that loops over host memory stay quiet, and put into it at the end.
 */

import type { Span } from '../base/span.ts';
import type { Expression } from '../program/program.ts';
import type { Frame, TraceEvent } from '../trace/event.ts';
import type { Value } from './value.ts';
import type { World } from './world.ts';

export interface HostAccess {
  /** How many events came before it, and before the last call of a function that nobody here knows. */
  readonly at: number;
  readonly unknownAt: number;
  readonly allocation: number;
  readonly offset: number | null;
  readonly isWrite: boolean;
  readonly span: Span;
  readonly statement: Span;
  readonly frames: readonly Frame[];
}

/** Accesses that one run keeps. */
const most = 512;

/** Notes that an element behind a pointer is touched: once between two calls of CUDA for each allocation and way. */
export function noteHostAccess(world: World, base: Value, index: Value | null, expression: Expression): void {
  if (base.kind !== 'device' || world.answers || world.hostAccesses.length >= most) return;
  const origin = world.allocations[base.allocation]?.origin;
  if (origin !== 'host' && origin !== 'managed') return;
  const at = world.events.length;
  const isWrite = world.storing === expression;
  for (let known = world.hostAccesses.length - 1; known >= 0; known--) {
    const earlier = world.hostAccesses[known]!;
    if (earlier.at !== at) break;
    if (earlier.allocation === base.allocation && earlier.isWrite === isWrite) return;
  }
  world.hostAccesses.push({
    at,
    unknownAt: world.unknownAt,
    allocation: base.allocation,
    offset: offsetOf(base, index),
    isWrite,
    span: expression.span,
    statement: world.statement,
    frames: world.frames,
  });
}

function offsetOf(base: Value & { kind: 'device' }, index: Value | null): number | null {
  if (index === null || (index.kind === 'number' && index.value === 0)) return base.offset;
  if (base.offset === null || base.elementBytes === null || index.kind !== 'number') return null;
  return base.offset + index.value * base.elementBytes;
}

/** Runs what is only looked at for its type: `sizeof(p[0])` touches nothing. */
export function unevaluated<T>(world: World, run: () => T): T {
  const before = world.hostAccesses.length;
  const result = run();
  world.hostAccesses.length = before;
  return result;
}

/** The events with the accesses at their places, numbered anew. */
export function withHostAccesses(world: World): readonly TraceEvent[] {
  const { events, hostAccesses } = world;
  if (hostAccesses.length === 0) return events;
  const out: TraceEvent[] = [];
  const places: number[] = [];
  let next = 0;
  for (let position = 0; position <= events.length; position++) {
    for (; hostAccesses[next]?.at === position; next++) out.push(accessEvent(hostAccesses[next]!, out.length, places));
    places.push(out.length);
    const event = events[position];
    if (event) out.push({ ...event, index: out.length });
  }
  return out;
}

function accessEvent(access: HostAccess, index: number, places: readonly number[]): TraceEvent {
  const { allocation, offset, isWrite, span, statement, frames, unknownAt } = access;
  return {
    verb: 'host.access',
    index,
    api: 'host',
    span,
    statement,
    arguments: [],
    frames,
    pointer: { allocation, offset },
    mode: isWrite ? 'write' : 'read',
    unknownSince: unknownAt < 0 ? -1 : (places[unknownAt] ?? index),
  };
}
