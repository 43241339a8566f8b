/** Executables after instantiation: updates, and calls on single nodes of them. */

import type { EventOf, Operation, OperationKind } from '../trace/event.ts';
import type { CallOutcome, ExecutableModel, GraphModel, GraphNode } from './execution.ts';
import { movedAt } from './graphs.ts';
import { graphFor, refuse, type State, succeed } from './state.ts';

/**
 * From now on the executable launches what the other graph holds now, and owns that graph's allocations: those of the old
 * one stay as they are, live ones included (rule D12; recordings `exec_update_stale_ptr`, `exec_update_while_live`).
 */
export function updateExecutable(state: State, event: EventOf<'exec.update'>): CallOutcome {
  const before = executableOf(state, event.exec);
  const graph = graphFor(state, event.graph, event.index);
  if (!before || !graph) return succeed(event);
  // CUDA Runtime API, cudaGraphChildGraphOwnershipMove; with which result nobody has recorded.
  if (graph.inside === 'moved') return refuse(event, 'cudaErrorInvalidValue', 'movedChild', movedAt(graph));
  if (graph.hasUnseen && graph.nodes.length === 0) {
    // What the other graph holds is not seen: the nodes stay, what they touch is no longer known.
    replaceExecutable(state, { ...before, nodes: before.nodes.map(withoutAccesses) });
    return succeed(event);
  }
  if (!looksAlike(before, graph)) return succeed(event, { result: 'cudaErrorGraphExecUpdateFailure' });
  replaceExecutable(state, {
    ...before,
    graph: graph.index,
    nodes: graph.nodes.map((node) => ({ ...node, dependencies: [...node.dependencies] })),
    launches: [],
  });
  return succeed(event);
}

function looksAlike(executable: ExecutableModel, graph: GraphModel): boolean {
  return (
    executable.nodes.length === graph.nodes.length &&
    executable.nodes.every((node, index) => {
      const other = graph.nodes[index];
      const hasAsMany = node.dependencies.length === other?.dependencies.length;
      return node.operation.kind === other?.operation.kind && (hasAsMany || node.isPartial || other.isPartial);
    })
  );
}

/** Kinds of nodes that can be switched off (runtime API 13.0, `cudaGraphNodeSetEnabled`). */
const switchable: ReadonlySet<OperationKind> = new Set(['kernel', 'memcpy', 'memset', 'unknown']);

/**
 * A node that is switched off stays where it is in the order and does nothing. Memory nodes cannot be switched off or asked
 * whether they are on (rule D15; recording `kernel_node_disable_alloc`).
 */
export function setEnabled(state: State, event: EventOf<'node.enable'>): CallOutcome {
  const place = state.nodeOfHandle.get(event.node);
  const added = place && state.graphs[place.graph]?.nodes[place.node];
  const { change } = event;
  const isRefused = added !== undefined && !switchable.has(added.operation.kind);
  if (change === 'asked') return succeed(event, isRefused ? { result: 'cudaErrorInvalidValue' } : {});
  if (isRefused) return refuse(event, 'cudaErrorInvalidValue', 'enableNode', [{ role: 'node', event: added.event }]);
  const foreign = foreignNode(state, event);
  if (foreign) return refuse(event, 'cudaErrorInvalidValue', 'foreignNode', [{ role: 'node', event: foreign.event }]);
  changeNode(state, event, (node) => {
    if (change === 'open') return withoutAccesses(node);
    const does = node.disabled ?? node.operation;
    const { disabled: _, ...rest } = node;
    return change === 'on' ? { ...rest, operation: does } : { ...rest, operation: switchedOff, disabled: does };
  });
  return succeed(event);
}

const switchedOff: Operation = { kind: 'empty', label: 'switched off', accesses: [], bytes: null };

/**
 * From now on the executable runs the node with its new parameters; the graph and other executables keep theirs. Memory
 * nodes take none (rule D14; recording `node_set_params_alloc`). The node counts as written by this call.
 */
