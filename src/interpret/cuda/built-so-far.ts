/**
 * The graphs of a program, and the nodes that a capturing stream's next work would come after, counted from the trace so far, so
 * that a program which asks (`cudaGraphGetNodes`, `cudaStreamGetCaptureInfo`) gets as many as CUDA would hand out. What a call does to
 * a capture in full is the affair of `execution/capture.ts`; here every call succeeds.
 */

import { Attached } from '../../base/attached.ts';
import type { Operation, OperationKind, TraceEvent } from '../../trace/event.ts';

/** A node of a graph. Nodes are named by the event that captured them, or by the first handle that the program had for them. */
export interface BuiltNode {
  readonly name: string;
  readonly kind: OperationKind;
  /** Names of the nodes it comes after; null when they are not all known. */
  dependencies: readonly string[] | null;
  /** What is in the graph of a child node. */
  readonly inner?: BuiltNode[];
}

interface OpenCapture {
  /** Unique in a run, and not 0. */
  readonly id: number;
  readonly origin: number;
  /** The graph that was given to capture into. */
  readonly target: number | null;
  /** What the graph that it builds has by now. */
  readonly nodes: BuiltNode[];
  /** By stream: names of nodes. */
  readonly frontiers: Map<number, readonly string[]>;
}

interface Recorded {
  readonly capture: OpenCapture;
  readonly frontier: readonly string[];
}

interface Followed {
  readonly captures: Map<number, OpenCapture>;
  readonly records: Map<number, Recorded>;
  /** A node's name, by a handle that was given out for it. */
  readonly known: Map<number, string>;
  /** A graph's nodes in the order in which they came, by every handle of the graph. */
  readonly graphs: Map<number, BuiltNode[]>;
  /** Graphs that were given to something that nobody here knows, which may add nodes. */
  readonly givenAway: Set<number>;
  /** Whether nodes went that are not known here. */
  hasUnknownLosses: boolean;
  /** How many events that is from. */
  count: number;
}

/** How far each trace was followed: a run asks again and again while its trace only grows. */
const followedTraces = new Attached<readonly TraceEvent[], Followed>();

/** How many nodes that are; null when the stream is not seen to capture. */
export function captureFrontier(events: readonly TraceEvent[], stream: number): number | null {
  return followed(events).captures.get(stream)?.frontiers.get(stream)?.length ?? null;
}

/** The graph of the program's own that the stream captures into, by its handle; null for any other capture. */
export function captureTarget(events: readonly TraceEvent[], stream: number): number | null {
  return followed(events).captures.get(stream)?.target ?? null;
}

/** What CUDA tells captures apart by; null when the stream is not seen to capture. Which numbers it takes is its own affair. */
export function captureId(events: readonly TraceEvent[], stream: number): number | null {
  return followed(events).captures.get(stream)?.id ?? null;
}

/** A graph's nodes in the order in which they came; null when they are not all seen. */
export function nodesOfGraph(events: readonly TraceEvent[], graph: number): readonly BuiltNode[] | null {
  const { graphs, givenAway, hasUnknownLosses } = followed(events);
  return hasUnknownLosses || givenAway.has(graph) ? null : (graphs.get(graph) ?? null);
}

/** Whether an executable can be updated with a graph: as many nodes, of the same kinds, and as many edges. Null when that is not seen. */
export function fitsExecutable(events: readonly TraceEvent[], exec: number, graph: number): boolean | null {
  // Updates never change an executable's shape.
  const made = events.filter((event) => event.verb === 'exec.instantiate').findLast((event) => event.exec === exec);
  if (!made) return null;
  const before = nodesOfGraph(events.slice(0, made.index), made.graph);
  const now = nodesOfGraph(events, graph);
  if (!before || !now) return null;
  if (before.length !== now.length || before.some(({ kind }, index) => kind !== now[index]?.kind)) return false;
  const [edgesBefore, edgesNow] = [before, now].map((nodes) => nodes.map(({ dependencies }) => dependencies?.length));
  if (!edgesBefore || !edgesNow || [...edgesBefore, ...edgesNow].includes(undefined)) return null;
  return edgesBefore.every((count, index) => count === edgesNow[index]);
}

/** A node, with the graph that it is in; null when that graph is not seen whole. */
export function placeOfNode(
  events: readonly TraceEvent[],
  handle: number,
): { readonly graph: number; readonly nodes: readonly BuiltNode[]; readonly node: BuiltNode } | null {
  const { graphs, known, givenAway, hasUnknownLosses } = followed(events);
  const name = nameOf(known, handle);
  if (hasUnknownLosses) return null;
  for (const [graph, nodes] of graphs) {
    const node = nodes.find((each) => each.name === name);
    if (node) return givenAway.has(graph) ? null : { graph, nodes, node };
  }
  return null;
}

/** A handle that the program has for each node, where it has one. */
export function handlesOfNodes(events: readonly TraceEvent[]): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  for (const [handle, name] of followed(events).known) if (!out.has(name)) out.set(name, handle);
  return out;
}

