/**
 * `cudaDeviceReset`: what the current device has is gone. Asked of an H200 (CUDA 13.0): what is freed behind it is refused, also memory of the
 * host and events; streams are no streams any more; an executable brings the program down. Graphs stay, as they belong to no device,
 * and so does memory of streams and of graphs (CUDA Runtime API, cudaDeviceReset).
 */

import type { EventOf, TraceEvent } from '../trace/event.ts';
import { destroyedHandle, usedHandles } from '../trace/used-handles.ts';
import type { CallOutcome } from './execution.ts';
import { type Lost, livenessOf, refuse, type State } from './state.ts';

/** Notes what a reset ends: what the runtime has made, as far as it is certain, on the device that is reset. */
export function noteReset(state: State, reset: EventOf<'device.reset'>): void {
  const events = state.trace.events.slice(0, reset.index);
  // A function that is run on its own begins with a device that nobody here knows, and that is one.
  const first = state.trace.entry === 'main' ? 0 : 'the first';
  const last = events.findLast((event) => event.verb === 'device.set');
  const current = last?.verb === 'device.set' ? last.device : first;
  if (current === null) return;
  state.lost ??= { handles: new Map(), allocations: new Map() };
  const { handles, allocations } = state.lost;
  let device: number | null | typeof first = first;
  for (const event of events) {
    if (event.verb === 'device.set') device = event.device;
    const gone = destroyedHandle(event);
    if (gone !== null) handles.delete(gone);
    if (device !== current || !event.api.startsWith('cuda')) continue;
    if (event.verb === 'memory.allocate') {
      const { live } = livenessOf(state, event.allocation);
      if (live && !allocations.has(event.allocation)) allocations.set(event.allocation, reset.index);
    } else {
      const made = madeHandle(event);
      if (made !== null && !handles.has(made)) handles.set(made, reset.index);
    }
  }
}

/** The stream, event or executable that a call makes: those belong to a device. */
export function madeHandle(event: TraceEvent): number | null {
  switch (event.verb) {
    case 'stream.create':
      return event.stream;
    case 'event.create':
      return event.event;
    case 'exec.instantiate':
      return event.exec;
    default:
      return null;
  }
}

/** What becomes of a call that uses something that a reset has ended. */
export function refusedAfterReset({ lost, trace }: State, event: TraceEvent): CallOutcome | null {
  if (lost === null) return null;
  const handle = usedHandles(event).find((each) => lost.handles.has(each));
  if (handle !== undefined) {
    const isEvent = trace.handles[handle]?.type === 'event';
    const result = isEvent ? 'cudaErrorContextIsDestroyed' : 'cudaErrorInvalidResourceHandle';
    return refuse(event, result, 'afterReset', [{ role: 'reset', event: lost.handles.get(handle)! }]);
  }
  const allocation = usedAllocation(lost, event);
  if (allocation === null) return null;
  const result =
    event.verb === 'stream.operation' && event.operation.kind === 'kernel'
      ? 'cudaErrorIllegalAddress'
      : 'cudaErrorInvalidValue';
  return refuse(event, result, 'afterReset', [{ role: 'reset', event: lost.allocations.get(allocation)! }], allocation);
}

function usedAllocation({ allocations }: Lost, event: TraceEvent): number | null {
  switch (event.verb) {
    case 'memory.free':
    case 'memory.freeHost':
    case 'memory.freeAsync':
      return event.pointer && allocations.has(event.pointer.allocation) ? event.pointer.allocation : null;
    case 'stream.operation': {
      // What a function that is not seen does with its argument nobody knows.
      const used = event.operation.opaque
        ? undefined
        : event.operation.accesses.find(({ pointer }) => allocations.has(pointer.allocation));
      return used?.pointer.allocation ?? null;
    }
    case 'host.access': {
      const { touched, mode } = event;
      return mode !== 'about' && 'allocation' in touched && allocations.has(touched.allocation)
        ? touched.allocation
        : null;
    }
    default:
      return null;
  }
}
