/** Allocations and frees outside graphs, and work in streams, captured or not. */

import type { DevicePointer, EventOf } from '../trace/event.ts';
import { captureOperation, invalidateByLegacy, invalidateByWaiting, unsafeInCapture } from './capture.ts';
import { noteDevices } from './device-access.ts';
import type { CallOutcome } from './execution.ts';
import { noteReach } from './peer-access.ts';
import { notePoolDevices, refusedPool } from './pools.ts';
import {
  addOperation,
  captureDisturbedByLegacy,
  captureOf,
  livenessOf,
  none,
  refuse,
  type State,
  succeed,
} from './state.ts';
import { mayBeLive, noteUnseen } from './unseen.ts';

export function streamOperation(state: State, event: EventOf<'stream.operation'>): CallOutcome {
  const capture = captureOf(state, event.stream);
  noteReach(state, event, event.operation, event.stream);
  if (capture) {
    const captured = captureOperation(state, capture, event.stream, event, event.operation);
    return event.blocking && captured.refusal === null ? invalidateByWaiting(event, capture) : captured;
  }
  const disturbed = captureDisturbedByLegacy(state, event.stream);
  if (disturbed) return invalidateByLegacy(event, disturbed);
  const operation = addOperation(state, {
    event: event.index,
    stream: event.stream,
    kind: 'operation',
    operation: event.operation,
    executable: null,
    nth: 0,
    waitsFor: null,
    nodeWaits: none,
    blocking: event.blocking,
  });
  noteUnseen(state, event);
  return succeed(event, { operation: operation.index });
}

export function allocate(state: State, event: EventOf<'memory.allocate'>): CallOutcome {
  const refused = event.unsafeInCapture ? unsafeInCapture(state, event) : null;
  if (refused) return refused;
  const allocation = state.allocations[event.allocation]!;
  allocation.event = event.index;
  if (allocation.kind === 'device') noteDevices(state, event.allocation, state.device);
  const liveness = livenessOf(state, event.allocation);
  liveness.live = true;
  liveness.born = event.index;
  return succeed(event);
}

export function allocateAsync(state: State, event: EventOf<'memory.allocateAsync'>): CallOutcome {
  const record = state.trace.allocations[event.allocation]!;
  const refused = refusedPool(state, event);
  if (refused) return refused;
  notePoolDevices(state, event);
  const capture = captureOf(state, event.stream);
  if (capture) {
    return captureOperation(state, capture, event.stream, event, {
      kind: 'memAlloc',
      label: record.name,
      accesses: [],
      bytes: record.bytes,
      allocation: event.allocation,
    });
  }
  const disturbed = captureDisturbedByLegacy(state, event.stream);
  if (disturbed) return invalidateByLegacy(event, disturbed);
  const allocation = state.allocations[event.allocation]!;
  allocation.event = event.index;
  const liveness = livenessOf(state, event.allocation);
  liveness.live = true;
  liveness.born = event.index;
  const operation = addOperation(state, {
    event: event.index,
    stream: event.stream,
    kind: 'allocate',
    operation: {
      kind: 'memAlloc',
      label: record.name,
      accesses: [],
      bytes: record.bytes,
      allocation: event.allocation,
    },
    executable: null,
    nth: 0,
    waitsFor: null,
    nodeWaits: none,
    blocking: false,
  });
  return succeed(event, { operation: operation.index });
}

export function freeAsync(state: State, event: EventOf<'memory.freeAsync'>): CallOutcome {
  // Asked of an H200: it is refused, whatever the stream does.
  if (event.ofHost !== undefined) return refuse(event, 'cudaErrorInvalidValue', 'freeOfHostMemory');
  const capture = captureOf(state, event.stream);
  if (capture) return capturedFree(state, event);
  const disturbed = captureDisturbedByLegacy(state, event.stream);
  if (disturbed) return invalidateByLegacy(event, disturbed);
  if (event.isNull || !event.pointer) return succeed(event);
  const refused = checkLive(state, event, event.pointer);
  if (refused) return refused;
  markFreed(state, event.pointer, event.index);
  const operation = addOperation(state, {
    event: event.index,
    stream: event.stream,
    kind: 'free',
    operation: { kind: 'memFree', label: 'free', accesses: [], bytes: null, freed: event.pointer },
    executable: null,
    nth: 0,
    waitsFor: null,
    nodeWaits: none,
    blocking: false,
  });
  return succeed(event, { operation: operation.index });
}

/** A captured free becomes a free node: only for memory that a graph allocated, and once. */
function capturedFree(state: State, event: EventOf<'memory.freeAsync'>): CallOutcome {
  const capture = captureOf(state, event.stream)!;
  if (capture.invalidated) return refuse(event, 'cudaErrorStreamCaptureInvalidated', 'captureInvalidated');
  const pointer = event.pointer;
  if (pointer) {
    const allocation = state.allocations[pointer.allocation]!;
    const allocated = allocation.event === null ? [] : [{ role: 'alloc', event: allocation.event }];
    if (allocation.kind !== 'graph' && allocation.kind !== 'external')
      return refuse(
        event,
        'cudaErrorInvalidValue',
        'captureFreeUncaptured',
        [...allocated, { role: 'begin', event: capture.event }],
        allocation.id,
      );
    const twice = allocation.freeNodes.find((each) => each.graph === capture.graph.index);
    if (twice)
      return refuse(
        event,
        'cudaErrorInvalidValue',
        'secondFreeNode',
        [...allocated, { role: 'free', event: twice.event }],
        allocation.id,
      );
    const owners = allocation.freeNodes.find((each) => each.graph === allocation.graph);
    if (owners && allocation.kind === 'graph')
      return refuse(
        event,
        'cudaErrorInvalidValue',
        'freeInTwoGraphs',
        [...allocated, { role: 'free', event: owners.event }],
        allocation.id,
      );
  }
  return captureOperation(state, capture, event.stream, event, {
    kind: 'memFree',
    label: pointer ? state.trace.allocations[pointer.allocation]!.name : 'free',
    accesses: [],
    bytes: null,
    freed: pointer,
  });
}

