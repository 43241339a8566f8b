/** The proof that one point is before another: a shortest way along the edges. */

import type { Edge, EdgeReason } from './order.ts';

/** `edges`: those into each point. The points from `first` to `second`, with the reason each one is reached; empty if there is no way. */
export function findWitness(
  edges: readonly (readonly Edge[])[],
  first: number,
  second: number,
): readonly { point: number; reason: EdgeReason | null }[] {
  const next = new Map<number, { point: number; reason: EdgeReason }>();
  const queue = [second];
  for (let index = 0; index < queue.length && !next.has(first); index++) {
    const current = queue[index]!;
    for (const edge of edges[current] ?? []) {
      if (edge.from < first || next.has(edge.from)) continue;
      next.set(edge.from, { point: current, reason: edge.reason });
      queue.push(edge.from);
    }
  }
  if (!next.has(first)) return [];
  const path: { point: number; reason: EdgeReason | null }[] = [{ point: first, reason: null }];
  for (let point = first; point !== second; ) {
    const step = next.get(point)!;
    path.push({ point: step.point, reason: step.reason });
    point = step.point;
  }
  return path;
}
