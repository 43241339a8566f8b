/** Stream capture: what becomes a node, what joins, what invalidates. Also events and synchronisation outside it. */

import { type EventOf, legacyStream, type Operation, type TraceEvent } from '../trace/event.ts';
import type { CallOutcome, WaitTarget } from './execution.ts';
import { registerMemory } from './graphs.ts';
import {
  addGraph,
  addNode,
  addOperation,
  type Capture,
  captureDisturbedByLegacy,
  captureOf,
  isAncestor,
  none,
  refuse,
  type State,
  succeed,
} from './state.ts';

/** A call in an invalidated capture changes nothing. */
export function whenInvalidated(event: TraceEvent, capture: Capture): CallOutcome | null {
  return capture.invalidated ? refuse(event, 'cudaErrorStreamCaptureInvalidated', 'captureInvalidated') : null;
}

/** Adds the operation to the capture as a node after the stream's frontier. */
export function captureOperation(
  state: State,
  capture: Capture,
  stream: number,
  event: TraceEvent,
  operation: Operation,
): CallOutcome {
  const invalid = whenInvalidated(event, capture);
  if (invalid) return invalid;
  const frontier = capture.frontiers.get(stream) ?? [];
  const isPartial = capture.partial.delete(stream);
  const node = addNode(state, capture.graph, event, operation, frontier, null, stream, isPartial);
  if (operation.beginsEarly) node.early = frontier.map((each) => ({ node: each, atLaunch: false }));
  capture.frontiers.set(stream, [node.id]);
  registerMemory(state, capture.graph, node.id, operation, event.index);
  return succeed(event, { node: { graph: capture.graph.index, node: node.id } });
}

/** `cudaStreamGetCaptureInfo`: the handles given out stand for the graph under capture and for the stream's frontier. */
export function tellCapture(state: State, event: EventOf<'capture.info'>): CallOutcome {
  const capture = captureOf(state, event.stream);
  if (!capture) return succeed(event);
  const invalid = whenInvalidated(event, capture);
  if (invalid) return invalid;
  const graph = capture.graph.index;
  state.graphOfHandle.set(event.graph, graph);
  for (const [index, node] of (capture.frontiers.get(event.stream) ?? []).entries()) {
    const handle = event.nodes[index];
    if (handle !== undefined) state.nodeOfHandle.set(handle, { graph, node });
  }
  return succeed(event);
}

export function endCapture(state: State, event: EventOf<'capture.end'>): CallOutcome {
  const capture = captureOf(state, event.stream) ?? captureMeant(state, event.stream);
  // That no capture began has been said where it was to begin.
  if (!capture && (event.stream === legacyStream || wasRefused(state, event)))
    return succeed(event, { result: 'cudaErrorIllegalState' });
  // Whoever made the stream may have begun: what was captured is not seen.
  if (!capture && state.captures.size === 0 && state.trace.handles[event.stream]?.external) {
    addGraph(state, event.graph, 'capture', event.index, true);
    return succeed(event);
  }
  if (!capture) return refuse(event, 'cudaErrorIllegalState', 'captureEndMismatch');
  const begin = [{ role: 'begin', event: capture.event }];
  if (capture.origin !== event.stream && !(isGuess(state, capture.origin) || isGuess(state, event.stream))) {
    capture.invalidated = true;
    return refuse(event, 'cudaErrorStreamCaptureUnmatched', 'captureEndMismatch', begin);
  }
  for (const [stream, each] of [...state.captures]) if (each === capture) state.captures.delete(stream);
  if (capture.mode !== 'relaxed' && isOfOtherThread(state, capture, event)) {
    // What follows from a capture that goes on is not said as well.
    capture.graph.failed = true;
    return refuse(event, 'cudaErrorStreamCaptureWrongThread', 'captureWrongThread', begin);
  }
  if (capture.invalidated) {
    capture.graph.failed = true;
    return refuse(event, 'cudaErrorStreamCaptureInvalidated', 'captureInvalidated', begin);
  }
  const unjoined = capture.mayHaveMore ? [] : unjoinedNodes(capture);
  if (unjoined.length > 0) {
    capture.graph.failed = true;
    return refuse(event, 'cudaErrorStreamCaptureUnjoined', 'captureUnjoined', [
      ...begin,
      ...unjoined.map((node) => ({ role: 'unjoined', event: capture.graph.nodes[node]!.event })),
    ]);
  }
  state.graphOfHandle.set(event.graph, capture.graph.index);
  capture.graph.handle = event.graph;
  return succeed(event);
}

