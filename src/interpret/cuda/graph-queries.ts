/**
 * Verbs that ask about graphs: their nodes and edges, in the order in which they were added, and what a node is. Handles that the
 * program has already are handed out again. Of a graph that is not seen whole the text says nothing.
 */

import type { ModelEffect } from '../../models/model.ts';
import type { OperationKind } from '../../trace/event.ts';
import { elementsOf } from '../expressions/elements.ts';
import { isNull, numberValue, unknownValue, type Value } from '../value.ts';
import { createHandle } from '../world.ts';
import type { EffectContext } from './apply-model.ts';
import { type BuiltNode, handlesOfNodes, nodesOfGraph, placeOfNode } from './built-so-far.ts';
import { handle, pathOf } from './effect-values.ts';
import { type Applier, write } from './effect-writing.ts';
import { tellKernel } from './kernel-parameters.ts';
import { pathCell, pathValue } from './paths.ts';

export const graphQueries: Readonly<Record<string, Applier>> = {
  'graph.nodes': tellNodes,
  'graph.edges': tellEdges,
  'node.neighbours': tellNeighbours,
  'node.inClone': tellInClone,
  'node.kernel': tellKernel,
  'query.nodeType': tellType,
};

/** `cudaGraphGetNodes`, and with `roots` `cudaGraphGetRootNodes`. */
function tellNodes(context: EffectContext, effect: ModelEffect): void {
  const graph = handle(context, effect, 'graph', 'graph');
  const nodes = graph === null ? null : nodesOfGraph(context.world.events, graph);
  const isRoot = (node: BuiltNode): boolean => effect['roots'] !== true || node.dependencies?.length === 0;
  const isOpen = effect['roots'] === true && nodes?.some(({ dependencies }) => dependencies === null);
  const told = isOpen ? null : (nodes?.filter(isRoot) ?? null);
  tellCount(context, effect, told?.length ?? null);
  if (graph !== null && nodes && told) handOut(context, effect, 'list', graph, nodes, told);
}

/** `cudaGraphNodeGetDependencies`, and with `after` `cudaGraphNodeGetDependentNodes`. */
function tellNeighbours(context: EffectContext, effect: ModelEffect): void {
  const of = handle(context, effect, 'node', 'node');
  const place = of === null ? null : placeOfNode(context.world.events, of);
  const told = place && neighbours(place.nodes, place.node, effect['after'] === true);
  tellCount(context, effect, told?.length ?? null);
  if (place && told) handOut(context, effect, 'list', place.graph, place.nodes, told);
}

function neighbours(nodes: readonly BuiltNode[], node: BuiltNode, after: boolean): readonly BuiltNode[] | null {
  if (nodes.some(({ dependencies }) => dependencies === null)) return null;
  return after
    ? nodes.filter(({ dependencies }) => dependencies?.includes(node.name))
    : nodes.filter(({ name }) => node.dependencies?.includes(name));
}

/** `cudaGraphGetEdges`: two lists of equal length. */
function tellEdges(context: EffectContext, effect: ModelEffect): void {
  const graph = handle(context, effect, 'graph', 'graph');
  const nodes = graph === null ? null : nodesOfGraph(context.world.events, graph);
  const edges = nodes && edgesOf(nodes);
  tellCount(context, effect, edges?.length ?? null);
  if (graph === null || !nodes || !edges) return;
  handOut(
    context,
    effect,
    'from',
    graph,
    nodes,
    edges.map(({ from }) => from),
  );
  handOut(
    context,
    effect,
    'to',
    graph,
    nodes,
    edges.map(({ to }) => to),
  );
}

/** The edges by the node that they lead to; null when they are not all known. */
function edgesOf(nodes: readonly BuiltNode[]): readonly { from: BuiltNode; to: BuiltNode }[] | null {
  const places = new Map(nodes.map(({ name }, place) => [name, place]));
  const edges: { from: BuiltNode; to: BuiltNode }[] = [];
  for (const to of nodes) {
    if (to.dependencies === null) return null;
    const from = new Set(to.dependencies.map((name) => places.get(name)));
    for (const place of [...from].filter((each) => each !== undefined).sort((first, second) => first - second))
      edges.push({ from: nodes[place]!, to });
  }
  return edges;
}

/** `cudaGraphNodeFindInClone`: a node of a clone has the place of the one it was made from. */
function tellInClone(context: EffectContext, effect: ModelEffect): void {
  const target = pathCell(context, pathOf(effect, 'target'));
  const of = handle(context, effect, 'node', 'node');
  const clone = handle(context, effect, 'graph', 'graph');
  const place = of === null ? null : placeOfNode(context.world.events, of);
  const nodes = clone === null ? null : nodesOfGraph(context.world.events, clone);
  const node = place && nodes?.find(({ name }) => name === `${place.node.name} in ${clone}`);
  if (target) target.value = unknownValue;
  if (target && clone !== null && nodes && node)
    target.value = handlesFor(context, clone, nodes, [node])[0] ?? unknownValue;
}

function tellCount(context: EffectContext, effect: ModelEffect, count: number | null): void {
  const cell = pathCell(context, pathOf(effect, 'count'));
  if (cell) cell.value = count === null ? unknownValue : numberValue(count);
}

/** Puts handles into the array at a path, when there is one. */
function handOut(
  context: EffectContext,
  effect: ModelEffect,
  field: string,
  graph: number,
  nodes: readonly BuiltNode[],
  told: readonly BuiltNode[],
): void {
  const list = pathValue(context, pathOf(effect, field));
  const cells = isNull(list) ? null : elementsOf(list, told.length);
  if (!cells) return;
  for (const [index, value] of handlesFor(context, graph, nodes, told).entries())
    if (cells[index]) cells[index].value = value;
}

function handlesFor(
  context: EffectContext,
  graph: number,
  nodes: readonly BuiltNode[],
  told: readonly BuiltNode[],
): readonly Value[] {
  const { world, span } = context;
  const known = handlesOfNodes(world.events);
  const handles = told.map(({ name }) => known.get(name) ?? createHandle(world, 'node', '', span).id);
  const places = new Map(nodes.map((node, place) => [node, place]));
  write(context, { verb: 'graph.nodes', graph, nodes: handles, places: told.map((node) => places.get(node) ?? -1) });
  return handles.map((id) => ({ kind: 'handle', type: 'node', id }));
}

/** `cudaGraphNodeType` by what a node does. */
const nodeTypes: Readonly<Partial<Record<OperationKind, number>>> = {
  kernel: 0,
  memcpy: 1,
  memset: 2,
  host: 3,
  child: 4,
  empty: 5,
  eventWait: 6,
  eventRecord: 7,
  semaphoreSignal: 8,
  semaphoreWait: 9,
  memAlloc: 10,
  memFree: 11,
  batchMemOp: 12,
  conditional: 13,
};

/** `cudaGraphNodeGetType`, of a node that was added or handed out before. */
function tellType(context: EffectContext, effect: ModelEffect): void {
  const { events } = context.world;
  const node = handle(context, effect, 'node', 'node');
  const target = pathCell(context, pathOf(effect, 'target'));
  if (!target) return;
  const added = events.find((event) => event.verb === 'node.add' && event.node === node);
  const kind =
    added?.verb === 'node.add'
      ? added.operation.kind
      : node === null
        ? undefined
        : placeOfNode(events, node)?.node.kind;
  const type = kind === undefined ? undefined : nodeTypes[kind];
  target.value = type === undefined ? unknownValue : numberValue(type);
}
