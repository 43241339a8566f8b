/** The most bytes of a graph's own allocations that must be live at once: what no allocator can go below. */

import type { GraphModel } from '../execution/execution.ts';
import { orderGraph } from '../order/graph-order.ts';

/**
 * Two allocations must be live together when neither's free comes before the other's allocation. The answer is the
 * largest total found over the moments just after each allocation; null when a size is not known.
 */
export function peakLiveBytes(graph: GraphModel, bytesOf: (allocation: number) => number | null): number | null {
  const order = orderGraph(graph.nodes);
  const allocs = graph.nodes.filter(
    (node) => node.operation.kind === 'memAlloc' && node.operation.allocation !== undefined,
  );
  const freeOf = new Map<number, number>();
  for (const node of graph.nodes)
    if (node.operation.kind === 'memFree' && node.operation.freed) freeOf.set(node.operation.freed.allocation, node.id);
  let peak = 0;
  for (const alloc of allocs) {
    let total = 0;
    for (const other of allocs) {
      const bytes = bytesOf(other.operation.allocation!);
      if (bytes === null) return null;
      const free = freeOf.get(other.operation.allocation!);
      const isBorn = other === alloc || order.before(other.id, alloc.id);
      const isDead = free !== undefined && order.before(free, alloc.id);
      if (isBorn && !isDead) total += bytes;
    }
    peak = Math.max(peak, total);
  }
  return peak;
}
