/** Words for messages: what things are called, and proofs as steps. */

import { spanKey } from '../base/span.ts';
import type { GraphNode } from '../execution/execution.ts';
import { type AccessMode, type OperationKind, perThreadStream, type TraceEvent, threadsOwn } from '../trace/event.ts';
import { eventOf, type Facts } from './facts.ts';
import type { Step, Violation } from './rule.ts';

export function allocationName(facts: Facts, allocation: number | null): string {
  const name = allocation === null ? '' : (facts.trace.allocations[allocation]?.name ?? '');
  return name === '' ? 'the allocation' : `\`${name}\``;
}

/** What a call is called in {@link Violation.subject}: the same on every path. */
export function subjectOfCall(facts: Facts, event: number): string {
  return `call ${spanKey(eventOf(facts, event).span)}`;
}

/**
 * What an allocation is called in {@link Violation.subject}: the same on every path, and for all elements of an array. Without the object
 * that a member lies in: which names it is called by hangs on how many others there are.
 */
export function subjectOfAllocation({ trace }: Facts, allocation: number): string {
  const { span, name } = trace.allocations[allocation]!;
  const member = name.slice(name.lastIndexOf('.') + 1);
  return `allocation ${spanKey(span)} ${member.replace(/\[.*$/, '')}`;
}

/** The same as {@link Violation.thing}. */
export function thingOf({ trace }: Facts, allocation: number | null): Pick<Violation, 'thing'> {
  const name = allocation === null ? undefined : trace.allocations[allocation]?.name;
  return name ? { thing: name } : {};
}

export function handleName(facts: Facts, handle: number | null): string {
  const name = handle === null || handle < 0 ? '' : (facts.trace.handles[handle]?.name ?? '');
  return name === '' ? '' : `\`${name}\``;
}

export function streamName(facts: Facts, stream: number): string {
  if (stream === 0) return 'the default stream';
  const name = handleName(facts, stream) || 'another stream';
  const isOther = stream !== perThreadStream && facts.trace.handles[stream]?.name === threadsOwn;
  return isOther ? `${name} of another thread` : name;
}

/** The names of streams of which one message tells: two that are called the same are one and another. */
export function streamNames(facts: Facts, streams: readonly number[]): readonly string[] {
  const names = streams.map((stream) => streamName(facts, stream));
  return streams.map((stream, index) => {
    const name = names[index]!;
    const first = names.indexOf(name);
    if (streams.every((other, at) => other === stream || names[at] !== name)) return name;
    return `${streams[first] === stream ? 'one' : 'another'} ${name.replace(/^another /, '')}`;
  });
}

/** Kinds of work whose names in the trace are no words. */
const kindWords: Readonly<Partial<Record<OperationKind, string>>> = {
  batchMemOp: 'memory operation',
  semaphoreSignal: 'semaphore signal',
  semaphoreWait: 'semaphore wait',
};

/** What a node or stream operation is called: the kernel's name, or its kind. */
export function actorName(facts: Facts, event: number, node: GraphNode | null = null): string {
  const made = eventOf(facts, event);
  const operation = node?.operation ?? operationOfEvent(made);
  if (!operation) return `\`${made.api}\``;
  switch (operation.kind) {
    case 'kernel':
    case 'host':
      return `\`${operation.label}\``;
    case 'memFree':
      return 'the free';
    case 'memAlloc':
      return 'the allocation';
    default: {
      const name = node?.handle === null || node?.handle === undefined ? '' : handleName(facts, node.handle);
      const kind = kindWords[operation.kind] ?? operation.kind;
      return name ? `the ${kind} node ${name}` : `the ${kind}`;
    }
  }
}

function operationOfEvent(event: TraceEvent) {
  return event.verb === 'node.add' || event.verb === 'stream.operation' ? event.operation : null;
}

export function accessVerb(mode: AccessMode): string {
  switch (mode) {
    case 'read':
      return 'reads';
    case 'write':
      return 'writes';
    case 'readwrite':
      return 'reads and writes';
    case 'unknown':
      return 'uses';
  }
}

/** Steps of the proof that `first` is before `second`, shortened to what the user wrote. */
export function witnessSteps(facts: Facts, first: number, second: number): Step[] {
  const out: Step[] = [];
  for (const { point, reason } of facts.order.witness(first, second)) {
    const event = facts.order.points[point]!.event;
    if (event < 0 || out.at(-1)?.event === event) continue;
    out.push({
      event,
      message: reason === null ? `${actorName(facts, event)} ends` : `then ${actorName(facts, event)} (${reason})`,
    });
  }
  return out;
}
