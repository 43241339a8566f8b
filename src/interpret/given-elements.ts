/** Elements of memory that only the device can reach, given to somebody who may take them by reference: that touches nothing. */

import type { Span } from '../base/span.ts';
import type { World } from './world.ts';

/** Where memory comes from that only the device can reach. */
export const ofDeviceAlone: ReadonlySet<string> = new Set(['device', 'stream', 'graph']);

/** An element of memory that only the device can reach was given, perhaps by reference. */
export function forgetElement({ hostAccesses, allocations }: World, { start, end, file }: Span): void {
  const at = hostAccesses.findLastIndex(
    ({ span, touched }) =>
      span.start === start &&
      span.end === end &&
      span.file === file &&
      'allocation' in touched &&
      ofDeviceAlone.has(allocations[touched.allocation]?.origin ?? ''),
  );
  if (at >= 0) hostAccesses.splice(at, 1);
}
