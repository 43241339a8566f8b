/** The graphs whose nodes are judged against each other: as built, and as later versions of executables run them. */

import { spanEncloses } from '../base/span.ts';
import { type Execution, type GraphModel, innerGraphs } from '../execution/execution.ts';

/**
 * Every graph, then each version of an executable whose nodes were given new parameters, as the graph that it runs. Where the
 * program is left in the middle, graphs of which no executable was made are not finished, and nobody runs them: they are left out. So
 * are those that get edges in a loop which was not followed to its end, and those of which only a clone is run.
 */
export function builtGraphs(execution: Execution): readonly GraphModel[] {
  const versions = execution.executables.flatMap(({ updates, graph, nodes }): GraphModel[] => {
    const built = execution.graphs[graph];
    return updates !== undefined && built ? [{ ...built, nodes: [...nodes] }] : [];
  });
  const graphs = execution.trace.end === 'complete' ? execution.graphs : instantiated(execution);
  const leftOut = new Set([...wiredInPart(execution), ...onlyCloned(execution)]);
  return leftOut.size === 0
    ? [...graphs, ...versions]
    : [...graphs, ...versions].filter(({ index }) => !leftOut.has(index));
}

/** Graphs that are only there to be cloned: what runs is the clone, which may be given further edges. */
function onlyCloned({ trace, graphs, graphOfHandle, executables }: Execution): readonly number[] {
  if (graphs.length < 2) return [];
  const isRun = (index: number): boolean =>
    graphs[index]!.isChild || executables.some(({ graph }) => graph === index) || graphs[index]!.parent !== null;
  return trace.events.flatMap((event) => {
    if (event.verb !== 'graph.clone') return [];
    const [source, clone] = [graphOfHandle.get(event.source), graphOfHandle.get(event.graph)];
    if (source === undefined || clone === undefined || isRun(source) || !isRun(clone)) return [];
    return graphs[source]!.hasUnseen ? [] : [source];
  });
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
