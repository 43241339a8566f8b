/**
 * Captured graphs as swim lanes: one column a stream, one row a step of the longest path, so that fork and join can be read
 * off the picture. Edges inside a lane are straight; edges between lanes run down the gutter beside the lane they go to.
 *
 *     stream1      stream2
 *     [alloc]
 *        │
 *     [  A  ]──────────┐
 *        │             │
 *     [  B  ]       [  C  ]
 *        ├─────────────┘
 *     [ free ]
 */

import type { LayoutEdge, LayoutInput, LayoutNode, LayoutResult, Point } from './layout-types.ts';

const gapY = 34;
const gutter = 44;
const lanePadding = 16;
/** Room above the first row for the streams' names. */
const laneHeader = 40;

export function layoutLanes(input: LayoutInput, laneCount: number): LayoutResult {
  const ranks = laneRanks(input);
  const lanes = laneColumns(input, laneCount);
  const rowTops = rowPositions(input, ranks);
  const nodes = new Map<string, Point>();
  for (const node of input.nodes) {
    const lane = lanes[node.lane ?? 0]!;
    const row = rowTops[ranks.get(node.key) ?? 0]!;
    nodes.set(node.key, { x: lane.x + (lane.width - node.width) / 2, y: row.y + (row.height - node.height) / 2 });
  }
  const sizes = new Map(input.nodes.map((node) => [node.key, node]));
  const used = new Map<string, number>();
  const blocked = (lane: number, top: number, bottom: number): boolean =>
    input.nodes.some((node) => {
      const y = nodes.get(node.key)!.y;
      return (node.lane ?? 0) === lane && y > top && y + node.height < bottom;
    });
  const edges = input.edges.map((edge) => routeEdge(edge, sizes, nodes, lanes, used, blocked));
  const last = lanes[lanes.length - 1];
  const bottom = rowTops[rowTops.length - 1];
  return {
    width: last ? last.x + last.width : 0,
    height: (bottom ? bottom.y + bottom.height : 0) + lanePadding,
    nodes,
    edges,
    lanes,
  };
}

/** Longest-path ranks that never put two nodes of one lane into the same row. Nodes come in topological order. */
function laneRanks(input: LayoutInput): ReadonlyMap<string, number> {
  const before = new Map<string, string[]>();
  for (const edge of input.edges) before.set(edge.to, [...(before.get(edge.to) ?? []), edge.from]);
  const ranks = new Map<string, number>();
  const lastInLane = new Map<number, number>();
  for (const node of input.nodes) {
    const lane = node.lane ?? 0;
    const after = (before.get(node.key) ?? []).map((key) => ranks.get(key) ?? -1);
    const rank = Math.max(lastInLane.get(lane) ?? -1, ...after) + 1;
    ranks.set(node.key, rank);
    lastInLane.set(lane, rank);
  }
  return ranks;
}

interface Lane {
  readonly x: number;
  readonly width: number;
}

function laneColumns(input: LayoutInput, laneCount: number): readonly Lane[] {
  const lanes: Lane[] = [];
  let x = 0;
  for (let lane = 0; lane < laneCount; lane++) {
    const widths = input.nodes.filter((node) => node.lane === lane).map((node) => node.width);
    const width = Math.max(120, ...widths) + 2 * lanePadding;
    lanes.push({ x, width });
    x += width + gutter;
  }
  return lanes;
}

function rowPositions(input: LayoutInput, ranks: ReadonlyMap<string, number>): { y: number; height: number }[] {
  const heights: number[] = [];
  for (const node of input.nodes) {
    const rank = ranks.get(node.key) ?? 0;
    heights[rank] = Math.max(heights[rank] ?? 0, node.height);
  }
  let y = laneHeader;
  return [...heights].map((height = 0) => {
    const row = { y, height };
    y += height + gapY;
    return row;
  });
}

function routeEdge(
  edge: LayoutEdge,
  sizes: ReadonlyMap<string, LayoutNode>,
  at: ReadonlyMap<string, Point>,
  lanes: readonly Lane[],
  used: Map<string, number>,
  blocked: (lane: number, top: number, bottom: number) => boolean,
): readonly Point[] {
  const from = sizes.get(edge.from);
  const to = sizes.get(edge.to);
  if (!from || !to) return [];
  const start = { x: at.get(from.key)!.x + from.width / 2, y: at.get(from.key)!.y + from.height };
  const end = { x: at.get(to.key)!.x + to.width / 2, y: at.get(to.key)!.y };
  const fromLane = from.lane ?? 0;
  const toLane = to.lane ?? 0;
  if (fromLane === toLane && !blocked(toLane, start.y, end.y)) return [start, end];
  const lane = lanes[toLane]!;
  const slot = used.get(`${toLane}`) ?? 0;
  used.set(`${toLane}`, slot + 1);
  const shift = (slot % 4) * 7 - 10;
  const side =
    fromLane < toLane || (fromLane === toLane && toLane > 0) ? lane.x - gutter / 2 : lane.x + lane.width + gutter / 2;
  const leave = start.y + 16;
  const arrive = end.y - 16;
  if (fromLane !== toLane && !blocked(fromLane, start.y, arrive)) {
    return [start, { x: start.x, y: arrive }, { x: end.x, y: arrive }, end];
  }
  if (fromLane !== toLane && !blocked(toLane, leave, end.y)) {
    return [start, { x: start.x, y: leave }, { x: end.x, y: leave }, end];
  }
  const x = side + shift;
  return [start, { x: start.x, y: leave }, { x, y: leave }, { x, y: arrive }, { x: end.x, y: arrive }, end];
}
