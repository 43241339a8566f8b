/**
 * Happens-before over everything one run does: stream operations, launches and the nodes inside them, host actions.
 *
 * A point is one doing of one thing. An edge a → b says that a ends before b begins, and why. Points are numbered so that
 * every edge goes upwards; reachability is one bit per pair.
 *
 *     host ──●────────●───────────────●  (synchronise, cudaFree: what the host does next comes after)
 *            │        │               │
 *     s1   ──●─●──[begin·nodes·end]───●
 *                 │  record node ──▶ wait in s2
 */

import { addRow, createBitTriangle, isInRow } from '../base/bit-triangle.ts';
import {
  type Execution,
  type GraphNode,
  innerGraphs,
  type StreamOperation,
  type WaitTarget,
} from '../execution/execution.ts';
import type { EventOf } from '../trace/event.ts';
import { orderGraph } from './graph-order.ts';
import { StreamTails } from './stream-tails.ts';
import { findWitness } from './witness.ts';

/** Where an edge comes from: the rows of the happens-before table in the catalogue. */
export type EdgeReason =
  | 'graph edge'
  | 'stream order'
  | 'launches of one executable'
  | 'default stream'
  | 'event'
  | 'event node'
  | 'semaphore'
  | 'host synchronisation'
  | 'host order'
  | 'child graph'
  | 'upload';

export interface Edge {
  readonly from: number;
  readonly reason: EdgeReason;
}

export interface Point {
  readonly kind: 'operation' | 'begin' | 'node' | 'end' | 'host';
  /** Stream operation it belongs to; −1 for host points. */
  readonly operation: number;
  /** node: the event that added the node. */
  readonly event: number;
  readonly node: GraphNode | null;
}

/** A node as one launch runs it. */
export interface LaunchedNode {
  readonly node: GraphNode;
  readonly point: number;
}

export interface Order {
  readonly points: readonly Point[];
  /** Edges into each point. */
  readonly edges: readonly (readonly Edge[])[];
  before(first: number, second: number): boolean;
  /** Points of the shortest proof that `first` is before `second`, with the reason each one is reached; empty if none. */
  witness(first: number, second: number): readonly { readonly point: number; readonly reason: EdgeReason | null }[];
  /** The point of a stream operation that is no launch, or the end of a launch. */
  pointOf(operation: number): number;
  beginOf(operation: number): number;
  /** The point of a node in a launch, by the node object; undefined when the launch does not run it. */
  nodePoint(operation: number, node: GraphNode): number | undefined;
  /** The nodes a launch runs, with those of child graphs. */
  nodesOf(operation: number): readonly LaunchedNode[];
  /** The run chooses between devices, each of which has a default stream of its own. */
  readonly hasDevices: boolean;
  /** From this event on nothing is ordered: the run does too much. Null where all of it is. */
  readonly cutAt: number | null;
  /** The host's point for a `cudaFree` or for an access of its own, by event. */
  hostPoint(event: number): number | undefined;
}

/** Work beyond this many points is not ordered, and nothing is said of it. */
const maximumPoints = 12_000;

interface Builder {
  readonly execution: Execution;
  readonly points: Point[];
  readonly edges: Edge[][];
  readonly streams: StreamTails;
  readonly lastLaunch: Map<number, number>;
  /** Where semaphores, and numbers in memory that streams wait for, were told last. */
  readonly told: Map<number, number>;
  readonly begins: Map<number, number>;
  readonly ends: Map<number, number>;
  readonly nodePoints: Map<number, LaunchedNode[]>;
  readonly hostPoints: Map<number, number>;
  host: number;
}

/** Builds the order of a run (HB1–HB14 of the catalogue). */
export function orderExecution(execution: Execution, check: () => void = () => undefined): Order {
  const builder: Builder = {
    execution,
    points: [],
    edges: [],
    streams: new StreamTails(execution),
    lastLaunch: new Map(),
    told: new Map(),
    begins: new Map(),
    ends: new Map(),
    nodePoints: new Map(),
    hostPoints: new Map(),
    host: -1,
  };
  builder.host = addPoint(builder, { kind: 'host', operation: -1, event: -1, node: null }, []);
  let cutAt: number | null = null;
  for (const call of execution.calls) {
    if (builder.points.length > maximumPoints) {
      cutAt = call.event;
      break;
    }
    if ((call.event & 127) === 0) check();
    const event = execution.trace.events[call.event]!;
    if (call.operation !== null) addStreamOperation(builder, execution.operations[call.operation]!);
    else if (call.result === 'cudaSuccess' && event.verb === 'host.synchronise' && !event.query)
      addSynchronisation(builder, event);
    else if (event.verb === 'device.set' || event.verb === 'stream.create') builder.streams.note(event);
    else if (event.verb === 'host.mayWait') addHostPoint(builder, event.index, perhapsWaitedFor(builder, event));
    else if (hostActions.has(event.verb)) {
      addHostPoint(builder, event.index, []);
      builder.hostPoints.set(event.index, builder.host);
    }
  }
  return finish(builder, cutAt, check);
}

