/** Random graphs: work and what it depends on, in the order in which it is written. */

import fc from 'fast-check';
import { buffersOf, touches, type Work } from './work.ts';

export interface DagNode {
  readonly work: Work;
  /** Indices of earlier nodes. */
  readonly dependencies: readonly number[];
}

export interface Dag {
  /** Buffers below this number are there before and stay. */
  readonly given: number;
  readonly nodes: readonly DagNode[];
}

/** What one node is made from: numbers, so that a failing program can be made smaller by leaving wishes out. */
export interface NodeWish {
  readonly choice: number;
  readonly pick: number;
  readonly other: number;
  /** Bits: which of the dependencies that a right program has are forgotten. */
  readonly forgotten: number;
  /** A dependency on whatever node, when it is small enough. */
  readonly extra: number;
}

const nodeWishes: fc.Arbitrary<NodeWish> = wishesUpTo(11);

/** With event nodes among them. */
export const nodeWishesWithEvents: fc.Arbitrary<NodeWish> = wishesUpTo(16);

function wishesUpTo(choices: number): fc.Arbitrary<NodeWish> {
  return fc.record({
    choice: fc.nat({ max: choices }),
    pick: fc.nat({ max: 30 }),
    other: fc.nat({ max: 30 }),
    forgotten: fc.constantFrom(0, 0, 0, 1, 2, 4, 3, 7),
    extra: fc.nat({ max: 24 }),
  });
}

/** What the buffers of a graph may be; `freed` and `live` change as nodes are added. */
export interface Stock {
  /** All that can be read and written. */
  readonly all: number[];
  /** Those that a free node may free. */
  readonly live: number[];
  next: number;
  /** The event that a graph may record, and those that it may wait for. */
  readonly events?: { readonly own: number; readonly all: number };
}

/** Graphs of up to ten nodes over one or two given buffers and what they allocate themselves. */
export const dags: fc.Arbitrary<Dag> = dagsWith(fc.boolean());

/** Those of which CUDA takes every node. */
export const acceptedDags: fc.Arbitrary<Dag> = dagsWith(fc.constant(false));

function dagsWith(refused: fc.Arbitrary<boolean>): fc.Arbitrary<Dag> {
  return fc
    .record({
      given: fc.integer({ min: 1, max: 2 }),
      wishes: fc.array(nodeWishes, { minLength: 1, maxLength: 10 }),
      refusals: refused,
    })
    .map(({ given, wishes, refusals }) => {
      const stock: Stock = { all: Array.from({ length: given }, (_, index) => index), live: [], next: given };
      return { given, nodes: dagNodes(wishes, stock, refusals) };
    });
}

/** Nodes for the wishes; `refusals` lets there be some that CUDA does not take: a second free, a memset behind a free. */
export function dagNodes(wishes: readonly NodeWish[], stock: Stock, refusals: boolean): DagNode[] {
  const nodes: DagNode[] = [];
  const freed = new Set<number>();
  /** What CUDA refuses makes no node: nothing can depend on it. */
  const refused = new Set<number>();
  for (const wish of wishes) {
    const work = wishedWork(wish, stock, refusals ? [...freed] : []);
    if (!work) continue;
    if (work.kind === 'recordEvent' && nodes.some((node) => node.work.kind === 'recordEvent')) continue;
    const ends = work.kind === 'free' && freed.has(work.buffer);
    const isOperand = work.kind === 'memset' || work.kind === 'copy';
    const afterFree = isOperand && buffersOf(work).some((buffer) => freed.has(buffer));
    // A refused copy would take the access to its other buffer with it.
    if (afterFree && (work.kind === 'copy' || !refusals)) continue;
    if (ends || afterFree) refused.add(nodes.length);
    if (work.kind === 'free') freed.add(work.buffer);
    nodes.push({ work, dependencies: wishedDependencies(wish, work, nodes).filter((each) => !refused.has(each)) });
  }
  return nodes;
}

function wishedWork({ choice, pick, other }: NodeWish, stock: Stock, freed: readonly number[]): Work | null {
  const { all } = stock;
  const one = all[pick % Math.max(1, all.length)];
  const two = all[other % Math.max(1, all.length)];
  if (choice < 3) {
    stock.all.push(stock.next);
    stock.live.push(stock.next);
    return { kind: 'alloc', buffer: stock.next++ };
  }
  if (choice < 5) {
    if (stock.live.length > 0) return { kind: 'free', buffer: stock.live.splice(pick % stock.live.length, 1)[0] ?? 0 };
    const again = freed[pick % Math.max(1, freed.length)];
    return again === undefined ? null : { kind: 'free', buffer: again };
  }
  if (choice > 11 && stock.events)
    return choice < 15
      ? { kind: 'waitEvent', event: pick % stock.events.all }
      : { kind: 'recordEvent', event: stock.events.own };
  if (one === undefined || two === undefined) return null;
  if (choice === 5) return { kind: 'memset', buffer: one };
  if (choice === 6) return one === two ? null : { kind: 'copy', from: one, to: two };
  const writes = choice % 2 === 0;
  if (choice < 9)
    return writes ? { kind: 'kernel', reads: [], writes: [one] } : { kind: 'kernel', reads: [one], writes: [] };
  return { kind: 'kernel', reads: [one], writes: writes ? [two] : [] };
}

/** What a right program waits for, less what the wish forgets, and perhaps something else. */
function wishedDependencies({ forgotten, extra }: NodeWish, work: Work, nodes: readonly DagNode[]): readonly number[] {
  const right = nodes.flatMap((node, index) => (mustFollow(work, node.work) ? [index] : []));
  const kept = right.filter((_, index) => ((forgotten >> (index % 3)) & 1) === 0);
  return [...new Set(extra < nodes.length ? [...kept, extra] : kept)];
}

function mustFollow(later: Work, earlier: Work): boolean {
  if (later.kind === 'recordEvent' || earlier.kind === 'waitEvent') return true;
  const isEnd = (work: Work): boolean => work.kind === 'alloc' || work.kind === 'free';
  if (isEnd(later) || isEnd(earlier)) return buffersOf(later).some((buffer) => buffersOf(earlier).includes(buffer));
  return touches(later).some((one) =>
    touches(earlier).some((two) => one.buffer === two.buffer && (one.writes || two.writes)),
  );
}
