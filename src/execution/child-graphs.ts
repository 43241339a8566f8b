/**
 * Graphs inside child nodes. A node that was given a graph by copy has it as it was then, and an executable has it as it was when it was
 * instantiated: a copy is made when one of them is asked for, or when what they were made from changes.
 */

import type { EventOf } from '../trace/event.ts';
import type { CallOutcome, GraphModel, GraphNode } from './execution.ts';
import { addGraph, type State, succeed } from './state.ts';

/** Puts a graph inside another one. */
export function enclose(graph: GraphModel, parent: GraphModel, inside: GraphModel['inside']): void {
  graph.parent = parent.index;
  graph.inside = inside;
}

/** `cudaGraphChildGraphNodeGetGraph`: the graph that was moved into the node, else the node's own copy. */
export function childGraph(state: State, event: EventOf<'node.child'>): CallOutcome {
  const place = state.nodeOfHandle.get(event.node);
  const parent = place ? state.graphs[place.graph] : undefined;
  const node = place ? parent?.nodes[place.node] : undefined;
  const source = node ? sourceOf(state, node) : undefined;
  if (!parent || !node || !source) return succeed(event);
  const isOwn = node.operation.moved || (source.inside === 'copied' && source.parent === parent.index);
  if (isOwn) state.graphOfHandle.set(event.graph, source.index);
  else giveCopy(state, node, source, parent, event.graph, event.index);
  return succeed(event);
}

/** To be called before a graph changes: child nodes that were made from it, and executables, keep what they have. */
export function keepAsItWas(state: State, graph: GraphModel, event: number): void {
  if (!graph.isChild) return;
  const parents = graph.inside === null ? state.graphs.map((parent) => ({ nodes: parent.nodes, parent })) : [];
  const executables = state.executables.map(({ nodes, graph: index }) => ({ nodes, parent: state.graphs[index] }));
  for (const { nodes, parent } of [...parents, ...executables])
    for (const node of nodes)
      if (parent && sourceOf(state, node) === graph)
        giveCopy(state, node, graph, parent, -1 - state.trace.events.length - state.graphs.length, event).handle =
          graph.handle;
}

function sourceOf(state: State, node: GraphNode): GraphModel | undefined {
  const { child } = node.operation;
  return child === undefined ? undefined : state.graphs[state.graphOfHandle.get(child) ?? -1];
}

function giveCopy(
  state: State,
  node: GraphNode,
  source: GraphModel,
  parent: GraphModel,
  handle: number,
  event: number,
): GraphModel {
  const copy = addGraph(state, handle, 'explicit', event, source.hasUnseen);
  for (const each of source.nodes) copy.nodes.push({ ...each, handle: null, dependencies: [...each.dependencies] });
  copy.isChild = true;
  enclose(copy, parent, 'copied');
  node.operation = { ...node.operation, child: handle };
  return copy;
}
