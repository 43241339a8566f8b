/** The whole scene as a tree of words: the twin of every picture, for those who read rather than look. Pure. */

import { kindWords } from '../scene/kind-words.ts';
import type { Place, Scene, SceneGraph, SceneNode } from '../scene/scene.ts';
import { roleAt, usesOf, useWord } from './facts.ts';
import { count, failed, formatBytes, formatPlace, graphName } from './format.ts';
import { roleWords } from './graph-model.ts';
import { topologicalOrder } from './graph-order.ts';
import type { Selection } from './store.ts';

export interface OutlineItem {
  /** Unique and stable for a scene: which items are open is remembered by it. */
  readonly id: string;
  readonly label: string;
  /** Said after the label, in a quieter voice. */
  readonly detail: string;
  readonly selection: Selection | null;
  readonly place: Place | null;
  /** Graph to show when chosen. */
  readonly graph?: number;
  readonly severity?: 'error' | 'warning' | 'hint' | 'info';
  readonly colour?: number;
  readonly children: () => readonly OutlineItem[];
  readonly open?: boolean;
}

const none = (): readonly OutlineItem[] => [];

export function outlineOf(scene: Scene, shownGraph: number): readonly OutlineItem[] {
  const groups: OutlineItem[] = [];
  const add = (id: string, label: string, open: boolean, children: () => readonly OutlineItem[]): void => {
    groups.push({ id, label, detail: '', selection: null, place: null, children, open });
  };
  if (scene.findings.length > 0)
    add('findings', count(scene.findings.length, 'violation'), true, () => findingItems(scene));
  add('graphs', count(scene.graphs.length, 'graph'), true, () =>
    scene.graphs.map((graph) => graphItem(scene, graph, shownGraph)),
  );
  if (scene.allocations.length > 0) {
    add('allocations', count(scene.allocations.length, 'allocation'), true, () => allocationItems(scene));
  }
  if (scene.operations.length > 0)
    add('story', count(scene.operations.length, 'operation'), false, () => operationItems(scene));
  if (scene.gaps.length > 0)
    add('gaps', `${count(scene.gaps.length, 'call')} not understood`, false, () => gapItems(scene));
  return groups;
}

function graphItem(scene: Scene, graph: SceneGraph, shownGraph: number): OutlineItem {
  return {
    id: `graph-${graph.id}`,
    label: graphName(scene, graph.id),
    detail: `${count(graph.nodes.length, 'node')}, ${graph.instantiated ? 'instantiated' : 'not instantiated'}`,
    selection: null,
    place: graph.place,
    graph: graph.id,
    open: graph.id === shownGraph,
    children: () => topologicalOrder(graph).map((id) => nodeItem(scene, graph, graph.nodes[id]!)),
  };
}

function nodeItem(scene: Scene, graph: SceneGraph, node: SceneNode): OutlineItem {
  const id = `node-${graph.id}-${node.id}`;
  const worst = node.findings
    .map((finding) => scene.findings[finding]?.severity)
    .find((severity) => severity !== undefined);
  const details = [kindWords[node.kind]];
  if (node.kind === 'memAlloc') details.push(formatBytes(node.bytes));
  if (node.stream) details.push(`on ${node.stream}`);
  if (node.findings.length > 0) details.push(count(node.findings.length, 'violation'));
  return {
    id,
    label: node.label || kindWords[node.kind],
    detail: details.join(', '),
    selection: { kind: 'node', graph: graph.id, id: node.id },
    place: node.place,
    severity: worst,
    children: () => [...edgeItems(graph, node, id), ...accessItems(scene, node, id)],
  };
}

function edgeItems(graph: SceneGraph, node: SceneNode, id: string): readonly OutlineItem[] {
  return graph.edges.flatMap((edge, index) => {
    if (edge.from !== node.id && edge.to !== node.id) return [];
    const other = graph.nodes[edge.from === node.id ? edge.to : edge.from];
    if (!other) return [];
    return [
      {
        id: `${id}-edge-${index}`,
        label: `${edge.from === node.id ? 'before' : 'after'} ${other.label || kindWords[other.kind]}`,
        detail: edge.certainty === 'always' ? 'edge' : 'edge on some paths only',
        selection: { kind: 'node' as const, graph: graph.id, id: other.id },
        place: other.place,
        children: none,
      },
    ];
  });
}

function accessItems(scene: Scene, node: SceneNode, id: string): readonly OutlineItem[] {
  return scene.allocations.flatMap((allocation) => {
    const role = roleAt(node, allocation.id);
    if (!role) return [];
    return [
      {
        id: `${id}-access-${allocation.id}`,
        label: `${roleWords[role]} ${allocation.name}`,
        detail: formatBytes(allocation.bytes),
        selection: { kind: 'allocation' as const, id: allocation.id },
        place: allocation.place,
        colour: allocation.colour,
        children: none,
      },
    ];
  });
}

function findingItems(scene: Scene): readonly OutlineItem[] {
  return scene.findings.map((finding, index) => ({
    id: `finding-${index}`,
    label: finding.rule,
    detail: finding.message,
    selection: { kind: 'finding', id: index },
    place: finding.place,
    severity: finding.severity,
    children: () =>
      finding.witness.map((step, number) => ({
        id: `finding-${index}-step-${number}`,
        label: `${number + 1}. ${step.message}`,
        detail: formatPlace(step.place),
        selection: null,
        place: step.place,
        children: none,
      })),
  }));
}

function allocationItems(scene: Scene): readonly OutlineItem[] {
  return scene.allocations.map((allocation) => ({
    id: `allocation-${allocation.id}`,
    label: allocation.name,
    detail: `${allocation.origin}, ${formatBytes(allocation.bytes)}`,
    selection: { kind: 'allocation', id: allocation.id },
    place: allocation.place,
    colour: allocation.colour,
    children: () =>
      usesOf(scene, allocation.id).map((use) => ({
        id: `allocation-${allocation.id}-use-${use.graph}-${use.node}`,
        label: `${scene.graphs[use.graph]?.nodes[use.node]?.label ?? '?'} ${useWord(use)} it`,
        detail: scene.graphs[use.graph]?.name ?? '',
        selection: { kind: 'node' as const, graph: use.graph, id: use.node },
        place: scene.graphs[use.graph]?.nodes[use.node]?.place ?? null,
        children: none,
      })),
  }));
}

function operationItems(scene: Scene): readonly OutlineItem[] {
  return scene.operations.map((operation) => ({
    id: `operation-${operation.id}`,
    label: `${operation.id + 1}. ${operation.label}`,
    detail: failed(operation) ? operation.result : `used ${formatBytes(operation.used)}`,
    selection: { kind: 'operation', id: operation.id },
    place: operation.place,
    children: none,
  }));
}

function gapItems(scene: Scene): readonly OutlineItem[] {
  return scene.gaps.map((gap, index) => ({
    id: `gap-${index}`,
    label: gap.name,
    detail: `${gap.kind}, ${formatPlace(gap.place)}`,
    selection: null,
    place: gap.place,
    children: none,
  }));
}
