/** The graphs whose nodes are judged against each other: as built, and as later versions of executables run them. */

import { spanEncloses } from '../base/span.ts';
import { type Execution, type GraphModel, innerGraphs } from '../execution/execution.ts';

/**
 * Every graph, then each version of an executable whose nodes were given new parameters, as the graph that it runs. Where the
 * program is left in the middle, graphs of which no executable was made are not finished, and nobody runs them: they are left out. So
 * are those that get edges in a loop which was not followed to its end.
 */
export function builtGraphs(execution: Execution): readonly GraphModel[] {
  const versions = execution.executables.flatMap(({ updates, graph, nodes }): GraphModel[] => {
    const built = execution.graphs[graph];
    return updates !== undefined && built ? [{ ...built, nodes: [...nodes] }] : [];
  });
  const graphs = execution.trace.end === 'complete' ? execution.graphs : instantiated(execution);
  const halfWired = wiredInPart(execution);
  return halfWired.size === 0
    ? [...graphs, ...versions]
    : [...graphs, ...versions].filter(({ index }) => !halfWired.has(index));
}

/** Graphs that get edges in a loop with more rounds than were followed. */
function wiredInPart({ trace, graphOfHandle }: Execution): ReadonlySet<number> {
  const loops = trace.gaps.filter(({ kind }) => kind === 'budget');
  const out = new Set<number>();
  if (loops.length === 0) return out;
  for (const event of trace.events) {
    const graph = event.verb === 'edges.add' ? graphOfHandle.get(event.graph) : undefined;
    if (graph !== undefined && loops.some(({ span }) => spanEncloses(span, event.span))) out.add(graph);
  }
  return out;
}

/** Graphs of which executables were made, and the graphs inside them. */
function instantiated(execution: Execution): readonly GraphModel[] {
  const out = new Set<GraphModel>();
  const add = (graph: GraphModel): void => {
    if (out.has(graph)) return;
    out.add(graph);
    for (const node of graph.nodes) for (const inner of innerGraphs(execution, node)) add(inner);
  };
  for (const { graph } of execution.executables) {
    const built = execution.graphs[graph];
    if (built) add(built);
  }
  return [...out];
}
