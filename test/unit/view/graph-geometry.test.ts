import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/scene/scene.ts';
import { bringIntoView, fitAll, fitReadable, zoomAt } from '../../../src/view/camera.ts';
import { drawSheet, type Picture, roundedPath } from '../../../src/view/graph-geometry.ts';
import { buildSheet, pageOf, pageSize } from '../../../src/view/graph-model.ts';
import { fromElk, toElk } from '../../../src/view/layout-elk.ts';
import { layoutSimply } from '../../../src/view/layout-simple.ts';
import { chapterExample, everythingUnusual, forkJoin, generated } from '../../view-fixtures/scenes.ts';

async function draw(scene: Scene, graph = 0, page = 0): Promise<Picture> {
  return drawSheet(buildSheet(scene, graph, page)!, async () => undefined);
}

function overlaps(picture: Picture): string[] {
  const top = picture.boxes.filter((box) => box.depth === 0);
  return top.flatMap((a, index) =>
    top
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => `${a.card.key} ${b.card.key}`),
  );
}

describe('the picture of a graph', () => {
  it.each([
    ['chapter', chapterExample(), 0],
    ['capture', forkJoin(), 0],
    ['unusual', everythingUnusual(), 0],
    ['300 nodes', generated(300), 0],
  ])('%s: no two nodes overlap, all lie inside, edges run from top to bottom', async (_, scene, graph) => {
    const picture = await draw(scene, graph);
    expect(overlaps(picture)).toEqual([]);
    for (const box of picture.boxes) {
      expect(box.x).toBeGreaterThanOrEqual(picture.x);
      expect(box.x + box.width).toBeLessThanOrEqual(picture.x + picture.width + 0.5);
      expect(box.y + box.height).toBeLessThanOrEqual(picture.height + 0.5);
    }
    for (const wire of picture.wires) {
      const [first, last] = [wire.points[0]!, wire.points.at(-1)!];
      expect(first.y).toBeLessThan(last.y);
      const target = picture.boxes.find((box) => box.card.key === wire.to)!;
      expect(last.y).toBeCloseTo(target.y);
      expect(last.x).toBeGreaterThanOrEqual(target.x);
      expect(last.x).toBeLessThanOrEqual(target.x + target.width);
    }
  });

  it('draws a capture in lanes, each node inside the lane of its stream', async () => {
    const picture = await draw(forkJoin());
    expect(picture.bands.map((band) => band.name)).toEqual(['stream1', 'stream2']);
    for (const box of picture.boxes) {
      const band = picture.bands.find((one) => one.name === box.card.node.stream)!;
      expect(box.x).toBeGreaterThanOrEqual(band.x);
      expect(box.x + box.width).toBeLessThanOrEqual(band.x + band.width);
    }
  });

  it('keeps nodes of one stream apart even when the capture left them unordered', async () => {
    const scene = forkJoin();
    const graphs = [{ ...scene.graphs[0]!, edges: [] }];
    expect(overlaps(await draw({ ...scene, graphs }))).toEqual([]);
  });

  it('draws a rail from the alloc to the free, and to the end when nothing frees', async () => {
    const producer = await draw(forkJoin(), 0);
    expect(producer.rails.map((rail) => [rail.allocation, rail.freed])).toEqual([
      [0, true],
      [1, true],
      [2, true],
    ]);
    const consumer = await draw(forkJoin(), 1);
    const logits = consumer.rails.find((rail) => rail.allocation === 4)!;
    expect([logits.freed, logits.bottom]).toEqual([false, consumer.height]);
  });

  it('lets two allocations share a rail column only when their lives do not meet', async () => {
    const picture = await draw(generated(300));
    for (const a of picture.rails) {
      for (const b of picture.rails) {
        if (a !== b && a.x === b.x) expect(a.bottom < b.top || b.bottom < a.top).toBe(true);
      }
    }
  });

  it('draws a small child graph inside its node', async () => {
    const picture = await draw(everythingUnusual());
    const outer = picture.boxes.find((box) => box.card.key === '0/2')!;
    const inner = picture.boxes.filter((box) => box.card.key.startsWith('0/2>1/'));
    expect(inner).toHaveLength(3);
    for (const box of inner) {
      expect(box.depth).toBe(1);
      expect(box.x).toBeGreaterThan(outer.x);
      expect(box.y + box.height).toBeLessThan(outer.y + outer.height);
    }
  });

  it('shows a large graph page by page, in topological order', async () => {
    const scene = generated(1000);
    const first = buildSheet(scene, 0, 0)!;
    const last = buildSheet(scene, 0, 99)!;
    expect([first.cards.length, first.total]).toEqual([pageSize, 1000]);
    expect([last.first, last.cards.length]).toEqual([800, 200]);
    expect(pageOf(scene.graphs[0]!, 999)).toBe(2);
    const shown = new Set(first.cards.map((card) => card.key));
    for (const edge of first.edges) expect(shown.has(edge.from) && shown.has(edge.to)).toBe(true);
  });

  it('says kind, size, finding and access in words on the card', () => {
    const sheet = buildSheet(chapterExample(), 0, 0)!;
    const card = (id: number) => sheet.cards.find((one) => one.node.id === id)!;
    expect(card(0).detail).toBe('alloc · 64 MiB');
    expect(card(5).badge).toMatchObject({ text: 'graph-use-free-race', severity: 'error', finding: 0 });
    expect(card(5).chips.map((chip) => chip.text)).toEqual(['dptr rw']);
    expect(buildSheet(everythingUnusual(), 0, 0)!.cards.find((one) => one.node.id === 3)!.detail).toBe('may: kernel');
  });
});

