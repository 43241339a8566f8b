/**
 * Which free nodes of a graph come before a node, in every order the graph allows.
 *
 * Only free nodes are ever asked about ("is the node that freed this block ordered before me?"), so only they are numbered,
 * and each node keeps one bit per free node: set when the free node is an ancestor, or the node itself. Nodes that add
 * nothing share the set of their dependency, so a chain of 10,000 nodes stays small.
 */

import { type Bits, NO_BITS, unionOf, unionOfAll, withBit } from './bits.ts';

export interface GraphOrder {
  /** Per node: the free nodes at or before it. Sets are never changed in place, they may be shared. */
  readonly seen: Bits[];
  readonly dependencies: (readonly number[])[];
  /** Filled only when an edge is added between existing nodes. */
  successors: number[][] | undefined;
  frees: number;
  /** The last list of several dependencies that was asked about: nodes side by side often share one. */
  asked: { readonly dependencies: readonly number[]; readonly seen: Bits } | undefined;
}

export function createGraphOrder(): GraphOrder {
  return { seen: [], dependencies: [], successors: undefined, frees: 0, asked: undefined };
}

/** The free nodes before a node that would have these dependencies. */
export function seenThrough(order: GraphOrder, dependencies: readonly number[]): Bits {
  if (dependencies.length < 3) return unionOfAll(dependencies.map((dependency) => order.seen[dependency] ?? NO_BITS));
  if (!order.asked || !sameNumbers(order.asked.dependencies, dependencies)) {
    const seen = unionOfAll(dependencies.map((dependency) => order.seen[dependency] ?? NO_BITS));
    order.asked = { dependencies, seen };
  }
  return order.asked.seen;
}

/** Whether two lists hold the same numbers in the same order. */
export function sameNumbers(first: readonly number[], second: readonly number[]): boolean {
  return first === second || (first.length === second.length && first.every((each, index) => each === second[index]));
}

/** Adds a node; a free node gets the next free number, which is returned (-1 for any other node). */
export function appendNode(order: GraphOrder, dependencies: readonly number[], seen: Bits, isFree: boolean): number {
  const node = order.seen.length;
  order.dependencies.push(dependencies);
  if (order.successors) {
    order.successors.push([]);
    for (const dependency of dependencies) order.successors[dependency]?.push(node);
  }
  if (!isFree) {
    order.seen.push(seen);
    return -1;
  }
  const free = order.frees++;
  order.seen.push(withBit(seen, free));
  return free;
}

/** Adds an edge between existing nodes; returns the nodes whose past grew, in an order of first discovery. */
export function appendEdge(order: GraphOrder, from: number, to: number): readonly number[] {
  const successors = successorsOf(order);
  successors[from]?.push(to);
  order.asked = undefined;
  order.dependencies[to] = [...(order.dependencies[to] ?? []), from];
  const changed: number[] = [];
  const pending = [{ node: to, gained: order.seen[from] ?? NO_BITS }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const before = order.seen[next.node] ?? NO_BITS;
    const after = unionOf(before, next.gained);
    if (after === before) continue;
    order.seen[next.node] = after;
    changed.push(next.node);
    for (const successor of successors[next.node] ?? []) pending.push({ node: successor, gained: after });
  }
  return changed;
}

function successorsOf(order: GraphOrder): number[][] {
  if (order.successors) return order.successors;
  const successors: number[][] = order.seen.map(() => []);
  for (const [node, dependencies] of order.dependencies.entries())
    for (const dependency of dependencies) successors[dependency]?.push(node);
  order.successors = successors;
  return successors;
}

/** Whether the edges form a cycle, which can only come from edges added between existing nodes. */
export function hasCycle(order: GraphOrder): boolean {
  const successors = successorsOf(order);
  const waiting = order.dependencies.map((dependencies) => dependencies.length);
  const ready: number[] = [];
  for (const [node, count] of waiting.entries()) if (count === 0) ready.push(node);
  let done = 0;
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    done++;
    for (const successor of successors[node] ?? []) {
      const left = (waiting[successor] ?? 0) - 1;
      waiting[successor] = left;
      if (left === 0) ready.push(successor);
    }
  }
  return done < waiting.length;
}
