/** `extra`: a kernel's arguments one behind the other in a buffer, between `CU_LAUNCH_PARAM_BUFFER_POINTER` and `CU_LAUNCH_PARAM_END`. */

import type { FunctionDefinition } from '../../program/program.ts';
import { elementsOf } from '../expressions/elements.ts';
import { type Cell, isNull, type Value } from '../value.ts';

/** `CU_LAUNCH_PARAM_END`, `CU_LAUNCH_PARAM_BUFFER_POINTER` (`cuda.h`). */
const end = 0;
const bufferPointer = 1;

/** Keys and values: buffer, size, end. */
const most = 5;

/** The arguments in the buffer; none where no list is given, null where it is not known what lies there. */
export function argumentsInBuffer(extra: Value, definition: FunctionDefinition | undefined): readonly Cell[] | null {
  if (isNull(extra)) return [];
  if (extra.kind !== 'pointer' && extra.kind !== 'sequence') return null;
  const list = elementsOf(extra, most) ?? [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    const key = list[at]!.value;
    if (key.kind !== 'number' || key.value === end) return null;
    if (key.value === bufferPointer) return argumentsAt(list[at + 1]!, definition);
  }
  return null;
}

function argumentsAt(buffer: Cell, definition: FunctionDefinition | undefined): readonly Cell[] | null {
  const only = definition?.parameters.length === 1;
  const start = elementsOf(buffer.value, 1)?.[0];
  const first = start?.value;
  if (!first) return null;
  if (only) return [start];
  if (first.kind === 'record') return [...first.record.fields.values()];
  const all = buffer.value.kind === 'pointer' && !buffer.value.sequence ? [start] : elementsOf(buffer.value, null);
  return all?.filter(({ value }) => value.kind !== 'unknown') ?? null;
}
