/** How many blocks of how many threads a kernel is launched with. */

import type { Value } from '../value.ts';
import type { LaunchSize } from './kernel-extents.ts';

/** Null where the text does not say it, or where it is no number of threads. */
export function launchSize(grid: Value | undefined, block: Value | undefined): LaunchSize | null {
  const [blocks, threads] = [extentsIn(grid), extentsIn(block)];
  return blocks && threads && { grid: blocks, block: threads };
}

/** A number, or a `dim3`. */
function extentsIn(value: Value | undefined): readonly number[] | null {
  const parts =
    value?.kind === 'record' ? ['x', 'y', 'z'].map((axis) => value.record.fields.get(axis)?.value) : [value, one, one];
  const numbers = parts.flatMap((part) => (part?.kind === 'number' && part.value >= 1 ? [part.value] : []));
  return numbers.length === 3 && numbers.every(Number.isSafeInteger) ? numbers : null;
}

const one: Value = { kind: 'number', value: 1 };
