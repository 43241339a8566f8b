/** What a capture begins behind, and what its next work comes after: nodes that the program names. */

import { type EventOf, legacyStream } from '../trace/event.ts';
import { mergeFrontiers, whenInvalidated } from './capture.ts';
import { keepAsItWas } from './child-graphs.ts';
import type { CallOutcome } from './execution.ts';
import { foreignNode } from './graphs.ts';
import { addGraph, type Capture, captureOf, graphFor, refuse, type State, succeed } from './state.ts';

export function beginCapture(state: State, event: EventOf<'capture.begin'>): CallOutcome {
  if (event.stream === legacyStream) return refuse(event, 'cudaErrorStreamCaptureUnsupported', 'captureBeginLegacy');
  const active = captureOf(state, event.stream);
  if (active) return refuse(event, 'cudaErrorIllegalState', 'captureActive', [{ role: 'begin', event: active.event }]);
  const existing = event.graph === null ? null : graphFor(state, event.graph, event.index);
  // No stream begins or goes on behind a node of another graph; a capture that is open stays so (H200, CUDA 13.0).
  const foreign = existing && foreignNode(state, existing, event.dependencies);
  if (foreign) return refuse(event, 'cudaErrorInvalidValue', 'crossGraphDependency', [foreign]);
  const handle = existing ? existing.handle : -1 - event.index;
  const graph = existing ?? addGraph(state, handle, 'capture', event.index);
  keepAsItWas(state, graph, event.index);
  const frontier = (event.dependencies ?? []).flatMap((node) => {
    const place = state.nodeOfHandle.get(node);
    return place && place.graph === graph.index ? [place.node] : [];
  });
  const capture: Capture = {
    graph,
    origin: event.stream,
    mode: event.mode,
    event: event.index,
    invalidated: false,
    frontiers: new Map([[event.stream, frontier]]),
    // Of what is not known the first node may come after more.
    partial: new Set(frontier.length < (event.dependencies?.length ?? 1) ? [event.stream] : []),
    cameAfter: new Set(),
    mayHaveMore: false,
  };
  state.captures.set(event.stream, capture);
  return succeed(event);
}

/** `cudaStreamUpdateCaptureDependencies`: the nodes that the stream's next work comes after are set, or get more. */
export function updateCapture(state: State, event: EventOf<'capture.update'>): CallOutcome {
  const capture = captureOf(state, event.stream);
  if (!capture) return succeed(event);
  const invalid = whenInvalidated(event, capture);
  if (invalid) return invalid;
  const foreign = foreignNode(state, capture.graph, event.dependencies);
  if (foreign) return refuse(event, 'cudaErrorInvalidValue', 'crossGraphDependency', [foreign]);
  const nodes = (event.dependencies ?? []).flatMap((node) => {
    const place = state.nodeOfHandle.get(node);
    return place && place.graph === capture.graph.index ? [place.node] : [];
  });
  if (nodes.length < (event.dependencies?.length ?? 1)) capture.partial.add(event.stream);
  const before = capture.frontiers.get(event.stream) ?? [];
  if (event.stream === capture.origin) for (const node of before) capture.cameAfter.add(node);
  capture.frontiers.set(event.stream, event.replaces ? nodes : mergeFrontiers(before, nodes));
  return succeed(event);
}
