/**
 * Lifetimes: each time an allocation comes to be, who uses it, and what ends it.
 *
 * A graph allocation has one instance a launch. A lifetime is no interval: it is a birth, deaths and uses in a partial
 * order; two allocations may share memory iff every end of one is always before the birth of the other.
 */

import type { AllocationModel, Execution, GraphNode } from '../execution/execution.ts';
import { mayAllocateUnseen } from '../execution/unseen.ts';
import type { Order } from '../order/order.ts';
import { type Access, type AccessMode, startOfAccess } from '../trace/event.ts';

export interface Use {
  readonly point: number;
  /** The event that wrote the use: a node's, or a stream operation's. */
  readonly event: number;
  /** The launch it happens in, when it is a node; else its own operation. */
  readonly operation: number;
  readonly node: GraphNode | null;
  readonly mode: AccessMode;
  /** Only atomic operations touch the memory. */
  readonly isAtomic: boolean;
  /** Bytes from the allocation's start; null when not known. */
  readonly offset: number | null;
  /** Bytes from there on that are surely touched; absent where nobody can tell. */
  readonly extent: number | undefined;
  /** A call we know nothing about: what it does is a guess. */
  readonly isOpaque: boolean;
  /** The node's own graph owns the allocation: the order is the graph's affair. */
  readonly isInternal: boolean;
}

export type DeathKind = 'freeNode' | 'freeAsync' | 'hostFree' | 'autoFree';

export interface Death {
  readonly kind: DeathKind;
  readonly point: number;
  readonly event: number;
  readonly operation: number;
  readonly node: GraphNode | null;
  readonly isInternal: boolean;
}

export interface Instance {
  readonly allocation: AllocationModel;
  /** null for memory that was there before: a parameter, a member of an unseen object. */
  readonly birth: number | null;
  readonly birthEvent: number | null;
  readonly birthOperation: number | null;
  readonly uses: Use[];
  readonly deaths: Death[];
}

export interface Lifetimes {
  readonly instances: readonly Instance[];
  /** Uses outside the owning graph that come, in host order, before any birth. */
  readonly unborn: readonly { readonly allocation: AllocationModel; readonly use: Use }[];
}

/** A use as an access of a node or call; what a kernel does is looked up when somebody asks. */
class AccessUse implements Use {
  readonly #access: Access;
  readonly point: number;
  readonly event: number;
  readonly operation: number;
  readonly node: GraphNode | null;
  readonly isOpaque: boolean;
  readonly isInternal: boolean;

  constructor(
    access: Access,
    place: Omit<Use, 'mode' | 'isAtomic' | 'offset' | 'extent' | 'isInternal'>,
    isInternal: boolean,
  ) {
    this.#access = access;
    this.point = place.point;
    this.event = place.event;
    this.operation = place.operation;
    this.node = place.node;
    this.isOpaque = place.isOpaque;
    this.isInternal = isInternal;
  }

  get mode(): AccessMode {
    return this.#access.mode;
  }

  get isAtomic(): boolean {
    return this.#access.isAtomic === true;
  }

  get extent(): number | undefined {
    return this.#access.extent;
  }

