/** What a capture has forked and not joined again. */

import { type Capture, isAncestor } from './state.ts';

/** The last nodes of forked streams that have no path into what the origin comes, or came, after. A fork without work is fine. */
export function unjoinedNodes(capture: Capture): number[] {
  const out = new Set<number>();
  for (const [stream, frontier] of capture.frontiers)
    if (stream !== capture.origin) for (const node of frontier) if (!isJoined(capture, node)) out.add(node);
  return [...out];
}

function isJoined(capture: Capture, node: number): boolean {
  const origin = [...(capture.frontiers.get(capture.origin) ?? []), ...capture.cameAfter];
  return origin.some((end) => end === node || isAncestor(capture.graph, node, end));
}

/** Whether what a stream does at last comes right behind work of its own that has joined: the event was recorded before it. */
export function isBehindJoin(capture: Capture, last: number): boolean {
  const { nodes } = capture.graph;
  for (let node = nodes[last]; node; ) {
    const [before, other] = node.dependencies;
    const previous = nodes[before ?? -1];
    if (!previous || other !== undefined || previous.stream !== node.stream) return false;
    if (isJoined(capture, previous.id)) return true;
    node = previous;
  }
  return false;
}
