/** Paints a picture of a graph as SVG: bands, rails, wires, cards, in this order. It decides nothing; geometry has decided. */

import { kindWords } from '../scene/kind-words.ts';
import type { Scene, SceneFinding } from '../scene/scene.ts';
import { s } from './dom.ts';
import { formatBytes, formatPlace } from './format.ts';
import { type Box, type Picture, type Rail, railWidth, roundedPath, type Wire } from './graph-geometry.ts';
import { type Card, type Chip, detailSize, roleWords, titleSize } from './graph-model.ts';
import { bottomInsets, kindIcons, nodeMarks, nodeOutline } from './node-shapes.ts';
import { colourClass, hatchFill, hatchPatterns } from './palette.ts';
import { fitText, textWidth } from './text.ts';

export const severitySigns: Readonly<Record<SceneFinding['severity'], string>> = {
  error: '✕',
  warning: '!',
  hint: '◇',
  info: 'i',
};

export interface PaintedGraph {
  readonly root: SVGGElement;
  readonly defs: SVGDefsElement;
  readonly nodes: ReadonlyMap<string, SVGGElement>;
  readonly wires: ReadonlyMap<string, SVGGElement>;
  readonly rails: ReadonlyMap<number, SVGGElement>;
  /** On top of all: a finding's numbers and missing edges. */
  readonly overlay: SVGGElement;
}

export function paintGraph(scene: Scene, picture: Picture): PaintedGraph {
  const rails = new Map(picture.rails.map((rail) => [rail.allocation, paintRail(scene, rail)]));
  const wires = new Map(picture.wires.map((wire) => [wireKey(wire), paintWire(wire)]));
  const nodes = new Map(picture.boxes.map((box) => [box.card.key, paintBox(scene, box)]));
  const overlay = s('g', { class: 'overlay' });
  const outer = picture.boxes.filter((box) => box.card.child).map((box) => nodes.get(box.card.key)!);
  const inner = picture.boxes.filter((box) => !box.card.child).map((box) => nodes.get(box.card.key)!);
  const root = s('g', { class: 'picture' });
  root.append(...picture.bands.filter((band) => band.y === 0).map(paintBand), ...outer);
  root.append(...picture.bands.filter((band) => band.y !== 0).map(paintBand));
  root.append(...rails.values(), ...wires.values(), ...inner, overlay);
  const defs = hatchPatterns('graph');
  defs.append(arrowHead('arrow'), arrowHead('arrow-lit'));
  return { root, defs, nodes, wires, rails, overlay };
}

/** One wire's key: a child graph drawn twice has its wires twice, told apart by their ends. */
export function wireKey(wire: Wire): string {
  return `${wire.from}|${wire.to}|${wire.index}`;
}

/** `kernel scale on stream1, allocates …`: what a screen reader says of a node. */
export function describeNode(scene: Scene, card: Card): string {
  const { node } = card;
  const parts = [`${kindWords[node.kind]} ${node.label}`];
  if (node.certainty === 'sometimes') parts.push('may not exist');
  if (node.stream) parts.push(`on ${node.stream}`);
  if (node.kind === 'memAlloc') parts.push(formatBytes(node.bytes));
  for (const access of node.accesses) {
    parts.push(`${roleWords[access.mode]} ${scene.allocations[access.allocation]?.name ?? 'memory'}`);
  }
  for (const id of node.findings) {
    const finding = scene.findings[id];
    if (finding) parts.push(`${finding.severity}: ${finding.message}`);
  }
  parts.push(formatPlace(node.place));
  return parts.join(', ');
}

function arrowHead(id: string): SVGMarkerElement {
  const marker = s('marker', {
    id,
    class: id,
    viewBox: '0 0 8 8',
    refX: 7,
    refY: 4,
    markerWidth: 7,
    markerHeight: 7,
    orient: 'auto-start-reverse',
    markerUnits: 'userSpaceOnUse',
  });
  marker.append(s('path', { d: 'M0 0L8 4L0 8Z' }));
  return marker;
}

function paintBand(band: Picture['bands'][number]): SVGGElement {
  const { x, y, width, height } = band;
  return s(
    'g',
    { class: 'band', 'aria-hidden': 'true' },
    s('rect', { x, y, width, height, rx: 6 }),
    s('text', { x: x + width / 2, y: y + 21, class: 'band-name' }, fitText(band.name, width - 16, 12, true)),
  );
}

function paintWire(wire: Wire): SVGGElement {
  const d = roundedPath(wire.points);
  return s(
    'g',
    { class: `wire ${wire.certainty}`, 'aria-hidden': 'true' },
    s('path', { class: 'wire-casing', d }),
    s('path', { class: 'wire-line', d }),
  );
}

