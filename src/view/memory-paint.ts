/** Paints the memory pane's charts, all over the same columns: ruler, usage, addresses of a graph, physical blocks. */

import type { Scene } from '../scene/scene.ts';
import type { Actions } from './actions.ts';
import { h, s } from './dom.ts';
import { failed, formatBytes, graphName } from './format.ts';
import { type Column, launches } from './memory-axis.ts';
import { addressMap, type BlockBar, blockBars, type Peak, usageChart } from './memory-geometry.ts';
import { colourClass, hatchFill, hatchPatterns } from './palette.ts';
import type { State } from './store.ts';
import { fitText, textWidth } from './text.ts';

export interface Frame {
  readonly columns: readonly Column[];
  readonly width: number;
  /** Room on the left for the rows' names. */
  readonly gutter: number;
}

export function paintRuler(scene: Scene, frame: Frame): HTMLElement {
  const svg = chartSvg(frame, 34, 'Steps');
  for (const column of frame.columns) {
    const operation = scene.operations[column.operation]!;
    const x = frame.gutter + column.x;
    svg.append(
      s(
        'g',
        { class: `tick${failed(operation) ? ' failed' : ''}` },
        s('title', {}, `step ${operation.id + 1}: ${operation.label}`),
        s('rect', { class: 'hit', x, y: 0, width: column.width, height: 34 }),
        s(
          'text',
          { x: x + column.width / 2, y: 14 },
          failed(operation) ? `${operation.id + 1}✕` : String(operation.id + 1),
        ),
        s('text', { class: 'faint', x: x + column.width / 2, y: 28 }, columnWord(scene, column)),
      ),
    );
  }
  svg.append(gutter(frame, svg, [s('text', { class: 'row-name', x: 8, y: 14 }, 'step')]));
  return h('div', { class: 'chart ruler' }, svg);
}

/** The graph's name over a launch, else as much of the call as fits. */
function columnWord(scene: Scene, column: Column): string {
  const operation = scene.operations[column.operation]!;
  const name = operation.graph === undefined ? undefined : graphName(scene, operation.graph);
  if (launches(operation) && name) return fitText(`▶ ${name}`, column.width - 4, 10);
  return '';
}

export function paintUsage(scene: Scene, frame: Frame): HTMLElement {
  const height = 44;
  const room = 18;
  const chart = usageChart(scene.operations, frame.columns, height);
  const svg = chartSvg(frame, height + room + 4, 'Used and reserved memory');
  const plot = s('g', { transform: `translate(${frame.gutter} ${room})` });
  plot.append(
    s('path', { class: 'reserved', d: chart.reserved }),
    s('path', { class: 'used', d: chart.used }),
    s('line', { class: 'base', x1: 0, x2: frame.width, y1: height, y2: height }),
  );
  const { usedPeak, reservedPeak } = chart;
  if (usedPeak && reservedPeak && usedPeak.step === reservedPeak.step && usedPeak.bytes === reservedPeak.bytes) {
    plot.append(...peakMark('peak, used and reserved:', reservedPeak, frame));
  } else {
    if (reservedPeak) plot.append(...peakMark('peak reserved:', reservedPeak, frame));
    if (usedPeak) plot.append(...peakMark('peak used:', usedPeak, frame));
  }
  svg.append(plot, gutter(frame, svg, legend()));
  return h('div', { class: 'chart' }, svg);
}

function peakMark(name: string, peak: Peak, frame: Frame): SVGElement[] {
  const text = `${name} ${formatBytes(peak.bytes)}`;
  const late = peak.x + textWidth(text, 11, true) + 8 > frame.width;
  const attributes = {
    class: 'peak',
    x: peak.x + (late ? -5 : 6),
    y: peak.y - 5,
    'text-anchor': late ? 'end' : 'start',
  };
  return [
    s('circle', { class: 'peak-dot', cx: peak.x, cy: peak.y, r: 3 }),
    s('text', attributes, s('title', {}, `${text} at step ${peak.step + 1}`), text),
  ];
}

function legend(): SVGElement[] {
  return [
    s('rect', { class: 'reserved', x: 8, y: 20, width: 10, height: 10 }),
    s('text', { class: 'row-name', x: 23, y: 29 }, 'reserved'),
    s('rect', { class: 'used', x: 8, y: 38, width: 10, height: 10 }),
    s('text', { class: 'row-name', x: 23, y: 47 }, 'used'),
  ];
}

export function paintAddresses(scene: Scene, state: State, frame: Frame, actions: Actions): HTMLElement {
  const graph = scene.graphs[state.graph];
  const title = h('h3', {}, graph ? `Addresses of ${graphName(scene, graph.id)}` : 'Addresses');
  if (!graph) return h('div', { class: 'chart' }, title);
  const map = addressMap(scene, graph, frame.columns);
  if (map.spans.length === 0) {
    const none = scene.allocations.some((allocation) => allocation.graph === graph.id);
    const words = none
      ? 'Sizes are not known yet: set them under Sizes to see addresses.'
      : 'This graph allocates no memory of its own.';
    return h('div', { class: 'chart' }, title, h('p', { class: 'quiet' }, words));
  }
  const imagined = frame.columns[0]?.operation === -1;
  const top = 5;
  const svg = chartSvg(frame, map.scale.height + top + 5, `Addresses of ${graph.name} over the steps`);
  svg.append(hatchPatterns('memory'));
  const names: SVGElement[] = [];
  for (const tick of map.scale.ticks) {
    svg.append(
      s('line', {
        class: 'grid',
        x1: frame.gutter,
        x2: frame.gutter + frame.width,
        y1: tick.y + top,
        y2: tick.y + top,
      }),
    );
    names.push(rowName(frame, tick.y + top + 3.5, tickWord(tick.offset)));
  }
  for (const span of map.spans) svg.append(paintSpan(scene, span, frame, top, actions));
  svg.append(gutter(frame, svg, names));
  const remarks = [
    map.scale.proportional ? null : 'not to scale',
    imagined ? 'one launch, as if it were made' : null,
    map.unplaced.length > 0 ? `${map.unplaced.length} without a known size not drawn` : null,
    'hatched: freed, still mapped',
  ].filter((remark) => remark !== null);
  title.append(h('span', { class: 'quiet' }, ` ${remarks.join(' · ')}`));
  return h('div', { class: 'chart' }, title, svg);
}

