/** What a capture begins behind, and what its next work comes after: nodes that the program names. */

import { type EventOf, legacyStream } from '../trace/event.ts';
import { mergeFrontiers, whenInvalidated } from './capture.ts';
import { keepAsItWas } from './child-graphs.ts';
import type { CallOutcome, GraphModel } from './execution.ts';
import { mayBeOne } from './graphs.ts';
import { addGraph, type Capture, captureOf, graphFor, refuse, type State, succeed } from './state.ts';

export function beginCapture(state: State, event: EventOf<'capture.begin'>): CallOutcome {
  if (event.stream === legacyStream) return refuse(event, 'cudaErrorStreamCaptureUnsupported', 'captureBeginLegacy');
  const active = captureOf(state, event.stream);
  if (active) return refuse(event, 'cudaErrorIllegalState', 'captureActive', [{ role: 'begin', event: active.event }]);
  const existing = event.graph === null ? null : graphFor(state, event.graph, event.index);
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

/**
 * The first of the nodes that surely is one of another graph: no stream begins or goes on behind such a one, and a capture that is
 * open stays so (H200, CUDA 13.0).
 */
function foreignNode(
  state: State,
  graph: GraphModel,
  nodes: readonly number[] | null,
): CallOutcome['related'][number] | null {
  for (const node of nodes ?? []) {
    const place = state.nodeOfHandle.get(node);
    if (!place || place.graph === graph.index) continue;
    const other = state.graphs[place.graph]!;
    const isGuess = state.trace.handles[node]?.isGuess === true;
    // A node that went with its graph is said to be gone.
    if (other.alive && !isGuess && !mayBeOne(state, other, graph))
      return { role: 'dependency', event: other.nodes[place.node]!.event };
  }
  return null;
}
