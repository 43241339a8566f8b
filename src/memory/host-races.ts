/**
 * The host touches memory while work that it has not waited for may touch it: copies of pinned memory, kernels of managed
 * memory, and copies of any memory that a graph makes when it is launched.
 */

import type { Execution, GraphNode, StreamOperation } from '../execution/execution.ts';
import type { Order } from '../order/order.ts';
import type { AccessMode, DevicePointer, EventOf, HostElement, HostMemory, Operation } from '../trace/event.ts';
import { printSize } from '../trace/size.ts';
import type { Lifetimes, Use } from './lifetimes.ts';

export interface HostRace {
  readonly kind: 'host' | 'managed' | 'device';
  /** The memory: an allocation of CUDA's, or what a variable of the program is called. */
  readonly memory: number | string;
  /** What the device does: its event, the launch or call it happens in, how. */
  readonly event: number;
  readonly operation: number;
  readonly node: GraphNode | null;
  readonly mode: AccessMode;
  /** The event of the host's access. */
  readonly access: number;
  readonly isWrite: boolean;
}

type HostAccess = EventOf<'host.access'>;

/** One race at most for each access and allocation: the first work that was not waited for. */
export function findHostRaces(execution: Execution, order: Order, lifetimes: Lifetimes): readonly HostRace[] {
  const accesses = execution.trace.events.flatMap((event) =>
    event.verb === 'host.access' && event.mode !== 'about' ? [event] : [],
  );
  if (accesses.length === 0) return [];
  const isWatched = accesses.some(({ touched }) => 'place' in touched);
  const copies = isWatched ? copiesOfVariables(execution, order) : [];
  return accesses.flatMap((access): HostRace[] => {
    const point = order.hostPoint(access.index);
    if (point === undefined) return [];
    const isPending = (each: { readonly point: number }): boolean =>
      each.point < point && !order.before(each.point, point);
    const { touched } = access;
    const race =
      'place' in touched
        ? raceWithCopy(execution, copies, access, touched, isPending)
        : raceWithUse(execution, lifetimes, access, touched, isPending);
    return race ? [race] : [];
  });
}

function raceWithUse(
  execution: Execution,
  lifetimes: Lifetimes,
  access: HostAccess,
  touched: DevicePointer,
  isPending: (use: Use) => boolean,
): HostRace | null {
  const { allocation } = touched;
  const record = execution.trace.allocations[allocation];
  const origin = record?.isManagedVariable ? 'managed' : record?.origin;
  // Memory of the device is touched by functions that take it from the host.
  const kind = origin === 'host' || origin === 'managed' ? origin : 'device';
  for (const instance of lifetimes.byAllocation.get(allocation) ?? []) {
    const use = instance.uses.find((each) => races(execution, kind, each, access, touched) && isPending(each));
    if (use)
      return {
        kind,
        memory: allocation,
        event: use.event,
        operation: use.operation,
        node: use.node,
        mode: use.mode,
        ...of(access),
      };
  }
  return null;
}

function of({ index, mode }: HostAccess): Pick<HostRace, 'access' | 'isWrite'> {
  return { access: index, isWrite: mode === 'write' };
}

/** A copy in a launch, from or to a variable of the host, or one in a stream of what is registered with CUDA. */
interface VariableCopy {
  readonly call: StreamOperation;
  readonly node: GraphNode | null;
  readonly point: number;
  readonly memory: HostMemory;
}

function copiesOfVariables(execution: Execution, order: Order): readonly VariableCopy[] {
  return execution.operations.flatMap((call): readonly VariableCopy[] =>
    call.operation
      ? copiesOfRegistered(order, call)
      : order
          .nodesOf(call.index)
          .flatMap(({ node, point }) =>
            worksOnHostMemory(node.operation)
              ? (node.operation.hostMemory ?? []).map((memory) => ({ call, node, point, memory }))
              : [],
          ),
  );
}

/** Copies, and kernels that were given what is registered. */
function worksOnHostMemory({ kind }: Operation): boolean {
  return kind === 'memcpy' || kind === 'kernel';
}

function copiesOfRegistered(order: Order, call: StreamOperation): readonly VariableCopy[] {
  if (call.blocking || !call.operation || !worksOnHostMemory(call.operation)) return [];
  return (call.operation.hostMemory ?? []).flatMap((memory) =>
    memory.isPinned ? [{ call, node: null, point: order.pointOf(call.index), memory }] : [],
  );
}