function paintRail(scene: Scene, rail: Rail): SVGGElement {
  const allocation = scene.allocations[rail.allocation];
  const height = Math.max(6, rail.bottom - rail.top);
  const name = allocation?.name ?? '';
  const end = rail.freed ? 'freed here' : 'not freed in this graph';
  const group = s(
    'g',
    { class: `rail ${colourClass(allocation?.colour ?? 0)} ${rail.freed ? 'freed' : 'open'}`, 'aria-hidden': 'true' },
    s('title', {}, `${name}: ${formatBytes(allocation?.bytes ?? null)}, ${end}`),
    s('rect', { class: 'rail-hit', x: rail.x - 6, y: rail.top, width: railWidth + 12, height }),
    s('rect', { class: 'rail-body', x: rail.x, y: rail.top, width: railWidth, height, rx: 3 }),
  );
  const label = fitText(name, height - 16, detailSize);
  if (label !== '' && height > 44) {
    const [x, y] = [rail.x - 3, rail.top + 6 + textWidth(label, detailSize)];
    group.append(s('text', { class: 'rail-name', transform: `translate(${x} ${y}) rotate(-90)` }, label));
  }
  return group;
}

function paintBox(scene: Scene, box: Box): SVGGElement {
  const { card } = box;
  const { node } = card;
  const group = s('g', {
    class: `node kind-${node.kind} ${node.certainty}${card.badge ? ` has-${card.badge.severity}` : ''}`,
    transform: `translate(${box.x} ${box.y})`,
    tabindex: 0,
    role: 'button',
    'aria-label': describeNode(scene, card),
    'data-key': card.key,
  });
  const outline = nodeOutline(node.kind, box.width, box.height);
  group.append(
    s('title', {}, `${node.label}\n${card.detail}\n${formatPlace(node.place)}`),
    s('path', {
      class: 'halo',
      d: nodeOutline(node.kind, box.width + 8, box.height + 8),
      transform: 'translate(-4 -4)',
    }),
    s('path', { class: 'shape', d: outline }),
  );
  const marks = nodeMarks(node.kind, box.width, box.height);
  if (marks) group.append(s('path', { class: 'marks', d: marks }));
  group.append(
    s('path', { class: 'icon', d: kindIcons[node.kind], transform: 'translate(14 14)' }),
    s('text', { class: 'title', x: 38, y: 19, 'font-size': titleSize }, card.title),
    s('text', { class: 'detail', x: 38, y: 35, 'font-size': detailSize }, card.detail),
  );
  if (card.chips.length > 0) group.append(paintChips(scene, card));
  if (card.badge) group.append(paintBadge(card, box.width));
  return group;
}

function paintChips(scene: Scene, card: Card): SVGGElement {
  const group = s('g', { class: 'chips', transform: 'translate(16 43)' });
  let x = 0;
  for (const chip of card.chips) {
    group.append(paintChip(scene, chip, x));
    x += chip.width + 6;
  }
  if (card.moreChips > 0)
    group.append(s('text', { class: 'chip-text', x, y: 12, 'font-size': detailSize }, `+${card.moreChips}`));
  return group;
}

/** A swatch in the allocation's colour: filled when allocated or used, hatched when freed. */
function paintChip(scene: Scene, chip: Chip, x: number): SVGGElement {
  const name = scene.allocations[chip.allocation]?.name ?? '';
  return s(
    'g',
    { class: `chip role-${chip.role} ${colourClass(chip.colour)}`, transform: `translate(${x} 0)` },
    s('title', {}, `${roleWords[chip.role]} ${name}`),
    s('rect', {
      class: 'swatch',
      x: 0,
      y: 3,
      width: 10,
      height: 10,
      rx: 2,
      fill: chip.role === 'free' ? hatchFill('graph', chip.colour) : 'currentColor',
    }),
    s('text', { class: 'chip-text', x: 14, y: 12, 'font-size': detailSize }, chip.text),
  );
}

function paintBadge(card: Card, width: number): SVGGElement {
  const badge = card.badge!;
  const { left, right } = bottomInsets(card.node.kind);
  const y = card.height - 25;
  return s(
    'g',
    { class: `badge ${badge.severity}`, transform: `translate(${left + 6} ${y})` },
    s('rect', { width: width - left - right - 12, height: 19, rx: 4 }),
    s('text', { class: 'badge-sign', x: 10, y: 13.5, 'font-size': detailSize }, severitySigns[badge.severity]),
    s('text', { class: 'badge-text', x: 20, y: 13.5, 'font-size': detailSize }, badge.text),
  );
}
