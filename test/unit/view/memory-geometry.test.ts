import { describe, expect, it } from 'vitest';
import { drawLanes } from '../../../src/view/lanes-geometry.ts';
import { addressScale, blockBytes, columnsWidth, timeColumns } from '../../../src/view/memory-axis.ts';
import { addressMap, blockBars, lifeInLaunch, usageChart } from '../../../src/view/memory-geometry.ts';
import { windowAround } from '../../../src/view/window.ts';
import { chapterExample, everythingUnusual, forkJoin } from '../../view-fixtures/scenes.ts';

const MiB = 1_048_576;
const fork = forkJoin();
const all = { first: 0, end: fork.operations.length };
const columns = timeColumns(fork.operations, all, 900);

describe('the steps as columns', () => {
  it('stand side by side, wider where a graph is launched, and fill the room', () => {
    columns.slice(1).forEach((column, index) => {
      expect(column.x).toBeCloseTo(columns[index]!.x + columns[index]!.width);
    });
    expect(columns[3]!.width).toBeGreaterThan(2 * columns[0]!.width);
    expect(columnsWidth(columns)).toBeCloseTo(900);
  });

  it('keep a least width, and then scroll', () => {
    expect(columnsWidth(timeColumns(fork.operations, all, 100))).toBeGreaterThan(300);
  });
});

describe('addresses', () => {
  it('are to scale in rows of 32 MiB when every allocation can be seen', () => {
    const scale = addressScale([
      { start: 0, end: 2 * blockBytes },
      { start: 2 * blockBytes, end: 3 * blockBytes },
    ]);
    expect(scale.proportional).toBe(true);
    expect(scale.ticks.map((tick) => tick.offset)).toEqual([0, blockBytes, 2 * blockBytes, 3 * blockBytes]);
    expect(scale.y(blockBytes) * 3).toBeCloseTo(scale.height);
  });

  it('are stretched, and it is said, when a small one would vanish beside a large one', () => {
    const scale = addressScale([
      { start: 0, end: 512 },
      { start: 512, end: 64 * MiB },
    ]);
    expect(scale.proportional).toBe(false);
    expect(scale.y(512)).toBeGreaterThanOrEqual(9);
    expect(scale.y(64 * MiB)).toBe(scale.height);
    expect(scale.y(256)).toBeCloseTo(scale.y(512) / 2);
  });
});

describe('who holds which addresses', () => {
  const map = addressMap(fork, fork.graphs[0]!, columns);
  const of = (allocation: number, state: string) =>
    map.spans.filter((span) => span.allocation === allocation && span.state === state);

  it('shows each launch, from the node that allocates to the node that frees', () => {
    expect(of(0, 'live')).toHaveLength(2);
    const [first] = of(1, 'live');
    const launch = columns[3]!;
    expect(first!.x).toBeGreaterThan(launch.x);
    expect(first!.x + first!.width).toBeLessThan(launch.x + launch.width);
  });

  it('shows reuse: tile takes the addresses of scratch, and only after scratch was freed', () => {
    const [scratch, tile] = [of(1, 'live')[0]!, of(2, 'live')[0]!];
    expect(tile.y).toBe(scratch.y);
    expect(tile.x).toBeGreaterThanOrEqual(scratch.x + scratch.width - 0.001);
  });

  it('hatches what is freed but still mapped until the next use', () => {
    const [freed] = of(0, 'freed');
    expect(freed!.x + freed!.width).toBeCloseTo(of(0, 'live')[1]!.x);
  });

  it('stops hatching where a trim takes the blocks away', () => {
    const last = of(0, 'freed').at(-1)!;
    expect(last.x + last.width).toBeCloseTo(columns[11]!.x);
    const consumer = addressMap(fork, fork.graphs[1]!, columns);
    const kept = consumer.spans.filter((span) => span.allocation === 3 && span.state === 'freed').at(-1)!;
    expect(kept.x + kept.width).toBeCloseTo(columnsWidth(columns));
  });

  it('lets memory live on when a later step still lists it', () => {
    const consumer = addressMap(fork, fork.graphs[1]!, columns);
    const logits = consumer.spans.filter((span) => span.allocation === 4 && span.state === 'live');
    expect(logits[0]!.x + logits[0]!.width).toBeCloseTo(columns[8]!.x);
  });

  it('imagines one launch when there is none, and lists what has no known size', () => {
    const unusual = everythingUnusual();
    const imagined = addressMap(unusual, unusual.graphs[0]!, [{ operation: -1, x: 0, width: 100 }]);
    expect(imagined.unplaced).toEqual([0]);
    expect(imagined.spans.filter((span) => span.state === 'live').map((span) => span.allocation)).toEqual([1]);
  });

  it('draws nothing for a launch that the driver refuses', () => {
    const unusual = everythingUnusual();
    const refused = timeColumns(unusual.operations, { first: 0, end: 2 }, 400);
    expect(addressMap(unusual, unusual.graphs[0]!, refused).spans).toEqual([]);
  });

  it('puts births and deaths in topological order', () => {
    const lives = lifeInLaunch(chapterExample().graphs[0]!);
    expect(lives.get(0)!.birth).toBe(0);
    expect(lives.get(0)!.death).toBeGreaterThan(0.7);
  });
});

describe('physical blocks', () => {
  it('run from the first to the last step of each holder and name all who share', () => {
    const bars = blockBars(fork, columns);
    const shared = bars.filter((bar) => bar.graphs.length > 1);
    expect(shared.map((bar) => bar.block)).toEqual([0, 1]);
    expect(shared[0]!.x).toBe(columns[4]!.x);
    expect(shared[0]!.x + shared[0]!.width).toBeCloseTo(columns[6]!.x + columns[6]!.width);
  });

  it('are cut at the window', () => {
    const window = { first: 5, end: 8 };
    const bars = blockBars(fork, timeColumns(fork.operations, window, 300));
    expect(Math.min(...bars.map((bar) => bar.x))).toBe(0);
  });
});

it('marks the peaks where they are first reached', () => {
  const chart = usageChart(fork.operations, columns, 50);
  expect(chart.usedPeak).toMatchObject({ bytes: 160 * MiB, step: 7 });
  expect(chart.used.startsWith('M0 50')).toBe(true);
});

describe('the story', () => {
  it('gives every operation a row, its lane a column, and arrows only between lanes', () => {
    const picture = drawLanes(fork.lanes, fork.operations, all);
    expect(picture.dots).toHaveLength(12);
    expect(new Set(picture.dots.map((dot) => dot.x)).size).toBe(3);
    expect(picture.waits.map((wait) => [wait.from, wait.to])).toEqual([
      [5, 6],
      [7, 10],
      [9, 10],
    ]);
  });

  it('is a window around the cursor when it is long', () => {
    expect(windowAround(50, 20)).toEqual({ first: 0, end: 50 });
    for (const at of [0, 399, 1234, 9999]) {
      const window = windowAround(10_000, at);
      expect(window.end - window.first).toBe(400);
      expect(window.end).toBeLessThanOrEqual(10_000);
      expect(window.first <= at && at < window.end).toBe(true);
    }
  });
});
