/**
 * The story as a picture: one row an operation, one column a lane (the host on the left), dots where an operation stands and
 * arrows where it waits for one on another lane.
 *
 *     host s1 s2
 *      ●   │  │   malloc
 *      │   ●──╮   launch producer → s1
 *      │   │  ●   launch consumer → s2 (waits)
 */

import type { SceneLane, SceneOperation } from '../scene/scene.ts';
import type { Window } from './window.ts';

export const rowHeight = 24;
const leftEdge = 14;

export interface LaneDot {
  readonly operation: number;
  readonly x: number;
  readonly y: number;
}

export interface LaneWait {
  readonly from: number;
  readonly to: number;
  readonly path: string;
}

export interface LanesPicture {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly {
    readonly lane: number;
    readonly x: number;
    readonly top: number;
    readonly bottom: number;
  }[];
  readonly dots: readonly LaneDot[];
  readonly waits: readonly LaneWait[];
}

export function drawLanes(
  lanes: readonly SceneLane[],
  operations: readonly SceneOperation[],
  window: Window,
): LanesPicture {
  const pitch = lanes.length <= 6 ? 20 : 13;
  const x = (lane: number): number => leftEdge + lane * pitch;
  const y = (operation: number): number => (operation - window.first + 0.5) * rowHeight;
  const shown = operations.slice(window.first, window.end);
  const height = shown.length * rowHeight;
  return {
    width: leftEdge * 2 + Math.max(0, lanes.length - 1) * pitch,
    height,
    lines: lanes.map((lane) => ({ lane: lane.id, x: x(lane.id), top: 0, bottom: height })),
    dots: shown.map((operation) => ({ operation: operation.id, x: x(operation.lane), y: y(operation.id) })),
    waits: shown.flatMap((operation) =>
      operation.waitsFor.flatMap((from) => {
        const source = operations[from];
        if (!source || source.lane === operation.lane || from < window.first || from >= window.end) return [];
        return [
          { from, to: operation.id, path: waitPath(x(source.lane), y(from), x(operation.lane), y(operation.id)) },
        ];
      }),
    ),
  };
}

/** Leaves its lane at the earlier dot, runs down between the lanes and comes in from above-beside. */
function waitPath(x1: number, y1: number, x2: number, y2: number): string {
  const side = x2 > x1 ? 1 : -1;
  const dot = 6;
  const turn = Math.min(8, Math.abs(x2 - x1) / 2);
  const middle = x2 - side * turn;
  const end = x2 - side * dot;
  if (y2 <= y1) return `M${x1} ${y1}L${end} ${y2}`;
  return `M${x1 + side * dot} ${y1}H${middle - side * 2}Q${middle} ${y1} ${middle} ${y1 + 4}V${y2 - 4}Q${middle} ${y2} ${end} ${y2}`;
}
