/** How many blocks of how many threads a kernel is launched with. */

import type { Value } from '../value.ts';
import type { LaunchSize } from './kernel-extents.ts';

/** Threads of a block, and the extents of grids and blocks, that every device takes at most (CUDA C++ Programming Guide, compute capabilities). */
const mostThreads = 1_024;
const largestBlock = [1_024, 1_024, 64];
const largestGrid = [2_147_483_647, 65_535, 65_535];

/** Null where the text does not say it, where it is no number of threads, and where the launch is refused for it. */
export function launchSize(grid: Value | undefined, block: Value | undefined): LaunchSize | null {
  const [blocks, threads] = [extentsIn(grid), extentsIn(block)];
  if (!blocks || !threads || !isWithin(blocks, largestGrid) || !isWithin(threads, largestBlock)) return null;
  return threads.reduce((all, each) => all * each, 1) > mostThreads ? null : { grid: blocks, block: threads };
}

function isWithin(extents: readonly number[], most: readonly number[]): boolean {
  return extents.every((each, axis) => each <= most[axis]!);
}

/** A number, a `dim3`, or `{x, y}`, of which one is made. */
function extentsIn(value: Value | undefined): readonly number[] | null {
  const parts = partsOf(value);
  const numbers = parts.flatMap((part) => (part?.kind === 'number' && part.value >= 1 ? [part.value] : []));
  return numbers.length === 3 && numbers.every(Number.isSafeInteger) ? numbers : null;
}

function partsOf(value: Value | undefined): readonly (Value | undefined)[] {
  if (value?.kind === 'record') return ['x', 'y', 'z'].map((axis) => value.record.fields.get(axis)?.value);
  if (value?.kind !== 'sequence' || value.sequence.name !== 'list') return [value, one, one];
  const { cells } = value.sequence;
  return [0, 1, 2].map((axis) => (cells.size > axis ? cells.get(axis)?.value : one));
}

const one: Value = { kind: 'number', value: 1 };
