/**
 * Nodes that a call works with though they are gone: destroyed by themselves or with their graph (`cudaGraphDestroy`: "as well as
 * all of its nodes"). An executable is told by a node of its graph which of its own to change, and refuses one that is gone.
 */

import type { CallOutcome } from '../execution/execution.ts';
import type { TraceEvent } from '../trace/event.ts';
import { usedNodes } from '../trace/used-handles.ts';
import type { Facts } from './facts.ts';

export interface GoneNode {
  readonly handle: number;
  /** The event that destroyed it. */
  readonly at: number;
  /** The graph that it was destroyed with; null where it was destroyed by itself. */
  readonly owner: number | null;
}

/** `destroyed`: what was destroyed before the call, by handle, and the events that did it. */
export function nodesThatAreGone(
  { execution, trace }: Facts,
  call: CallOutcome,
  event: TraceEvent,
  destroyed: ReadonlyMap<number, number>,
): readonly GoneNode[] {
  // A node of another graph is refused whether it is there or not.
  if (destroyed.size === 0 || call.refusal !== null) return [];
  return usedNodes(event).flatMap((handle): GoneNode[] => {
    if (trace.handles[handle]?.isGuess) return [];
    const by = destroyed.get(handle);
    if (by !== undefined) return [{ handle, at: by, owner: null }];
    const owner = execution.graphs[execution.nodeOfHandle.get(handle)?.graph ?? -1]?.handle;
    const at = owner === undefined || trace.handles[owner]?.isGuess ? undefined : destroyed.get(owner);
    return owner === undefined || at === undefined ? [] : [{ handle, at, owner }];
  });
}
