/** From the changes a person asks for to steps, one after the other, on one path of the program. */

import { executeTrace } from '../execution/execute-trace.ts';
import type { Execution, GraphModel, GraphNode } from '../execution/execution.ts';
import type { WhatIfChange } from '../scene/what-if-change.ts';
import type { Trace } from '../trace/event.ts';
import { applyStep, type ChangedTrace, eventFrom, type Step, sameCall, unchanged } from './steps.ts';

/** A step and the trace behind it. */
export interface Stage {
  readonly step: Step;
  readonly after: ChangedTrace;
}

/** The stages that lead to the changed trace; steps that change nothing are left out. Null when a change does not fit. */
export function stagesOf(trace: Trace, changes: readonly WhatIfChange[]): readonly Stage[] | null {
  const stages: Stage[] = [];
  let now = unchanged(trace);
  for (const change of changes) {
    const steps = stepsOf(now, change);
    if (steps === null) return null;
    for (const step of steps) {
      const after = applyStep(now, step);
      if (after === null) return null;
      if (after !== now) stages.push({ step, after });
      now = after;
    }
  }
  return stages;
}

function stepsOf(now: ChangedTrace, change: WhatIfChange): readonly Step[] | null {
  return change.kind === 'moveFree' ? moveFree(now, change.free) : [change];
}

/**
 * The free waits for every use that it does not follow yet; nodes between it and a use wait for what it waited for. Its
 * call moves behind the last of those uses where nothing in between needs the node.
 */
function moveFree(now: ChangedTrace, free: number): readonly Step[] | null {
  const event = eventFrom(now, free);
  if (!event) return null;
  const execution = executeTrace(now.trace);
  const place = execution.calls[event.index]?.node;
  const graph = place ? execution.graphs[place.graph] : undefined;
  const node = place ? graph?.nodes[place.node] : undefined;
  if (!graph || !node?.operation.freed) return null;
  const allocation = node.operation.freed.allocation;
  const uses = graph.nodes.filter((each) =>
    each.operation.accesses.some((one) => one.pointer.allocation === allocation),
  );
  const origin = (each: GraphNode): number => now.origins[each.event] ?? -1;
  const lastUse = uses.reduce<GraphNode | null>((last, each) => (!last || each.event > last.event ? each : last), null);
  if (event.verb !== 'node.add')
    return lastUse && lastUse.event > node.event ? [{ kind: 'moveBehind', event: free, behind: origin(lastUse) }] : [];
  const before = ancestorsOf(graph, node.id);
  const missing = uses.filter((use) => !before.has(use.id));
  const between = graph.nodes.filter(
    (each) =>
      each.dependencies.includes(node.id) &&
      missing.some((use) => use === each || ancestorsOf(graph, use.id).has(each.id)),
  );
  const steps: Step[] = between.flatMap((each): Step[] => [
    { kind: 'dropDependency', from: free, to: origin(each) },
    ...node.dependencies
      .filter((dependency) => !each.dependencies.includes(dependency))
      .map((dependency): Step => ({ kind: 'addDependency', from: origin(graph.nodes[dependency]!), to: origin(each) })),
  ]);
  const late = missing.filter((use) => use.event > node.event);
  const last = late.reduce<GraphNode | null>(
    (found, each) => (!found || each.event > found.event ? each : found),
    null,
  );
  const freed = new Set(between.map((each) => each.event));
  if (last && !isNeededBefore(execution, node, last.event, freed))
    steps.push({ kind: 'moveBehind', event: free, behind: origin(last) });
  const latest = missing.filter((use) => !missing.some((other) => ancestorsOf(graph, other.id).has(use.id)));
  return [...steps, ...latest.map((use): Step => ({ kind: 'addDependency', from: origin(use), to: free }))];
}

/** Whether a call in front of `end` names the node, other than those that no longer will. */
function isNeededBefore(execution: Execution, node: GraphNode, end: number, freed: ReadonlySet<number>): boolean {
  const { handle } = node;
  if (handle === null) return true;
  return execution.trace.events.slice(node.event + 1, end).some((event) => {
    if (freed.has(event.index)) return false;
    if (event.verb === 'node.add') return event.dependencies?.includes(handle) === true;
    if (event.verb === 'edges.add') return event.from?.includes(handle) === true || event.to?.includes(handle) === true;
    return event.verb === 'exec.instantiate';
  });
}

function ancestorsOf(graph: GraphModel, node: number): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting = [...(graph.nodes[node]?.dependencies ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(graph.nodes[next]?.dependencies ?? []));
  }
  return found;
}

/** The same changes on another path through the program; what does not happen there is left out. */
export function onOtherPath(changes: readonly WhatIfChange[], ordinary: Trace, other: Trace): readonly WhatIfChange[] {
  const find = (index: number): number | null => {
    const event = ordinary.events[index];
    if (!event) return null;
    const nth = ordinary.events.slice(0, index).filter((each) => sameEvent(each, event)).length;
    return other.events.filter((each) => sameEvent(each, event))[nth]?.index ?? null;
  };
  const moved = (change: WhatIfChange): readonly WhatIfChange[] => {
    switch (change.kind) {
      case 'addDependency':
      case 'dropDependency': {
        const [from, to] = [find(change.from), find(change.to)];
        return from === null || to === null ? [] : [{ ...change, from, to }];
      }
      case 'moveFree': {
        const free = find(change.free);
        return free === null ? [] : [{ ...change, free }];
      }
      case 'launchStream': {
        const launch = find(change.launch);
        const stream = streamOn(other, ordinary, change.stream);
        return launch === null || stream === null ? [] : [{ ...change, launch, stream }];
      }
      case 'autoFree': {
        const instantiate = find(change.instantiate);
        return instantiate === null ? [] : [{ ...change, instantiate }];
      }
    }
  };
  return changes.flatMap(moved);
}

/** The handle of the same stream on another path, where handles may have other numbers. */
function streamOn(other: Trace, ordinary: Trace, stream: number): number | null {
  const known = ordinary.handles[stream];
  if (!known) return null;
  const same = (index: number): boolean => {
    const handle = other.handles[index];
    return handle?.type === 'stream' && handle.name === known.name && handle.span.start === known.span.start;
  };
  if (same(stream)) return stream;
  const found = other.handles.findIndex((_, index) => same(index));
  return found < 0 ? null : found;
}

function sameEvent(first: Trace['events'][number], second: Trace['events'][number]): boolean {
  return first.verb === second.verb && sameCall(first, second);
}
