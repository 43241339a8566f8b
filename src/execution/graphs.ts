/** Building graphs by hand: nodes, edges, clones, and what CUDA refuses there. */

import type { EarlyEdge, EventOf, Operation } from '../trace/event.ts';
import { enclose, keepAsItWas } from './child-graphs.ts';
import { noteDevices, refusedProperties } from './device-access.ts';
import {
  type CallOutcome,
  findNode,
  findSingular,
  type GraphModel,
  type GraphNode,
  isConditional,
  isMemoryNode,
  type Refusal,
} from './execution.ts';
import { noteReach } from './peer-access.ts';
import { addGraph, addNode, graphFor, isAncestor, refuse, type State, succeed } from './state.ts';

export function addExplicitNode(state: State, event: EventOf<'node.add'>): CallOutcome {
  const graph = graphFor(state, event.graph, event.index);
  if (!graph) return refuse(event, 'cudaErrorInvalidValue', 'nullHandle');
  if (event.lacksList) return refuse(event, 'cudaErrorInvalidValue', 'noDependencyList');
  const dependencies: number[] = [];
  let isPartial = event.dependencies === null;
  for (const handle of event.dependencies ?? []) {
    const place = state.nodeOfHandle.get(handle);
    if (!place) {
      isPartial = true;
      continue;
    }
    if (place.graph !== graph.index) {
      const other = state.graphs[place.graph]!;
      if (mayBeOne(state, other, graph)) {
        isPartial = true;
        continue;
      }
      return refuse(event, 'cudaErrorInvalidValue', 'crossGraphDependency', [
        { role: 'dependency', event: other.nodes[place.node]!.event },
      ]);
    }
    if (dependencies.includes(place.node)) return refuse(event, 'cudaErrorInvalidValue', 'duplicateDependency');
    dependencies.push(place.node);
  }
  const refusal = checkOperation(state, graph, event, event.operation, dependencies);
  if (refusal) return refusal;
  keepAsItWas(state, graph, event.index);
  const node = addNode(state, graph, event, event.operation, dependencies, event.node, null, isPartial);
  noteEarly(state, graph, event.early);
  for (const body of event.operation.bodies ?? [])
    enclose(addGraph(state, body, 'explicit', event.index), graph, 'body');
  registerMemory(state, graph, node.id, event.operation, event.index);
  noteReach(state, event, event.operation, null);
  return succeed(event, { node: { graph: graph.index, node: node.id } });
}

/** Edges behind which a kernel may begin early, noted where they lead. */
function noteEarly(state: State, graph: GraphModel, edges: readonly EarlyEdge[] = []): void {
  for (const { from, to, atLaunch } of edges) {
    const source = state.nodeOfHandle.get(from);
    const node = graph.nodes[state.nodeOfHandle.get(to)?.node ?? -1];
    if (node && source?.graph === graph.index) node.early = [...(node.early ?? []), { node: source.node, atLaunch }];
  }
}

function checkOperation(
  state: State,
  graph: GraphModel,
  event: EventOf<'node.add'>,
  operation: Operation,
  dependencies: readonly number[],
): CallOutcome | null {
  // A graph inside another one takes no memory nodes (rule E; recordings `moved_child_then_edit`, `alloc_into_child_of_clone`).
  const isMemory = operation.kind === 'memAlloc' || operation.kind === 'memFree';
  if (isMemory && graph.inside === 'moved') return refuse(event, 'cudaErrorNotSupported', 'movedChild', movedAt(graph));
  if (isMemory && graph.inside === 'copied') return succeed(event, { result: 'cudaErrorNotSupported' });
  switch (operation.kind) {
    case 'memAlloc': {
      if (operation.bytes?.kind === 'number' && operation.bytes.value === 0)
        return refuse(event, 'cudaErrorInvalidValue', 'zeroSize');
      if (operation.bytes?.kind === 'number' && isBeyondAddresses(operation.bytes.value))
        return refuse(event, 'cudaErrorMemoryAllocation', 'hugeSize');
      if (operation.properties?.lacksDescriptors) return refuse(event, 'cudaErrorInvalidValue', 'noDescriptors');
      const result = refusedProperties(state, event);
      return result === null ? null : refuse(event, result, 'allocationProperties');
    }
    case 'memFree':
      return checkFree(state, graph, event, operation);
    case 'memcpy':
    case 'memset':
      return checkOperand(state, graph, event, operation, dependencies);
    case 'child':
      return checkChild(state, event, operation);
    default:
      return null;
  }
}

