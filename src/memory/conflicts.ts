/** Data races: two accesses of one memory that nothing orders, at least one of them surely a write. */

import type { Execution, GraphModel, GraphNode } from '../execution/execution.ts';
import { orderGraph } from '../order/graph-order.ts';
import type { Order } from '../order/order.ts';
import type { Access, AccessMode } from '../trace/event.ts';
import type { Instance, Lifetimes, Use } from './lifetimes.ts';

export interface GraphConflict {
  readonly graph: GraphModel;
  readonly allocation: number;
  readonly first: GraphNode;
  readonly second: GraphNode;
  readonly firstMode: AccessMode;
  readonly secondMode: AccessMode;
}

/** Unordered pairs inside one graph; `second` was added later. */
export function findGraphConflicts(execution: Execution): readonly GraphConflict[] {
  return execution.graphs.flatMap((graph) => {
    if (graph.failed || graph.nodes.length < 2) return [];
    const order = orderGraph(graph.nodes);
    const out: GraphConflict[] = [];
    for (const [allocation, accesses] of accessesByAllocation(graph)) {
      for (let later = 1; later < accesses.length; later++) {
        for (let earlier = 0; earlier < later; earlier++) {
          const { node: first, access: firstAccess } = accesses[earlier]!;
          const { node: second, access: secondAccess } = accesses[later]!;
          if (first === second || !conflict(firstAccess, secondAccess)) continue;
          if (
            order.before(first.id, second.id) ||
            order.before(second.id, first.id) ||
            order.isPartial(first.id) ||
            order.isPartial(second.id)
          )
            continue;
          out.push({ graph, allocation, first, second, firstMode: firstAccess.mode, secondMode: secondAccess.mode });
        }
      }
    }
    return out;
  });
}

/** Most accesses of one allocation that are compared pairwise. */
const maximumAccesses = 240;

function accessesByAllocation(graph: GraphModel): Map<number, { node: GraphNode; access: Access }[]> {
  const out = new Map<number, { node: GraphNode; access: Access }[]>();
  for (const node of graph.nodes) {
    if (node.operation.opaque) continue;
    for (const access of node.operation.accesses) {
      const list = out.get(access.pointer.allocation) ?? [];
      if (list.length < maximumAccesses) list.push({ node, access });
      out.set(access.pointer.allocation, list);
    }
  }
  return out;
}

function writes(mode: AccessMode): boolean {
  return mode === 'write' || mode === 'readwrite';
}

/** Surely the same bytes, and surely a write among them. */
function conflict(first: Access, second: Access): boolean {
  if (first.mode === 'unknown' || second.mode === 'unknown' || !(writes(first.mode) || writes(second.mode)))
    return false;
  return first.pointer.offset !== null && first.pointer.offset === second.pointer.offset;
}

export interface StreamConflict {
  readonly instance: Instance;
  /** Earlier in host order. */
  readonly first: Use;
  readonly second: Use;
}

/** A loop repeats the same pairs: the first few doings of each call stand for all. */
function sampled(uses: readonly Use[]): Use[] {
  const counts = new Map<number, number>();
  return uses
    .filter((use) => {
      const count = counts.get(use.event) ?? 0;
      counts.set(use.event, count + 1);
      return count < 3;
    })
    .slice(0, maximumAccesses);
}

/** Unordered pairs of which at least one lies outside the other's graph. */
export function findStreamConflicts(order: Order, lifetimes: Lifetimes): readonly StreamConflict[] {
  const out: StreamConflict[] = [];
  for (const instance of lifetimes.instances) {
    const uses = sampled(instance.uses);
    if (!uses.some((use) => writes(use.mode))) continue;
    const seen = new Set<string>();
    for (let later = 1; later < uses.length; later++) {
      for (let earlier = 0; earlier < later; earlier++) {
        const first = uses[earlier]!;
        const second = uses[later]!;
        if (first.operation === second.operation || first.isOpaque || second.isOpaque) continue;
        if (first.mode === 'unknown' || second.mode === 'unknown' || !(writes(first.mode) || writes(second.mode)))
          continue;
        if (first.offset === null || first.offset !== second.offset) continue;
        const key = `${first.event} ${second.event}`;
        if (seen.has(key) || order.before(first.point, second.point) || order.before(second.point, first.point))
          continue;
        seen.add(key);
        out.push({ instance, first, second });
      }
    }
  }
  return out;
}
