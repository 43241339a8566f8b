/** Where copies of rows and boxes begin, and how far they reach. */

import type { ModelEffect } from '../../models/model.ts';
import type { Access, DevicePointer } from '../../trace/event.ts';
import type { Size } from '../../trace/size.ts';
import { sizeOf } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { pathsOf } from './effect-values.ts';
import { pathValue } from './paths.ts';

/** Where a copy of a box out of a volume, or into one, begins; nothing where it begins at the pointer, or does not say where. */
export function startOfBox(
  context: EffectContext,
  { offset }: { readonly offset: number | null },
  paths: readonly string[],
): Pick<Access, 'startsAt'> {
  if (paths.length === 0) return {};
  const [x, y, pitch, z, rows] = paths.map((path) => knownNumber(context, path));
  if (!x && !y && !z) return {};
  const slice = z ? times(z, times(pitch, rows)) : 0;
  const row = y ? times(y, pitch) : 0;
  return { startsAt: offset === null || row === null || slice === null ? null : offset + (x ?? 0) + row + slice };
}

/** How far a box reaches from where it begins: to the end of the last row of its last slice. */
export function spanOfBox(
  context: EffectContext,
  paths: readonly string[],
  bytes: ModelEffect[string],
): Pick<Access, 'span'> {
  const [pitch, ysize, width, rows, slices] = [...paths.slice(2, 3), ...paths.slice(4), ...pathsOf(bytes)].map((path) =>
    knownNumber(context, path),
  );
  if (!width || !rows || !slices) return {};
  const row = rows > 1 ? times(rows - 1, pitch) : 0;
  const slice = slices > 1 ? times(slices - 1, times(pitch, ysize)) : 0;
  const isTooNarrow = (rows > 1 || slices > 1) && (pitch ?? 0) < width;
  return row === null || slice === null || isTooNarrow ? {} : { span: slice + row + width };
}

function knownNumber(context: EffectContext, path: string): number | null {
  if (/^\d+$/.test(path)) return Number(path);
  const value = pathValue(context, path);
  return value.kind === 'number' ? value.value : null;
}

/** How far the rows of a copy reach: all but the last are as long as they lie apart. Nothing where one of the numbers is not known. */
export function spanOfRows(context: EffectContext, pitch: string, bytes: ModelEffect[string]): Pick<Access, 'span'> {
  if (pitch === '') return {};
  const [apart, width, rows, each = 1] = [pitch, ...pathsOf(bytes)].map((path) => knownNumber(context, path));
  if (!apart || !width || !rows || !each || apart < width * each) return {};
  return { span: apart * (rows - 1) + width * each };
}

function times(first: number | null | undefined, second: number | null | undefined): number | null {
  return typeof first === 'number' && typeof second === 'number' ? first * second : null;
}

/**
 * Where a copy of rows, or of a box, ends at the least, where they lie as far apart as a number that nobody knows, the pitch that CUDA
 * has chosen. `at`: of a box where it begins, `pitch`: of rows how far they lie apart.
 */
export function endOfRows(
  context: EffectContext,
  { offset, distance }: DevicePointer,
  at: readonly string[],
  pitch: string,
  bytes: ModelEffect[string],
): Pick<Access, 'end'> {
  const size = (path: string | undefined): Size | null => (path ? sizeOf(pathValue(context, path)) : null);
  const [width, rows, slices] = pathsOf(bytes).map(size);
  const apart = size(at[2] ?? pitch);
  const start = offset === null ? (distance?.asSize() ?? null) : ofNumber(offset);
  if (!start || !rows || apart?.kind !== 'symbol') return {};
  // Of a copy without bytes nothing goes on anywhere. What nobody says of where it begins is not before that.
  const last = width?.kind === 'number' ? width : ofNumber(1);
  const [x, y, z, ysize] = [at[0], at[1], at[3], at[4]].map((path) => size(path));
  const isOfBox = at.length > 0;
  const slice = isOfBox && ysize ? sized('*', apart, ysize) : null;
  const behind = isOfBox && slices ? lessOne(slices) : ofNumber(0);
  const parts = [
    start,
    x ?? ofNumber(0),
    sized('*', y ?? ofNumber(0), apart),
    sized('*', lessOne(rows), apart),
    last,
    ...(slice ? [sized('*', z ?? ofNumber(0), slice), sized('*', behind, slice)] : []),
  ];
  return { end: parts.reduce((sum, part) => sized('+', sum, part)) };
}

function lessOne(size: Size): Size {
  return size.kind === 'number' ? ofNumber(size.value - 1) : sized('-', size, ofNumber(1));
}

function sized(operator: '+' | '-' | '*', left: Size, right: Size): Size {
  return { kind: 'operation', operator, left, right };
}

function ofNumber(value: number): Size {
  return { kind: 'number', value };
}
