/**
 * Allocation nodes that could take freed addresses if they came after the free, at no cost in parallelism: everything
 * that uses the new memory already comes after that free.
 */

import { formatBytes } from '../base/format-bytes.ts';
import type { GraphModel, GraphNode } from '../execution/execution.ts';
import { type GraphOrder, orderGraph } from '../order/graph-order.ts';
import { evaluateSize } from '../trace/size.ts';
import { allocationName, subjectOfAllocation } from './describe.ts';
import type { Facts } from './facts.ts';
import { footprintOf } from './footprint.ts';
import type { Violation } from './rule.ts';

export function missedReuse(facts: Facts): Violation[] {
  return facts.execution.graphs.flatMap((graph) => missedIn(facts, graph));
}

function missedIn(facts: Facts, graph: GraphModel): Violation[] {
  if (!graph.nodes.some((node) => node.operation.kind === 'memFree')) return [];
  const order = orderGraph(graph.nodes);
  const taken = new Set<number>();
  const out: Violation[] = [];
  for (const alloc of graph.nodes) {
    if (alloc.operation.kind !== 'memAlloc' || alloc.operation.allocation === undefined) continue;
    const free = graph.nodes.find((node) => !taken.has(node.id) && couldReuse(facts, graph, order, alloc, node));
    if (!free) continue;
    taken.add(free.id);
    const freed = free.operation.freed!.allocation;
    const saved = savedBytes(graph, free.id, alloc.id);
    if (saved <= 0) continue;
    const name = allocationName(facts, alloc.operation.allocation);
    const old = allocationName(facts, freed);
    out.push({
      event: alloc.event,
      message: `${name} could reuse the memory of ${old}: everything that uses it already comes after that free, but the allocation itself does not. Depending on the free saves ${formatBytes(saved)} of addresses, as the driver places them.`,
      certainty: 'always',
      related: [
        { role: 'free', event: free.event, message: `${old} is freed here` },
        ...(facts.execution.allocations[freed]!.event === null
          ? []
          : [
              { role: 'alloc', event: facts.execution.allocations[freed]!.event!, message: `${old} is allocated here` },
            ]),
      ],
      witness: [],
      repairs:
        alloc.stream === null
          ? [{ kind: 'addDependency', from: free.event, to: alloc.event }]
          : [{ kind: 'moveBehind', event: alloc.event, behind: free.event }],
      subject: subjectOfAllocation(facts, alloc.operation.allocation),
    });
  }
  return out;
}

/** What the simulated driver needs less when the allocation comes behind the free, bytes. */
function savedBytes(graph: GraphModel, free: number, alloc: number): number {
  const now = footprintOf(graph);
  const then = footprintOf(graph, { from: free, to: alloc });
  return now === null || then === null ? 0 : now - then;
}

function couldReuse(facts: Facts, graph: GraphModel, order: GraphOrder, alloc: GraphNode, free: GraphNode): boolean {
  if (free.operation.kind !== 'memFree' || !free.operation.freed || free.id > alloc.id) return false;
  const freed = facts.execution.allocations[free.operation.freed.allocation]!;
  if (freed.graph !== graph.index || freed.id === alloc.operation.allocation) return false;
  if (order.before(free.id, alloc.id) || order.before(alloc.id, free.id) || order.isPartial(alloc.id)) return false;
  const owner = graph.nodes[freed.node ?? -1];
  if (!owner?.operation.bytes || !alloc.operation.bytes) return false;
  const available = evaluateSize(owner.operation.bytes);
  const wanted = evaluateSize(alloc.operation.bytes);
  if (available === null || wanted === null || available < wanted) return false;
  if (reuses(facts, graph, order, alloc, free, wanted)) return false;
  const users = graph.nodes.filter((node) =>
    node.operation.accesses.some((access) => access.pointer.allocation === alloc.operation.allocation),
  );
  return users.length > 0 && users.every((user) => order.before(free.id, user.id));
}

/** Another free that the allocation already comes after gives it enough room. */
function reuses(
  facts: Facts,
  graph: GraphModel,
  order: GraphOrder,
  alloc: GraphNode,
  except: GraphNode,
  wanted: number,
): boolean {
  return graph.nodes.some((node) => {
    if (
      node === except ||
      node.operation.kind !== 'memFree' ||
      !node.operation.freed ||
      !order.before(node.id, alloc.id)
    )
      return false;
    const owner = graph.nodes[facts.execution.allocations[node.operation.freed.allocation]?.node ?? -1];
    const size = owner?.operation.bytes ? evaluateSize(owner.operation.bytes) : null;
    const taker = graph.nodes.some(
      (other) =>
        other !== alloc &&
        other.id < alloc.id &&
        other.operation.kind === 'memAlloc' &&
        order.before(node.id, other.id),
    );
    return size !== null && size >= wanted && !taker;
  });
}