/** Whether the stream's last capture could not begin. */
function wasRefused({ trace, calls }: State, { stream, index }: EventOf<'capture.end'>): boolean {
  const begin = trace.events.findLast(
    (each) => each.index < index && each.verb === 'capture.begin' && each.stream === stream,
  );
  return begin !== undefined && calls[begin.index]?.refusal === 'crossGraphDependency';
}

/** Whether a capture began in another thread of the host, as far as both are known (CUDA Runtime API, cudaStreamEndCapture). */
function isOfOtherThread({ trace }: State, capture: Capture, { thread }: TraceEvent): boolean {
  const begin = trace.events[capture.event];
  if (begin?.verb !== 'capture.begin' || begin.thread === null || thread === null) return false;
  return begin.thread !== thread;
}

/**
 * Whether a capture says nothing of what a call may do: one in the relaxed mode, and one in the thread-local mode where another thread calls
 * (CUDA Runtime API, cudaThreadExchangeStreamCaptureMode), or may be the one that calls.
 */
function allows(state: State, capture: Capture, event: TraceEvent): boolean {
  if (capture.mode !== 'threadLocal') return capture.mode === 'relaxed';
  const begin = state.trace.events[capture.event];
  return begin?.thread === null || event.thread === null || isOfOtherThread(state, capture, event);
}

/** The last nodes of forked streams that have no path into what the origin comes, or came, after. A fork without work is fine. */
function unjoinedNodes(capture: Capture): number[] {
  const origin = [...(capture.frontiers.get(capture.origin) ?? []), ...capture.cameAfter];
  const reaches = (node: number): boolean => origin.some((end) => end === node || isAncestor(capture.graph, node, end));
  const out = new Set<number>();
  for (const [stream, frontier] of capture.frontiers)
    if (stream !== capture.origin) for (const node of frontier) if (!reaches(node)) out.add(node);
  return [...out];
}

/** A capture does not outlive the stream it began in, though the call succeeds (recording `cap_destroyStream`). */
export function destroyStream(state: State, event: EventOf<'stream.destroy'>): CallOutcome {
  const { stream } = event;
  const capture = captureOf(state, stream);
  state.captures.delete(stream);
  if (capture?.origin !== stream) return succeed(event);
  capture.graph.failed = true;
  for (const [other, each] of [...state.captures]) if (each === capture) state.captures.delete(other);
  return refuse(event, 'cudaSuccess', 'captureStreamDestroyed', begunAt(capture));
}

/** A graph stays while a stream captures into it (asked of an H200). */
export function destroyedInCapture(state: State, event: EventOf<'graph.destroy'>, graph: number): CallOutcome | null {
  const capture = [...state.captures.values()].find((each) => each.graph.index === graph && !each.invalidated);
  return capture ? refuse(event, 'cudaErrorIllegalState', 'captureGraphDestroyed', begunAt(capture)) : null;
}

/** External events are for captures (rule C29); an event and the stream it is recorded in share a device (B22). */
function refusedRecord(state: State, event: EventOf<'event.record'>): CallOutcome | null {
  if (event.external) return succeed(event, { result: 'cudaErrorIllegalState' });
  const device = state.deviceOfEvent.get(event.event);
  const other = state.deviceOfStream.get(event.stream);
  const isKnown = device !== undefined && device !== null && other !== undefined && other !== null;
  return isKnown && device !== other ? refuse(event, 'cudaErrorInvalidResourceHandle', 'eventOfOtherDevice') : null;
}

export function recordEvent(state: State, event: EventOf<'event.record'>): CallOutcome {
  const capture = captureOf(state, event.stream);
  if (!capture) {
    const refused = refusedRecord(state, event);
    if (refused) return refused;
    const disturbed = captureDisturbedByLegacy(state, event.stream);
    if (disturbed) return invalidateByLegacy(event, disturbed);
    const operation = addOperation(state, {
      event: event.index,
      stream: event.stream,
      kind: 'record',
      operation: null,
      executable: null,
      nth: 0,
      waitsFor: null,
      nodeWaits: none,
      blocking: false,
    });
    state.records.set(event.event, { kind: 'eager', target: { kind: 'record', operation: operation.index } });
    return succeed(event, { operation: operation.index });
  }
  const invalid = whenInvalidated(event, capture);
  if (invalid) return invalid;
  if (event.external)
    return captureOperation(state, capture, event.stream, event, {
      kind: 'eventRecord',
      label: 'record',
      accesses: [],
      bytes: null,
      event: event.event,
    });
  state.records.set(event.event, { kind: 'captured', capture, frontier: capture.frontiers.get(event.stream) ?? [] });
  return succeed(event);
}