describe('elk', () => {
  const sheet = buildSheet(chapterExample(), 0, 0)!;
  const input = { nodes: sheet.cards.map(({ key, width, height }) => ({ key, width, height })), edges: sheet.edges };

  it('is asked by position and answers by name', () => {
    const asked = toElk(input) as { children: { id: string }[]; edges: { id: string; sources: string[] }[] };
    expect(JSON.stringify(asked)).not.toContain('0/');
    const children = asked.children.map((child, index) => ({ id: child.id, x: index * 10, y: 0 }));
    const sections = [{ startPoint: { x: 0, y: 0 }, bendPoints: [{ x: 5, y: 5 }], endPoint: { x: 9, y: 9 } }];
    const result = fromElk(input, { width: 100, height: 50, children, edges: [{ id: 'e1', sections }] })!;
    expect(result.nodes.get(input.nodes[2]!.key)).toEqual({ x: 20, y: 0 });
    expect(result.edges[1]).toHaveLength(3);
    expect(result.edges[0]).toEqual([]);
  });

  it('is not believed when the answer is not whole', () => {
    expect(fromElk(input, undefined)).toBeUndefined();
    expect(fromElk(input, { width: 1, height: 1, children: [] })).toBeUndefined();
  });

  it('is not missed: the simple layout gives every node a place at once', () => {
    const big = buildSheet(generated(400), 0, 0)!;
    const nodes = big.cards.map(({ key, width, height }) => ({ key, width, height }));
    expect(layoutSimply({ nodes, edges: big.edges }).nodes.size).toBe(400);
  });
});

describe('the camera', () => {
  const extent = { x: -40, y: 0, width: 400, height: 300 };
  it('fits, and never enlarges', () => {
    expect(fitAll(extent, { width: 2000, height: 2000 }).zoom).toBe(1);
    expect(fitAll(extent, { width: 213 + 1 / 3, height: 2000 }).zoom).toBeCloseTo(0.5);
  });

  it('stays readable and says when that cuts the picture', () => {
    expect(fitReadable(extent, { width: 800, height: 800 }).cut).toBe(false);
    const cut = fitReadable({ ...extent, height: 9000 }, { width: 800, height: 800 });
    expect([cut.cut, cut.zoom]).toEqual([true, 0.7]);
    expect(cut.panY).toBe(25);
  });

  it('zooms about the pointer', () => {
    const before = { zoom: 1, panX: 10, panY: 20 };
    const after = zoomAt(before, 2, 110, 220);
    expect([(110 - after.panX) / after.zoom, (220 - after.panY) / after.zoom]).toEqual([100, 200]);
  });

  it('moves only as far as needed to show a box', () => {
    const camera = { zoom: 1, panX: 0, panY: 0 };
    const view = { width: 800, height: 600 };
    expect(bringIntoView(camera, view, { x: 100, y: 100, width: 50, height: 50 })).toEqual(camera);
    expect(bringIntoView(camera, view, { x: 100, y: 900, width: 50, height: 50 }).panY).toBe(600 - 28 - 950);
  });
});

it('rounds corners without leaving the path', () => {
  const path = roundedPath([
    { x: 0, y: 0 },
    { x: 0, y: 10 },
    { x: 50, y: 10 },
  ]);
  expect(path).toBe('M0 0L0 5Q0 10 7 10L50 10');
  expect(roundedPath([{ x: 1, y: 1 }])).toBe('');
});
