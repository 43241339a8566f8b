/**
 * Lifetimes: each time an allocation comes to be, who uses it, and what ends it.
 *
 * A graph allocation has one instance a launch. A lifetime is no interval: it is a birth, deaths and uses in a partial
 * order; two allocations may share memory iff every end of one is always before the birth of the other.
 */

import type { AllocationModel, Execution, GraphNode, StreamOperation } from '../execution/execution.ts';
import { mayAllocateUnseen } from '../execution/unseen.ts';
import type { LaunchedNode, Order } from '../order/order.ts';
import { distanceOfAccess, startOfAccess, touchesSomewhere } from '../trace/access-starts.ts';
import type { Access, AccessMode, EventOf } from '../trace/event.ts';
import type { TouchedBytes } from '../trace/touched-bytes.ts';
import type { UnknownDistance } from '../trace/unknown-distance.ts';

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
  /** A kernel that the host may wait for through memory. */
  readonly talksToHost: boolean;
  /** A kernel that waits for what another one writes. */
  readonly waitsForOthers: boolean;
  /** Bytes from the allocation's start; null when not known. */
  readonly offset: number | null;
  /** Bytes from there on that are surely touched; absent where nobody can tell. */
  readonly extent: number | undefined;
  /** Where nobody knows where it begins: it surely touches some place of the allocation. */
  readonly isSomewhere: boolean;
  /** Where a kernel's pointer leads, in bytes from the allocation's start, and what it touches behind that in any case. */
  readonly pointer: number | null;
  readonly touched?: readonly TouchedBytes[] | undefined;
  /** Where its pointer leads, and where it begins, if a number that nobody knows says where. */
  readonly pointerDistance: UnknownDistance | null;
  readonly distance: UnknownDistance | null;
  /** What says which places a kernel touches, where that is not the text alone. */
  readonly placesFrom: readonly unknown[] | null;
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
  /** Those of one allocation, by its number. */
  readonly byAllocation: ReadonlyMap<number, readonly Instance[]>;
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

  constructor(access: Access, place: UsePlace, isInternal: boolean) {
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

  get talksToHost(): boolean {
    return this.#access.talksToHost === true;
  }

  get waitsForOthers(): boolean {
    return this.#access.waitsForOthers === true;
  }

  get extent(): number | undefined {
    return this.#access.extent;
  }

  get pointer(): number | null {
    return this.#access.pointer.offset;
  }

  get isSomewhere(): boolean {
    return touchesSomewhere(this.#access);
  }

  get touched(): readonly TouchedBytes[] | undefined {
    return this.#access.touched;
  }

  get placesFrom(): readonly unknown[] | null {
    return this.#access.placesFrom ?? null;
  }

  get offset(): number | null {
    return startOfAccess(this.#access);
  }

  get pointerDistance(): UnknownDistance | null {
    return this.#access.pointer.distance ?? null;
  }

  get distance(): UnknownDistance | null {
    return distanceOfAccess(this.#access);
  }
}

/** Where and when something is used: all of a use but what the access says. */
type UsePlace = Pick<Use, 'point' | 'event' | 'operation' | 'node' | 'isOpaque'>;

/** What lives while the calls are gone through in host order. */
class Register implements Lifetimes {
  readonly #execution: Execution;
  /** The latest instance of each allocation. */
  readonly #current = new Map<number, Instance>();
  readonly instances: Instance[] = [];
  readonly byAllocation = new Map<number, Instance[]>();
  readonly unborn: { allocation: AllocationModel; use: Use }[] = [];

  constructor(execution: Execution) {
    this.#execution = execution;
  }

  bear(id: number, birth: number | null, birthEvent: number | null, birthOperation: number | null): Instance {
    const allocation = this.#execution.allocations[id]!;
    const instance: Instance = { allocation, birth, birthEvent, birthOperation, uses: [], deaths: [] };
    this.#current.set(id, instance);
    this.instances.push(instance);
    const others = this.byAllocation.get(id);
    if (others) others.push(instance);
    else this.byAllocation.set(id, [instance]);
    return instance;
  }

  /** Memory from outside lives from the start; null for other memory that nothing has allocated yet. */
  find(id: number): Instance | null {
    const isExternal = this.#execution.allocations[id]!.kind === 'external';
    return this.#current.get(id) ?? (isExternal ? this.bear(id, null, null, null) : null);
  }

  use(access: Access, place: UsePlace, isInternal: boolean): void {
    const id = access.pointer.allocation;
    const instance = this.find(id);
    const use = new AccessUse(access, place, isInternal);
    if (instance) instance.uses.push(use);
    else this.unborn.push({ allocation: this.#execution.allocations[id]!, use });
  }

  die(id: number, death: Death): void {
    this.find(id)?.deaths.push(death);
  }

  /** Memory from outside may be allocated again by work that is not seen: what follows is about that. */
  forgetOutside(): void {
    for (const [id, { allocation, deaths }] of this.#current)
      if (allocation.kind === 'external' && deaths.length > 0) this.#current.delete(id);
  }
}

/** Goes through the calls in host order. `check` is called now and then, and may throw to end it. */
export function findLifetimes(execution: Execution, order: Order, check: () => void = () => undefined): Lifetimes {
  const register = new Register(execution);
  for (const { event: index, result, operation } of execution.calls) {
    const event = execution.trace.events[index]!;
    if ((index & 127) === 0) check();
    // What is not ordered may be anywhere.
    if (index === order.cutAt) break;
    if (result !== 'cudaSuccess') continue;
    if (mayAllocateUnseen(execution, event)) register.forgetOutside();
    if (event.verb === 'memory.allocate') register.bear(event.allocation, null, index, null);
    if (event.verb === 'memory.free' || event.verb === 'memory.freeHost') noteHostFree(register, order, event);
    if (operation === null) continue;
    const call = execution.operations[operation]!;
    if (call.kind === 'launch') noteLaunch(register, execution, order, call);
    else noteStreamWork(register, order, call);
  }
  return register;
}

function noteHostFree(register: Register, order: Order, { index, pointer }: HostFree): void {
  const point = order.hostPoint(index);
  if (!pointer || point === undefined) return;
  register.die(pointer.allocation, {
    kind: 'hostFree',
    point,
    event: index,
    operation: -1,
    node: null,
    isInternal: false,
  });
}

type HostFree = EventOf<'memory.free'> | EventOf<'memory.freeHost'>;

/** Every launch has instances of its own of what its graph allocates; what an earlier one left, it may free by itself. */
function noteLaunch(register: Register, execution: Execution, order: Order, launch: StreamOperation): void {
  const operation = launch.index;
  const nodes = order.nodesOf(operation);
  const owned = new Map<number, LaunchedNode>();
  for (const each of nodes) {
    const { kind, allocation } = each.node.operation;
    if (kind === 'memAlloc' && allocation !== undefined) owned.set(allocation, each);
  }
  if (launch.executable !== null && execution.executables[launch.executable]!.autoFree)
    for (const id of owned.keys()) freeAutomatically(register, order, launch, id);
  for (const [id, { node, point }] of owned) register.bear(id, point, node.event, operation);
  for (const { node, point } of nodes) {
    const { event } = node;
    const { accesses, opaque, kind, freed } = node.operation;
    for (const access of accesses)
      register.use(
        access,
        { point, event, operation, node, isOpaque: opaque === true },
        owned.has(access.pointer.allocation),
      );
    if (kind === 'memFree' && freed) {
      const isInternal = owned.has(freed.allocation);
      register.die(freed.allocation, { kind: 'freeNode', point, event, operation, node, isInternal });
    }
  }
}

/** What an executable that frees by itself does in front of its nodes. */
function freeAutomatically(register: Register, order: Order, { index, event }: StreamOperation, id: number): void {
  const live = register.find(id);
  if (!live || live.deaths.length > 0) return;
  const point = order.beginOf(index);
  live.deaths.push({ kind: 'autoFree', point, event, operation: index, node: null, isInternal: false });
}

/** Work that is no launch: allocations and frees in stream order, and what it touches. */
function noteStreamWork(register: Register, order: Order, { index, event, kind, operation }: StreamOperation): void {
  if (!operation) return;
  const point = order.pointOf(index);
  if (kind === 'allocate' && operation.allocation !== undefined)
    register.bear(operation.allocation, point, event, index);
  if (kind === 'free' && operation.freed) {
    const { allocation } = operation.freed;
    register.die(allocation, { kind: 'freeAsync', point, event, operation: index, node: null, isInternal: false });
  }
  for (const access of operation.accesses)
    register.use(access, { point, event, operation: index, node: null, isOpaque: operation.opaque === true }, false);
}
