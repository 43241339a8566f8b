/** Order inside one graph: who comes before whom, by which path. Certain edges prove, uncertain ones only suggest. */

import type { SceneGraph } from '../scene/scene.ts';

export type Reach = 'always' | 'sometimes';

/** Node ids so that every edge goes forward; nodes of a cycle (broken input) come last, in creation order. */
export function topologicalOrder(graph: SceneGraph): readonly number[] {
  const waiting = graph.nodes.map(() => 0);
  for (const edge of graph.edges) if (edge.to in waiting) waiting[edge.to]!++;
  const after = neighbours(graph, 'after');
  const ready = graph.nodes.map((_, id) => id).filter((id) => waiting[id] === 0);
  const order: number[] = [];
  for (let next = 0; next < ready.length; next++) {
    const id = ready[next]!;
    order.push(id);
    for (const edge of after[id] ?? []) if (--waiting[edge.node]! === 0) ready.push(edge.node);
  }
  const seen = new Set(order);
  return order.concat(graph.nodes.map((_, id) => id).filter((id) => !seen.has(id)));
}

/** Everything ordered before (or after) a node; `sometimes` where every path needs an uncertain edge. */
export function reach(graph: SceneGraph, from: number, direction: 'before' | 'after'): ReadonlyMap<number, Reach> {
  const next = neighbours(graph, direction);
  const found = new Map<number, Reach>();
  const walk = (allowed: Reach): void => {
    const queue = [from];
    const seen = new Set(queue);
    for (let at = 0; at < queue.length; at++) {
      for (const edge of next[queue[at]!] ?? []) {
        if (seen.has(edge.node) || (allowed === 'always' && edge.certainty !== 'always')) continue;
        seen.add(edge.node);
        queue.push(edge.node);
        if (!found.has(edge.node)) found.set(edge.node, allowed);
      }
    }
  };
  walk('always');
  walk('sometimes');
  found.delete(from);
  return found;
}

/** The shortest path between two nodes as indexes into `graph.edges`; undefined when there is none. */
export function pathBetween(graph: SceneGraph, from: number, to: number): readonly number[] | undefined {
  const next = neighbours(graph, 'after');
  const arrivedBy = new Map<number, { readonly node: number; readonly edge: number }>();
  const queue = [from];
  for (let at = 0; at < queue.length && !arrivedBy.has(to); at++) {
    for (const edge of next[queue[at]!] ?? []) {
      if (edge.node === from || arrivedBy.has(edge.node)) continue;
      arrivedBy.set(edge.node, { node: queue[at]!, edge: edge.index });
      queue.push(edge.node);
    }
  }
  if (!arrivedBy.has(to)) return undefined;
  const path: number[] = [];
  for (let step = arrivedBy.get(to); step; step = arrivedBy.get(step.node)) {
    path.unshift(step.edge);
    if (step.node === from) break;
  }
  return path;
}

interface Neighbour {
  readonly node: number;
  readonly index: number;
  readonly certainty: Reach;
}

function neighbours(graph: SceneGraph, direction: 'before' | 'after'): readonly Neighbour[][] {
  const lists: Neighbour[][] = graph.nodes.map(() => []);
  graph.edges.forEach((edge, index) => {
    const [here, there] = direction === 'after' ? [edge.from, edge.to] : [edge.to, edge.from];
    if (there in lists) lists[here]?.push({ node: there, index, certainty: edge.certainty });
  });
  return lists;
}
