/**
 * The rules of safety, checked by an independent slow implementation on random graphs: no two allocations that can be live
 * at once overlap, and an address is reused only behind a free that is ordered before.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDriver, step } from '../../../src/driver/driver.ts';
import type { HostOrder } from '../../../src/driver/placement.ts';

interface Node {
  readonly kind: 'alloc' | 'free' | 'other';
  readonly allocation: number;
  readonly bytes: number;
  readonly dependencies: readonly number[];
}

interface Placed {
  readonly node: number;
  readonly start: number;
  readonly end: number;
  free: number | undefined;
}

/** Turns dice into a graph: every free node is ordered behind its allocation node. */
function graphFrom(dice: readonly (readonly [number, number, number, number])[], sizes: readonly number[]): Node[] {
  const nodes: Node[] = [];
  const live: { allocation: number; node: number }[] = [];
  let allocations = 0;
  for (const [what, first, second, size] of dice) {
    const dependencies = new Set<number>();
    if (nodes.length > 0 && first % 8 !== 0) dependencies.add(nodes.length - 1 - (first % Math.min(nodes.length, 12)));
    if (nodes.length > 0 && second % 3 === 0) dependencies.add(second % nodes.length);
    const choice = what % 10;
    if (choice < 4 || live.length === 0) {
      live.push({ allocation: allocations, node: nodes.length });
      const bytes = sizes[size % sizes.length] ?? 1;
      nodes.push({ kind: 'alloc', allocation: allocations++, bytes, dependencies: [...dependencies] });
    } else if (choice < 8) {
      const [gone] = live.splice(size % live.length, 1);
      if (!gone) continue;
      dependencies.add(gone.node);
      nodes.push({ kind: 'free', allocation: gone.allocation, bytes: 0, dependencies: [...dependencies] });
    } else {
      nodes.push({ kind: 'other', allocation: 0, bytes: 0, dependencies: [...dependencies] });
    }
  }
  return nodes;
}

/** Whether there is a path, by plain search. */
function comesBefore(nodes: readonly Node[], from: number, to: number): boolean {
  const pending = [to];
  const seen = new Set<number>();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const dependency of nodes[node]?.dependencies ?? []) {
      if (dependency === from) return true;
      if (dependency > from && !seen.has(dependency)) {
        seen.add(dependency);
        pending.push(dependency);
      }
    }
  }
  return false;
}

function place(nodes: readonly Node[], hostOrder: HostOrder): Placed[] {
  const driver = createDriver({ hostOrder });
  step(driver, { kind: 'graphCreate', graph: 0 });
  const placed: Placed[] = [];
  for (const [index, node] of nodes.entries()) {
    const { kind, allocation, bytes, dependencies } = node;
    const added =
      kind === 'alloc'
        ? ({ kind, allocation, bytes } as const)
        : kind === 'free'
          ? ({ kind, allocation } as const)
          : ({ kind } as const);
    const outcome = step(driver, { kind: 'addNode', graph: 0, node: added, dependencies });
    expect(outcome.result).toBe('cudaSuccess');
    if (kind === 'alloc') {
      const start = outcome.address ?? -1;
      placed.push({ node: index, start, end: start + bytes, free: undefined });
    }
    const freed = kind === 'free' ? placed[allocation] : undefined;
    if (freed) freed.free = index;
  }
  return placed;
}

function expectSafe(nodes: readonly Node[], placed: readonly Placed[]): void {
  for (const [index, later] of placed.entries()) {
    for (const earlier of placed.slice(0, index)) {
      if (later.start >= earlier.end || earlier.start >= later.end) continue;
      const ordered = earlier.free !== undefined && comesBefore(nodes, earlier.free, later.node);
      if (!ordered) expect.fail(`nodes ${earlier.node} and ${later.node} may be live at once and overlap`);
    }
  }
}

const SMALL = [1, 512, 513, 4096, 65_536, 100_000];
const MIXED = [1, 513, 1 << 20, (1 << 20) + 1, 5 << 20, 33 << 20, 64 << 20];
const dice = (longest: number) =>
  fc.array(fc.tuple(fc.nat(1000), fc.nat(100_000), fc.nat(100_000), fc.nat(1000)), {
    minLength: 1,
    maxLength: longest,
    size: 'max',
  });

describe('placements of random graphs', () => {
  it.each(['up', 'down'] as const)('are safe, host order %s', (hostOrder) => {
    fc.assert(
      fc.property(dice(60), fc.constantFrom(SMALL, MIXED), (thrown, sizes) => {
        const nodes = graphFrom(thrown, sizes);
        expectSafe(nodes, place(nodes, hostOrder));
      }),
      { numRuns: 300 },
    );
  });

  it('are safe in graphs larger than any recorded one', () => {
    fc.assert(
      fc.property(dice(700), fc.constantFrom(SMALL, MIXED), (thrown, sizes) => {
        const nodes = graphFrom(thrown, sizes);
        expectSafe(nodes, place(nodes, 'up'));
      }),
      { numRuns: 15 },
    );
  });

  it('are aligned to 512 bytes', () => {
    fc.assert(
      fc.property(dice(80), (thrown) => {
        for (const { start } of place(graphFrom(thrown, MIXED), 'up')) expect(start % 512).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