/** What the host does by itself: it comes after what it has waited for, and before what it asks for later. */
const hostActions: ReadonlySet<string> = new Set(['memory.free', 'memory.freeHost', 'host.access', 'host.objectEnds']);

function addPoint(builder: Builder, point: Point, edges: readonly Edge[]): number {
  builder.points.push(point);
  builder.edges.push([...edges]);
  return builder.points.length - 1;
}

function addHostPoint(builder: Builder, event: number, edges: readonly Edge[]): void {
  builder.host = addPoint(builder, { kind: 'host', operation: -1, event, node: null }, [
    { from: builder.host, reason: 'host order' },
    ...edges,
  ]);
}

function addSynchronisation(builder: Builder, event: EventOf<'host.synchronise'>): void {
  const { scope, handle, index } = event;
  addHostPoint(
    builder,
    index,
    waitedFor(builder, event, scope, handle).map((from) => ({ from, reason: 'host synchronisation' })),
  );
}

function waitedFor(
  builder: Builder,
  event: EventOf<'host.synchronise'>,
  scope: 'device' | 'stream' | 'event',
  handle: number | null,
): number[] {
  if (scope !== 'event') return builder.streams.waitedFor(event, scope, handle);
  const target = handle === null ? null : recordTargetAt(builder, handle, event.index);
  return target ? targetPoints(builder, target) : [];
}

/** From the last callback in each stream: what the host sees of it lets it go on. */
function perhapsWaitedFor(builder: Builder, event: EventOf<'host.mayWait'>): Edge[] {
  if (!event.ofAll) return callbackEdges(builder);
  return builder.streams.waitedFor(event, 'device', null).map((from) => ({ from, reason: 'host synchronisation' }));
}

function callbackEdges({ points, execution }: Builder): Edge[] {
  const last = new Map<number, number>();
  for (const [index, point] of points.entries()) {
    const operation = execution.operations[point.operation];
    if (operation?.operation?.kind === 'host' && point.node === null) last.set(operation.stream, index);
  }
  return [...last.values()].map((from) => ({ from, reason: 'host synchronisation' }));
}

/** What an event was last recorded with before a host call, found by looking back. */
function recordTargetAt(builder: Builder, handle: number, event: number): WaitTarget | null {
  for (let index = event - 1; index >= 0; index--) {
    const call = builder.execution.calls[index]!;
    const earlier = builder.execution.trace.events[index]!;
    if (call.operation === null) continue;
    if (earlier.verb === 'event.record' && earlier.event === handle)
      return { kind: 'record', operation: call.operation };
    if (earlier.verb === 'exec.launch') {
      const nodes =
        builder.nodePoints
          .get(call.operation)
          ?.filter(({ node }) => node.operation.kind === 'eventRecord' && node.operation.event === handle) ?? [];
      if (nodes.length > 0)
        return { kind: 'launch', operation: call.operation, nodes: nodes.map(({ node }) => node.event) };
    }
  }
  return null;
}

function targetPoints(builder: Builder, target: WaitTarget): number[] {
  if (target.kind === 'record') {
    const point = builder.ends.get(target.operation);
    return point === undefined ? [] : [point];
  }
  return (builder.nodePoints.get(target.operation) ?? [])
    .filter(({ node }) => target.nodes.includes(node.event) && node.operation.kind === 'eventRecord')
    .map(({ point }) => point);
}

/** What the next operation in a stream comes after: the host, what is in the stream, and the default stream's barrier. */
function streamEdges(builder: Builder, { stream, event }: StreamOperation): Edge[] {
  const at = builder.execution.trace.events[event]!;
  return [{ from: builder.host, reason: 'host order' }, ...builder.streams.edgesInto(stream, at)];
}

function endInStream(builder: Builder, { stream, event }: StreamOperation, point: number): void {
  builder.streams.end(stream, builder.execution.trace.events[event]!, point);
}

function addStreamOperation(builder: Builder, operation: StreamOperation): void {
  if (operation.kind === 'launch') {
    addLaunch(builder, operation);
    return;
  }
  const edges = streamEdges(builder, operation);
  if (operation.kind === 'wait' && operation.waitsFor)
    for (const point of targetPoints(builder, operation.waitsFor))
      edges.push({ from: point, reason: operation.waitsFor.kind === 'record' ? 'event' : 'event node' });
  if (operation.kind === 'upload' && operation.executable !== null) {
    const last = builder.lastLaunch.get(instantiated(builder, operation.executable));
    if (last !== undefined) edges.push({ from: last, reason: 'upload' });
  }
  const told = operation.operation?.told;
  for (const place of told?.awaits ?? []) {
    const from = builder.told.get(place);
    if (from !== undefined) edges.push({ from, reason: 'semaphore' });
    // Any kernel may write a number that is waited for.
    else if (operation.operation?.kind === 'batchMemOp')
      for (const tail of builder.streams.all()) edges.push({ from: tail, reason: 'semaphore' });
  }
  const point = addPoint(
    builder,
    { kind: 'operation', operation: operation.index, event: operation.event, node: null },
    edges,
  );
  builder.begins.set(operation.index, point);
  builder.ends.set(operation.index, point);
  endInStream(builder, operation, point);
  for (const place of told?.tells ?? []) builder.told.set(place, point);
  if (operation.blocking) addHostPoint(builder, operation.event, [{ from: point, reason: 'host synchronisation' }]);
}

