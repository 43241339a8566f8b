/** From a value to the object that it is, points at, or owns. */

import type { Value } from '../value.ts';

/** The object behind pointers, owners and what holds one value; null where there is none. */
export function throughPointers(value: Value): Extract<Value, { kind: 'record' | 'sequence' }> | null {
  let current = value;
  for (let step = 0; step < 8; step++) {
    if (current.kind === 'sequence') return current;
    if (current.kind === 'record') {
      const inner = current.record.fields.get('(pointer)') ?? current.record.fields.get('(value)');
      if (!inner || !current.record.className.startsWith('std::')) return current;
      if (inner.value.kind !== 'pointer' && inner.value.kind !== 'record' && inner.value.kind !== 'sequence')
        return current;
      current = inner.value;
    } else if (current.kind === 'pointer') current = current.cell.value;
    else return null;
  }
  return null;
}