/** More than the 47 bits of a process's addresses lead to, as what is -1 becomes as a size (recording `huge_size`: 1 TiB was refused). */
function isBeyondAddresses(bytes: number): boolean {
  return bytes < 0 || bytes >= 2 ** 47;
}

function checkFree(
  state: State,
  graph: GraphModel,
  event: EventOf<'node.add'>,
  operation: Operation,
): CallOutcome | null {
  const freed = operation.freed;
  if (operation.freesForeign) return refuse(event, 'cudaErrorInvalidValue', 'freeForeignPointer');
  if (!freed) return null;
  const allocation = state.allocations[freed.allocation]!;
  const allocated = allocation.event === null ? [] : [{ role: 'alloc', event: allocation.event }];
  if (allocation.kind === 'external') return null;
  // The node that would have made it was refused, which is said there: this is the null that it left.
  if (allocation.kind === 'graph' && allocation.node === null)
    return succeed(event, { result: 'cudaErrorInvalidValue' });
  if (allocation.kind !== 'graph' || (freed.offset !== null && freed.offset !== 0))
    return refuse(event, 'cudaErrorInvalidValue', 'freeForeignPointer', allocated, freed.allocation);
  const same = allocation.freeNodes.find((each) => each.graph === graph.index);
  if (same)
    return refuse(
      event,
      'cudaErrorInvalidValue',
      'secondFreeNode',
      [...allocated, { role: 'free', event: same.event }],
      freed.allocation,
    );
  const isOwner = allocation.graph === graph.index;
  const ownerFrees = allocation.freeNodes.find((each) => each.graph === allocation.graph);
  const conflicting = isOwner ? allocation.freeNodes[0] : ownerFrees;
  if (conflicting)
    return refuse(
      event,
      'cudaErrorInvalidValue',
      'freeInTwoGraphs',
      [...allocated, { role: 'free', event: conflicting.event }],
      freed.allocation,
    );
  return null;
}

/** memcpy and memset nodes may not touch an allocation that the graph frees unless they lie between its two nodes. */
function checkOperand(
  state: State,
  graph: GraphModel,
  event: EventOf<'node.add'>,
  operation: Operation,
  dependencies: readonly number[],
): CallOutcome | null {
  if (isOutOfRange(state, operation)) return succeed(event, { result: 'cudaErrorInvalidValue' });
  for (const access of operation.accesses) {
    const allocation = state.allocations[access.pointer.allocation]!;
    if (allocation.kind !== 'graph' || allocation.graph !== graph.index || allocation.node === null) continue;
    const free = allocation.freeNodes.find((each) => each.graph === graph.index);
    if (!free) continue;
    const after = (node: number): boolean =>
      dependencies.some((each) => each === node || isAncestor(graph, node, each));
    const related = [
      { role: 'alloc', event: graph.nodes[allocation.node]!.event },
      { role: 'freeNode', event: free.event },
    ];
    if (after(free.node)) return refuse(event, 'cudaErrorInvalidValue', 'operandFreed', related, allocation.id);
    if (!after(allocation.node))
      return refuse(event, 'cudaErrorInvalidValue', 'operandNotAllocated', related, allocation.id);
  }
  return null;
}

/** Whether a copy or memset ends behind its allocation: refused when the node is added (`memset_node_out_of_range`). */
function isOutOfRange(state: State, operation: Operation): boolean {
  const { bytes } = operation;
  if (bytes?.kind !== 'number') return false;
  return operation.accesses.some(({ pointer }) => {
    const size = state.trace.allocations[pointer.allocation]?.bytes;
    return size?.kind === 'number' && pointer.offset !== null && pointer.offset + bytes.value > size.value;
  });
}

/** The call that moved a graph into its parent, for a refusal that follows from it. */
export function movedAt(graph: GraphModel): CallOutcome['related'] {
  return graph.movedAt === null ? [] : [{ role: 'moved', event: graph.movedAt }];
}

/** The calls that made the executables a graph has. */
function instantiatedAt(state: State, graph: GraphModel): CallOutcome['related'] {
  return [...graph.executables].map((index) => ({ role: 'inst', event: state.executables[index]!.event }));
}

