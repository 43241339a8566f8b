/**
 * A finding's witness, laid over a graph: the steps are numbered on their nodes, the edges that prove an order are lit, and
 * two steps with no path between them in either direction get a connector that says so: that is the edge that is missing.
 */

import type { SceneFinding, SceneGraph } from '../scene/scene.ts';
import { pathBetween } from './graph-order.ts';

export interface WitnessOverlay {
  /** Step numbers (from 1) by node. */
  readonly numbers: ReadonlyMap<number, readonly number[]>;
  /** Nodes that the lit edges run through. */
  readonly nodes: ReadonlySet<number>;
  /** Indexes into `graph.edges`. */
  readonly edges: ReadonlySet<number>;
  readonly unordered: readonly { readonly from: number; readonly to: number }[];
}

export function witnessOverlay(graph: SceneGraph, finding: SceneFinding): WitnessOverlay {
  const numbers = new Map<number, number[]>();
  const edges = new Set<number>();
  const unordered: { from: number; to: number }[] = [];
  let previous: number | undefined;
  finding.witness.forEach((step, index) => {
    if (step.node === undefined || step.graph !== graph.id || !graph.nodes[step.node]) return;
    numbers.set(step.node, [...(numbers.get(step.node) ?? []), index + 1]);
    if (previous !== undefined && previous !== step.node) {
      const path = pathBetween(graph, previous, step.node) ?? pathBetween(graph, step.node, previous);
      if (path) for (const edge of path) edges.add(edge);
      else unordered.push({ from: previous, to: step.node });
    }
    previous = step.node;
  });
  const nodes = new Set(numbers.keys());
  for (const index of edges) for (const end of endsOf(graph, index)) nodes.add(end);
  return { numbers, nodes, edges, unordered };
}

function endsOf(graph: SceneGraph, index: number): readonly number[] {
  const edge = graph.edges[index];
  return edge ? [edge.from, edge.to] : [];
}
