/** The address range that the simulated driver gives a graph, also with an edge that is not there. */

import { createDriver, step } from '../driver/driver.ts';
import type { GraphModel } from '../execution/execution.ts';
import { evaluateSize } from '../trace/size.ts';

/** An edge to try: node `to` is added behind node `from`. */
export interface TriedEdge {
  readonly from: number;
  readonly to: number;
}

/** Bytes from the lowest address to the end of the highest allocation; null when a size is not known. */
export function footprintOf(graph: GraphModel, tried: TriedEdge | null = null): number | null {
  const driver = createDriver();
  step(driver, { kind: 'graphCreate', graph: 0 });
  let lowest = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const node of graph.nodes) {
    const known = node.dependencies.filter((dependency) => dependency < node.id);
    const dependencies = tried?.to === node.id && tried.from < node.id ? [...known, tried.from] : known;
    const { allocation, freed, bytes } = node.operation;
    if (node.operation.kind === 'memAlloc' && allocation !== undefined) {
      const size = bytes ? evaluateSize(bytes) : null;
      if (size === null || size <= 0) return null;
      const outcome = step(driver, {
        kind: 'addNode',
        graph: 0,
        node: { kind: 'alloc', allocation, bytes: size },
        dependencies,
      });
      if (outcome.address === undefined) return null;
      lowest = Math.min(lowest, outcome.address);
      end = Math.max(end, outcome.address + size);
    } else if (node.operation.kind === 'memFree' && freed) {
      const outcome = step(driver, {
        kind: 'addNode',
        graph: 0,
        node: { kind: 'free', allocation: freed.allocation },
        dependencies,
      });
      // Memory of another graph: for addresses here it is a node like any other.
      if (outcome.result !== 'cudaSuccess')
        step(driver, { kind: 'addNode', graph: 0, node: { kind: 'other' }, dependencies });
    } else step(driver, { kind: 'addNode', graph: 0, node: { kind: 'other' }, dependencies });
  }
  return end === 0 ? 0 : end - lowest;
}
