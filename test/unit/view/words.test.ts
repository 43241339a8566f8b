import { describe, expect, it } from 'vitest';
import { countOfKind, kindWords } from '../../../src/scene/kind-words.ts';
import type { NodeKind } from '../../../src/scene/scene.ts';
import { describeStep, formatBytes, formatPlace } from '../../../src/view/format.ts';
import { ranges } from '../../../src/view/inspector.ts';
import { bottomInsets, kindIcons, nodeOutline } from '../../../src/view/node-shapes.ts';
import { type OutlineItem, outlineOf } from '../../../src/view/outline-model.ts';
import { readSize } from '../../../src/view/sizes.ts';
import { fitText, textWidth } from '../../../src/view/text.ts';
import { chapterExample, everythingUnusual, forkJoin } from '../../view-fixtures/scenes.ts';

describe('numbers in words', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [512, '512 bytes'],
    [67_108_864, '64 MiB'],
    [1_572_864, '1.5 MiB'],
    [35_651_584, '34 MiB'],
    [150_754_099_200, '140 GiB'],
    [null, 'size unknown'],
  ])('%s is %s', (bytes, words) => {
    expect(formatBytes(bytes)).toBe(words);
  });

  it('tells a step in one sentence', () => {
    expect(describeStep(forkJoin().operations, 7)).toBe(
      'step 8 of 12 · launch producer → stream2 · used 160 MiB · reserved 160 MiB · remap: stream changed: blocks still in use on stream1',
    );
    expect(describeStep(everythingUnusual().operations, 1)).toMatch(/ · cudaErrorInvalidValue$/);
  });

  it('names places shortly', () => {
    expect(formatPlace(forkJoin().graphs[0]!.nodes[3]!.place)).toBe('fork_join.cu:47');
  });

  it('draws consecutive numbers together', () => {
    expect(ranges([1, 2, 3, 7, 9, 10])).toBe('1–3, 7, 9–10');
  });

  it.each([
    ['', null],
    [' 4096 ', 4096],
    ['-1', undefined],
    ['1e3', undefined],
    ['99999999999999999', undefined],
  ])('reads the size %j as %s', (text, value) => {
    expect(readSize(text)).toBe(value);
  });
});

describe('text', () => {
  it('is cut to fit, with an ellipsis, and left alone when it fits', () => {
    const long = 'transposeAndScaleMatrixKernel<float, 256>';
    const cut = fitText(long, 90, 13);
    expect(cut.endsWith('…')).toBe(true);
    expect(textWidth(cut, 13)).toBeLessThanOrEqual(90);
    expect(fitText('short', 90, 13)).toBe('short');
    expect(fitText(long, 2, 13)).toBe('');
  });
});

it('every kind of node has its own word and its own icon, and an outline', () => {
  const kinds = Object.keys(kindWords) as NodeKind[];
  expect(new Set(Object.values(kindWords)).size).toBe(kinds.length);
  expect(new Set(Object.values(kindIcons)).size).toBe(kinds.length);
  for (const kind of kinds) expect(nodeOutline(kind, 100, 40)).toMatch(/^M[\d.].*Z$/);
});

describe('the outline holds everything that is drawn', () => {
  const walk = (items: readonly OutlineItem[]): OutlineItem[] =>
    items.flatMap((item) => [item, ...walk(item.children())]);

  it.each([
    ['chapter', chapterExample()],
    ['fork', forkJoin()],
    ['unusual', everythingUnusual()],
  ])('%s', (_, scene) => {
    const items = walk(outlineOf(scene, 0));
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
    const selected = (kind: string) =>
      new Set(items.flatMap((item) => (item.selection?.kind === kind ? JSON.stringify(item.selection) : [])));
    expect(selected('node').size).toBe(scene.graphs.reduce((sum, graph) => sum + graph.nodes.length, 0));
    expect(selected('allocation').size).toBe(scene.allocations.length);
    expect(selected('finding').size).toBe(scene.findings.length);
    expect(selected('operation').size).toBe(scene.operations.length);
    const edges = items.filter((item) => item.id.includes('-edge-'));
    expect(edges.length).toBe(2 * scene.graphs.reduce((sum, graph) => sum + graph.edges.length, 0));
    expect(items.filter((item) => item.id.startsWith('gap-')).length).toBe(scene.gaps.length);
  });
});

it('counts nodes in words that fit the number', () => {
  const counts = (['kernel', 'memcpy', 'empty', 'memFree'] as const).map((kind, index) => countOfKind(kind, index + 1));
  expect(counts).toEqual(['1 kernel', '2 copies', '3 empty nodes', '4 frees']);
});

it('leaves room for a badge between sides that lean', () => {
  for (const kind of Object.keys(kindWords) as NodeKind[]) {
    const corners = [...nodeOutline(kind, 100, 50).matchAll(/[ML]?(\d+) 50(?=H|Z|L)|50H(\d+)/g)];
    const { left, right } = bottomInsets(kind);
    for (const [, first, second] of corners) {
      const x = Number(first ?? second);
      if (x < 50 && kind !== 'empty' && !/A/.test(nodeOutline(kind, 100, 50))) expect([kind, left]).toEqual([kind, x]);
      if (x > 50 && !/A/.test(nodeOutline(kind, 100, 50))) expect([kind, right]).toEqual([kind, 100 - x]);
    }
  }
});
