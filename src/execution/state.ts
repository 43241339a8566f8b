/** The state that {@link executeTrace} moves forward, call by call. */

import type { Operation, Trace, TraceEvent } from '../trace/event.ts';
import { legacyStream } from '../trace/event.ts';
import type {
  AllocationModel,
  CallOutcome,
  ExecutableModel,
  GraphModel,
  GraphNode,
  Refusal,
  StreamOperation,
  WaitTarget,
} from './execution.ts';
import type { UnreachableUse } from './peer-access.ts';
import type { PoolModel } from './pools.ts';

/** A capture under way: the graph it builds and the streams that belong to it. */
export interface Capture {
  readonly graph: GraphModel;
  readonly origin: number;
  readonly mode: 'global' | 'threadLocal' | 'relaxed';
  readonly event: number;
  invalidated: boolean;
  /** Nodes that the next node in each stream depends on. */
  readonly frontiers: Map<number, readonly number[]>;
  /** Nodes that the origin came after before its dependencies were set to others: what has joined stays joined (asked of an H100). */
  readonly cameAfter: Set<number>;
  /** A stream or event that the text does not identify has been waited with: any stream may have joined. */
  mayHaveMore: boolean;
  /** Streams whose next work comes after nodes that are not all known. */
  readonly partial: Set<number>;
}

/** What an event was last recorded with. */
export type EventRecord =
  | { readonly kind: 'eager'; readonly target: WaitTarget }
  | { readonly kind: 'captured'; readonly capture: Capture; readonly frontier: readonly number[] };

export interface State {
  readonly trace: Trace;
  readonly calls: CallOutcome[];
  readonly graphs: GraphModel[];
  readonly graphOfHandle: Map<number, number>;
  readonly nodeOfHandle: Map<number, { readonly graph: number; readonly node: number }>;
  readonly executables: ExecutableModel[];
  readonly executableOfHandle: Map<number, number>;
  readonly operations: StreamOperation[];
  readonly allocations: AllocationModel[];
  readonly nonBlocking: Set<number>;
  /** The device that is current; null when the text does not say. */
  device: number | null;
  /** How many devices the machine has; null when it is not known. */
  readonly deviceCount: number | null;
  /** The thread may call what is not allowed while others capture. */
  allowsUnsafe: boolean;
  readonly deviceOfStream: Map<number, number | null>;
  readonly deviceOfEvent: Map<number, number | null>;
  /** Devices that may touch an allocation, where that is known. */
  readonly devicesOfAllocation: Map<number, ReadonlySet<number>>;
  readonly pools: Map<number, PoolModel>;
  readonly poolOfAllocation: Map<number, number>;
  readonly unreachable: UnreachableUse[];
  /** The pool that each device was given; null for what nobody knows. */
  readonly poolOfDevice: Map<number | null, number | null>;
  /** What a reset of its device has ended, by the event of the reset: handles and allocations; null while there was none. */
  lost: Lost | null;
  readonly captures: Map<number, Capture>;
  readonly records: Map<number, EventRecord>;
  /** Host view of each allocation that can be freed once per birth: which launch or call made it live, what freed it. */
  readonly liveness: Map<number, Liveness>;
}

export interface Lost {
  readonly handles: Map<number, number>;
  readonly allocations: Map<number, number>;
}

export interface Liveness {
  live: boolean;
  /** Event that made it live last; null when it never was. */
  born: number | null;
  /** Event that freed it last. */
  freed: number | null;
  /** Code that is not seen may have freed it since. */
  isOpen: boolean;
}

export function createState(trace: Trace, deviceCount: number | null = null): State {
  const state: State = {
    trace,
    calls: [],
    graphs: [],
    graphOfHandle: new Map(),
    nodeOfHandle: new Map(),
    executables: [],
    executableOfHandle: new Map(),
    operations: [],
    allocations: [],
    nonBlocking: new Set(trace.handles.flatMap(({ isBlocking }, id) => (isBlocking === false ? [id] : []))),
    device: 0,
    deviceCount,
    allowsUnsafe: false,
    deviceOfStream: new Map(),
    deviceOfEvent: new Map(),
    devicesOfAllocation: new Map(),
    pools: new Map(),
    poolOfAllocation: new Map(),
    unreachable: [],
    poolOfDevice: new Map(),
    lost: null,
    captures: new Map(),
    records: new Map(),
    liveness: new Map(),
  };
  noteAllocations(state);
  return state;
}

/** Gives every allocation of the trace its model; a trace that is still being written has more of them each time. */
export function noteAllocations(state: State): void {
  const { allocations, trace } = state;
  for (let id = allocations.length; id < trace.allocations.length; id++)
    allocations.push({
      id,
      kind: trace.allocations[id]!.origin,
      graph: null,
      node: null,
      event: null,
      freeNodes: [],
    });
}