function tickWord(offset: number): string {
  return offset === 0 ? '0' : formatBytes(offset);
}

function paintSpan(
  scene: Scene,
  span: ReturnType<typeof addressMap>['spans'][number],
  frame: Frame,
  top: number,
  actions: Actions,
): SVGElement {
  const allocation = scene.allocations[span.allocation]!;
  const [x, y] = [frame.gutter + span.x, span.y + top];
  const size = { x, y: y + 0.5, width: Math.max(2, span.width), height: Math.max(2, span.height - 1) };
  const words = `${allocation.name}, ${formatBytes(allocation.bytes)} at ${formatBytes(allocation.offset)}, ${span.state}`;
  const group = s(
    'g',
    { class: `span ${span.state} ${colourClass(allocation.colour)}`, 'data-allocation': span.allocation },
    s('title', {}, words),
  );
  if (span.state === 'freed') {
    group.append(
      s('rect', { class: 'freed-ground', ...size }),
      s('rect', { class: 'freed-hatch', ...size, fill: hatchFill('memory', allocation.colour) }),
    );
  } else {
    group.append(s('rect', { class: 'live-body', ...size, rx: 2 }));
    const label = fitText(allocation.name, span.width - 8, 11, true);
    if (span.height >= 13 && label.length > 1) {
      group.append(s('text', { class: 'span-name', x: x + 5, y: y + Math.min(span.height / 2 + 4, 14) }, label));
    }
  }
  group.addEventListener('click', () => actions.select({ kind: 'allocation', id: span.allocation }));
  return group;
}

export function paintBlocks(scene: Scene, state: State, frame: Frame): HTMLElement {
  const title = h('h3', {}, 'Physical blocks', h('span', { class: 'quiet' }, ' 32 MiB each · who maps them'));
  if (scene.blocks.length === 0) {
    return h('div', { class: 'chart' }, title, h('p', { class: 'quiet' }, 'No block is mapped in this program.'));
  }
  const pitch = scene.blocks.length > 24 ? 11 : 20;
  const svg = chartSvg(frame, scene.blocks.length * pitch + 6, 'Physical blocks over the steps');
  const rows = new Map(scene.blocks.map((block, row) => [block.id, row]));
  for (const bar of blockBars(scene, frame.columns)) {
    svg.append(paintBlock(scene, bar, state.graph, frame, (rows.get(bar.block) ?? 0) * pitch, pitch));
  }
  const named = scene.blocks.filter((_, row) => pitch >= 14 || row % 4 === 0);
  const names = named.map((block) =>
    rowName(frame, (rows.get(block.id) ?? 0) * pitch + pitch / 2 + 4, `block ${block.id}`),
  );
  svg.append(gutter(frame, svg, names));
  return h('div', { class: 'chart' }, title, svg);
}

function paintBlock(
  scene: Scene,
  bar: BlockBar,
  shownGraph: number,
  frame: Frame,
  top: number,
  pitch: number,
): SVGElement {
  const names = bar.graphs.map((graph) => graphName(scene, graph));
  const kind = bar.graphs.length === 0 ? 'idle' : bar.graphs.length > 1 ? 'shared' : 'held';
  const words = kind === 'idle' ? 'reserved' : kind === 'shared' ? `shared: ${names.join(' + ')}` : names.join('');
  const shorter = kind === 'shared' ? [`shared by ${names.length}`, 'shared'] : kind === 'idle' ? ['idle'] : [];
  const short = [words, ...shorter].find((text) => textWidth(text, 11, true) <= bar.width - 14);
  const [x, y] = [frame.gutter + bar.x + 1, top + 1.5];
  const group = s(
    'g',
    { class: `block ${kind}${bar.graphs.includes(shownGraph) ? ' own' : ''}` },
    s('title', {}, `block ${bar.block}: ${words}`),
    s('rect', { x, y, width: Math.max(2, bar.width - 2), height: pitch - 3, rx: 3 }),
  );
  const label = short ?? fitText(words, bar.width - 14, 11);
  if (pitch >= 14) group.append(s('text', { x: x + 6, y: y + 12.5 }, label));
  return group;
}

function rowName(frame: Frame, y: number, text: string): SVGElement {
  return s('text', { class: 'row-name', x: frame.gutter - 8, y, 'text-anchor': 'end' }, text);
}

/** The rows' names on their own ground: the pane moves them along when the charts scroll sideways. */
function gutter(frame: Frame, svg: SVGSVGElement, names: readonly SVGElement[]): SVGElement {
  const ground = s('rect', {
    class: 'gutter-ground',
    x: 0,
    y: 0,
    width: frame.gutter - 4,
    height: svg.getAttribute('height') ?? 0,
  });
  return s('g', { class: 'gutter' }, ground, ...names);
}

function chartSvg(frame: Frame, height: number, label: string): SVGSVGElement {
  return s('svg', { width: frame.gutter + frame.width + 6, height, role: 'img', 'aria-label': label });
}
