/** The graphs whose nodes are judged against each other: as built, and as later versions of executables run them. */

import type { Execution, GraphModel } from '../execution/execution.ts';

/** Every graph, then each version of an executable whose nodes were given new parameters, as the graph that it runs. */
export function builtGraphs(execution: Execution): readonly GraphModel[] {
  const versions = execution.executables.flatMap(({ updates, graph, nodes }): GraphModel[] => {
    const built = execution.graphs[graph];
    return updates !== undefined && built ? [{ ...built, nodes: [...nodes] }] : [];
  });
  return [...execution.graphs, ...versions];
}
