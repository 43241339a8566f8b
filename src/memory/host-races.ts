/** The host touches memory while work that it has not waited for may touch it: copies of pinned memory, kernels of managed memory. */

import type { Execution, StreamOperation } from '../execution/execution.ts';
import type { Order } from '../order/order.ts';
import type { EventOf, Operation } from '../trace/event.ts';
import { printSize } from '../trace/size.ts';
import type { Instance, Lifetimes, Use } from './lifetimes.ts';

export interface HostRace {
  readonly kind: 'host' | 'managed';
  readonly instance: Instance;
  /** What the device does. */
  readonly use: Use;
  /** The event of the host's access. */
  readonly access: number;
  readonly isWrite: boolean;
}

type HostAccess = EventOf<'host.access'>;

/** One race at most for each access and allocation: the first work that was not waited for. */
export function findHostRaces(execution: Execution, order: Order, lifetimes: Lifetimes): readonly HostRace[] {
  const accesses = execution.trace.events.filter((event) => event.verb === 'host.access');
  if (accesses.length === 0) return [];
  return accesses.flatMap((access): HostRace[] => {
    const point = order.hostPoint(access.index);
    if (point === undefined) return [];
    for (const instance of lifetimes.instances) {
      if (instance.allocation.id !== access.pointer.allocation) continue;
      const kind = execution.trace.allocations[instance.allocation.id]?.origin;
      if (kind !== 'host' && kind !== 'managed') continue;
      const use = instance.uses.find(
        (each) => races(execution, kind, each, access) && each.point < point && !order.before(each.point, point),
      );
      if (use) return [{ kind, instance, use, access: access.index, isWrite: access.mode === 'write' }];
    }
    return [];
  });
}

/** Surely work that CUDA does not wait for by itself, on bytes that the host touches, and one of the two writes. */
function races(execution: Execution, kind: 'host' | 'managed', use: Use, access: HostAccess): boolean {
  const call = execution.operations[use.operation];
  const operation = use.node?.operation ?? call?.operation;
  if (!call || !operation || use.isOpaque || use.isAtomic || call.blocking) return false;
  // Somebody may have waited in a function that is not seen, or in a loop that was not run to its end.
  if (call.event < access.unknownSince) return false;
  if (mayBeWaitedFor(execution, call, access)) return false;
  const isKind = kind === 'host' ? operation.kind === 'memcpy' : operation.kind === 'kernel';
  if (!isKind || !overlaps(execution, kind, use, operation, access)) return false;
  const writes = use.mode === 'write' || use.mode === 'readwrite';
  return writes || (use.mode === 'read' && access.mode === 'write');
}

/** A stream of which nobody knows which it is may be among those that the host has waited for since, for whatever it waited. */
function mayBeWaitedFor({ trace }: Execution, call: StreamOperation, access: HostAccess): boolean {
  if (trace.handles[call.stream]?.isGuess !== true) return false;
  return trace.events.some(
    ({ verb, index }) => verb === 'host.synchronise' && call.event < index && index < access.index,
  );
}

function overlaps(
  { trace }: Execution,
  kind: 'host' | 'managed',
  use: Use,
  { bytes }: Operation,
  { pointer }: HostAccess,
): boolean {
  if (use.offset === null) return false;
  // Wherever the host looks, a copy of all of it works on that.
  if (pointer.offset === null) {
    const size = trace.allocations[pointer.allocation]?.bytes;
    if (kind === 'managed' || use.offset !== 0 || !size || !bytes) return false;
    return bytes.kind === 'number' && size.kind === 'number'
      ? bytes.value >= size.value
      : printSize(bytes) === printSize(size);
  }
  // How far a kernel goes is not known.
  if (kind === 'managed') return pointer.offset === use.offset;
  const end = bytes?.kind === 'number' ? use.offset + bytes.value : use.offset + 1;
  return use.offset <= pointer.offset && pointer.offset < end;
}
