/** The graphs whose nodes are judged against each other: as built, and as later versions of executables run them. */

import { type Execution, type GraphModel, innerGraphs } from '../execution/execution.ts';

/**
 * Every graph, then each version of an executable whose nodes were given new parameters, as the graph that it runs. Where the
 * program is left in the middle, graphs of which no executable was made are not finished, and nobody runs them: they are left out.
 */
export function builtGraphs(execution: Execution): readonly GraphModel[] {
  const versions = execution.executables.flatMap(({ updates, graph, nodes }): GraphModel[] => {
    const built = execution.graphs[graph];
    return updates !== undefined && built ? [{ ...built, nodes: [...nodes] }] : [];
  });
  const { end } = execution.trace;
  const isLeft = end === 'exited' || end === 'budget';
  return [...(isLeft ? instantiated(execution) : execution.graphs), ...versions];
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
