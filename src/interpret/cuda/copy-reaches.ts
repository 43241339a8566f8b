/** Where copies of rows and boxes begin, and how far they reach. */

import type { ModelEffect } from '../../models/model.ts';
import type { Access } from '../../trace/event.ts';
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
  const value = pathValue(context, path);
  return value.kind === 'number' ? value.value : null;
}

/** How far the rows of a copy reach: all but the last are as long as they lie apart. Nothing where one of the numbers is not known. */
export function spanOfRows(context: EffectContext, pitch: string, bytes: ModelEffect[string]): Pick<Access, 'span'> {
  if (pitch === '') return {};
  const [apart, width, rows] = [pitch, ...pathsOf(bytes)].map((path) => knownNumber(context, path));
  if (!apart || !width || !rows || apart < width) return {};
  return { span: apart * (rows - 1) + width };
}

function times(first: number | null | undefined, second: number | null | undefined): number | null {
  return typeof first === 'number' && typeof second === 'number' ? first * second : null;
}
