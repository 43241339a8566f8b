/** Ordering mistakes inside one graph, whether or not it is ever launched. */

import { type Execution, type GraphModel, type GraphNode, innerGraphs } from '../execution/execution.ts';
import { type GraphOrder, orderGraph } from '../order/graph-order.ts';
import type { AccessMode } from '../trace/event.ts';
import { builtGraphs } from './built-graphs.ts';

export type GraphHazardKind = 'useBeforeAlloc' | 'useAfterFree' | 'useFreeRace' | 'freeBeforeAlloc';

export interface GraphHazard {
  readonly kind: GraphHazardKind;
  readonly graph: GraphModel;
  readonly order: GraphOrder;
  readonly allocation: number;
  readonly alloc: GraphNode;
  /** The user; for `freeBeforeAlloc` the free node. */
  readonly user: GraphNode;
  readonly free: GraphNode | null;
  readonly mode: AccessMode;
  readonly isOpaque: boolean;
}

/** One hazard a (use, allocation) pair at most, by precedence: after the free, before the allocation, race. */
export function findGraphHazards(execution: Execution, check: () => void = () => undefined): readonly GraphHazard[] {
  const said = new Set<string>();
  return builtGraphs(execution).flatMap((graph) => {
    check();
    return graph.failed ? [] : hazardsOf(execution, graph).filter((hazard) => isNew(said, hazard));
  });
}

/** What holds of a graph is said once, not again for each executable made from it. */
function isNew(said: Set<string>, { kind, allocation, user }: GraphHazard): boolean {
  const key = `${kind} ${allocation} ${user.event}`;
  if (said.has(key)) return false;
  said.add(key);
  return true;
}

function hazardsOf(execution: Execution, graph: GraphModel): GraphHazard[] {
  const births = graph.nodes.flatMap((node) => bornIn(execution, node, 0).map((allocation) => ({ node, allocation })));
  if (births.length === 0) return [];
  const order = orderGraph(graph.nodes);
  if (order.isCyclic) return [];
  const uses = graph.nodes.flatMap((node) => usesOf(execution, node, 0).map((use) => ({ node, ...use })));
  const out: GraphHazard[] = [];
  for (const { node: alloc, allocation } of births) {
    const free = graph.nodes.find((node) => isFreedIn(execution, node, allocation, 0)) ?? null;
    const common = { graph, order, allocation, alloc, free };
    for (const { node, allocation: used, mode, isOpaque } of uses) {
      // What is allocated, or freed, inside of a node is ordered there.
      if (used !== allocation || node === alloc || node === free) continue;
      const kind = classify(order, alloc.id, free?.id ?? null, node.id);
      if (kind && !out.some((other) => other.user === node && other.allocation === allocation))
        out.push({ ...common, kind, user: node, mode, isOpaque });
    }
    if (free && free !== alloc && !order.before(alloc.id, free.id) && !order.isPartial(free.id))
      out.push({ ...common, kind: 'freeBeforeAlloc', user: free, mode: 'unknown', isOpaque: false });
  }
  return out.filter((hazard) => !isImplied(hazard, out));
}

/** What a node allocates, itself or in a graph that was moved into it. */
function bornIn(execution: Execution, node: GraphNode, depth: number): readonly number[] {
  const { kind, allocation } = node.operation;
  if (kind === 'memAlloc') return allocation === undefined ? [] : [allocation];
  return depth > 8 ? [] : insideOf(execution, node).flatMap((inner) => bornIn(execution, inner, depth + 1));
}

/** Whether a node frees an allocation, itself or in a graph that was moved into it. */
function isFreedIn(execution: Execution, node: GraphNode, allocation: number, depth: number): boolean {
  const { kind, freed } = node.operation;
  if (kind === 'memFree') return freed?.allocation === allocation;
  return depth <= 8 && insideOf(execution, node).some((inner) => isFreedIn(execution, inner, allocation, depth + 1));
}

/** The nodes that run inside a node. */
function insideOf(execution: Execution, node: GraphNode): readonly GraphNode[] {
  const graphs = innerGraphs(execution, node);
  return graphs.length === 0 ? noNodes : graphs.flatMap(({ nodes }) => nodes);
}

const noNodes: readonly GraphNode[] = [];

/** A use that comes before another racing one needs no report: ordering the last of them orders all. */
function isImplied(hazard: GraphHazard, all: readonly GraphHazard[]): boolean {
  if (hazard.kind !== 'useFreeRace') return false;
  return all.some(
    (other) =>
      other.kind === 'useFreeRace' &&
      other.allocation === hazard.allocation &&
      hazard.order.before(hazard.user.id, other.user.id),
  );
}

function classify(order: GraphOrder, alloc: number, free: number | null, user: number): GraphHazardKind | null {
  if (free !== null && order.before(free, user)) return 'useAfterFree';
  if (!order.before(alloc, user) && !order.isPartial(user)) return 'useBeforeAlloc';
  if (free !== null && !order.before(user, free) && !order.isPartial(free)) return 'useFreeRace';
  return null;
}

/** What a node touches; a node with graphs inside touches what they touch. */
function usesOf(
  execution: Execution,
  node: GraphNode,
  depth: number,
): { allocation: number; mode: AccessMode; isOpaque: boolean }[] {
  const own = node.operation.accesses.map((access) => ({
    allocation: access.pointer.allocation,
    mode: access.mode,
    isOpaque: node.operation.opaque === true,
  }));
  if (depth > 8) return own;
  return [...own, ...insideOf(execution, node).flatMap((inner) => usesOf(execution, inner, depth + 1))];
}
