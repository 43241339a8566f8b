/** Work that is given to a stream outside of a capture while the capture goes on, on memory that the captured work shares. */

import type { GraphNode } from '../execution/execution.ts';
import { conflict } from '../memory/conflicts.ts';
import type { Access, EventOf } from '../trace/event.ts';
import { eventsOf, type Facts } from './facts.ts';

export interface EscapedWork {
  readonly work: EventOf<'stream.operation'>;
  readonly begin: EventOf<'capture.begin'>;
  /** What the graph does with the same memory. */
  readonly node: GraphNode;
  /** What it does, and what the work outside does. */
  readonly captured: Access;
  readonly access: Access;
}

/** Each such work once, with the first node that it would have to be ordered with. */
export function findEscapedWork(facts: Facts): readonly EscapedWork[] {
  const work = eventsOf(facts, 'capture.begin').flatMap((begin) => inCapture(facts, begin));
  return work.filter((each, index) => work.findIndex((other) => other.work === each.work) === index);
}

function inCapture(facts: Facts, begin: EventOf<'capture.begin'>): readonly EscapedWork[] {
  const { graphs, graphOfHandle } = facts.execution;
  const end = eventsOf(facts, 'capture.end').find(
    ({ index, stream }) => index > begin.index && stream === begin.stream,
  );
  const graph = end && graphs[graphOfHandle.get(end.graph) ?? -1];
  // Streams that nobody knows may be among those that capture.
  if (!graph || graph.failed || isOpen(facts, begin.stream)) return [];
  return eventsOf(facts, 'stream.operation').flatMap((work) => {
    if (work.index < begin.index || work.index > end.index || work.thread !== begin.thread) return [];
    if (work.operation.opaque || isOpen(facts, work.stream) || !runsAtOnce(facts, work.index)) return [];
    for (const node of graph.nodes)
      for (const captured of node.operation.opaque ? [] : node.operation.accesses)
        for (const access of work.operation.accesses)
          if (access.pointer.allocation === captured.pointer.allocation && conflict(access, captured))
            return [{ work, begin, node, captured, access }];
    return [];
  });
}

function isOpen({ trace }: Facts, stream: number): boolean {
  const handle = trace.handles[stream];
  return handle?.isGuess === true || handle?.external === true;
}

function runsAtOnce({ execution }: Facts, event: number): boolean {
  return execution.operations.some((operation) => operation.event === event);
}
