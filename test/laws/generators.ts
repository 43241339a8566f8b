/** Random programs for the laws. */

import fc from 'fast-check';
import type { GraphProgram, ProgramNode } from './programs.ts';

/**
 * One graph of up to seven nodes: one or two allocations, kernels that read them, at most one free each. Edges agree with
 * a random order of all nodes, in which allocations tend to be early and frees late; most of the edges that a right program
 * has are there, some are missing, and some nobody would have written.
 */
export const graphPrograms: fc.Arbitrary<GraphProgram> = fc
  .record({
    allocations: fc.integer({ min: 1, max: 2 }),
    reads: fc.array(fc.subarray([0, 1]), { minLength: 1, maxLength: 4 }),
    frees: fc.subarray([0, 1]),
    ranks: fc.array(fc.nat({ max: 1000 }), { minLength: 8, maxLength: 8 }),
    missing: fc.array(fc.nat({ max: 5 }), { minLength: 24, maxLength: 24 }),
    edges: fc.array(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 })), { maxLength: 4 }),
  })
  .map(({ allocations, reads, frees, ranks, missing, edges }) => {
    const nodes: ProgramNode[] = [];
    for (let buffer = 0; buffer < allocations; buffer++)
      nodes.push({ kind: 'alloc', bytes: 4096 << buffer, dependencies: [] });
    const freed = frees.filter((buffer) => buffer < allocations);
    for (const read of reads.slice(0, 7 - allocations - freed.length))
      nodes.push({ kind: 'kernel', reads: read.filter((buffer) => buffer < allocations), dependencies: [] });
    for (const buffer of freed) nodes.push({ kind: 'free', buffer, dependencies: [] });
    const early = { alloc: 0, kernel: 500, free: 1000 };
    const biased = nodes.map((node, index) => early[node.kind] + (ranks[index] ?? 0));
    const kept = rightEdges(nodes).filter((_, index) => missing[index % missing.length] !== 0);
    return withEdges(nodes, biased, [...kept, ...edges]);
  });

/** The edges of a right program: allocation to uses, uses to free. */
function rightEdges(nodes: readonly ProgramNode[]): readonly (readonly [number, number])[] {
  return nodes.flatMap((node, index): (readonly [number, number])[] => {
    if (node.kind === 'kernel') return node.reads.map((buffer) => [buffer, index]);
    if (node.kind !== 'free') return [];
    const users = nodes.flatMap((each, user) =>
      each.kind === 'kernel' && each.reads.includes(node.buffer) ? [user] : [],
    );
    return [node.buffer, ...users].map((from) => [from, index]);
  });
}

/** Edges between existing nodes, turned the way of the ranks, each once. */
function withEdges(
  nodes: readonly ProgramNode[],
  ranks: readonly number[],
  wanted: readonly (readonly [number, number])[],
): GraphProgram {
  const rank = (node: number): number => (ranks[node] ?? 0) * 8 + node;
  const edges = new Map<string, readonly [number, number]>();
  for (const [first, second] of wanted) {
    if (first === second || first >= nodes.length || second >= nodes.length) continue;
    const [from, to] = rank(first) < rank(second) ? [first, second] : [second, first];
    edges.set(`${from}-${to}`, [from, to]);
  }
  return { nodes, edges: [...edges.values()] };
}