export function setParameters(state: State, event: EventOf<'exec.updateNode'>): CallOutcome {
  if (isMemoryNode(state, event.node)) return refuse(event, 'cudaErrorNotSupported', 'setMemoryNode');
  const foreign = foreignNode(state, event);
  if (foreign) return refuse(event, 'cudaErrorInvalidValue', 'foreignNode', [{ role: 'node', event: foreign.event }]);
  const { operation } = event;
  changeNode(state, event, (node) => {
    if (!operation) return { ...withoutAccesses(node), event: event.index };
    return node.disabled
      ? { ...node, disabled: operation, event: event.index }
      : { ...node, operation, event: event.index };
  });
  return succeed(event);
}

/**
 * Makes the executable's next version, with one node changed. Which node that is may not be known: then what any of them
 * touches is not known either.
 */
function changeNode(
  state: State,
  event: EventOf<'exec.updateNode' | 'node.enable'>,
  change: (node: GraphNode) => GraphNode,
): void {
  const place = state.nodeOfHandle.get(event.node);
  const before = event.exec === null ? undefined : executableOf(state, event.exec);
  if (!before || (place && !isMadeFrom(state, before, place.graph))) return;
  const changed = (node: GraphNode): GraphNode =>
    place
      ? node.id === place.node
        ? change(node)
        : node
      : switchable.has(node.operation.kind)
        ? withoutAccesses(node)
        : node;
  replaceExecutable(state, { ...before, nodes: before.nodes.map(changed) });
}

function executableOf(state: State, handle: number): ExecutableModel | undefined {
  return state.executables[state.executableOfHandle.get(handle) ?? -1];
}

/** Nodes of an executable are named by those of the graph it was instantiated from, also after an update. */
function isMadeFrom(state: State, executable: ExecutableModel, graph: number): boolean {
  return executable.graph === graph || state.executables[executable.updates ?? executable.index]?.graph === graph;
}

/**
 * The node, where it is surely in another graph than the one that the executable was made from (`cudaGraphExecKernelNodeSetParams`: the node
 * is one of the graph that was instantiated). Clones, children and bodies have nodes that may go by others' names.
 */
function foreignNode(state: State, event: EventOf<'exec.updateNode' | 'node.enable'>): GraphNode | null {
  const place = state.nodeOfHandle.get(event.node);
  const executable = event.exec === null ? undefined : executableOf(state, event.exec);
  if (!executable || !place || isMadeFrom(state, executable, place.graph)) return null;
  const { graph } = state.executables[executable.updates ?? executable.index] ?? executable;
  const [own, other] = [state.graphs[graph], state.graphs[place.graph]];
  const isPlain = (each: GraphModel | undefined): boolean =>
    each !== undefined &&
    !(each.isChild || each.parent !== null || each.hasUnseen || each.failed) &&
    state.trace.events[each.event]?.verb !== 'graph.clone';
  const isTold = [event.node, executable.handle, own?.handle, other?.handle].every(
    (handle) => handle === undefined || state.trace.handles[handle]?.isGuess !== true,
  );
  const isAsBegun = executable.graph === graph;
  return isAsBegun && isTold && isPlain(own) && isPlain(other) ? (other?.nodes[place.node] ?? null) : null;
}

/** A node whose new parameters are not known: what it touches is not known either. */
function withoutAccesses(node: GraphNode): GraphNode {
  return { ...node, operation: { ...node.operation, accesses: [], bytes: null, opaque: true } };
}

/** The executable's next version; launches so far keep the one they ran. */
function replaceExecutable(state: State, next: ExecutableModel): void {
  const updated: ExecutableModel = { ...next, index: state.executables.length, updates: next.updates ?? next.index };
  state.executables.push(updated);
  state.executableOfHandle.set(updated.handle, updated.index);
}

function isMemoryNode(state: State, handle: number): boolean {
  const place = state.nodeOfHandle.get(handle);
  const kind = place && state.graphs[place.graph]?.nodes[place.node]?.operation.kind;
  return kind === 'memAlloc' || kind === 'memFree';
}
