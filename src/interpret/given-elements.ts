/** Elements of memory that only the device can reach, given to somebody who may take them by reference: that touches nothing. */

import type { Span } from '../base/span.ts';
import type { Expression } from '../program/program.ts';
import type { World } from './world.ts';

/** Where memory comes from that only the device can reach. */
export const ofDeviceAlone: ReadonlySet<string> = new Set(['device', 'stream', 'graph']);

/** An element of memory that only the device can reach was given, perhaps by reference. */
export function forgetElement({ hostAccesses, allocations }: World, { start, end, file }: Span): void {
  for (let at = hostAccesses.length - 1; at >= 0; at--) {
    const { span, touched } = hostAccesses[at]!;
    if (span.start !== start || span.end !== end || span.file !== file || !('allocation' in touched)) continue;
    if (!ofDeviceAlone.has(allocations[touched.allocation]?.origin ?? '')) continue;
    hostAccesses.splice(at, 1);
    return;
  }
}

/** The same of what an expression names, be it a member of what lies there: `list->head`, `table[2].keys`. */
export function forgetNamed(world: World, span: Span, expression: Expression | undefined): void {
  if (world.hostAccesses.length === 0) return;
  forgetElement(world, span);
  for (let at = expression; at?.kind === 'member'; at = at.isArrow ? undefined : at.object)
    forgetElement(world, at.object.span);
}
