/**
 * Kernels that may begin while the one in front of them still runs and never wait for it, though both touch the same memory: by
 * a launch attribute in a stream, by the data of an edge in a graph. Reported where both bodies are seen.
 */

import type { Execution, GraphModel, GraphNode } from '../execution/execution.ts';
import { orderGraph } from '../order/graph-order.ts';
import type { Operation } from '../trace/event.ts';
import { builtGraphs } from './built-graphs.ts';
import { conflict } from './conflicts.ts';

export interface EarlyStart {
  readonly allocation: number;
  /** The events of the kernel in front, of the one that begins early, and of what is not ordered with the first. */
  readonly first: number;
  readonly early: number;
  readonly second: number;
}

/** Each kernel that begins too early, once an allocation. */
export function findEarlyStarts(execution: Execution): readonly EarlyStart[] {
  return [...builtGraphs(execution).flatMap(inGraph), ...inStreams(execution)];
}

function inGraph(graph: GraphModel): readonly EarlyStart[] {
  if (!graph.nodes.some(({ early }) => early)) return [];
  const loose = graph.nodes.map(({ dependencies }) => dependencies);
  const racing: { readonly first: GraphNode; readonly early: GraphNode }[] = [];
  for (const id of orderGraph(graph.nodes).topological) {
    const node = graph.nodes[id]!;
    for (const { node: front, atLaunch } of node.early ?? []) {
      const first = graph.nodes[front]!;
      if (!mayRace(first.operation, node.operation, atLaunch)) continue;
      racing.push({ first, early: node });
      // It begins behind whatever the kernel in front began behind.
      loose[id] = [...loose[id]!.filter((each) => each !== front), ...loose[front]!];
    }
  }
  const order = orderGraph(graph.nodes.map((node, id) => ({ ...node, dependencies: [...new Set(loose[id])] })));
  return racing.flatMap(({ first, early }) => {
    const seconds = graph.nodes.filter(
      (node) => !order.before(first.id, node.id) && (node === early || freesBehind(node, early, graph)),
    );
    return seconds.flatMap((second) =>
      shared(first.operation, second.operation).map((allocation) => ({
        allocation,
        first: first.event,
        early: early.event,
        second: second.event,
      })),
    );
  });
}

/** A free that somebody put behind the kernel that begins early. What a capture waits for there is not known. */
function freesBehind(node: GraphNode, early: GraphNode, graph: GraphModel): boolean {
  return graph.built === 'explicit' && node.operation.kind === 'memFree' && node.dependencies.includes(early.id);
}

function inStreams(execution: Execution): readonly EarlyStart[] {
  const { operations, trace } = execution;
  if (!operations.some(({ operation }) => operation?.beginsEarly)) return [];
  const last = new Map<number, (typeof operations)[number]>();
  return operations.flatMap((each) => {
    const before = last.get(each.stream);
    last.set(each.stream, each);
    const [front, operation] = [before?.operation, each.operation];
    if (!before || !front || !operation?.beginsEarly || !mayRace(front, operation, false)) return [];
    const between = trace.events.slice(before.event + 1, each.event);
    if (between.some(({ verb }) => verb === 'host.synchronise' || verb === 'call.unknown')) return [];
    return shared(front, operation).map((allocation) => ({
      allocation,
      first: before.event,
      early: each.event,
      second: each.event,
    }));
  });
}

function mayRace(front: Operation, early: Operation, atLaunch: boolean): boolean {
  if (front.kind !== 'kernel' || early.kind !== 'kernel') return false;
  return (atLaunch || front.start?.triggers === true) && early.start?.neverWaits === true;
}

/** Allocations that both surely touch and one surely writes or frees. */
function shared(first: Operation, second: Operation): readonly number[] {
  const { freed } = second;
  const touched = first.accesses.filter((access) =>
    freed
      ? access.pointer.allocation === freed.allocation
      : second.accesses.some(
          (other) => other.pointer.allocation === access.pointer.allocation && conflict(access, other),
        ),
  );
  return [...new Set(touched.map(({ pointer }) => pointer.allocation))];
}
