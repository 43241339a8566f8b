/** Work that the text does not show: a graph from outside, a function without a body. */

import type { TraceEvent } from '../trace/event.ts';
import type { Execution, GraphNode } from './execution.ts';
import { innerGraphs } from './execution.ts';
import { livenessOf, type State } from './state.ts';

type Known = Pick<Execution, 'graphs' | 'graphOfHandle' | 'executables' | 'executableOfHandle'>;

/**
 * Whether the call may run allocations that are not seen. Memory that was there before the run began (a parameter, a
 * member of an unseen object) may then be what such an allocation gives out: freed once, it is there again.
 */
export function mayAllocateUnseen(known: Known, event: TraceEvent): boolean {
  switch (event.verb) {
    case 'exec.launch': {
      const executable = known.executables[known.executableOfHandle.get(event.exec) ?? -1];
      const graph = known.graphs[executable?.graph ?? -1];
      return !executable || !graph || graph.hasUnseen || holdsUnseen(known, executable.nodes, 0);
    }
    case 'stream.operation':
      return event.operation.opaque === true;
    case 'call.unknown':
      return event.handles.length > 0;
    default:
      return false;
  }
}

function holdsUnseen(known: Known, nodes: readonly GraphNode[], depth: number): boolean {
  return nodes.some((node) =>
    innerGraphs(known, node).some(
      (graph) => graph.hasUnseen || (depth < 8 && holdsUnseen(known, graph.nodes, depth + 1)),
    ),
  );
}

/** After such a call nobody can say that memory from outside is still free. */
export function forgetFrees(state: State, event: TraceEvent): void {
  if (!mayAllocateUnseen(state, event)) return;
  for (const allocation of state.allocations)
    if (allocation.kind === 'external') livenessOf(state, allocation.id).freed = null;
}
