/**
 * The nodes of graphs, and those that a capturing stream's next work would come after, counted from the trace so far, so that a
 * program which asks (`cudaGraphGetNodes`, `cudaStreamGetCaptureInfo`) gets as many as CUDA would hand out. What a call does to a capture in full is the
 * affair of `execution/capture.ts`; here every call succeeds.
 */

import type { OperationKind, TraceEvent } from '../trace/event.ts';

interface OpenCapture {
  readonly origin: number;
  /** What the graph that it builds has by now. */
  readonly nodes: OperationKind[];
  /** By stream: a node by the event that captured it, or by the handle the program has for it. */
  readonly frontiers: Map<number, readonly string[]>;
}

interface Recorded {
  readonly capture: OpenCapture;
  readonly frontier: readonly string[];
}

interface Followed {
  readonly captures: Map<number, OpenCapture>;
  readonly records: Map<number, Recorded>;
  /** What stands for a node of a frontier, by the handle that was given out for it. */
  readonly known: Map<number, string>;
  /** The kinds of a graph's nodes in the order in which they came, by every handle of the graph. */
  readonly graphs: Map<number, OperationKind[]>;
}

/** How many nodes that are; null when the stream is not seen to capture. */
export function captureFrontier(events: readonly TraceEvent[], stream: number): number | null {
  return followed(events).captures.get(stream)?.frontiers.get(stream)?.length ?? null;
}

/** The kinds of a graph's nodes in the order in which they came; null when they are not all seen. */
export function nodesOfGraph(events: readonly TraceEvent[], graph: number): readonly OperationKind[] | null {
  if (events.some((event) => mayChange(event, graph))) return null;
  return followed(events).graphs.get(graph) ?? null;
}

/** Whether nodes go that are not known here, or something that nobody here knows may add some. */
function mayChange(event: TraceEvent, graph: number): boolean {
  return event.verb === 'node.destroy' || (event.verb === 'call.unknown' && event.handles.includes(graph));
}

function followed(events: readonly TraceEvent[]): Followed {
  const state: Followed = { captures: new Map(), records: new Map(), known: new Map(), graphs: new Map() };
  for (const event of events) follow(event, state);
  return state;
}

function follow(event: TraceEvent, { captures, records, known, graphs }: Followed): void {
  const named = (handles: readonly number[] | null): string[] =>
    (handles ?? []).map((handle) => known.get(handle) ?? `node ${handle}`);
  const capture = (stream: number, kind: OperationKind): void => {
    const open = captures.get(stream);
    open?.nodes.push(kind);
    open?.frontiers.set(stream, [`event ${event.index}`]);
  };
  switch (event.verb) {
    case 'graph.create':
      graphs.set(event.graph, []);
      return;
    case 'node.add':
      graphs.get(event.graph)?.push(event.operation.kind);
      return;
    case 'capture.begin': {
      const frontiers = new Map([[event.stream, named(event.dependencies)]]);
      const nodes = event.graph === null ? [] : (graphs.get(event.graph) ?? []);
      captures.set(event.stream, { origin: event.stream, frontiers, nodes });
      return;
    }
    case 'capture.end': {
      const ended = captures.get(event.stream);
      if (ended) graphs.set(event.graph, ended.nodes);
      for (const [stream, open] of captures) if (open.origin === event.stream) captures.delete(stream);
      return;
    }
    case 'capture.info': {
      const open = captures.get(event.stream);
      if (open) graphs.set(event.graph, open.nodes);
      event.nodes.forEach((handle, index) => {
        const node = open?.frontiers.get(event.stream)?.[index];
        if (node !== undefined) known.set(handle, node);
      });
      return;
    }
    case 'capture.update':
      merge(captures.get(event.stream), event.stream, named(event.dependencies), event.replaces);
      return;
    case 'stream.operation':
      capture(event.stream, event.operation.kind);
      return;
    case 'memory.allocateAsync':
      capture(event.stream, 'memAlloc');
      return;
    case 'memory.freeAsync':
      capture(event.stream, 'memFree');
      return;
    case 'event.record': {
      const open = captures.get(event.stream);
      if (!open) records.delete(event.event);
      else if (event.external) capture(event.stream, 'eventRecord');
      else records.set(event.event, { capture: open, frontier: open.frontiers.get(event.stream) ?? [] });
      return;
    }
    case 'stream.wait': {
      const open = captures.get(event.stream);
      const record = records.get(event.event);
      if (event.external) capture(event.stream, 'eventWait');
      else if (open && record?.capture === open) merge(open, event.stream, record.frontier, false);
      else if (!open && record && captures.get(record.capture.origin) === record.capture) {
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
