/** What copies from the device, and questions to CUDA, leave in variables of the host: numbers that nobody knows. */

import type { ModelEffect } from '../../models/model.ts';
import { isScalarValue } from '../choices/assigned.ts';
import type { Cell, Value } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { pathsOf } from './effect-values.ts';
import { pathValue } from './paths.ts';

/** How far structures in structures are followed. */
const deepest = 3;

/** Forgets the numbers where the effect's work writes. Addresses and handles stay: what comes back is mostly what was brought there. */
export function forgetResults(context: EffectContext, effect: ModelEffect): void {
  for (const path of pathsOf(effect['writes'])) forgetBehind(pathValue(context, path), 0);
}

/** Forgets the numbers of a structure that CUDA fills in. */
export function forgetNumbers(cell: Cell): void {
  forgetNumber(cell, 0);
}

function forgetBehind(value: Value, depth: number): void {
  if (value.kind !== 'pointer' && value.kind !== 'sequence') return;
  const { sequence } = value;
  if (sequence) {
    sequence.isZero = false;
    for (const cell of sequence.cells.values()) forgetNumber(cell, depth);
  } else if (value.kind === 'pointer') forgetNumber(value.cell, depth);
}

function forgetNumber(cell: Cell, depth: number): void {
  const { value } = cell;
  if (isScalarValue(value)) cell.value = { kind: 'unknown' };
  else if (depth >= deepest) return;
  else if (value.kind === 'sequence') forgetBehind(value, depth + 1);
  else if (value.kind === 'record' && !value.record.className.startsWith('std::'))
    for (const field of value.record.fields.values()) forgetNumber(field, depth + 1);
}
