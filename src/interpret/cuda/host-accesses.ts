/**
 * What the host itself reads and writes of memory that the device sees too: pinned and managed memory, and variables that a
 * graph copies. Kept beside the trace while the program runs, so that loops over host memory stay quiet, and put into it at the end.
 */

import type { Span } from '../../base/span.ts';
import type { Expression } from '../../program/program.ts';
import type { DevicePointer, HostElement, TraceEvent } from '../../trace/event.ts';
import type { Frame } from '../../trace/frame.ts';
import { calledFrom } from '../called-from.ts';
import type { Argument } from '../calls/call.ts';
import { forgetElement } from '../given-elements.ts';
import type { Scope } from '../scope.ts';
import { type Cell, type DeviceAddress, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Watched } from './host-objects.ts';
import { isOutOfReach } from './out-of-reach.ts';

export interface HostAccess {
  /** How many events came before it, and before the last call of a function that nobody here knows. */
  readonly at: number;
  readonly unknownAt: number;
  readonly touched: DevicePointer | HostElement;
  readonly isWrite: boolean;
  /** The function that does it to memory of the device. */
  readonly by?: string;
  readonly span: Span;
  readonly statement: Span;
  readonly frames: readonly Frame[];
}

/** Accesses that one run keeps, and places in one allocation between two calls of CUDA. */
const most = 512;
const mostBeside = 4;

/** Notes that an element behind a pointer is touched: a few places between two calls of CUDA for each allocation and way. */
export function noteHostAccess(
  world: World,
  base: Value,
  index: Value | null,
  expression: Expression,
  isWrite = world.storing === expression,
): void {
  const touched = touchedAt(world, base, index);
  if (!touched) return;
  if (base.kind !== 'device' || !base.isVolatile) note(world, touched, expression.span, isWrite);
  // Whoever reads what others may change at any time waits until they have.
  else if (!isWrite && !world.answers) world.unknownAt = world.events.length;
}

/** Notes that memory of the device is read by the name of a reference to it. */
export function noteReference(world: World, at: DeviceAddress, span: Span): void {
  const touched = touchedAt(world, at, null);
  if (touched) note(world, touched, span, false);
}

/** What the device sees too of what an address leads to, or of what a span is laid over. */
function touchedAt(world: World, given: Value, index: Value | null): DevicePointer | HostElement | null {
  const base = given.kind === 'sequence' && given.sequence.onDevice ? given.sequence.onDevice : given;
  if (base.kind !== 'device') return world.watched === null ? null : elementAt(world.watched, base, index);
  if (!isSharedWithHost(world, base.allocation) && !isOutOfReach(world, base.allocation)) return null;
  return { allocation: base.allocation, offset: offsetOf(base, index) };
}

/** What an owner leads to, where host and device share it: of other memory only the address may be meant. */
export function sharedOnly(world: World, base: Value): Value {
  return base.kind === 'device' && !isSharedWithHost(world, base.allocation) ? unknownValue : base;
}

/** Memory that host and device reach by one address. */
export function isSharedWithHost(world: World, allocation: number): boolean {
  const record = world.allocations[allocation];
  return record?.origin === 'host' || record?.origin === 'managed' || record?.isManagedVariable === true;
}

/** Notes that a variable is touched which a graph copies. */
export function noteVariable(world: World, cell: Cell, span: Span, isWrite = false): void {
  const place = world.watched?.get(cell);
  if (place !== undefined) note(world, { place, index: 0 }, span, isWrite);
}

/** Notes what a function of the library does with memory that it is given by address. */
export function noteHostUses(world: World, name: string, values: readonly Argument[]): void {
  const uses = world.models.hostUses.get(name);
  if (!uses || asksForNothing(uses.counts, values)) return;
  const by = uses.ofDevice ? name : null;
  for (const index of uses.reads) noteUse(world, values[index], false, by);
  for (const index of uses.writes) noteUse(world, values[index], true, by);
}

function asksForNothing(counts: readonly number[], values: readonly Argument[]): boolean {
  return counts.some((index) => isNothing(values[index]?.value));
}

function isNothing(count: Value | undefined): boolean {
  return count?.kind === 'number' && count.value === 0;
}

/** Notes that what an address leads to is read. */
export function noteHostReading(world: World, given: Argument): void {
  noteUse(world, given, false, null);
}

/** `by`: a function that takes memory of the device, too. */
function noteUse(world: World, given: Argument | undefined, isWrite: boolean, by: string | null): void {
  const isForBoth = by !== null && given?.value.kind === 'device' && !isSharedWithHost(world, given.value.allocation);
  const touched = given && !isForBoth ? touchedAt(world, given.value, null) : null;
  if (given && touched) note(world, touched, given.span, isWrite);
  else if (by !== null && given?.value.kind === 'device')
    note(world, { allocation: given.value.allocation, offset: given.value.offset }, given.span, isWrite, by);
}

