/**
 * The memory pane's two axes. Across: one column an operation, wider where a graph is launched, because inside a launch time
 * passes too. Down: addresses, to scale where that can be read, else stretched so that every boundary has room.
 */

import type { SceneOperation } from '../scene/scene.ts';
import type { Window } from './window.ts';

export interface Column {
  /** Index into `Scene.operations`; -1 for the one launch imagined when the program makes none. */
  readonly operation: number;
  readonly x: number;
  readonly width: number;
}

/** True for an operation during which a graph's nodes run. */
export function launches(operation: SceneOperation): boolean {
  return operation.graph !== undefined && /launch/i.test(operation.op);
}

const narrowColumn = 26;
const launchShare = 2.6;
const widestColumn = 140;

/** Columns that fill `available` pixels when they can, and scroll when they must. */
export function timeColumns(
  operations: readonly SceneOperation[],
  window: Window,
  available: number,
): readonly Column[] {
  const shown = operations.slice(window.first, window.end);
  const shares = shown.map((operation) => (launches(operation) ? launchShare : 1));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const unit = Math.max(narrowColumn, Math.min(widestColumn, available / (total || 1)));
  let x = 0;
  return shown.map((operation, index) => {
    const width = unit * shares[index]!;
    const column = { operation: operation.id, x, width };
    x += width;
    return column;
  });
}

/** Where the columns end. */
export function columnsWidth(columns: readonly Column[]): number {
  const last = columns[columns.length - 1];
  return last ? last.x + last.width : 0;
}

export interface AddressScale {
  readonly height: number;
  /** False: heights are not in proportion to bytes, which the pane must say. */
  readonly proportional: boolean;
  readonly ticks: readonly { readonly offset: number; readonly y: number }[];
  y(offset: number): number;
}

export const blockBytes = 33_554_432;
const thinnest = 9;

/** A scale for spans of addresses: rows of 32 MiB while every span stays visible, else one row a boundary. */
export function addressScale(spans: readonly { readonly start: number; readonly end: number }[]): AddressScale {
  const end = Math.max(1, ...spans.map((span) => span.end));
  const smallest = Math.min(end, ...spans.map((span) => span.end - span.start).filter((size) => size > 0));
  const blocks = Math.max(1, Math.ceil(end / blockBytes));
  const top = end > blockBytes ? blocks * blockBytes : end;
  const height = end > blockBytes ? Math.max(72, Math.min(blocks * 30, 280)) : 72;
  if ((smallest / top) * height >= thinnest) return proportionalScale(top, height, blocks);
  return stretchedScale(spans);
}

function proportionalScale(top: number, height: number, blocks: number): AddressScale {
  const y = (offset: number): number => (offset / top) * height;
  const every = Math.max(1, Math.ceil((blocks * 15) / height));
  const step = top > blockBytes ? blockBytes * every : top;
  const ticks: { offset: number; y: number }[] = [];
  for (let offset = 0; offset <= top; offset += step) ticks.push({ offset, y: y(offset) });
  return { height, proportional: true, ticks, y };
}

function stretchedScale(spans: readonly { readonly start: number; readonly end: number }[]): AddressScale {
  const bounds = [...new Set([0, ...spans.flatMap((span) => [span.start, span.end])])].sort((a, b) => a - b);
  const tops = [0];
  for (let index = 1; index < bounds.length; index++) {
    const bytes = bounds[index]! - bounds[index - 1]!;
    tops.push(tops[index - 1]! + 14 + Math.min(26, 2 * Math.log2(1 + bytes / 65_536)));
  }
  const y = (offset: number): number => {
    const after = bounds.findIndex((bound) => bound >= offset);
    if (after < 0) return tops[tops.length - 1]!;
    if (after === 0 || bounds[after] === offset) return tops[after]!;
    const share = (offset - bounds[after - 1]!) / (bounds[after]! - bounds[after - 1]!);
    return tops[after - 1]! + share * (tops[after]! - tops[after - 1]!);
  };
  const ticks = bounds.map((offset, index) => ({ offset, y: tops[index]! }));
  return { height: tops[tops.length - 1]!, proportional: false, ticks, y };
}
