/**
 * The streams of a run as far as their work has come. Each device has its own default streams, `cudaDeviceSynchronize` waits for the
 * current device, and a default stream waits for the blocking streams of its device. Where the text does not say which device a stream
 * belongs to, it may be any.
 */

import type { Execution } from '../execution/execution.ts';
import { type HandleRecord, legacyStream, perThreadStream, type TraceEvent } from '../trace/event.ts';
import type { Edge } from './order.ts';

export class StreamTails {
  readonly #execution: Execution;
  /** The last point in each stream; default streams of devices have numbers below zero. */
  readonly #tails = new Map<number, number>();
  readonly #blocking = new Set<number>();
  readonly #legacy = new Set<number>();
  /** Streams that may be others; empty in nearly every run. */
  readonly #alike: ReadonlyMap<number, number>;
  readonly #deviceOf = new Map<number, number>();
  /** The current device, and how many unseen things had run when it was chosen: one of those may have chosen another. */
  #device: number | null;
  #unseen = 0;
  /** Only where a run chooses between devices are they told apart. */
  readonly hasDevices: boolean;

  constructor(execution: Execution) {
    this.#execution = execution;
    this.#alike = alikeStreams(execution);
    this.#device = execution.trace.entry === 'main' ? 0 : null;
    this.hasDevices = execution.trace.events.some(isOtherDevice);
  }

  /** The program chooses a device, or makes a stream on the current one. */
  note(event: TraceEvent): void {
    if (event.verb === 'device.set') {
      this.#device = event.device;
      this.#unseen = event.unseen ?? 0;
    } else if (event.verb === 'stream.create' && this.hasDevices) {
      const device = this.#deviceAt(event);
      if (device !== null) this.#deviceOf.set(event.stream, device);
    }
  }

  /** The last point in a stream, and in those that may be the same one. */
  tailsOf(stream: number): number[] {
    const point = this.#tails.get(stream);
    const own = point === undefined ? [] : [point];
    const root = this.#alike.get(stream);
    if (root === undefined) return own;
    for (const [other, otherRoot] of this.#alike) {
      const end = other === stream || otherRoot !== root ? undefined : this.#tails.get(other);
      if (end !== undefined) own.push(end);
    }
    return own;
  }

  /** The last points of all streams. */
  all(): Iterable<number> {
    return this.#tails.values();
  }

  /** What the host waits for that waits for the current device, or for a stream. */
  waitedFor(event: TraceEvent, scope: 'device' | 'stream', handle: number | null): number[] {
    const device = this.#deviceAt(event);
    if (scope === 'device') return this.#tailsOn(this.#tails.keys(), device);
    if (handle === null) return [];
    if (handle !== legacyStream) return this.tailsOf(this.#streamAt(handle, event));
    return [...this.#tailsOn(this.#legacy, device), ...this.#tailsOn(this.#blocking, device)];
  }

  /** What the next work in a stream comes after: what is in it, and the default stream's barrier. */
  edgesInto(stream: number, event: TraceEvent): Edge[] {
    const at = this.#streamAt(stream, event);
    const edges = this.tailsOf(at).map((from): Edge => ({ from, reason: 'stream order' }));
    const { nonBlockingStreams, trace } = this.#execution;
    if (stream === legacyStream) {
      this.#legacy.add(at);
      const device = this.#deviceAt(event);
      for (const from of this.#tailsOn(this.#legacy, device))
        if (from !== this.#tails.get(at)) edges.push({ from, reason: 'default stream' });
      for (const from of this.#tailsOn(this.#blocking, device)) edges.push({ from, reason: 'default stream' });
    } else if (!nonBlockingStreams.has(stream) && mayBlock(trace.handles[stream])) {
      this.#blocking.add(at);
      for (const from of this.#tailsOn(this.#legacy, this.#deviceOf.get(at) ?? null))
        edges.push({ from, reason: 'default stream' });
    }
    return edges;
  }

  /** The last work in a stream is at that point. */
  end(stream: number, event: TraceEvent, point: number): void {
    this.#tails.set(this.#streamAt(stream, event), point);
  }

  #deviceAt({ unseen }: TraceEvent): number | null {
    return this.hasDevices && (unseen ?? 0) === this.#unseen ? this.#device : null;
  }

  /** The stream that a default stream is on the current device. */
  #streamAt(stream: number, event: TraceEvent): number {
    if (!this.hasDevices || (stream !== legacyStream && stream !== perThreadStream)) return stream;
    const device = this.#deviceAt(event);
    if (device === null) return stream;
    const own = -2 - 2 * device - stream;
    this.#deviceOf.set(own, device);
    return own;
  }

  /** The last points of those that may belong to a device. */
  #tailsOn(streams: Iterable<number>, device: number | null): number[] {
    const points: number[] = [];
    for (const stream of streams) {
      const of = device === null ? undefined : this.#deviceOf.get(stream);
      const point = of === undefined || of === device ? this.#tails.get(stream) : undefined;
      if (point !== undefined) points.push(point);
    }
    return points;
  }
}

/** Of a stream from outside the text mostly does not say whether the default stream waits for it. */
function mayBlock(stream: HandleRecord | undefined): boolean {
  return !stream?.external || stream.isBlocking === true;
}

function isOtherDevice(event: TraceEvent): boolean {
  return event.verb === 'device.set' && event.device !== null && event.device !== 0;
}

/** Streams that may be one another, each with the first of them. */
function alikeStreams({ trace }: Execution): ReadonlyMap<number, number> {
  const alike = new Map<number, number>();
  trace.handles.forEach(({ perhaps }, id) => {
    if (perhaps === undefined) return;
    const root = alike.get(perhaps) ?? perhaps;
    alike.set(root, root);
    alike.set(id, root);
  });
  return alike;
}
