/**
 * The nodes that a capturing stream's next work would come after, counted from the trace so far, so that a program which
 * asks with `cudaStreamGetCaptureInfo` gets as many as CUDA would hand out. What a call does to a capture in full is the
 * affair of `execution/capture.ts`; here every call succeeds.
 */

import type { TraceEvent } from '../trace/event.ts';

interface OpenCapture {
  readonly origin: number;
  /** By stream: a node by the event that captured it, or by the handle the program has for it. */
  readonly frontiers: Map<number, readonly string[]>;
}

interface Recorded {
  readonly capture: OpenCapture;
  readonly frontier: readonly string[];
}

/** How many nodes that are; null when the stream is not seen to capture. */
export function captureFrontier(events: readonly TraceEvent[], stream: number): number | null {
  const captures = new Map<number, OpenCapture>();
  const records = new Map<number, Recorded>();
  const known = new Map<number, string>();
  for (const event of events) follow(event, captures, records, known);
  return captures.get(stream)?.frontiers.get(stream)?.length ?? null;
}

function follow(
  event: TraceEvent,
  captures: Map<number, OpenCapture>,
  records: Map<number, Recorded>,
  known: Map<number, string>,
): void {
  const named = (handles: readonly number[] | null): string[] =>
    (handles ?? []).map((handle) => known.get(handle) ?? `node ${handle}`);
  switch (event.verb) {
    case 'capture.begin': {
      const frontiers = new Map([[event.stream, named(event.dependencies)]]);
      captures.set(event.stream, { origin: event.stream, frontiers });
      return;
    }
    case 'capture.end':
      for (const [stream, capture] of captures) if (capture.origin === event.stream) captures.delete(stream);
      return;
    case 'capture.info':
      event.nodes.forEach((handle, index) => {
        const node = captures.get(event.stream)?.frontiers.get(event.stream)?.[index];
        if (node !== undefined) known.set(handle, node);
      });
      return;
    case 'capture.update':
      merge(captures.get(event.stream), event.stream, named(event.dependencies), event.replaces);
      return;
    case 'stream.operation':
    case 'memory.allocateAsync':
    case 'memory.freeAsync':
      captures.get(event.stream)?.frontiers.set(event.stream, [`event ${event.index}`]);
      return;
    case 'event.record': {
      const capture = captures.get(event.stream);
      if (!capture) records.delete(event.event);
      else if (event.external) capture.frontiers.set(event.stream, [`event ${event.index}`]);
      else records.set(event.event, { capture, frontier: capture.frontiers.get(event.stream) ?? [] });
      return;
    }
    case 'stream.wait': {
      const capture = captures.get(event.stream);
      const record = records.get(event.event);
      if (event.external) capture?.frontiers.set(event.stream, [`event ${event.index}`]);
      else if (capture && record?.capture === capture) merge(capture, event.stream, record.frontier, false);
      else if (!capture && record && captures.get(record.capture.origin) === record.capture) {
        captures.set(event.stream, record.capture);
        record.capture.frontiers.set(event.stream, record.frontier);
      }
      return;
    }
    default:
      return;
  }
}

function merge(capture: OpenCapture | undefined, stream: number, nodes: readonly string[], replaces: boolean): void {
  const before = replaces ? [] : (capture?.frontiers.get(stream) ?? []);
  capture?.frontiers.set(stream, [...new Set([...before, ...nodes])]);
}
