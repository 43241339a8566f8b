/** The smallest changes of a trace. Pure: each gives a new trace, in which every event knows which one it was. */

import type { EventOf, Trace, TraceEvent } from '../trace/event.ts';

/** Events are named by their place in the trace before any change. */
export type Step =
  | { readonly kind: 'addDependency'; readonly from: number; readonly to: number }
  | { readonly kind: 'dropDependency'; readonly from: number; readonly to: number }
  | { readonly kind: 'moveBehind'; readonly event: number; readonly behind: number }
  | { readonly kind: 'launchStream'; readonly launch: number; readonly stream: number }
  | { readonly kind: 'autoFree'; readonly instantiate: number; readonly value: boolean };

export interface ChangedTrace {
  readonly trace: Trace;
  /** What each event was before any change; -1 for those that were added. */
  readonly origins: readonly number[];
}

interface Placed {
  readonly event: TraceEvent;
  readonly origin: number;
}

export function unchanged(trace: Trace): ChangedTrace {
  return { trace, origins: trace.events.map((event) => event.index) };
}

/** The event that was `origin` before the changes. */
export function eventFrom({ trace, origins }: ChangedTrace, origin: number): TraceEvent | undefined {
  const index = origins.indexOf(origin);
  return index < 0 ? undefined : trace.events[index];
}

/** The trace as it would be if the program had done so; null when the step does not fit it. */
export function applyStep(changed: ChangedTrace, step: Step): ChangedTrace | null {
  switch (step.kind) {
    case 'addDependency':
      return addDependency(changed, step.from, step.to);
    case 'dropDependency':
      return dropDependency(changed, step.from, step.to);
    case 'moveBehind':
      return moveBehind(changed, step.event, step.behind);
    case 'launchStream': {
      const launch = eventFrom(changed, step.launch);
      if (launch?.verb !== 'exec.launch' || changed.trace.handles[step.stream]?.type !== 'stream') return null;
      if (launch.stream === step.stream) return changed;
      return replaced(changed, (event) =>
        event.verb === 'exec.launch' && sameCall(event, launch) ? { ...event, stream: step.stream } : event,
      );
    }
    case 'autoFree': {
      const instantiate = eventFrom(changed, step.instantiate);
      if (instantiate?.verb !== 'exec.instantiate') return null;
      if (instantiate.autoFree === step.value) return changed;
      return replaced(changed, (event) =>
        event.verb === 'exec.instantiate' && sameCall(event, instantiate) ? { ...event, autoFree: step.value } : event,
      );
    }
  }
}

/** A dependency on an earlier node counts when the node is added; one on a later node is an edge added behind both. */
function addDependency(changed: ChangedTrace, from: number, to: number): ChangedTrace | null {
  const [source, target] = nodesOf(changed, from, to) ?? [];
  if (!source || !target || source === target) return null;
  if (source.index < target.index && target.dependencies !== null) {
    const { dependencies } = target;
    if (dependencies.includes(source.node)) return changed;
    const added = { ...target, dependencies: [...dependencies, source.node] };
    return replaced(changed, (event) => (event === target ? added : event));
  }
  const last = source.index < target.index ? target : source;
  const { index, span, statement, frames } = last;
  const edge: TraceEvent = {
    index,
    api: 'cudaGraphAddDependencies',
    span,
    statement,
    arguments: [],
    frames,
    verb: 'edges.add',
    graph: target.graph,
    from: [source.node],
    to: [target.node],
  };
  const placed = placedEvents(changed);
  placed.splice(index + 1, 0, { event: edge, origin: -1 });
  return fromPlaced(changed.trace, placed);
}

function dropDependency(changed: ChangedTrace, from: number, to: number): ChangedTrace | null {
  const [source, target] = nodesOf(changed, from, to) ?? [];
  if (!source || !target) return null;
  return replaced(changed, (event) => {
    if (event === target)
      return { ...target, dependencies: target.dependencies?.filter((each) => each !== source.node) ?? null };
    return event.verb === 'edges.add' ? withoutEdge(event, source.node, target.node) : event;
  });
}

function withoutEdge(event: EventOf<'edges.add'>, from: number, to: number): EventOf<'edges.add'> {
  const kept = (event.from ?? []).map((each, index) => each !== from || event.to?.[index] !== to);
  if (!event.from || !event.to || kept.every(Boolean)) return event;
  return {
    ...event,
    from: event.from.filter((_, index) => kept[index]),
    to: event.to.filter((_, index) => kept[index]),
  };
}

function moveBehind(changed: ChangedTrace, event: number, behind: number): ChangedTrace | null {
  const placed = placedEvents(changed);
  const from = placed.findIndex((each) => each.origin === event);
  const target = placed.findIndex((each) => each.origin === behind);
  if (from < 0 || target < 0) return null;
  if (from >= target) return changed;
  const [moved] = placed.splice(from, 1);
  if (moved) placed.splice(target, 0, moved);
  return fromPlaced(changed.trace, placed);
}

/** Both as nodes of one graph. */
function nodesOf(
  changed: ChangedTrace,
  from: number,
  to: number,
): readonly [EventOf<'node.add'>, EventOf<'node.add'>] | null {
  const source = eventFrom(changed, from);
  const target = eventFrom(changed, to);
  const fits = source?.verb === 'node.add' && target?.verb === 'node.add' && source.graph === target.graph;
  return fits ? [source, target] : null;
}

/** Whether two events come from one call in the text, reached on the same way: a loop runs it several times. */
export function sameCall(first: TraceEvent, second: TraceEvent): boolean {
  return (
    first.span.file === second.span.file &&
    first.span.start === second.span.start &&
    first.frames.length === second.frames.length &&
    first.frames.every((frame, index) => frame.call.start === second.frames[index]?.call.start)
  );
}

function placedEvents({ trace, origins }: ChangedTrace): Placed[] {
  return trace.events.map((event, index) => ({ event, origin: origins[index] ?? -1 }));
}

function fromPlaced(trace: Trace, placed: readonly Placed[]): ChangedTrace {
  return {
    trace: { ...trace, events: placed.map(({ event }, index) => ({ ...event, index })) },
    origins: placed.map(({ origin }) => origin),
  };
}

function replaced({ trace, origins }: ChangedTrace, change: (event: TraceEvent) => TraceEvent): ChangedTrace {
  return { trace: { ...trace, events: trace.events.map(change) }, origins };
}
