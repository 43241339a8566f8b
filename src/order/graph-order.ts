/** Order inside one graph: reachability along its edges, child graphs counted as their node. */

import { Attached } from '../base/attached.ts';
import { addToRow, createBitMatrix, rowHas, uniteRows } from '../base/bit-matrix.ts';
import type { GraphNode } from '../execution/execution.ts';

export interface GraphOrder {
  /** Whether `first` ends before `second` begins in every launch. */
  before(first: number, second: number): boolean;
  /** Whether some edge on the way to the node could not be read, so that "no path" proves nothing. */
  isPartial(node: number): boolean;
  /** Node ids along the shortest path, both ends included; empty when there is none. */
  path(first: number, second: number): readonly number[];
  /** Ids in an order that follows the edges. */
  readonly topological: readonly number[];
  /** Its edges form a circle: it cannot be instantiated, and nothing of it ever runs. */
  readonly isCyclic: boolean;
}

const known = new Attached<readonly GraphNode[], GraphOrder>();

/**
 * The order of a graph's nodes (HB1), made once: whoever asks does so when the graph is built. Cycles are tolerated: what lies on
 * one is ordered by id.
 */
export function orderGraph(nodes: readonly GraphNode[]): GraphOrder {
  let order = known.get(nodes);
  if (!order) {
    order = orderNodes(nodes);
    known.set(nodes, order);
  }
  return order;
}

function orderNodes(nodes: readonly GraphNode[]): GraphOrder {
  const topological = sortTopologically(nodes);
  const ancestors = createBitMatrix(nodes.length);
  const partial: boolean[] = new Array(nodes.length).fill(false);
  const isDone = new Uint8Array(nodes.length);
  let isCyclic = false;
  for (const id of topological) {
    const node = nodes[id]!;
    partial[id] = node.isPartial;
    for (const dependency of node.dependencies) {
      addToRow(ancestors, id, dependency);
      // Of what lies on a cycle, and comes later, nothing is known yet.
      uniteRows(ancestors, id, dependency);
      if (partial[dependency]) partial[id] = true;
      if (isDone[dependency] === 0) isCyclic = true;
    }
    isDone[id] = 1;
  }
  return {
    before: (first, second) => first !== second && second < nodes.length && rowHas(ancestors, second, first),
    isPartial: (node) => partial[node] ?? false,
    path: (first, second) => shortestPath(nodes, first, second),
    topological,
    isCyclic,
  };
}

function sortTopologically(nodes: readonly GraphNode[]): number[] {
  const order: number[] = [];
  const state = new Uint8Array(nodes.length);
  for (let root = 0; root < nodes.length; root++) {
    const stack = [root];
    while (stack.length > 0) {
      const id = stack[stack.length - 1]!;
      if (state[id] === 2) {
        stack.pop();
        continue;
      }
      if (state[id] === 1) {
        state[id] = 2;
        order.push(id);
        stack.pop();
        continue;
      }
      state[id] = 1;
      for (const dependency of nodes[id]!.dependencies) if (state[dependency] === 0) stack.push(dependency);
    }
  }
  return order;
}

function shortestPath(nodes: readonly GraphNode[], first: number, second: number): readonly number[] {
  const next = new Map<number, number>();
  const queue = [second];
  for (let index = 0; index < queue.length; index++) {
    const id = queue[index]!;
    if (id === first) break;
    for (const dependency of nodes[id]?.dependencies ?? []) {
      if (next.has(dependency) || dependency === second) continue;
      next.set(dependency, id);
      queue.push(dependency);
    }
  }
  if (!next.has(first)) return [];
  const path = [first];
  for (let id = first; id !== second; ) {
    id = next.get(id)!;
    path.push(id);
  }
  return path;
}