function addLaunch(builder: Builder, operation: StreamOperation): void {
  const edges = streamEdges(builder, operation);
  const previous =
    operation.executable === null ? undefined : builder.lastLaunch.get(instantiated(builder, operation.executable));
  if (previous !== undefined) edges.push({ from: previous, reason: 'launches of one executable' });
  const begin = addPoint(
    builder,
    { kind: 'begin', operation: operation.index, event: operation.event, node: null },
    edges,
  );
  builder.begins.set(operation.index, begin);
  const placed: LaunchedNode[] = [];
  const executable = operation.executable === null ? null : builder.execution.executables[operation.executable]!;
  const ends = executable ? addNodes(builder, operation, executable.nodes, begin, placed, 0) : [];
  builder.nodePoints.set(operation.index, placed);
  const end = addPoint(builder, { kind: 'end', operation: operation.index, event: operation.event, node: null }, [
    { from: begin, reason: 'stream order' },
    ...ends.map((from): Edge => ({ from, reason: 'stream order' })),
  ]);
  builder.ends.set(operation.index, end);
  endInStream(builder, operation, end);
  if (operation.executable !== null) builder.lastLaunch.set(instantiated(builder, operation.executable), end);
}

/** Versions of an executable that updates made are one executable to the order of its launches. */
function instantiated(builder: Builder, executable: number): number {
  return builder.execution.executables[executable]?.updates ?? executable;
}

/** Adds the nodes of a graph between `begin` and what follows; returns the points nothing in the graph comes after. */
function addNodes(
  builder: Builder,
  operation: StreamOperation,
  nodes: readonly GraphNode[],
  begin: number,
  placed: LaunchedNode[],
  depth: number,
): number[] {
  const order = orderGraph(nodes);
  const ends: number[] = new Array(nodes.length);
  const isInner = new Set<number>();
  for (const id of order.topological) {
    const node = nodes[id]!;
    const edges: Edge[] = [];
    for (const dependency of node.dependencies) {
      if (ends[dependency] !== undefined) edges.push({ from: ends[dependency], reason: 'graph edge' });
      isInner.add(dependency);
    }
    if (edges.length === 0) edges.push({ from: begin, reason: 'stream order' });
    const wait = operation.nodeWaits.get(node.event);
    if (wait && node.operation.kind === 'eventWait')
      for (const point of targetPoints(builder, wait)) edges.push({ from: point, reason: 'event node' });
    const point = addPoint(builder, { kind: 'node', operation: operation.index, event: node.event, node }, edges);
    placed.push({ node, point });
    const inside = depth < 8 ? innerGraphs(builder.execution, node) : [];
    if (inside.length === 0) {
      ends[id] = point;
      continue;
    }
    // Of several bodies of a conditional node one runs: they never run at the same time.
    let from = point;
    for (const graph of inside) {
      const inner = addNodes(builder, operation, graph.nodes, from, placed, depth + 1);
      from = addPoint(builder, { kind: 'end', operation: operation.index, event: node.event, node: null }, [
        { from, reason: 'child graph' },
        ...inner.map((each): Edge => ({ from: each, reason: 'child graph' })),
      ]);
    }
    ends[id] = from;
  }
  return order.topological.filter((id) => !isInner.has(id)).map((id) => ends[id]!);
}

function finish(builder: Builder, cutAt: number | null, check: () => void): Order {
  const { points, edges } = builder;
  const ancestors = createBitTriangle(points.length);
  for (let index = 0; index < points.length; index++) {
    if ((index & 127) === 0) check();
    for (const edge of edges[index]!) addRow(ancestors, index, edge.from);
  }
  return {
    points,
    edges,
    before: (first, second) => first < second && isInRow(ancestors, second, first),
    witness: (first, second) => findWitness(edges, first, second),
    pointOf: (operation) => builder.ends.get(operation) ?? 0,
    beginOf: (operation) => builder.begins.get(operation) ?? 0,
    nodePoint: (operation, node) => builder.nodePoints.get(operation)?.find((each) => each.node === node)?.point,
    nodesOf: (operation) => builder.nodePoints.get(operation) ?? [],
    hasDevices: builder.streams.hasDevices,
    cutAt,
    hostPoint: (event) => builder.hostPoints.get(event),
  };
}