/** Of two streams that may be one: the only capture there is ends, where nobody knows which stream is meant. */
function captureMeant(state: State, stream: number): Capture | undefined {
  const [only, other] = new Set(state.captures.values());
  return only && !other && (isGuess(state, stream) || isGuess(state, only.origin)) ? only : undefined;
}

function isGuess(state: State, handle: number): boolean {
  return state.trace.handles[handle]?.isGuess === true;
}

export function waitEvent(state: State, event: EventOf<'stream.wait'>): CallOutcome {
  const record = state.records.get(event.event);
  const capture = captureOf(state, event.stream);
  if (isGuess(state, event.stream) || isGuess(state, event.event))
    for (const each of state.captures.values()) each.mayHaveMore = true;
  if (capture) {
    const invalid = whenInvalidated(event, capture);
    if (invalid) return invalid;
    if (event.external)
      return captureOperation(state, capture, event.stream, event, {
        kind: 'eventWait',
        label: 'wait',
        accesses: [],
        bytes: null,
        event: event.event,
      });
    if (!record) return succeed(event);
    if (record.kind === 'eager' && capture.mayHaveMore) {
      capture.partial.add(event.stream);
      return succeed(event);
    }
    if (
      record.kind === 'eager' ||
      !state.captures.has(record.capture.origin) ||
      state.captures.get(record.capture.origin) !== record.capture
    ) {
      capture.invalidated = true;
      return refuse(event, 'cudaErrorStreamCaptureIsolation', 'captureUncapturedEvent', [
        { role: 'begin', event: capture.event },
        ...recordedAt(state, record),
      ]);
    }
    if (record.capture !== capture) {
      capture.invalidated = true;
      record.capture.invalidated = true;
      return refuse(event, 'cudaErrorStreamCaptureMerge', 'captureMerge', [{ role: 'begin', event: capture.event }]);
    }
    capture.frontiers.set(event.stream, mergeFrontiers(capture.frontiers.get(event.stream) ?? [], record.frontier));
    return succeed(event);
  }
  if (event.external) return succeed(event, { result: 'cudaErrorIllegalState' });
  // The default stream takes no part in a capture, whatever stream the event was captured in (H100, CUDA 13.0).
  const open = record?.kind === 'captured' ? state.captures.get(record.capture.origin) : undefined;
  const isLegacy = event.stream === legacyStream && open !== undefined && !open.invalidated;
  const disturbed = isLegacy ? open : captureDisturbedByLegacy(state, event.stream);
  if (disturbed) return invalidateByLegacy(event, disturbed);
  if (record?.kind === 'captured') {
    if (state.captures.get(record.capture.origin) !== record.capture)
      return refuse(event, 'cudaErrorInvalidValue', 'capturedEventEnded', begunAt(record.capture));
    state.captures.set(event.stream, record.capture);
    record.capture.frontiers.set(event.stream, record.frontier);
    return succeed(event);
  }
  const target: WaitTarget | null = record ? record.target : null;
  const operation = addOperation(state, {
    event: event.index,
    stream: event.stream,
    kind: 'wait',
    operation: null,
    executable: null,
    nth: 0,
    waitsFor: target,
    nodeWaits: none,
    blocking: false,
  });
  return succeed(event, { operation: operation.index });
}

function begunAt(capture: Capture): CallOutcome['related'] {
  return [{ role: 'begin', event: capture.event }];
}

function recordedAt(
  state: State,
  record: NonNullable<ReturnType<State['records']['get']>>,
): { role: string; event: number }[] {
  if (record.kind !== 'eager' || record.target.kind !== 'record') return [];
  return [{ role: 'record', event: state.operations[record.target.operation]!.event }];
}

