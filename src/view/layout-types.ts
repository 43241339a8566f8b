/** What goes into a layout and what comes out: sizes and edges in, positions and bends out. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface LayoutNode {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  /** The column of a lane layout. */
  readonly lane?: number;
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
}

export interface LayoutInput {
  readonly nodes: readonly LayoutNode[];
  readonly edges: readonly LayoutEdge[];
}

export interface LayoutResult {
  readonly width: number;
  readonly height: number;
  /** Top left corners, by key. */
  readonly nodes: ReadonlyMap<string, Point>;
  /** One polyline an edge, in the order of the input. */
  readonly edges: readonly (readonly Point[])[];
  /** Columns of a lane layout. */
  readonly lanes: readonly { readonly x: number; readonly width: number }[];
}

/** Longest path to each node; edges that would close a cycle are left out. */
export function longestPathRanks(input: LayoutInput): ReadonlyMap<string, number> {
  const waiting = new Map(input.nodes.map((node) => [node.key, 0]));
  const after = new Map<string, string[]>(input.nodes.map((node) => [node.key, []]));
  for (const edge of input.edges) {
    if (edge.from === edge.to) continue;
    waiting.set(edge.to, (waiting.get(edge.to) ?? 0) + 1);
    after.get(edge.from)?.push(edge.to);
  }
  const ranks = new Map(input.nodes.map((node) => [node.key, 0]));
  const ready = input.nodes.filter((node) => waiting.get(node.key) === 0).map((node) => node.key);
  for (let next = 0; next < ready.length; next++) {
    const key = ready[next]!;
    for (const to of after.get(key) ?? []) {
      ranks.set(to, Math.max(ranks.get(to) ?? 0, (ranks.get(key) ?? 0) + 1));
      waiting.set(to, (waiting.get(to) ?? 0) - 1);
      if (waiting.get(to) === 0) ready.push(to);
    }
  }
  return ranks;
}
