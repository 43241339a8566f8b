/**
 * A small layered layout that needs nobody: longest-path ranks from top to bottom, a few sweeps of barycentres to keep edges
 * short, rows centred. It is at once there, for any size; elk's answer is nicer and replaces it where a worker can run.
 */

import { type LayoutInput, type LayoutNode, type LayoutResult, longestPathRanks, type Point } from './layout-types.ts';

const gapX = 28;
const gapY = 48;
/** Ranks with more nodes than this are broken into several rows, so that a wide fan-out stays readable. */
const widestRow = 12;

export function layoutSimply(input: LayoutInput): LayoutResult {
  const rows = rowsOf(input);
  for (let sweep = 0; sweep < 4; sweep++) reorder(rows, input, sweep % 2 === 0);
  const width = Math.max(0, ...rows.map(rowWidth));
  const nodes = new Map<string, Point>();
  let y = 0;
  for (const row of rows) {
    let x = (width - rowWidth(row)) / 2;
    for (const node of row) {
      nodes.set(node.key, { x, y });
      x += node.width + gapX;
    }
    y += Math.max(...row.map((node) => node.height)) + gapY;
  }
  const sizes = new Map(input.nodes.map((node) => [node.key, node]));
  const edges = input.edges.map((edge) => {
    const from = sizes.get(edge.from);
    const to = sizes.get(edge.to);
    return from && to ? straight(from, nodes.get(from.key)!, to, nodes.get(to.key)!) : [];
  });
  return { width, height: Math.max(0, y - gapY), nodes, edges, lanes: [] };
}

function rowsOf(input: LayoutInput): LayoutNode[][] {
  const ranks = longestPathRanks(input);
  const byRank: LayoutNode[][] = [];
  for (const node of input.nodes) {
    const rank = ranks.get(node.key) ?? 0;
    byRank[rank] ??= [];
    byRank[rank].push(node);
  }
  const rows: LayoutNode[][] = [];
  for (const rank of byRank) {
    for (let start = 0; start < (rank?.length ?? 0); start += widestRow)
      rows.push(rank!.slice(start, start + widestRow));
  }
  return rows;
}

function rowWidth(row: readonly LayoutNode[]): number {
  return row.reduce((sum, node) => sum + node.width + gapX, -gapX);
}

/** Sorts each row by the mean position of its neighbours in the rows already passed. */
function reorder(rows: LayoutNode[][], input: LayoutInput, down: boolean): void {
  const neighbours = new Map<string, string[]>(input.nodes.map((node) => [node.key, []]));
  for (const edge of input.edges) neighbours.get(down ? edge.to : edge.from)?.push(down ? edge.from : edge.to);
  const position = new Map<string, number>();
  const placeRow = (row: readonly LayoutNode[]): void => {
    row.forEach((node, index) => {
      position.set(node.key, index - row.length / 2);
    });
  };
  for (const row of rows) placeRow(row);
  for (const row of down ? rows : [...rows].reverse()) {
    const mean = new Map(
      row.map((node) => {
        const known = (neighbours.get(node.key) ?? []).map((key) => position.get(key) ?? 0);
        const own = position.get(node.key) ?? 0;
        return [node.key, known.length === 0 ? own : known.reduce((sum, value) => sum + value, 0) / known.length];
      }),
    );
    row.sort((a, b) => mean.get(a.key)! - mean.get(b.key)!);
    placeRow(row);
  }
}

function straight(from: LayoutNode, fromAt: Point, to: LayoutNode, toAt: Point): readonly Point[] {
  const start = { x: fromAt.x + from.width / 2, y: fromAt.y + from.height };
  const end = { x: toAt.x + to.width / 2, y: toAt.y };
  if (Math.abs(start.x - end.x) < 1) return [start, end];
  const middle = end.y - gapY / 2;
  return [start, { x: start.x, y: middle }, { x: end.x, y: middle }, end];
}
