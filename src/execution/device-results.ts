/**
 * Results that hang on what the device finds when work runs, call by call.
 *
 * Kept apart from {@link startExecution}: an analysis goes on behind a fault and reports it where it stands; a replay
 * answers what the program would have seen.
 */

import type { Access, TraceEvent } from '../trace/event.ts';
import { devicesOf } from './device-access.ts';
import type { State } from './state.ts';

/** Follows an execution: given each event and its result so far, says what the call returns. */
export function deviceResults(state: State): (event: TraceEvent, result: string) => string {
  let faulted = false;
  let found = false;
  return (event, result) => {
    if (found) return 'cudaErrorIllegalAddress';
    if (result !== 'cudaSuccess') return result;
    if (event.verb === 'stream.operation' && !state.captures.has(event.stream)) {
      const device = state.deviceOfStream.get(event.stream) ?? state.device;
      const isReached = event.operation.accesses.every((access) => reaches(state, device, access));
      // A copy or memset is checked by the host (`use_before_launch`, `kernel_in_stream_of_other_device`), a kernel by the device.
      if (!isReached && event.operation.kind !== 'kernel') return 'cudaErrorInvalidValue';
      faulted ||= !isReached;
    }
    if (faulted && waitsForDevice(event)) {
      found = true;
      return 'cudaErrorIllegalAddress';
    }
    return result;
  };
}

/** Whether work on a device may touch the memory: graph memory must be live, and the device in its access set. */
function reaches(state: State, device: number | null, access: Access): boolean {
  const { allocation } = access.pointer;
  const model = state.allocations[allocation];
  if (model?.kind === 'graph' && !state.liveness.get(allocation)?.live) return false;
  const devices = devicesOf(state, allocation);
  return devices === null || device === null || devices.has(device);
}

/** Calls that come back only when the device is done, and so bring its fault. */
function waitsForDevice(event: TraceEvent): boolean {
  return event.verb === 'host.synchronise' || event.verb === 'memory.free';
}