function checkChild(state: State, event: EventOf<'node.add'>, operation: Operation): CallOutcome | null {
  const child = operation.child === undefined ? null : graphFor(state, operation.child, event.index);
  if (!child) return operation.child === undefined ? null : refuse(event, 'cudaErrorInvalidValue', 'nullHandle');
  // A graph with conditional nodes cannot be moved either (H200, CUDA 13.0).
  const singular = operation.moved ? findNode(state, child, isConditional) : findSingular(state, child);
  if (singular) return refuse(event, 'cudaErrorNotSupported', 'childByCloneWithMemory', [describeSingular(singular)]);
  if (operation.moved && child.inside === 'moved')
    return refuse(event, 'cudaErrorNotSupported', 'movedChild', movedAt(child));
  // Recording `moved_instantiated_child`.
  if (operation.moved && (child.parent !== null || child.executables.size > 0))
    return refuse(event, 'cudaErrorNotSupported', 'childMovedTwice', instantiatedAt(state, child));
  return null;
}

/** Notes which node makes an allocation and which frees it. */
export function registerMemory(
  state: State,
  graph: GraphModel,
  node: number,
  operation: Operation,
  event: number,
): void {
  if (operation.kind === 'memAlloc' && operation.allocation !== undefined) {
    const allocation = state.allocations[operation.allocation]!;
    allocation.kind = 'graph';
    allocation.graph = graph.index;
    allocation.node = node;
    allocation.event = event;
    const { properties } = operation;
    // Which devices were asked for, where that can be read.
    if (properties && !properties.access.some((each) => each.device === null))
      noteDevices(
        state,
        operation.allocation,
        properties.location.device,
        properties.access.flatMap((each) => (each.device === null ? [] : [each.device])),
      );
  }
  if (operation.kind === 'memFree' && operation.freed)
    state.allocations[operation.freed.allocation]!.freeNodes.push({ graph: graph.index, node, event });
  const child =
    operation.child === undefined ? undefined : state.graphs[state.graphOfHandle.get(operation.child) ?? -1];
  if (!child) return;
  child.isChild = true;
  if (operation.moved) {
    enclose(child, graph, 'moved');
    child.movedAt = event;
  }
}

export function updateNode(state: State, event: EventOf<'node.update'>): CallOutcome {
  const place = state.nodeOfHandle.get(event.node);
  const graph = place ? state.graphs[place.graph] : undefined;
  const node = place ? graph?.nodes[place.node] : undefined;
  if (!graph || !node) return succeed(event);
  if (node.operation.kind === 'memAlloc' || node.operation.kind === 'memFree')
    return refuse(event, 'cudaErrorNotSupported', 'setMemoryNode', [{ role: 'node', event: node.event }]);
  keepAsItWas(state, graph, event.index);
  node.operation = event.operation;
  return succeed(event);
}

export function destroyNode(state: State, event: EventOf<'node.destroy'>): CallOutcome {
  const place = state.nodeOfHandle.get(event.node);
  const graph = place ? state.graphs[place.graph] : undefined;
  if (!place || !graph) return succeed(event);
  const refused = refuseWithMemory(state, graph, event, 'destroyNodeWithMemory');
  if (refused) return refused;
  keepAsItWas(state, graph, event.index);
  for (const node of graph.nodes) {
    const index = node.dependencies.indexOf(place.node);
    if (index >= 0) node.dependencies.splice(index, 1);
  }
  const node = graph.nodes[place.node];
  if (node) {
    node.operation = { ...node.operation, kind: 'empty', label: 'destroyed', accesses: [] };
    node.dependencies.length = 0;
    node.isDestroyed = true;
  }
  return succeed(event);
}

function refuseWithMemory(
  state: State,
  graph: GraphModel,
  event: EventOf<'node.destroy' | 'edges.remove'>,
  refusal: Refusal,
): CallOutcome | null {
  const memory = findNode(state, graph, isMemoryNode);
  return memory ? refuse(event, 'cudaErrorNotSupported', refusal, [{ role: 'alloc', event: memory.event }]) : null;
}

/** The node because of which a graph cannot be copied, for the refusal that follows from it. */
export function describeSingular(node: GraphNode): CallOutcome['related'][number] {
  return { role: isConditional(node) ? 'conditional' : 'alloc', event: node.event };
}

