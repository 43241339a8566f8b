/**
 * The memory pane as numbers: who holds which addresses of a graph when, which physical blocks are mapped by whom, and how
 * much is used and reserved. Nothing here paints.
 */

import type { Scene, SceneGraph, SceneOperation } from '../scene/scene.ts';
import { topologicalOrder } from './graph-order.ts';
import { type AddressScale, addressScale, type Column, columnsWidth, launches } from './memory-axis.ts';

export interface HeldSpan {
  readonly allocation: number;
  /** Freed: the addresses are mapped but no longer anybody's. */
  readonly state: 'live' | 'freed';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface AddressMap {
  readonly scale: AddressScale;
  readonly spans: readonly HeldSpan[];
  /** Allocations of the graph whose place or size nobody knows: listed, not drawn. */
  readonly unplaced: readonly number[];
}

/** Who holds which addresses of a graph, column by column; inside a launch, node by node. */
export function addressMap(scene: Scene, graph: SceneGraph, columns: readonly Column[]): AddressMap {
  const own = scene.allocations.filter((allocation) => allocation.graph === graph.id);
  const placed = own.filter((allocation) => allocation.offset !== null && allocation.bytes !== null);
  const scale = addressScale(
    placed.map((allocation) => ({ start: allocation.offset!, end: allocation.offset! + allocation.bytes! })),
  );
  const lives = lifeInLaunch(graph);
  const liveAfter = columns.map((column) => new Set(scene.operations[column.operation]?.live));
  const live: HeldSpan[] = [];
  const freed: HeldSpan[] = [];
  for (const allocation of placed) {
    const [start, end] = [allocation.offset!, allocation.offset! + allocation.bytes!];
    const box = { allocation: allocation.id, y: scale.y(start), height: scale.y(end) - scale.y(start) };
    const times = liveTimes(scene, graph, allocation.id, lives.get(allocation.id), columns, liveAfter);
    times.forEach((time, index) => {
      live.push({ ...box, state: 'live', x: time.start, width: time.end - time.start });
      const next = times[index + 1]?.start ?? Number.POSITIVE_INFINITY;
      const until = Math.min(next, unmappedAt(scene, graph.id, start, end, columns, time.end));
      if (until - time.end > 1) freed.push({ ...box, state: 'freed', x: time.end, width: until - time.end });
    });
  }
  freed.sort((a, b) => a.x - b.x);
  return {
    scale,
    spans: [...freed, ...live],
    unplaced: own.filter((allocation) => !placed.includes(allocation)).map((allocation) => allocation.id),
  };
}

interface Life {
  readonly birth: number;
  /** Null: not freed by this graph. */
  readonly death: number | null;
}

/** Birth and death of each allocation of a graph as shares of a launch, by topological position. */
export function lifeInLaunch(graph: SceneGraph): ReadonlyMap<number, Life> {
  const order = topologicalOrder(graph);
  const lives = new Map<number, Life>();
  order.forEach((id, index) => {
    const node = graph.nodes[id]!;
    if (node.allocation === undefined) return;
    if (node.kind === 'memAlloc') lives.set(node.allocation, { birth: index / order.length, death: null });
    const life = lives.get(node.allocation);
    if (node.kind === 'memFree' && life) lives.set(node.allocation, { ...life, death: (index + 1) / order.length });
  });
  return lives;
}

function liveTimes(
  scene: Scene,
  graph: SceneGraph,
  allocation: number,
  life: Life | undefined,
  columns: readonly Column[],
  liveAfter: readonly ReadonlySet<number>[],
): readonly { start: number; end: number }[] {
  const times: { start: number; end: number }[] = [];
  const add = (start: number, end: number): void => {
    const last = times[times.length - 1];
    if (last && last.end >= start - 0.5) times[times.length - 1] = { start: last.start, end };
    else times.push({ start, end });
  };
  columns.forEach((column, index) => {
    const operation = scene.operations[column.operation];
    const launched = operation ? launches(operation) && operation.graph === graph.id : true;
    const after = liveAfter[index]?.has(allocation) ?? false;
    if (launched && life && (!operation || operation.result === 'cudaSuccess' || operation.result === '')) {
      const end = life.death === null || after ? 1 : life.death;
      add(column.x + column.width * life.birth, column.x + column.width * end);
    } else if (after) {
      add(column.x, column.x + column.width);
    }
  });
  return times;
}

/** Where addresses stop being mapped: at the first column at which no block backs them, else at the right edge. */
function unmappedAt(
  scene: Scene,
  graph: number,
  start: number,
  end: number,
  columns: readonly Column[],
  from: number,
): number {
  const gone = columns.find((column) => {
    const operation = scene.operations[column.operation];
    if (!operation || column.x < from - 0.5) return false;
    return operation.reserved === 0 || (scene.blocks.length > 0 && !isBacked(scene, graph, start, end, operation.id));
  });
  return gone?.x ?? Math.max(from, columnsWidth(columns));
}

function isBacked(scene: Scene, graph: number, start: number, end: number, step: number): boolean {
  return scene.blocks.some((block) =>
    block.holders.some((holder) => {
      const offset = holder.offsets[holder.graphs.indexOf(graph)];
      if (offset === undefined || step < holder.fromStep || step > holder.toStep) return false;
      return offset < end && start < offset + block.bytes;
    }),
  );
}

export interface BlockBar {
  readonly block: number;
  readonly graphs: readonly number[];
  readonly offsets: readonly number[];
  readonly x: number;
  readonly width: number;
}

/** Rows of physical blocks with who maps them when; `toStep` is inclusive. */
export function blockBars(scene: Scene, columns: readonly Column[]): readonly BlockBar[] {
  const first = columns[0]?.operation ?? 0;
  const last = columns[columns.length - 1]?.operation ?? -1;
  return scene.blocks.flatMap((block) =>
    block.holders
      .filter((holder) => holder.toStep >= first && holder.fromStep <= last)
      .map((holder) => {
        const start = columns[Math.max(holder.fromStep, first) - first]!;
        const end = columns[Math.min(holder.toStep, last) - first]!;
        const { graphs, offsets } = holder;
        return { block: block.id, graphs, offsets, x: start.x, width: end.x + end.width - start.x };
      }),
  );
}

export interface UsageChart {
  readonly height: number;
  readonly used: string;
  readonly reserved: string;
  readonly usedPeak: Peak | null;
  readonly reservedPeak: Peak | null;
}

export interface Peak {
  readonly bytes: number;
  readonly step: number;
  readonly x: number;
  readonly y: number;
}

/** Used and reserved bytes as steps over the columns, each with its highest point. */
export function usageChart(
  operations: readonly SceneOperation[],
  columns: readonly Column[],
  height: number,
): UsageChart {
  const shown = columns.flatMap((column) => operations[column.operation] ?? []);
  const top = Math.max(1, ...shown.map((operation) => Math.max(operation.used, operation.reserved)));
  const y = (bytes: number): number => height - (bytes / top) * (height - 2);
  const path = (value: (operation: SceneOperation) => number): string => {
    let data = `M0 ${height}`;
    shown.forEach((operation, index) => {
      const column = columns[index]!;
      data += `L${column.x} ${y(value(operation))}H${column.x + column.width}`;
    });
    return shown.length === 0 ? '' : `${data}V${height}Z`;
  };
  const peak = (value: (operation: SceneOperation) => number): Peak | null => {
    const bytes = Math.max(0, ...shown.map(value));
    const index = shown.findIndex((operation) => value(operation) === bytes);
    if (bytes === 0 || index < 0) return null;
    return { bytes, step: columns[index]!.operation, x: columns[index]!.x, y: y(bytes) };
  };
  return {
    height,
    used: path((operation) => operation.used),
    reserved: path((operation) => operation.reserved),
    usedPeak: peak((operation) => operation.used),
    reservedPeak: peak((operation) => operation.reserved),
  };
}