/** What was named was only bound to a reference, or its address taken: that touches nothing. */
export function forgetVariable(world: World, cell: Cell, { start, file }: Span): void {
  if (!cell.deviceAt && (world.watched === null || !world.watched.has(cell))) return;
  const last = world.hostAccesses.at(-1);
  if (last && last.span.start === start && last.span.file === file) world.hostAccesses.pop();
}

/** What is given by reference, and not touched by that. */
export function untouched(world: World, given: Argument): Argument {
  if (given.cell) forgetVariable(world, given.cell, given.span);
  forgetElement(world, given.span);
  return given;
}

function elementAt(watched: Watched, base: Value, index: Value | null): HostElement | null {
  if (base.kind !== 'pointer' && base.kind !== 'sequence') return null;
  const inner = base.kind === 'pointer' && !base.sequence ? base.cell : null;
  const holder = inner?.value.kind === 'sequence' ? inner.value.sequence : (base.sequence ?? inner);
  const place = holder ? watched.get(holder) : undefined;
  if (place === undefined) return null;
  const start = base.kind === 'pointer' ? base.index : 0;
  return { place, index: index === null ? start : index.kind === 'number' ? start + index.value : null };
}

function note(
  world: World,
  touched: DevicePointer | HostElement,
  span: Span,
  isWrite: boolean,
  by: string | null = null,
): void {
  if (world.answers || world.hostAccesses.length >= most) return;
  const at = world.events.length;
  let beside = 0;
  for (let known = world.hostAccesses.length - 1; known >= 0; known--) {
    const earlier = world.hostAccesses[known]!;
    if (earlier.at !== at) break;
    if (earlier.isWrite !== isWrite || !isOfOneObject(earlier.touched, touched)) continue;
    if (isAtOnePlace(earlier.touched, touched) || ++beside >= mostBeside) return;
  }
  const from = calledFrom(world.frames, span);
  world.hostAccesses.push({
    at,
    unknownAt: world.unknownAt,
    touched,
    isWrite,
    ...(by === null ? {} : { by }),
    span: from?.call ?? span,
    statement: from?.statement ?? world.statement,
    frames: from?.frames ?? world.frames,
  });
}

function isOfOneObject(first: DevicePointer | HostElement, second: DevicePointer | HostElement): boolean {
  return 'place' in first
    ? 'place' in second && first.place === second.place
    : 'allocation' in second && first.allocation === second.allocation;
}

/** Of memory of the device each place counts. */
function isAtOnePlace(first: DevicePointer | HostElement, second: DevicePointer | HostElement): boolean {
  return !('allocation' in first) || !('allocation' in second) || first.offset === second.offset;
}

/** What was touched last, in an element by that expression, is a member of the element: so far behind where that begins. */
export function moveHostAccess(world: World, { start, file }: Span, by: number): void {
  const last = world.hostAccesses.at(-1);
  if (last?.span.start !== start || last.span.file !== file || last.at !== world.events.length) return;
  const { touched } = last;
  if (!('allocation' in touched) || touched.offset === null) return;
  world.hostAccesses[world.hostAccesses.length - 1] = { ...last, touched: { ...touched, offset: touched.offset + by } };
}

function offsetOf(base: Value & { kind: 'device' }, index: Value | null): number | null {
  if (index === null || (index.kind === 'number' && index.value === 0)) return base.offset;
  if (base.offset === null || base.elementBytes === null || index.kind !== 'number') return null;
  return base.offset + index.value * base.elementBytes;
}

/** Runs what is only looked at for its type, or for where it lies: `sizeof(p[0])` and `&x` touch nothing. */
export function unevaluated<E, T>(
  world: World,
  scope: Scope,
  read: (world: World, scope: Scope, expression: E) => T,
  expression: E,
): T {
  const before = world.hostAccesses.length;
  const result = read(world, scope, expression);
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
    if (event?.verb === 'memory.freeHost')
      out.push(Object.assign({ ...event }, { index: out.length, unknownSince: places[event.unknownSince] ?? -1 }));
    else if (event) out.push(event.index === out.length ? event : Object.assign({ ...event }, { index: out.length }));
  }
  return out;
}

function accessEvent(access: HostAccess, index: number, places: readonly number[]): TraceEvent {
  const { touched, isWrite, span, statement, frames, unknownAt } = access;
  return {
    verb: 'host.access',
    index,
    api: access.by ?? 'host',
    span,
    statement,
    arguments: [],
    frames,
    touched,
    mode: isWrite ? 'write' : 'read',
    unknownSince: unknownAt < 0 ? -1 : (places[unknownAt] ?? index),
  };
}
