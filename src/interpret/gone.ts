/** Memory that has been freed, and handles that have been destroyed: a variable that has one will be given another before it is used. */

import type { TraceEvent } from '../trace/event.ts';
import { destroyedHandle } from '../trace/used-handles.ts';
import type { Value } from './value.ts';

/** What a run has ended so far. */
export interface Gone {
  readonly allocations: Set<number>;
  readonly handles: Set<number>;
}

/** Notes what a call ends. What a capture is told to free is not freed by the call. */
export function noteGone({ allocations, handles }: Gone, event: TraceEvent, isCapturing: boolean): void {
  switch (event.verb) {
    case 'memory.freeAsync':
      if (event.pointer && !isCapturing) allocations.add(event.pointer.allocation);
      break;
    case 'memory.free':
    case 'memory.freeHost':
      if (event.pointer) allocations.add(event.pointer.allocation);
      break;
    default: {
      const destroyed = destroyedHandle(event);
      if (destroyed !== null) handles.add(destroyed);
    }
  }
}

/** Whether a value is freed memory or a destroyed handle. */
export function isGone({ allocations, handles }: Gone, value: Value): boolean {
  if (value.kind === 'device') return allocations.has(value.allocation);
  return value.kind === 'handle' && handles.has(value.id);
}
