/** Finding nodes by what a person remembers of them: a name, a kind, a stream, an allocation or a rule. */

import { kindWords } from '../scene/kind-words.ts';
import type { Scene, SceneNode } from '../scene/scene.ts';
import { topologicalOrder } from './graph-order.ts';

/** Ids of matching nodes in topological order; every word of the query must occur. An empty query matches nothing. */
export function searchNodes(scene: Scene, graph: number, query: string): readonly number[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const target = scene.graphs[graph];
  if (!target || words.length === 0) return [];
  return topologicalOrder(target).filter((id) => {
    const text = searchText(scene, target.nodes[id]!);
    return words.every((word) => text.includes(word));
  });
}

function searchText(scene: Scene, node: SceneNode): string {
  const allocations = node.accesses.map((access) => access.allocation).concat(node.allocation ?? []);
  return [
    node.label,
    node.kind,
    kindWords[node.kind],
    node.stream ?? '',
    ...allocations.map((id) => scene.allocations[id]?.name ?? ''),
    ...node.findings.map((id) => scene.findings[id]?.rule ?? ''),
  ]
    .join(' ')
    .toLowerCase();
}
