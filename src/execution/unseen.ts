/** Work that the text does not show: a graph from outside, a function without a body. */

import type { EventOf, TraceEvent } from '../trace/event.ts';
import type { CallOutcome, Execution, GraphNode } from './execution.ts';
import { innerGraphs } from './execution.ts';
import { livenessOf, type State, succeed } from './state.ts';

const nothing: ReadonlySet<number> = new Set();

type Known = Pick<Execution, 'allocations' | 'graphs' | 'graphOfHandle' | 'executables' | 'executableOfHandle'>;

/**
 * Whether the call may run allocations that are not seen. Memory that was there before the run began (a parameter, a
 * member of an unseen object) may then be what such an allocation gives out: freed once, it is there again.
 */
export function mayAllocateUnseen(known: Known, event: TraceEvent): boolean {
  if (runsUnseen(known, event)) return true;
  if (event.verb !== 'exec.launch') return false;
  const executable = known.executables[known.executableOfHandle.get(event.exec) ?? -1];
  return executable !== undefined && mayFreeItsOwn(known, executable.nodes);
}

/** Whether something may run that is not seen. */
function runsUnseen(known: Known, event: TraceEvent): boolean {
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

/** Whether what it allocates may be what it frees under another name, as what lies under a key that nobody knows. */
function mayFreeItsOwn({ allocations }: Known, nodes: readonly GraphNode[]): boolean {
  return (
    nodes.some(({ operation }) => operation.kind === 'memAlloc') &&
    nodes.some(({ operation: { freed } }) => freed && allocations[freed.allocation]?.kind === 'external')
  );
}

function holdsUnseen(known: Known, nodes: readonly GraphNode[], depth: number): boolean {
  return nodes.some((node) =>
    innerGraphs(known, node).some(
      (graph) => graph.hasUnseen || (depth < 8 && holdsUnseen(known, graph.nodes, depth + 1)),
    ),
  );
}

/** What nobody can say any more after such a call: that memory from outside is still free, that what it can reach is still allocated. */
export function noteUnseen(state: State, event: TraceEvent): void {
  const reached = reachedUnseen(state, event);
  if (mayAllocateUnseen(state, event))
    for (const allocation of state.allocations)
      if (allocation.kind === 'external') livenessOf(state, allocation.id).freed = null;
  // A launch that is wholly seen: nothing is left open.
  if (reached !== 'all' && (reached.size === 0 || event.verb === 'exec.launch')) return;
  for (const [allocation, liveness] of state.liveness)
    if (reached === 'all' || reached.has(allocation)) liveness.isOpen = true;
}

/** Code that nobody here knows may add nodes to the graphs that it is given, and may launch what it is given. */
export function callUnknown(state: State, event: EventOf<'call.unknown'>): CallOutcome {
  for (const handle of event.handles) {
    const executable = state.executables[state.executableOfHandle.get(handle) ?? -1];
    const graph = state.graphs[executable?.graph ?? state.graphOfHandle.get(handle) ?? -1];
    if (graph) graph.hasUnseen = true;
    for (const { operation } of executable?.nodes ?? [])
      if (operation.kind === 'memAlloc' && operation.allocation !== undefined) {
        const liveness = livenessOf(state, operation.allocation);
        liveness.live = true;
        liveness.born ??= event.index;
        liveness.isOpen = true;
      }
  }
  noteUnseen(state, event);
  return succeed(event);
}

/** Allocations that code which is not seen may free in this call: a graph may have a free node for any pointer. */
export function reachedUnseen(known: Known, event: TraceEvent): ReadonlySet<number> | 'all' {
  if (event.verb === 'exec.launch') return runsUnseen(known, event) ? 'all' : nothing;
  if (event.verb === 'stream.operation' && event.operation.opaque)
    return new Set(event.operation.accesses.map(({ pointer }) => pointer.allocation));
  if (event.verb !== 'call.unknown') return nothing;
  return new Set(event.pointers.map((pointer) => pointer.allocation));
}

/** Whether code that is not seen may have launched the graph that allocates it. */
export function mayBeLive(state: State, allocation: number): boolean {
  const { graph } = state.allocations[allocation]!;
  return graph !== null && state.graphs[graph]!.hasUnseen;
}

/**
 * Tells whether an operation launches a graph of which some nodes, or what some wait for, are not seen: nothing says that
 * such nodes are unordered.
 */
export function partlySeen(execution: Execution): (operation: number | null) => boolean {
  const known = new Map<number, boolean>();
  return (operation) => {
    const index = execution.operations[operation ?? -1]?.executable ?? null;
    const executable = index === null ? undefined : execution.executables[index];
    if (index === null || !executable) return false;
    let answer = known.get(index);
    if (answer === undefined) {
      answer =
        execution.graphs[executable.graph]?.hasUnseen === true || executable.nodes.some((node) => node.isPartial);
      known.set(index, answer);
    }
    return answer;
  };
}