function followed(events: readonly TraceEvent[]): Followed {
  let state = followedTraces.get(events);
  if (!state) {
    state = {
      captures: new Map(),
      records: new Map(),
      known: new Map(),
      graphs: new Map(),
      givenAway: new Set(),
      hasUnknownLosses: false,
      count: 0,
    };
    followedTraces.set(events, state);
  }
  while (state.count < events.length) follow(events[state.count++]!, state);
  return state;
}

function nameOf(known: ReadonlyMap<number, string>, handle: number): string {
  return known.get(handle) ?? `node ${handle}`;
}

function follow(event: TraceEvent, state: Followed): void {
  const { captures, records, known, graphs } = state;
  const named = (handles: readonly number[] | null): string[] => (handles ?? []).map((each) => nameOf(known, each));
  const capture = (stream: number, kind: OperationKind): void => {
    const open = captures.get(stream);
    const name = `event ${event.index}`;
    open?.nodes.push({ name, kind, dependencies: open.frontiers.get(stream) ?? [] });
    open?.frontiers.set(stream, [name]);
  };
  switch (event.verb) {
    case 'call.unknown':
      for (const handle of event.handles) state.givenAway.add(handle);
      return;
    case 'graph.create':
      graphs.set(event.graph, []);
      return;
    case 'graph.clone':
      graphs.set(event.graph, copied(graphs.get(event.source), event.graph));
      return;
    case 'node.add':
      known.set(event.node, `node ${event.node}`);
      graphs.get(event.graph)?.push({
        name: `node ${event.node}`,
        kind: event.operation.kind,
        dependencies: event.dependencies === null ? null : named(event.dependencies),
        ...innerOf(event.operation, event.node, graphs),
      });
      return;
    case 'node.destroy':
      if (!removeNode(graphs, nameOf(known, event.node))) state.hasUnknownLosses = true;
      return;
    case 'node.child': {
      const name = nameOf(known, event.node);
      for (const nodes of graphs.values()) {
        const inner = nodes.find((each) => each.name === name)?.inner;
        if (inner) graphs.set(event.graph, inner);
      }
      return;
    }
    case 'graph.nodes':
      for (const [index, handle] of event.nodes.entries()) {
        const node = graphs.get(event.graph)?.[event.places[index] ?? -1];
        if (node) known.set(handle, node.name);
      }
      return;
    case 'edges.add':
    case 'edges.remove':
      changeEdges(
        graphs.get(event.graph) ?? [],
        event.from && named(event.from),
        event.to && named(event.to),
        event.verb,
      );
      return;
    case 'capture.begin': {
      const frontiers = new Map([[event.stream, named(event.dependencies)]]);
      const nodes = event.graph === null ? [] : (graphs.get(event.graph) ?? []);
      captures.set(event.stream, { id: event.index + 1, origin: event.stream, target: event.graph, frontiers, nodes });
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

/** What a child node has inside: the graph that was moved there, or a copy as it is now. */
function innerOf(operation: Operation, node: number, graphs: Followed['graphs']): Pick<BuiltNode, 'inner'> {
  const source = operation.child === undefined ? undefined : graphs.get(operation.child);
  if (!source) return {};
  return { inner: operation.moved ? source : copied(source, node) };
}

/** The nodes of a clone, under names of their own. */
function copied(nodes: readonly BuiltNode[] | undefined, clone: number): BuiltNode[] {
  const name = (original: string): string => `${original} in ${clone}`;
  return (nodes ?? []).map((node) => ({
    name: name(node.name),
    kind: node.kind,
    dependencies: node.dependencies?.map(name) ?? null,
    ...(node.inner ? { inner: copied(node.inner, clone) } : {}),
  }));
}

/** Takes a node and its edges out of its graph; false when it is in none that is known. */
function removeNode(graphs: Followed['graphs'], name: string): boolean {
  for (const nodes of graphs.values()) {
    const place = nodes.findIndex((node) => node.name === name);
    if (place < 0) continue;
    nodes.splice(place, 1);
    for (const node of nodes) node.dependencies = node.dependencies?.filter((each) => each !== name) ?? null;
    return true;
  }
  return false;
}

function changeEdges(
  nodes: readonly BuiltNode[],
  from: readonly string[] | null,
  to: readonly string[] | null,
  verb: 'edges.add' | 'edges.remove',
): void {
  if (from === null || to === null) {
    for (const node of nodes) node.dependencies = null;
    return;
  }
  for (const [index, name] of from.entries()) {
    const node = nodes.find((each) => each.name === to[index]);
    if (!node?.dependencies) continue;
    const others = node.dependencies.filter((each) => each !== name);
    node.dependencies = verb === 'edges.add' ? [...others, name] : others;
  }
}

function merge(capture: OpenCapture | undefined, stream: number, nodes: readonly string[], replaces: boolean): void {
  const before = replaces ? [] : (capture?.frontiers.get(stream) ?? []);
  capture?.frontiers.set(stream, [...new Set([...before, ...nodes])]);
}
