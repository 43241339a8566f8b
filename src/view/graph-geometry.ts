/**
 * A sheet and a layout become a picture: absolute boxes, wires, stream bands and lifetime rails. Pure but for the layouter it
 * is given, so that a test can lay out with the simple one and look at numbers.
 *
 *     rails │ bands / boxes
 *       ┃   │  [alloc x]       a rail runs from the node that allocates to the node that frees;
 *       ┃   │      │           one that is not freed in this graph runs off the bottom
 *       ┃   │  [kernel ]
 *       ╹   │  [free  x]
 */

import type { Card, Sheet } from './graph-model.ts';
import { layoutLanes } from './layout-lanes.ts';
import { layoutSimply } from './layout-simple.ts';
import type { LayoutInput, LayoutResult, Point } from './layout-types.ts';

export interface Box {
  readonly card: Card;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

export interface Wire {
  readonly graph: number;
  /** Index into that graph's edges. */
  readonly index: number;
  readonly from: string;
  readonly to: string;
  readonly certainty: 'always' | 'sometimes';
  readonly points: readonly Point[];
}

/** A stream's lane behind the nodes that were captured on it. */
export interface Band {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An allocation's span, beside the graph. */
export interface Rail {
  readonly allocation: number;
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  /** False: no node of this graph frees it, it lives on after the launch. */
  readonly freed: boolean;
}

export interface Picture {
  readonly sheet: Sheet;
  readonly boxes: readonly Box[];
  readonly wires: readonly Wire[];
  readonly bands: readonly Band[];
  readonly rails: readonly Rail[];
  /** The drawing's extent; rails stand at negative x. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Layouter = (input: LayoutInput) => Promise<LayoutResult | undefined>;

export const railWidth = 8;
const railPitch = 20;
const mostRails = 14;
const childTop = 52;
const childPadding = 16;

/** The picture of a sheet. Lanes for captures, else what `layouter` gives, else the simple layout. */
export async function drawSheet(sheet: Sheet, layouter: Layouter): Promise<Picture> {
  const placed = await place(sheet, layouter, 0);
  const rails = railsOf(sheet, placed.boxes, placed.height);
  const left = Math.min(0, ...rails.map((rail) => rail.x)) - (rails.length > 0 ? 6 : 0);
  return { sheet, ...placed, rails, x: left, y: 0, width: placed.width - left, height: placed.height };
}

interface Placed {
  readonly boxes: readonly Box[];
  readonly wires: readonly Wire[];
  readonly bands: readonly Band[];
  readonly width: number;
  readonly height: number;
}

async function place(sheet: Sheet, layouter: Layouter, depth: number): Promise<Placed> {
  const children = new Map<string, Placed>();
  for (const card of sheet.cards) if (card.child) children.set(card.key, await place(card.child, layouter, depth + 1));
  const input: LayoutInput = {
    nodes: sheet.cards.map((card) => ({ ...sizeOf(card, children.get(card.key)), lane: laneOf(sheet, card) })),
    edges: sheet.edges,
  };
  const result = sheet.streams.length > 0 ? layoutLanes(input, sheet.streams.length) : await ranked(input, layouter);
  const boxes: Box[] = [];
  const wires: Wire[] = sheet.edges.map((edge, index) => ({
    graph: sheet.graph.id,
    ...edge,
    points: result.edges[index] ?? [],
  }));
  const bands: Band[] = result.lanes.map((lane, index) => ({
    name: sheet.streams[index] ?? '',
    x: lane.x,
    y: 0,
    width: lane.width,
    height: result.height,
  }));
  input.nodes.forEach((node, index) => {
    const at = result.nodes.get(node.key)!;
    const card = sheet.cards[index]!;
    boxes.push({ card, x: at.x, y: at.y, width: node.width, height: node.height, depth });
    const inner = children.get(card.key);
    if (!inner) return;
    const by = { x: at.x + childPadding, y: at.y + card.height + childTop - 44 };
    boxes.push(...inner.boxes.map((box) => ({ ...box, x: box.x + by.x, y: box.y + by.y })));
    wires.push(...inner.wires.map((wire) => ({ ...wire, points: wire.points.map((point) => moved(point, by)) })));
    bands.push(...inner.bands.map((band) => ({ ...band, x: band.x + by.x, y: band.y + by.y })));
  });
  return { boxes, wires, bands, width: result.width, height: result.height };
}

async function ranked(input: LayoutInput, layouter: Layouter): Promise<LayoutResult> {
  if (input.nodes.length === 0) return layoutSimply(input);
  return (await layouter(input)) ?? layoutSimply(input);
}

function sizeOf(card: Card, inner: Placed | undefined): { key: string; width: number; height: number } {
  if (!inner) return { key: card.key, width: card.width, height: card.height };
  return {
    key: card.key,
    width: Math.max(card.width, inner.width + 2 * childPadding),
    height: card.height + (childTop - 44) + inner.height + childPadding,
  };
}

function laneOf(sheet: Sheet, card: Card): number {
  return Math.max(0, sheet.streams.indexOf(card.node.stream ?? ''));
}

function moved(point: Point, by: Point): Point {
  return { x: point.x + by.x, y: point.y + by.y };
}

/** Rails in as few columns as their spans allow; past `mostRails` columns none are drawn (the chips still tell). */
function railsOf(sheet: Sheet, boxes: readonly Box[], height: number): readonly Rail[] {
  const spans = new Map<number, { top: number; bottom: number; freed: boolean }>();
  for (const box of boxes) {
    const allocation = box.card.node.allocation;
    if (box.depth > 0 || allocation === undefined || box.card.graph !== sheet.graph.id) continue;
    const middle = box.y + Math.min(box.height, box.card.height) / 2;
    const span = spans.get(allocation);
    if (box.card.node.kind === 'memAlloc')
      spans.set(allocation, { top: middle, bottom: height, freed: false, ...span });
    else
      spans.set(allocation, {
        top: span?.top ?? 0,
        bottom: Math.max(middle, span?.freed ? span.bottom : 0),
        freed: true,
      });
  }
  const ends: number[] = [];
  const rails = [...spans]
    .sort((a, b) => a[1].top - b[1].top)
    .map(([allocation, span]) => {
      const free = ends.findIndex((end) => end + 10 < span.top);
      const column = free < 0 ? ends.length : free;
      ends[column] = Math.max(span.bottom, span.top);
      return { allocation, x: -(column + 1) * railPitch - 12, ...span };
    });
  return ends.length > mostRails ? [] : rails;
}

/** SVG path data of a polyline with rounded corners. */
export function roundedPath(points: readonly Point[], radius = 7): string {
  const first = points[0];
  if (!first || points.length < 2) return '';
  let path = `M${round(first.x)} ${round(first.y)}`;
  for (let index = 1; index < points.length - 1; index++) {
    const [before, corner, after] = [points[index - 1]!, points[index]!, points[index + 1]!];
    const enter = toward(corner, before, radius);
    const leave = toward(corner, after, radius);
    path += `L${round(enter.x)} ${round(enter.y)}Q${round(corner.x)} ${round(corner.y)} ${round(leave.x)} ${round(leave.y)}`;
  }
  const last = points[points.length - 1]!;
  return `${path}L${round(last.x)} ${round(last.y)}`;
}

function toward(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return from;
  const share = Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
