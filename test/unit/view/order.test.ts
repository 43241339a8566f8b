import { describe, expect, it } from 'vitest';
import { pathBetween, reach, topologicalOrder } from '../../../src/view/graph-order.ts';
import { searchNodes } from '../../../src/view/search.ts';
import { witnessOverlay } from '../../../src/view/witness.ts';
import { chapterExample, everythingUnusual, generated } from '../../view-fixtures/scenes.ts';

const chapter = chapterExample();
const graph = chapter.graphs[0]!;

describe('order inside a graph', () => {
  it('puts every node after what it depends on, whatever the size', () => {
    const big = generated(500).graphs[0]!;
    const position = new Map(topologicalOrder(big).map((id, index) => [id, index]));
    expect(position.size).toBe(500);
    for (const edge of big.edges) expect(position.get(edge.from)!).toBeLessThan(position.get(edge.to)!);
  });

  it('keeps the nodes of a cycle rather than losing them', () => {
    const edges = [...graph.edges, { from: 4, to: 1, certainty: 'always' as const }];
    expect([...topologicalOrder({ ...graph, edges })].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('knows that d comes after c, a and the allocation, and not after the free', () => {
    expect([...reach(graph, 5, 'before').keys()].sort()).toEqual([0, 1, 3]);
    expect(reach(graph, 5, 'after').size).toBe(0);
  });

  it('calls an order uncertain when every path needs an edge that may not be there', () => {
    const unusual = everythingUnusual().graphs[0]!;
    expect(reach(unusual, 3, 'after').get(4)).toBe('sometimes');
    expect(reach(unusual, 2, 'after').get(4)).toBe('always');
  });

  it('finds the shortest path as edges', () => {
    expect(pathBetween(graph, 0, 5)).toEqual([0, 2, 5]);
    expect(pathBetween(graph, 4, 5)).toBeUndefined();
  });
});

describe('a witness over the graph', () => {
  it('numbers its steps, lights the edges between them and names the pair that nothing orders', () => {
    const overlay = witnessOverlay(graph, chapter.findings[0]!);
    expect([...overlay.numbers]).toEqual([
      [0, [1]],
      [3, [2]],
      [5, [3]],
      [4, [4]],
    ]);
    expect([...overlay.edges]).toEqual([0, 2, 5]);
    expect([...overlay.nodes].sort()).toEqual([0, 1, 3, 4, 5]);
    expect(overlay.unordered).toEqual([{ from: 5, to: 4 }]);
  });

  it('draws nothing for steps that stand in other graphs', () => {
    const overlay = witnessOverlay({ ...graph, id: 3 }, chapter.findings[0]!);
    expect(overlay.numbers.size + overlay.edges.size + overlay.unordered.length).toBe(0);
  });
});

describe('search', () => {
  const unusual = everythingUnusual();
  it('finds by name, kind, allocation and rule, with every word', () => {
    expect(searchNodes(unusual, 0, 'optional')).toEqual([3]);
    expect(searchNodes(unusual, 0, 'semaphore')).toEqual([9, 8]);
    expect(searchNodes(unusual, 0, 'free-race')).toEqual([13]);
    expect(searchNodes(unusual, 0, 'copy small')).toEqual([14]);
    expect(searchNodes(unusual, 0, '   ')).toEqual([]);
  });
});
