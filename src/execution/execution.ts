/**
 * What the calls of a trace do to CUDA's objects: graphs as built, captures, executables, stream operations, and what
 * each call returns. A call that CUDA refuses changes nothing.
 *
 * Results follow the recordings of driver 580.159 / CUDA 13.0 (catalogue, section 0) where they and the documents differ.
 */

import type { Operation, Trace } from '../trace/event.ts';
import type { UnreachableUse } from './peer-access.ts';

/** Why CUDA refuses a call, beyond the error's name. */
export type Refusal =
  | 'crossGraphDependency'
  | 'foreignNode'
  | 'duplicateDependency'
  | 'selfDependency'
  | 'noDependencyList'
  | 'secondFreeNode'
  | 'freeForeignPointer'
  | 'freeInTwoGraphs'
  | 'zeroSize'
  | 'hugeSize'
  | 'allocationProperties'
  | 'noDescriptors'
  | 'interiorFree'
  | 'mismatchedFree'
  | 'freeOfHostMemory'
  | 'operandNotAllocated'
  | 'operandFreed'
  | 'secondExec'
  | 'cloneWithMemory'
  | 'childByCloneWithMemory'
  | 'childMovedTwice'
  | 'movedChild'
  | 'destroyNodeWithMemory'
  | 'removeEdgeWithMemory'
  | 'cycle'
  | 'relaunchUnfreed'
  | 'freeNotLive'
  | 'freeNeverLaunched'
  | 'doubleFree'
  | 'freeOfInternal'
  | 'captureUnsafe'
  | 'captureSynchronise'
  | 'capturedEventSynchronise'
  | 'captureLegacyStream'
  | 'captureUnjoined'
  | 'captureStreamDestroyed'
  | 'captureGraphDestroyed'
  | 'captureUncapturedEvent'
  | 'captureFreeUncaptured'
  | 'captureMerge'
  | 'captureActive'
  | 'captureEndMismatch'
  | 'captureWrongThread'
  | 'captureBeginLegacy'
  | 'captureInvalidated'
  | 'capturedEventEnded'
  | 'uploadWithoutStream'
  | 'deviceLaunchWithMemory'
  | 'setMemoryNode'
  | 'enableNode'
  | 'eventOfOtherDevice'
  | 'afterReset'
  | 'defaultPoolDestroyed'
  | 'poolDestroyed'
  | 'poolOfOtherDevice'
  | 'importedPool'
  | 'nullHandle'
  | 'noExecutable'
  | 'noHandle';

export interface GraphNode {
  /** Index in its graph, in creation order. */
  readonly id: number;
  readonly handle: number | null;
  operation: Operation;
  /** The event that added it. */
  readonly event: number;
  /** The stream it was captured from. */
  readonly stream: number | null;
  readonly dependencies: number[];
  /** The dependency list could not be read. */
  isPartial: boolean;
  /** Kernels among what it depends on that need not have ended when it begins. */
  early?: readonly { readonly node: number; readonly atLaunch: boolean }[];
  /** It was taken out of the graph again; those behind it keep their number. */
  isDestroyed?: boolean;
  /** What it does when it is switched on, in an executable that has it switched off. */
  readonly disabled?: Operation;
}

export interface GraphModel {
  readonly index: number;
  /** Negative until the capture that builds it ends. */
  handle: number;
  readonly built: 'explicit' | 'capture';
  /** The event that created it. */
  readonly event: number;
  readonly nodes: GraphNode[];
  /** Not all of its nodes are seen: it comes from outside, or code that nobody here knows was given it. */
  hasUnseen: boolean;
  /** It was moved into that graph, is a copy in a child node, or the body of a conditional node there. */
  parent: number | null;
  /** How it came into its parent. */
  inside: 'moved' | 'copied' | 'body' | null;
  /** Child nodes have it, or were made from it. */
  isChild: boolean;
  /** The event that moved it into its parent. */
  movedAt: number | null;
  alive: boolean;
  /** The capture that built it did not end well: CUDA gives no graph. */
  failed: boolean;
  /** Executables that exist. */
  readonly executables: Set<number>;
}

export interface ExecutableModel {
  readonly index: number;
  readonly handle: number;
  /** Index of the graph it was made from. */
  readonly graph: number;
  readonly nodes: readonly GraphNode[];
  readonly autoFree: boolean;
  readonly flags: readonly string[];
  readonly event: number;
  readonly result: string;
  alive: boolean;
  readonly launches: number[];
  /** The executable as it was instantiated, when this is what an update made of it. */
  readonly updates?: number;
}