  get offset(): number | null {
    return startOfAccess(this.#access);
  }
}

export function findLifetimes(execution: Execution, order: Order, check: () => void = () => undefined): Lifetimes {
  const current = new Map<number, Instance>();
  const instances: Instance[] = [];
  const unborn: { allocation: AllocationModel; use: Use }[] = [];

  const bear = (
    allocation: AllocationModel,
    birth: number | null,
    event: number | null,
    operation: number | null,
  ): Instance => {
    const instance: Instance = {
      allocation,
      birth,
      birthEvent: event,
      birthOperation: operation,
      uses: [],
      deaths: [],
    };
    current.set(allocation.id, instance);
    instances.push(instance);
    return instance;
  };
  const find = (id: number): Instance | null => {
    const allocation = execution.allocations[id]!;
    return current.get(id) ?? (allocation.kind === 'external' ? bear(allocation, null, null, null) : null);
  };
  const use = (
    access: Access,
    place: Omit<Use, 'mode' | 'isAtomic' | 'offset' | 'extent' | 'isInternal'>,
    owner: ReadonlySet<number> | null,
  ): void => {
    const id = access.pointer.allocation;
    const instance = find(id);
    const isInternal = owner?.has(id) ?? false;
    const full = new AccessUse(access, place, isInternal);
    if (instance) instance.uses.push(full);
    else unborn.push({ allocation: execution.allocations[id]!, use: full });
  };
  const die = (id: number, death: Omit<Death, 'isInternal'>, owner: ReadonlySet<number> | null): void => {
    find(id)?.deaths.push({ isInternal: owner?.has(id) ?? false, ...death });
  };

  // Memory from outside may be allocated again by work that is not seen: what follows is about that.
  const forgetOutside = (): void => {
    for (const [id, { allocation, deaths }] of current)
      if (allocation.kind === 'external' && deaths.length > 0) current.delete(id);
  };

  for (const call of execution.calls) {
    const event = execution.trace.events[call.event]!;
    if ((event.index & 127) === 0) check();
    if (call.result !== 'cudaSuccess') continue;
    if (mayAllocateUnseen(execution, event)) forgetOutside();
    if (event.verb === 'memory.allocate') bear(execution.allocations[event.allocation]!, null, event.index, null);
    if ((event.verb === 'memory.free' || event.verb === 'memory.freeHost') && event.pointer) {
      const point = order.hostPoint(event.index);
      if (point !== undefined)
        die(event.pointer.allocation, { kind: 'hostFree', point, event: event.index, operation: -1, node: null }, null);
    }
    if (call.operation === null) continue;
    const operation = execution.operations[call.operation]!;
    const point = order.pointOf(operation.index);
    if (operation.kind === 'launch') {
      const nodes = order.nodesOf(operation.index);
      const owned = new Set(
        nodes.flatMap(({ node }) =>
          node.operation.kind === 'memAlloc' && node.operation.allocation !== undefined
            ? [node.operation.allocation]
            : [],
        ),
      );
      const executable = operation.executable === null ? null : execution.executables[operation.executable]!;
      for (const id of owned) {
        const live = current.get(id);
        if (executable?.autoFree && live && live.deaths.length === 0)
          live.deaths.push({
            kind: 'autoFree',
            point: order.beginOf(operation.index),
            event: operation.event,
            operation: operation.index,
            node: null,
            isInternal: false,
          });
      }
      for (const { node, point: nodePoint } of nodes)
        if (node.operation.kind === 'memAlloc' && node.operation.allocation !== undefined)
          bear(execution.allocations[node.operation.allocation]!, nodePoint, node.event, operation.index);
      for (const { node, point: nodePoint } of nodes) {
        for (const access of node.operation.accesses)
          use(
            access,
            {
              point: nodePoint,
              event: node.event,
              operation: operation.index,
              node,
              isOpaque: node.operation.opaque === true,
            },
            owned,
          );
        if (node.operation.kind === 'memFree' && node.operation.freed)
          die(
            node.operation.freed.allocation,
            { kind: 'freeNode', point: nodePoint, event: node.event, operation: operation.index, node },
            owned,
          );
      }
      continue;
    }
    if (operation.kind === 'allocate' && operation.operation?.allocation !== undefined)
      bear(execution.allocations[operation.operation.allocation]!, point, operation.event, operation.index);
    if (operation.kind === 'free' && operation.operation?.freed)
      die(
        operation.operation.freed.allocation,
        { kind: 'freeAsync', point, event: operation.event, operation: operation.index, node: null },
        null,
      );
    for (const access of operation.operation?.accesses ?? [])
      use(
        access,
        {
          point,
          event: operation.event,
          operation: operation.index,
          node: null,
          isOpaque: operation.operation?.opaque === true,
        },
        null,
      );
  }
  return { instances, unborn };
}
