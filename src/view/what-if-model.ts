/** What can be tried on the picture, and what came of it: pure, for the banner and the inspector. */

import type { Scene, SceneGraph, SceneOperation, SceneStream } from '../scene/scene.ts';
import type { WhatIf } from '../scene/what-if-change.ts';
import { formatBytes } from './format.ts';
import { reach } from './graph-order.ts';

export interface Comparison {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly trend: 'better' | 'worse' | 'same';
}

/** The numbers of the banner, for the graph shown. */
export function comparisonsOf({ before, after }: WhatIf, graph: number): readonly Comparison[] {
  const bytes = (name: string, from: number, to: number): Comparison => ({
    name,
    before: formatBytes(from),
    after: formatBytes(to),
    trend: trendOf(from, to),
  });
  const number = (name: string, from: number, to: number): Comparison => ({
    name,
    before: String(from),
    after: String(to),
    trend: trendOf(from, to),
  });
  const [range, changed] = [before.footprints[graph] ?? null, after.footprints[graph] ?? null];
  return [
    bytes('reserved', before.reserved, after.reserved),
    bytes('used', before.used, after.used),
    ...(range !== null && changed !== null ? [bytes('footprint', range, changed)] : []),
    number('remaps', before.remaps, after.remaps),
    ...(before.remapped === after.remapped ? [] : [bytes('mapped', before.remapped, after.remapped)]),
    number('violations', before.violations, after.violations),
  ];
}

function trendOf(before: number, after: number): Comparison['trend'] {
  return after < before ? 'better' : after > before ? 'worse' : 'same';
}

/** Nodes that a node may be made to depend on: no cycle, no dependency twice. */
export function possibleDependencies(graph: SceneGraph, id: number): readonly number[] {
  if (!canDepend(graph, id)) return [];
  const after = reach(graph, id, 'after');
  const direct = new Set(graph.edges.filter((edge) => edge.to === id).map((edge) => edge.from));
  return graph.nodes
    .filter((node) => node.id !== id && node.event !== undefined && !after.has(node.id) && !direct.has(node.id))
    .map((node) => node.id);
}

/** The nodes it depends on by its own list. */
export function droppableDependencies(graph: SceneGraph, id: number): readonly number[] {
  if (!canDepend(graph, id)) return [];
  return graph.edges
    .filter((edge) => edge.to === id && graph.nodes[edge.from]?.event !== undefined)
    .map((edge) => edge.from);
}

/** Order in a captured graph comes from streams and events, not from lists. */
export function canDepend(graph: SceneGraph, id: number): boolean {
  return graph.built === 'explicit' && graph.nodes[id]?.event !== undefined;
}

/** Whether a free can go behind the last use, or why not; undefined for nodes that free nothing. */
export function moveOf(graph: SceneGraph, id: number): { readonly reason: string | null } | undefined {
  const free = graph.nodes[id];
  if (free?.kind !== 'memFree' || free.event === undefined || free.allocation === undefined) return undefined;
  const before = reach(graph, id, 'before');
  const missing = graph.nodes.filter(
    (node) => !before.has(node.id) && node.accesses.some((access) => access.allocation === free.allocation),
  );
  if (missing.length === 0) return { reason: 'It is already after every use' };
  if (graph.built === 'capture' && missing.every((node) => node.id < id))
    return { reason: 'It is captured last already: its stream must wait for the other one' };
  return { reason: null };
}

/** Streams that exist when a launch is made; none for other calls. */
export function streamsFor(scene: Scene, operation: SceneOperation): readonly SceneStream[] {
  const { event } = operation;
  if (operation.nth === undefined || event === undefined) return [];
  return (scene.streams ?? []).filter((stream) => stream.event < event);
}