/** Two graphs of which one is not identified by the text may be the same. */
function mayBeOne(state: State, first: GraphModel, second: GraphModel): boolean {
  return [first, second].some((graph) => state.trace.handles[graph.handle]?.isGuess === true);
}

/** The first of the nodes that surely is one of another graph. */
export function foreignNode(
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

export function addEdges(state: State, event: EventOf<'edges.add'>): CallOutcome {
  const graph = graphFor(state, event.graph, event.index);
  if (!graph) return succeed(event);
  keepAsItWas(state, graph, event.index);
  if (!event.from || !event.to) {
    // Edges are there, but not which: nothing can be said about what is unordered in this graph.
    for (const node of graph.nodes) node.isPartial = true;
    return succeed(event);
  }
  // Looked for before any edge is added; what else is wrong with one is found when those before it are there.
  // Two guesses may be two nodes, as what two keys find that nobody knows.
  const { handles } = state.trace;
  if (event.from.some((from, index) => from === event.to?.[index] && handles[from]?.isGuess !== true))
    return refuse(event, 'cudaErrorInvalidValue', 'selfDependency');
  for (const [index, from] of event.from.entries()) {
    const to = event.to[index];
    const source = state.nodeOfHandle.get(from);
    const target = to === undefined ? undefined : state.nodeOfHandle.get(to);
    if (!source || !target) {
      for (const node of graph.nodes) if (!target || node.id === target.node) node.isPartial = true;
      continue;
    }
    const foreign = source.graph !== graph.index ? source : target.graph !== graph.index ? target : null;
    if (foreign && mayBeOne(state, state.graphs[foreign.graph]!, graph)) continue;
    if (foreign)
      return refuse(event, 'cudaErrorInvalidValue', 'crossGraphDependency', [
        { role: 'dependency', event: state.graphs[foreign.graph]!.nodes[foreign.node]!.event },
      ]);
    const node = graph.nodes[target.node]!;
    if (node.dependencies.includes(source.node)) return refuse(event, 'cudaErrorInvalidValue', 'duplicateDependency');
    node.dependencies.push(source.node);
  }
  noteEarly(state, graph, event.early);
  return succeed(event);
}

export function removeEdges(state: State, event: EventOf<'edges.remove'>): CallOutcome {
  const graph = graphFor(state, event.graph, event.index);
  if (!graph) return succeed(event);
  const refused = refuseWithMemory(state, graph, event, 'removeEdgeWithMemory');
  if (refused) return refused;
  const foreign = foreignNode(state, graph, [...(event.from ?? []), ...(event.to ?? [])]);
  if (foreign) return refuse(event, 'cudaErrorInvalidValue', 'crossGraphDependency', [foreign]);
  keepAsItWas(state, graph, event.index);
  for (const [index, from] of (event.from ?? []).entries()) {
    const source = state.nodeOfHandle.get(from);
    const target = state.nodeOfHandle.get(event.to?.[index] ?? -1);
    const node = target ? graph.nodes[target.node] : undefined;
    const position = node && source ? node.dependencies.indexOf(source.node) : -1;
    if (node && position >= 0) node.dependencies.splice(position, 1);
    if (node?.early) node.early = node.early.filter((edge) => edge.node !== source?.node);
  }
  return succeed(event);
}

/** `cudaGraphGetNodes` and its like: the handles given out stand for nodes of the graph. */
export function tellNodes(state: State, event: EventOf<'graph.nodes'>): CallOutcome {
  const graph = graphFor(state, event.graph, event.index);
  const present = graph?.nodes.filter((node) => !node.isDestroyed) ?? [];
  for (const [index, handle] of event.nodes.entries()) {
    const node = present[event.places[index] ?? -1];
    if (graph && node) state.nodeOfHandle.set(handle, { graph: graph.index, node: node.id });
  }
  return succeed(event);
}

export function cloneGraph(state: State, event: EventOf<'graph.clone'>): CallOutcome {
  const source = graphFor(state, event.source, event.index);
  if (!source) return refuse(event, 'cudaErrorInvalidValue', 'nullHandle');
  const singular = findSingular(state, source);
  if (singular) return refuse(event, 'cudaErrorNotSupported', 'cloneWithMemory', [describeSingular(singular)]);
  const clone = addGraph(state, event.graph, source.built, event.index, source.hasUnseen);
  for (const node of source.nodes) clone.nodes.push({ ...node, handle: null, dependencies: [...node.dependencies] });
  return succeed(event);
}