/** Operations without event wait nodes. */
export const none: ReadonlyMap<number, WaitTarget> = new Map();

const nothing: Partial<CallOutcome> = {};
const unrelated: CallOutcome['related'] = [];

export function succeed(event: TraceEvent, more: Partial<CallOutcome> = nothing): CallOutcome {
  return {
    event: event.index,
    result: more.result ?? 'cudaSuccess',
    refusal: more.refusal ?? null,
    related: more.related ?? unrelated,
    node: more.node ?? null,
    operation: more.operation ?? null,
    executable: more.executable ?? null,
    allocation: more.allocation ?? null,
  };
}

export function refuse(
  event: TraceEvent,
  result: string,
  refusal: Refusal,
  related: CallOutcome['related'] = unrelated,
  allocation: number | null = null,
): CallOutcome {
  return succeed(event, { result, refusal, related, allocation });
}

export function livenessOf(state: State, allocation: number): Liveness {
  const known = state.liveness.get(allocation);
  if (known) return known;
  const fresh: Liveness = { live: false, born: null, freed: null, isOpen: false };
  state.liveness.set(allocation, fresh);
  return fresh;
}

/** The graph behind a handle; a handle from outside gets an empty graph whose contents we do not see. */
export function graphFor(state: State, handle: number, event: number): GraphModel | null {
  const index = state.graphOfHandle.get(handle);
  if (index !== undefined) return state.graphs[index]!;
  const record = state.trace.handles[handle];
  if (!record?.external) return null;
  return addGraph(state, handle, 'explicit', event, true);
}

export function addGraph(
  state: State,
  handle: number,
  built: 'explicit' | 'capture',
  event: number,
  hasUnseen = false,
): GraphModel {
  const graph: GraphModel = {
    index: state.graphs.length,
    handle,
    built,
    event,
    nodes: [],
    hasUnseen,
    parent: null,
    inside: null,
    isChild: false,
    movedAt: null,
    alive: true,
    failed: false,
    executables: new Set(),
  };
  state.graphs.push(graph);
  state.graphOfHandle.set(handle, graph.index);
  return graph;
}

export function addNode(
  state: State,
  graph: GraphModel,
  event: TraceEvent,
  operation: Operation,
  dependencies: readonly number[],
  handle: number | null,
  stream: number | null,
  isPartial = false,
): GraphNode {
  const node: GraphNode = {
    id: graph.nodes.length,
    handle,
    operation,
    event: event.index,
    stream,
    dependencies: [...new Set(dependencies)],
    isPartial,
  };
  graph.nodes.push(node);
  if (handle !== null) state.nodeOfHandle.set(handle, { graph: graph.index, node: node.id });
  return node;
}

export function addOperation(state: State, operation: Omit<StreamOperation, 'index'>): StreamOperation {
  // Written out: of a spread that is added to V8 (up to 12) makes a shape of its own each time.
  const full: StreamOperation = {
    index: state.operations.length,
    event: operation.event,
    stream: operation.stream,
    kind: operation.kind,
    operation: operation.operation,
    executable: operation.executable,
    nth: operation.nth,
    waitsFor: operation.waitsFor,
    nodeWaits: operation.nodeWaits,
    blocking: operation.blocking,
  };
  state.operations.push(full);
  return full;
}

/** Whether `ancestor` is before `node` in the graph as built so far. */
export function isAncestor(graph: GraphModel, ancestor: number, node: number): boolean {
  const stack = [...(graph.nodes[node]?.dependencies ?? [])];
  const seen = new Set<number>();
  while (stack.length > 0) {
    const current = stack.pop()!;
    if (current === ancestor) return true;
    if (seen.has(current)) continue;
    seen.add(current);
    stack.push(...(graph.nodes[current]?.dependencies ?? []));
  }
  return false;
}

/** The capture that a stream takes part in. */
export function captureOf(state: State, stream: number): Capture | undefined {
  return state.captures.get(stream);
}

/** Whether a stream may belong to the current device, whose default stream it waits for. */
function mayBeOnDevice({ device, deviceOfStream }: State, stream: number): boolean {
  const own = deviceOfStream.get(stream) ?? null;
  return own === null || device === null || own === device;
}

/** A capture that a use of the legacy stream disturbs: one begun on a blocking stream. */
export function captureDisturbedByLegacy(state: State, stream: number): Capture | undefined {
  if (stream !== legacyStream) return undefined;
  for (const [captured, capture] of state.captures)
    if (!state.nonBlocking.has(captured) && !capture.invalidated && mayBeOnDevice(state, captured)) return capture;
  return undefined;
}
