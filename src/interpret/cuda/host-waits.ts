/**
 * A callback in a stream tells the host that the work before it is done; the host finds out in ways that are not CUDA's: a loop on
 * a flag, a condition variable, a function that is not seen.
 */

import type { Span } from '../../base/span.ts';
import { emit, type World } from '../world.ts';

/** Something runs that is not seen to its end. `isDone`: for what it does, not for what it returns. */
export function noteUnseenWait(world: World, span: Span, isDone: boolean): void {
  world.unknownAt = world.events.length;
  if (isDone) world.unseenCount++;
  waitForCallbacks(world, span);
}

/** The host may wait here for the callbacks so far. */
export function waitForCallbacks(world: World, span: Span): void {
  if (!world.hasCallbacks) return;
  world.hasCallbacks = false;
  emit(world, 'wait', span, [], { verb: 'host.mayWait' });
}
