/** Steps from an address in memory of the device. */

import { UnknownDistance } from '../trace/unknown-distance.ts';
import { type DeviceAddress, numberValue, sizeOf, unknownValue, type Value } from './value.ts';

/** So many elements behind it; null for nobody knows how many. */
export function behindOnDevice(address: DeviceAddress, count: number | null): DeviceAddress {
  if (count === 0) return address;
  return movedOnDevice(address, count === null ? unknownValue : numberValue(count), false);
}

/** So many elements behind it, or before. */
export function movedOnDevice(address: DeviceAddress, count: Value, isBack: boolean): DeviceAddress {
  const { offset, elementBytes, distance } = address;
  if (elementBytes === null) return { ...address, offset: null, distance: undefined };
  if (count.kind === 'number') {
    const bytes = count.value * elementBytes * (isBack ? -1 : 1);
    return { ...address, offset: offset === null ? null : offset + bytes, distance: distance?.plus(bytes) };
  }
  const unknown = offset === null || isBack ? null : standsFor(count);
  const counted = unknown === null ? undefined : new UnknownDistance(unknown, elementBytes, offset!, sizeOf(count));
  return { ...address, offset: null, distance: counted };
}

/** Each value that nobody knows is one thing, and its copies are the same; null for one that is equal to none. */
function standsFor(count: Value): Value | null {
  const isOne = count.kind === 'symbol' || (count.kind === 'unknown' && count !== unknownValue);
  return isOne ? count : null;
}
