/** Which devices may touch an allocation: the one it lies on, and those that were given access. */

import type { EventOf } from '../trace/event.ts';
import type { CallOutcome } from './execution.ts';
import { type State, succeed } from './state.ts';

/** `cudaMemAccessFlags`. */
const none = 0;
const readOnly = 1;
/** `cudaMemLocationTypeInvalid`. */
const nowhere = 0;
/** `cudaMemLocationTypeDevice`. */
const onDevice = 1;
/** `cudaMemAllocationTypePinned`. */
const pinned = 1;

/** The devices that may touch it; null when that is not known or not limited. */
export function devicesOf(state: State, allocation: number): ReadonlySet<number> | null {
  return state.devicesOfAllocation.get(allocation) ?? null;
}

/** An allocation on a device, for that device and those given. */
export function noteDevices(
  state: State,
  allocation: number,
  device: number | null,
  more: Iterable<number> = [],
): void {
  if (device !== null) state.devicesOfAllocation.set(allocation, new Set([device, ...more]));
}

/**
 * Why an allocation node's parameters are refused (rule A8; driver 580.159 for a location that nobody set; recordings `no_alloctype`, `host_location`, `handle_types`,
 * `access_desc_self`): null when they are fine, or when the text does not say what they are.
 */
export function refusedProperties(state: State, event: EventOf<'node.add'>): string | null {
  const { properties } = event.operation;
  if (!properties) return null;
  if (properties.allocationType !== null && properties.allocationType !== pinned) return 'cudaErrorInvalidValue';
  const { locationType, device } = properties.location;
  if (locationType === nowhere) return 'cudaErrorInvalidValue';
  if (locationType !== null && locationType !== onDevice) return 'cudaErrorNotSupported';
  if (properties.handleTypes !== null && properties.handleTypes !== none) return 'cudaErrorNotSupported';
  if (device !== null && !isDevice(state, device)) return 'cudaErrorInvalidDevice';
  for (const each of properties.access) {
    if (each.device !== null && !isDevice(state, each.device)) return 'cudaErrorInvalidDevice';
    if (each.flags === readOnly) return 'cudaErrorNotSupported';
  }
  return null;
}

/** Whether the machine has such a device; any could be there when the machine is not known. */
export function isDevice(state: State, device: number): boolean {
  return state.deviceCount === null || (device >= 0 && device < state.deviceCount);
}

export interface PoolModel {
  readonly device: number | null;
  readonly access: Set<number>;
}

/**
 * `cudaMemPoolSetAccess` (rules F4 to F8; recording `pool_access_and_revoke_resident`): read-only is not supported, and
 * the device that a pool lies on keeps its access.
 */
export function setPoolAccess(state: State, event: EventOf<'pool.access'>): CallOutcome {
  const pool = state.pools.get(event.pool);
  for (const { device, flags } of event.access) {
    if (flags === readOnly) return succeed(event, { result: 'cudaErrorNotSupported' });
    if (flags === none && device === pool?.device) return succeed(event, { result: 'cudaErrorInvalidDevice' });
  }
  for (const { device, flags } of event.access) {
    if (device === null) continue;
    if (flags === none) pool?.access.delete(device);
    else pool?.access.add(device);
  }
  return succeed(event);
}

/** An allocation from a pool has the access that the pool has now (`capture_pool_access_before`, `…_after`). */
export function notePoolDevices(state: State, event: EventOf<'memory.allocateAsync'>): void {
  const device = state.deviceOfStream.get(event.stream) ?? state.device;
  const pool = event.pool === null ? defaultPool(state, device) : state.pools.get(event.pool);
  if (pool) noteDevices(state, event.allocation, pool.device, pool.access);
  else if (event.pool === null) noteDevices(state, event.allocation, device);
}

function defaultPool(state: State, device: number | null): PoolModel | undefined {
  return [...state.pools.values()].find((each) => each.device === device);
}
