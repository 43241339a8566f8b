/** Random host programs, small enough to try all their schedules. */

import fc from 'fast-check';
import { type Dag, dagNodes, type NodeWish, nodeWishesWithEvents, type Stock } from './dag.ts';
import type { HostProgram, HostStep, NamedStep, StreamKind } from './host-program.ts';
import { buffersOf, type Work } from './work.ts';

/** What one or two steps are made from. */
interface StepWish {
  readonly choice: number;
  readonly stream: number;
  readonly other: number;
  readonly pick: number;
}

const stepWishes: fc.Arbitrary<StepWish> = fc.record({
  choice: fc.nat({ max: 33 }),
  stream: fc.nat({ max: 9 }),
  other: fc.nat({ max: 9 }),
  pick: fc.nat({ max: 30 }),
});

const kinds: fc.Arbitrary<StreamKind> = fc.constantFrom<StreamKind>('nonBlocking', 'nonBlocking', 'blocking');

interface Wishes {
  readonly streams: readonly StreamKind[];
  readonly graphs: readonly (readonly NodeWish[])[];
  readonly autoFree: boolean;
  readonly steps: readonly StepWish[];
}

/** Two or three streams beside the default stream, up to two graphs of at most four nodes, ten wishes for steps. */
export const hostPrograms: fc.Arbitrary<HostProgram> = fc
  .record({
    streams: fc.array(kinds, { minLength: 2, maxLength: 3 }),
    graphs: fc.array(fc.array(nodeWishesWithEvents, { minLength: 1, maxLength: 4, size: 'large' }), {
      maxLength: 2,
      size: 'large',
    }),
    autoFree: fc.boolean(),
    steps: fc.array(stepWishes, { minLength: 1, maxLength: 10, size: 'large' }),
  })
  .map(programOf);

function programOf(wishes: Wishes): HostProgram {
  const given = 1;
  const stock: Stock = { all: [0], live: [], next: given };
  const graphs = wishes.graphs
    .map((nodes, index): Dag => {
      const events = { own: index, all: wishes.graphs.length + 1 };
      const own: Stock = { all: stock.all, live: stock.live, next: stock.next, events };
      const dag = { given, nodes: dagNodes(nodes, own, false) };
      stock.next = own.next;
      return dag;
    })
    .filter((graph) => graph.nodes.length > 0);
  // The default stream comes last, so that making a program smaller leads away from it.
  const streams: readonly StreamKind[] = [...wishes.streams, 'legacy'];
  const maker = new StepMaker(streams, graphs, stock);
  const steps = wishes.steps.flatMap((wish) => maker.steps(wish));
  return {
    streams,
    given,
    graphs,
    autoFree: wishes.autoFree,
    steps: steps.map((step, index): NamedStep => ({ id: `s${index}`, step })),
  };
}

/** Turns wishes into steps, with what earlier ones have made. */
class StepMaker {
  /** What a stream or the host may free: once more, too, now and then. */
  private readonly freeable: number[];
  /** Streams behind the allocation of a buffer: mostly work with it goes to one of them. */
  private readonly homes = new Map<number, Set<number>>();
  /** The first are those that graphs record. */
  private events: number;
  private launches = 0;
  private readonly streams: readonly StreamKind[];
  private readonly graphs: readonly Dag[];
  private readonly stock: Stock;

  constructor(streams: readonly StreamKind[], graphs: readonly Dag[], stock: Stock) {
    this.streams = streams;
    this.graphs = graphs;
    this.stock = stock;
    this.events = graphs.length;
    this.freeable = stock.all.filter((buffer) => buffer > 0);
  }

  steps({ choice, stream: wished, other: wishedOther, pick }: StepWish): readonly HostStep[] {
    const stream = wished % this.streams.length;
    const other = wishedOther % this.streams.length;
    const { all } = this.stock;
    const one = all[pick % all.length] ?? 0;
    const two = all[(pick + wishedOther) % all.length] ?? 0;
    const work = (each: Work): readonly HostStep[] => {
      if (each.kind === 'alloc') this.homes.set(each.buffer, new Set([stream]));
      const homes = [...(this.homes.get(buffersOf(each)[0] ?? 0) ?? [])];
      const home = wishedOther % 4 === 0 ? stream : homes[wished % homes.length];
      return [{ kind: 'work', stream: home ?? stream, work: each }];
    };
    if (choice < (this.graphs.length > this.launches ? 2 : 4)) {
      const buffer = this.stock.next++;
      all.push(buffer);
      this.freeable.push(buffer);
      return work({ kind: 'alloc', buffer });
    }
    if (choice < 7 || choice > 31) return this.launch(stream, pick);
    if (choice < 11) {
      const free = this.freeable[pick % Math.max(1, this.freeable.length)];
      if (free === undefined) return [];
      return choice === 7 ? [{ kind: 'hostFree', buffer: free }] : work({ kind: 'free', buffer: free });
    }
    if (choice < 18)
      return work({ kind: 'kernel', reads: choice % 3 === 0 ? [] : [one], writes: choice % 3 === 1 ? [] : [two] });
    if (choice === 18) return work({ kind: 'memset', buffer: one });
    if (choice === 19) return one === two ? [] : work({ kind: 'copy', from: one, to: two });
    if (choice < 24) {
      const isAgain = this.events > 0 && pick % 2 === 1;
      const event = isAgain ? wishedOther % this.events : this.events++;
      for (const home of this.homes.values()) if (home.has(stream)) home.add(other);
      return [
        { kind: 'record', stream, event },
        { kind: 'wait', stream: other, event },
      ];
    }
    const event = pick % Math.max(1, this.events);
    if (choice < 27) {
      this.events = Math.max(this.events, event + 1);
      return [choice === 26 ? { kind: 'record', stream, event } : { kind: 'wait', stream, event }];
    }
    if (choice === 27) return [{ kind: 'syncStream', stream }];
    if (choice === 28) return [{ kind: 'syncDevice' }];
    if (choice < 31) return [{ kind: 'syncEvent', event }];
    return [{ kind: 'fetch', buffer: one }];
  }

  /** At most three launches, so that all schedules can be tried. */
  private launch(stream: number, pick: number): readonly HostStep[] {
    if (this.graphs.length === 0 || this.launches === 3) return [];
    this.launches++;
    const graph = pick % this.graphs.length;
    for (const { work } of this.graphs[graph]?.nodes ?? [])
      if (work.kind === 'alloc') this.homes.set(work.buffer, new Set([stream]));
    return [{ kind: 'launch', stream, graph }];
  }
}
