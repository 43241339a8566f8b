/**
 * Kernels that touch memory which their device was given no access to (two GPUs: `resident0_used_by_1_not_requested`,
 * `capture_pool_access_after`, `async_pool_used_by_1_not_granted`). They are launched all the same, and end with a fault.
 */

import { legacyStream, type Operation, perThreadStream, type TraceEvent } from '../trace/event.ts';
import { devicesOf } from './device-access.ts';
import type { State } from './state.ts';

export interface UnreachableUse {
  /** The call that launches the kernel or makes a node of it. */
  readonly event: number;
  readonly allocation: number;
  readonly device: number;
  /** The pool that the memory is of. */
  readonly pool: number | null;
}

/** The device that a stream is of; the default streams are of the one that is current. Null where the text does not say. */
export function deviceOfStream({ deviceOfStream, device }: State, stream: number): number | null {
  const known = deviceOfStream.get(stream);
  if (known !== undefined) return known;
  return stream === legacyStream || stream === perThreadStream ? device : null;
}

/** Notes what a kernel touches that its device does not reach. */
export function noteReach(
  state: State,
  event: TraceEvent,
  { kind, accesses, opaque }: Operation,
  stream: number | null,
): void {
  if (kind !== 'kernel' || opaque || state.devicesOfAllocation.size === 0) return;
  // Through the driver another context may be current.
  if (isOfDriver(event)) return;
  const device = stream === null ? state.device : deviceOfStream(state, stream);
  if (device === null) return;
  for (const access of accesses) {
    const { allocation } = access.pointer;
    // What the kernel does is read last: that costs most.
    if (isReached(state, allocation, device) || access.mode === 'unknown') continue;
    state.unreachable.push({
      event: event.index,
      allocation,
      device,
      pool: state.poolOfAllocation.get(allocation) ?? null,
    });
    return;
  }
}

/** Memory of streams and of graphs goes by what was asked for; other memory by cudaDeviceEnablePeerAccess, too. */
function isReached(state: State, allocation: number, device: number): boolean {
  const { kind, event } = state.allocations[allocation]!;
  if ((kind !== 'stream' && kind !== 'graph') || event === null || isOfDriver(state.trace.events[event]!)) return true;
  const devices = devicesOf(state, allocation);
  if (devices === null || devices.has(device)) return true;
  // What is in a pool has the access that the pool has; what a capture made keeps what the pool had then.
  if (kind === 'graph') return false;
  const pool = state.poolOfAllocation.get(allocation);
  for (const [id, { access, isOpen, isDefault, device: of }] of state.pools) {
    const isOwn = pool === undefined ? isDefault && (of === null || devices.has(of)) : id === pool;
    if (isOwn && (isOpen || access.has(device))) return true;
  }
  return false;
}

function isOfDriver({ api }: TraceEvent): boolean {
  return /^cu[A-Z]/.test(api);
}