/** Device work outside any graph, and launches of executables, in host order. */
export interface StreamOperation {
  readonly index: number;
  readonly event: number;
  readonly stream: number;
  readonly kind: 'operation' | 'launch' | 'upload' | 'record' | 'wait' | 'allocate' | 'free';
  readonly operation: Operation | null;
  /** launch and upload: index of the executable. */
  readonly executable: number | null;
  /** launch: 1-based count of launches of that executable. */
  readonly nth: number;
  /** wait: index of the record operation (or of the launch whose graph records it) it binds to; null when none. */
  readonly waitsFor: WaitTarget | null;
  /** launch: what each event wait node was bound to when the launch was made, by the event that added the node. */
  readonly nodeWaits: ReadonlyMap<number, WaitTarget>;
  /** The host waits for it to finish. */
  readonly blocking: boolean;
}

/** What a wait is bound to: a record in a stream, or event record nodes of a launch. */
export type WaitTarget =
  | { readonly kind: 'record'; readonly operation: number }
  | { readonly kind: 'launch'; readonly operation: number; readonly nodes: readonly number[] };

export interface CallOutcome {
  readonly event: number;
  readonly result: string;
  readonly refusal: Refusal | null;
  /** Other events that take part in a refusal, with their role. */
  readonly related: readonly { readonly role: string; readonly event: number }[];
  /** It became this node of this graph. */
  readonly node: { readonly graph: number; readonly node: number } | null;
  /** It became this stream operation. */
  readonly operation: number | null;
  /** The executable made, by index. */
  readonly executable: number | null;
  /** The allocation that a refusal is about. */
  readonly allocation: number | null;
}

/** An allocation as CUDA sees it. */
export interface AllocationModel {
  readonly id: number;
  /** `graph` for alloc nodes, captured or explicit. */
  kind: 'graph' | 'stream' | 'device' | 'managed' | 'host' | 'external';
  /** Owning graph and node, for graph allocations. */
  graph: number | null;
  node: number | null;
  /** The event that made it. */
  event: number | null;
  /** Free nodes for it: graph and node. */
  readonly freeNodes: { readonly graph: number; readonly node: number; readonly event: number }[];
}

export interface Execution {
  readonly trace: Trace;
  readonly calls: readonly CallOutcome[];
  readonly graphs: readonly GraphModel[];
  readonly executables: readonly ExecutableModel[];
  readonly operations: readonly StreamOperation[];
  readonly allocations: readonly AllocationModel[];
  readonly graphOfHandle: ReadonlyMap<number, number>;
  /** The graph that has the node, by index, and the node's place in it. */
  readonly nodeOfHandle: ReadonlyMap<number, { readonly graph: number; readonly node: number }>;
  readonly executableOfHandle: ReadonlyMap<number, number>;
  readonly nonBlockingStreams: ReadonlySet<number>;
  /** Kernels that touch what their device does not reach. */
  readonly unreachable: readonly UnreachableUse[];
}

/** The graphs that run inside a node: a child node's, the bodies of a conditional node. */
export function innerGraphs(
  execution: Pick<Execution, 'graphs' | 'graphOfHandle'>,
  node: GraphNode,
): readonly GraphModel[] {
  const { child, bodies = none } = node.operation;
  if (child === undefined && bodies.length === 0) return none;
  return (child === undefined ? bodies : [child, ...bodies]).flatMap((handle) => {
    const graph = execution.graphs[execution.graphOfHandle.get(handle) ?? -1];
    return graph ? [graph] : [];
  });
}

const none: readonly never[] = [];

type Graphs = Pick<Execution, 'graphs' | 'graphOfHandle'>;

/** Whether the graph has allocation or free nodes, also in graphs moved into it. */
export function hasMemoryNodes(graphs: Graphs, graph: GraphModel): boolean {
  return findNode(graphs, graph, isMemoryNode) !== null;
}

/** A node for which CUDA lets nobody copy the graph, nor instantiate it twice: one that allocates or frees, or a conditional one. */
export function findSingular(graphs: Graphs, graph: GraphModel): GraphNode | null {
  return findNode(graphs, graph, isMemoryNode) ?? findNode(graphs, graph, isConditional);
}

export function isMemoryNode({ operation: { kind } }: GraphNode): boolean {
  return kind === 'memAlloc' || kind === 'memFree';
}

export function isConditional({ operation: { kind } }: GraphNode): boolean {
  return kind === 'conditional';
}

/** A node that answers the description, in the graph or in the graphs of its child nodes. */
export function findNode(
  graphs: Graphs,
  graph: GraphModel,
  describes: (node: GraphNode) => boolean,
  depth = 0,
): GraphNode | null {
  for (const node of graph.nodes) {
    if (describes(node)) return node;
    const child = node.operation.child === undefined ? undefined : graphs.graphOfHandle.get(node.operation.child);
    const inner =
      child === undefined || depth >= 8 ? null : findNode(graphs, graphs.graphs[child]!, describes, depth + 1);
    if (inner) return inner;
  }
  return null;
}
