/** Each node kind's outline and icon: with its word three signs for every kind, none of them a colour. Paths are SVG path data. */

import type { NodeKind } from '../scene/scene.ts';

/** 16 × 16 icons, drawn as strokes. */
export const kindIcons: Readonly<Record<NodeKind, string>> = {
  kernel: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  memcpy: 'M2 3h6v7H2zM8 6h6v7H8M8 10V6',
  memset: 'M2 4h12v8H2zM5 6v4M8 6v4M11 6v4',
  host: 'M2 3h12v8H2zM6 14h4M8 11v3',
  empty: 'M8 3a5 5 0 1 0 .01 0z',
  child: 'M5 2h9v8H5zM2 6v8h9v-4',
  eventRecord: 'M4 14V2h8l-2 3 2 3H4',
  eventWait: 'M4 2h8M4 14h8M5 2c0 4 6 8 6 12M11 2c0 4-6 8-6 12',
  memAlloc: 'M2 2h12v12H2zM8 5v6M5 8h6',
  memFree: 'M2 2h12v12H2zM5 5l6 6M11 5l-6 6',
  conditional: 'M8 2l6 6-6 6-6-6zM6 8h4',
  semaphoreSignal: 'M8 13V4M4 8l4-4 4 4',
  semaphoreWait: 'M8 3v9M4 8l4 4 4-4',
  batchMemOp: 'M2 4h12M2 8h12M2 12h8',
  unknown: 'M5 6a3 3 0 1 1 4 3c-1 .5-1 1-1 2M8 13v1',
};

/** How far slanted sides lean. */
const slant = 10;

/** The outline of a node of that kind, with its top left corner at 0,0. */
export function nodeOutline(kind: NodeKind, width: number, height: number): string {
  switch (kind) {
    case 'memcpy':
    case 'memset':
      return `M${slant} 0H${width}L${width - slant} ${height}H0Z`;
    case 'memAlloc':
      return `M${slant} 0H${width - slant}L${width} ${height}H0Z`;
    case 'memFree':
      return `M0 0H${width}L${width - slant} ${height}H${slant}Z`;
    case 'eventRecord':
    case 'semaphoreSignal':
      return `M0 0H${width - slant}L${width} ${height / 2}L${width - slant} ${height}H0Z`;
    case 'eventWait':
    case 'semaphoreWait':
    case 'conditional':
      return `M${slant} 0H${width - slant}L${width} ${height / 2}L${width - slant} ${height}H${slant}L0 ${height / 2}Z`;
    case 'empty':
      return roundedBox(width, height, height / 2);
    case 'kernel':
      return roundedBox(width, height, 8);
    case 'host':
    case 'child':
    case 'batchMemOp':
    case 'unknown':
      return roundedBox(width, height, 2);
  }
}

/** How far the outline's sides are from the edges of its box at the bottom, where a badge stands. */
export function bottomInsets(kind: NodeKind): { readonly left: number; readonly right: number } {
  switch (kind) {
    case 'memFree':
    case 'eventWait':
    case 'semaphoreWait':
    case 'conditional':
      return { left: slant, right: slant };
    case 'memcpy':
    case 'memset':
    case 'eventRecord':
    case 'semaphoreSignal':
      return { left: 0, right: slant };
    default:
      return { left: 0, right: 0 };
  }
}

/** Strokes inside the outline that tell rectangles apart: double sides of a host function, the second sheet of a child. */
export function nodeMarks(kind: NodeKind, width: number, height: number): string {
  if (kind === 'host') return `M5 0V${height}M${width - 5} 0V${height}`;
  if (kind === 'child') return `M3 3H${width - 3}V${height - 3}H3Z`;
  return '';
}

function roundedBox(width: number, height: number, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2);
  return (
    `M${r} 0H${width - r}A${r} ${r} 0 0 1 ${width} ${r}V${height - r}A${r} ${r} 0 0 1 ${width - r} ${height}` +
    `H${r}A${r} ${r} 0 0 1 0 ${height - r}V${r}A${r} ${r} 0 0 1 ${r} 0Z`
  );
}