/** What comes behind both: each node once, also those that another one of them implies, as the driver adds edges. */
export function mergeFrontiers(own: readonly number[], other: readonly number[]): number[] {
  return [...new Set([...own, ...other])];
}

export function synchronise(state: State, event: EventOf<'host.synchronise'>): CallOutcome {
  const invalidate = (
    capture: Capture,
    result: string,
    refusal: 'captureSynchronise' | 'capturedEventSynchronise',
  ): CallOutcome => {
    capture.invalidated = true;
    return refuse(event, result, refusal, [{ role: 'begin', event: capture.event }]);
  };
  const active = [...new Set(state.captures.values())].filter((capture) => !capture.invalidated);
  if (event.scope === 'device' && active[0])
    return invalidate(active[0], 'cudaErrorStreamCaptureUnsupported', 'captureSynchronise');
  if (event.scope === 'stream' && event.handle !== null) {
    const own = captureOf(state, event.handle);
    if (own)
      return own.invalidated
        ? refuse(event, 'cudaErrorStreamCaptureInvalidated', 'captureInvalidated')
        : invalidate(own, 'cudaErrorStreamCaptureUnsupported', 'captureSynchronise');
    const strict = active.find((capture) => !allows(state, capture, event));
    if (strict) return invalidate(strict, 'cudaErrorStreamCaptureUnsupported', 'captureSynchronise');
  }
  if (event.scope === 'event' && event.handle !== null) {
    const record = state.records.get(event.handle);
    if (record?.kind === 'captured') {
      const stillActive = state.captures.get(record.capture.origin) === record.capture;
      if (stillActive) return invalidate(record.capture, 'cudaErrorCapturedEvent', 'capturedEventSynchronise');
      // Recording `cap_wait_outside_on_captured_event_after_end`.
      return refuse(event, 'cudaErrorInvalidValue', 'capturedEventEnded', begunAt(record.capture));
    }
    const strict = active.find((capture) => !allows(state, capture, event));
    if (strict) return invalidate(strict, 'cudaErrorStreamCaptureUnsupported', 'captureSynchronise');
  }
  return succeed(event);
}

/** The time of an event that a capture recorded is refused; the capture goes on (H200, CUDA 13.0, cudaEventElapsedTime). */
export function askHandles(state: State, event: EventOf<'handle.asked'>): CallOutcome {
  for (const handle of event.handles) {
    const record = state.records.get(handle);
    if (record?.kind !== 'captured') continue;
    const isOpen = state.captures.get(record.capture.origin) === record.capture;
    return isOpen
      ? refuse(event, 'cudaErrorCapturedEvent', 'capturedEventSynchronise', begunAt(record.capture))
      : refuse(event, 'cudaErrorInvalidValue', 'capturedEventEnded', begunAt(record.capture));
  }
  return succeed(event);
}

/**
 * Calls that CUDA calls potentially unsafe: refused while a capture of a mode other than relaxed is open. `stream`: callbacks
 * in a stream that captures are refused in every mode (observed with a relaxed one, driver 580.159, and a global one).
 */
export function unsafeInCapture(state: State, event: TraceEvent, stream: number | null = null): CallOutcome | null {
  const own = stream === null ? null : captureOf(state, stream);
  if (state.allowsUnsafe && !own) return null;
  for (const capture of new Set(state.captures.values())) {
    if (capture.invalidated || (capture !== own && (allows(state, capture, event) || state.allowsUnsafe))) continue;
    capture.invalidated = true;
    return refuse(event, 'cudaErrorStreamCaptureUnsupported', 'captureUnsafe', [
      { role: 'begin', event: capture.event },
    ]);
  }
  return null;
}

/** A call that waits for what it has enqueued in a capturing stream. */
export function invalidateByWaiting(event: TraceEvent, capture: Capture): CallOutcome {
  capture.invalidated = true;
  return refuse(event, 'cudaErrorStreamCaptureUnsupported', 'captureSynchronise', [
    { role: 'begin', event: capture.event },
  ]);
}

/** The legacy stream used while a blocking stream captures. */
export function invalidateByLegacy(event: TraceEvent, capture: Capture): CallOutcome {
  capture.invalidated = true;
  return refuse(event, 'cudaErrorStreamCaptureImplicit', 'captureLegacyStream', [
    { role: 'begin', event: capture.event },
  ]);
}
