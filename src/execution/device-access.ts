/** Which devices may touch an allocation: the one it lies on, and those that were given access. */

import type { EventOf } from '../trace/event.ts';
import type { State } from './state.ts';

/** `cudaMemAccessFlags`. */
export const none = 0;
export const readOnly = 1;
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
  return device >= 0 && (state.deviceCount === null || device < state.deviceCount);
}
