/** Executables after instantiation: updates, and calls on single nodes of them. */

import type { EventOf } from '../trace/event.ts';
import { type CallOutcome, type ExecutableModel, type GraphModel, hasMemoryNodes } from './execution.ts';
import { graphFor, type State, succeed } from './state.ts';

/**
 * From now on the executable launches what the other graph holds now, and owns that graph's allocations: those of the old
 * one stay as they are, live ones included (rule D12; recordings `exec_update_stale_ptr`, `exec_update_while_live`).
 * Only graphs with memory nodes: for others nothing changes that is followed here.
 */
export function updateExecutable(state: State, event: EventOf<'exec.update'>): CallOutcome {
  const index = state.executableOfHandle.get(event.exec);
  const before = index === undefined ? undefined : state.executables[index];
  const graph = graphFor(state, event.graph, event.index);
  if (!before || !graph) return succeed(event);
  const old = state.graphs[before.graph];
  if (!hasMemoryNodes(state, graph) && !(old && hasMemoryNodes(state, old))) return succeed(event);
  if (!looksAlike(before, graph)) return succeed(event, { result: 'cudaErrorGraphExecUpdateFailure' });
  const updated: ExecutableModel = {
    ...before,
    index: state.executables.length,
    graph: graph.index,
    nodes: graph.nodes.map((node) => ({ ...node, dependencies: [...node.dependencies] })),
    updates: before.updates ?? before.index,
    launches: [],
  };
  state.executables.push(updated);
  state.executableOfHandle.set(event.exec, updated.index);
  return succeed(event);
}

function looksAlike(executable: ExecutableModel, graph: GraphModel): boolean {
  return (
    executable.nodes.length === graph.nodes.length &&
    executable.nodes.every((node, index) => node.operation.kind === graph.nodes[index]?.operation.kind)
  );
}

/** Memory nodes cannot be switched off or asked whether they are on (rule D15; recording `kernel_node_disable_alloc`). */
export function setEnabled(state: State, event: EventOf<'node.enable'>): CallOutcome {
  return succeed(event, isMemoryNode(state, event.node) ? { result: 'cudaErrorInvalidValue' } : {});
}

/** Nor can their parameters be set (rule D14; recording `node_set_params_alloc`). */
export function setParameters(state: State, event: EventOf<'exec.updateNode'>): CallOutcome {
  return succeed(event, isMemoryNode(state, event.node) ? { result: 'cudaErrorNotSupported' } : {});
}

function isMemoryNode(state: State, handle: number): boolean {
  const place = state.nodeOfHandle.get(handle);
  const kind = place && state.graphs[place.graph]?.nodes[place.node]?.operation.kind;
  return kind === 'memAlloc' || kind === 'memFree';
}