export function freeNow(state: State, event: EventOf<'memory.free'>): CallOutcome {
  const refused = event.unsafeInCapture ? unsafeInCapture(state, event) : null;
  if (refused) return refused;
  if (event.isNull || !event.pointer) return succeed(event);
  const notLive = checkLive(state, event, event.pointer);
  if (notLive) return notLive;
  markFreed(state, event.pointer, event.index);
  return succeed(event);
}

/** `cudaFreeHost`: memory that CUDA gave out on the host, once. */
export function freeHost(state: State, event: EventOf<'memory.freeHost'>): CallOutcome {
  const refused = unsafeInCapture(state, event);
  if (refused) return refused;
  const kind = event.pointer ? state.allocations[event.pointer.allocation]?.kind : undefined;
  if (!event.pointer || kind === undefined) return succeed(event);
  const ofVariable = freeOfVariable(state, event, event.pointer);
  if (ofVariable) return ofVariable;
  const { allocation, offset } = event.pointer;
  const born = state.allocations[allocation]?.event ?? null;
  const allocated = born === null ? [] : [{ role: 'alloc', event: born }];
  if (kind !== 'host' && kind !== 'external')
    return refuse(event, 'cudaErrorInvalidValue', 'mismatchedFree', allocated, allocation);
  // What begins somewhere inside of memory from outside is not known.
  if (kind === 'external' && offset !== null && offset !== 0) return succeed(event);
  const { freed, live } = livenessOf(state, allocation);
  if (freed !== null && !live)
    return refuse(
      event,
      'cudaErrorInvalidValue',
      'doubleFree',
      [...allocated, { role: 'free', event: freed }],
      allocation,
    );
  markFreed(state, event.pointer, event.index);
  return succeed(event);
}

/** Asked of an H200: whichever call is to free a variable of the device is refused, managed or not, and the variable stays. */
function freeOfVariable(
  state: State,
  event: EventOf<'memory.free' | 'memory.freeAsync' | 'memory.freeHost'>,
  { allocation }: DevicePointer,
): CallOutcome | null {
  if (!state.trace.allocations[allocation]?.isVariable) return null;
  return refuse(event, 'cudaErrorInvalidValue', 'mismatchedFree', [], allocation);
}

/** Frees from outside graphs need a live allocation that its own graph does not free. */
function checkLive(
  state: State,
  event: EventOf<'memory.free' | 'memory.freeAsync'>,
  pointer: DevicePointer,
): CallOutcome | null {
  const allocation = state.allocations[pointer.allocation]!;
  const isInside = pointer.offset !== null && pointer.offset !== 0;
  const allocated = allocation.event === null ? [] : [{ role: 'alloc', event: allocation.event }];
  const ofVariable = freeOfVariable(state, event, pointer);
  if (ofVariable) return ofVariable;
  if (allocation.kind === 'external') {
    // What it begins with is not known: it may lie in a larger one itself.
    if (isInside) return succeed(event, { result: 'cudaErrorInvalidValue' });
    const liveness = livenessOf(state, pointer.allocation);
    return liveness.freed === null
      ? null
      : refuse(event, 'cudaErrorInvalidValue', 'doubleFree', [{ role: 'free', event: liveness.freed }], allocation.id);
  }
  // Not where the allocation begins, or host memory (recording `double_cudaFree_and_interior`).
  if (isInside) return refuse(event, 'cudaErrorInvalidValue', 'interiorFree', allocated, allocation.id);
  if (allocation.kind === 'host')
    return refuse(event, 'cudaErrorInvalidValue', 'mismatchedFree', allocated, allocation.id);
  // Asked of an H200: managed memory is not freed in the order of a stream, and stays.
  if (allocation.kind === 'managed' && event.verb === 'memory.freeAsync')
    return refuse(event, 'cudaErrorNotSupported', 'mismatchedFree', allocated, allocation.id);
  const liveness = livenessOf(state, pointer.allocation);
  if (allocation.kind === 'graph') {
    // Where the node that would have made it was refused it is null, which is freed without an error.
    if (allocation.node === null) return succeed(event);
    const own = allocation.freeNodes.find((each) => each.graph === allocation.graph);
    if (own)
      return refuse(
        event,
        'cudaErrorInvalidValue',
        'freeOfInternal',
        [...allocated, { role: 'free', event: own.event }],
        allocation.id,
      );
    if (liveness.born === null && !mayBeLive(state, allocation.id))
      return refuse(event, 'cudaErrorInvalidValue', 'freeNeverLaunched', allocated, allocation.id);
  }
  if (!liveness.live && liveness.freed !== null && !mayBeLive(state, allocation.id))
    return refuse(
      event,
      'cudaErrorInvalidValue',
      'doubleFree',
      [...allocated, { role: 'free', event: liveness.freed }],
      allocation.id,
    );
  return null;
}

function markFreed(state: State, pointer: DevicePointer, event: number): void {
  const liveness = livenessOf(state, pointer.allocation);
  liveness.live = false;
  liveness.freed = event;
}