function raceWithCopy(
  execution: Execution,
  copies: readonly VariableCopy[],
  access: HostAccess,
  touched: HostElement,
  isPending: (copy: VariableCopy) => boolean,
): HostRace | null {
  const copy = copies.find(
    (each) =>
      (each.memory.mode === 'write' || access.mode === 'write') &&
      isAt(each.memory, touched) &&
      isNotWaitedForUnseen(execution, each.call, access) &&
      isPending(each),
  );
  if (!copy) return null;
  const { call, node, memory } = copy;
  return {
    kind: 'host',
    memory: memory.name,
    event: node?.event ?? call.event,
    operation: call.index,
    node,
    mode: memory.mode,
    ...of(access),
  };
}

function isAt({ places, first, count }: HostMemory, { place, index }: HostElement): boolean {
  if (!places.includes(place) || first === null || index === null) return false;
  return first <= index && index < first + Math.max(count ?? 1, 1);
}

/** Somebody may have waited in a function that is not seen, or in a loop that was not run to its end. */
function isNotWaitedForUnseen(execution: Execution, call: StreamOperation, access: HostAccess): boolean {
  return call.event >= access.unknownSince && !mayBeWaitedFor(execution, call, access);
}

/** Surely work that CUDA does not wait for by itself, on bytes that the host touches, and one of the two writes. */
function races(
  execution: Execution,
  kind: HostRace['kind'],
  use: Use,
  access: HostAccess,
  touched: DevicePointer,
): boolean {
  const call = execution.operations[use.operation];
  const operation = use.node?.operation ?? call?.operation;
  if (!call || !operation || use.isOpaque || call.blocking) return false;
  // What kernels count in mapped memory the host may look at meanwhile; managed memory it may not, as far as all devices go.
  if (use.isAtomic && kind !== 'managed') return false;
  if (!isNotWaitedForUnseen(execution, call, access)) return false;
  const isKernel = operation.kind === 'kernel';
  if (isKernel ? use.talksToHost : kind === 'managed' || operation.kind !== 'memcpy') return false;
  if (isKernel && isTouchedFor(use, access, touched)) return true;
  // What is exchanged while kernels work on the rest of the same memory is what they leave alone.
  if (isKernel && kind === 'device' && use.extent === undefined) return false;
  if (!overlaps(execution, use, operation, touched)) return false;
  const writes = use.mode === 'write' || use.mode === 'readwrite';
  return writes || (use.mode === 'read' && access.mode === 'write');
}

/** Whether a kernel in any case writes the byte where the host begins, or reads it where the host writes. */
function isTouchedFor(use: Use, { mode }: HostAccess, { offset }: DevicePointer): boolean {
  const { pointer } = use;
  if (pointer === null || offset === null) return false;
  return (use.touched ?? []).some(
    ({ from, to, isWrite }) => (isWrite || mode === 'write') && pointer + from <= offset && offset < pointer + to,
  );
}

/** A stream of which nobody knows which it is may be among those that the host has waited for since, for whatever it waited. */
function mayBeWaitedFor({ trace }: Execution, call: StreamOperation, access: HostAccess): boolean {
  if (trace.handles[call.stream]?.isGuess !== true) return false;
  return trace.events.some(
    ({ verb, index }) => verb === 'host.synchronise' && call.event < index && index < access.index,
  );
}

function overlaps({ trace }: Execution, use: Use, { kind, bytes }: Operation, pointer: DevicePointer): boolean {
  if (use.offset === null) return false;
  // Wherever the host looks, a copy of all of it works on that.
  if (pointer.offset === null) {
    const size = trace.allocations[pointer.allocation]?.bytes;
    const copied = bytes ?? (use.extent === undefined ? null : { kind: 'number' as const, value: use.extent });
    if (kind === 'kernel' || use.offset !== 0 || !size || !copied) return false;
    return copied.kind === 'number' && size.kind === 'number'
      ? copied.value >= size.value
      : printSize(copied) === printSize(size);
  }
  // How far a kernel goes is not known.
  if (kind === 'kernel') return pointer.offset === use.offset;
  const end = use.offset + (bytes?.kind === 'number' ? bytes.value : (use.extent ?? 1));
  return use.offset <= pointer.offset && pointer.offset < end;
}
