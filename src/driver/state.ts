/** The simulated driver's state: tables of what exists, by the caller's numbers. */

import type { AddressRange, AddressSpace } from './address-space.ts';
import type { GraphOrder } from './graph-order.ts';
import type { GraphMemory, PhysicalPool } from './physical.ts';
import type { HostOrder, Placement } from './placement.ts';
import type { StreamPool } from './pool.ts';
import type { DriverProfile } from './profile.ts';

export interface Driver {
  readonly profile: DriverProfile;
  readonly hostOrder: HostOrder;
  readonly workMicroseconds: number;
  readonly devices: Map<number, Device>;
  readonly graphs: Map<number, Graph>;
  readonly executables: Map<number, Executable>;
  readonly allocations: Map<number, GraphAllocation>;
  readonly streams: Map<number, Stream>;
  readonly events: Map<number, RecordedEvent>;
  readonly pools: Map<number, StreamPool>;
  /** Which pool a stream-ordered allocation came from. */
  readonly poolOf: Map<number, StreamPool>;
  /** Simulated host time in microseconds. */
  now: number;
}

export interface Device {
  readonly id: number;
  /** The space as this host order fills it, and as the other one would. */
  readonly space: AddressSpace;
  readonly shadowSpace: AddressSpace;
  readonly physical: PhysicalPool;
}

export interface Graph {
  readonly id: number;
  readonly order: GraphOrder;
  /** Per node: when it ends, in microseconds after the launch began. */
  readonly ends: number[];
  /** Longest of `ends`. */
  microseconds: number;
  /** When its latest launch ends: launches of one graph run one after the other. */
  runsUntil: number;
  /** Kind of each node: an executable can only be updated from a graph that looks the same. */
  readonly kinds: string[];
  readonly parts: Map<number, GraphPart>;
  readonly allocations: number[];
  /** Allocations of this graph that none of its nodes frees. */
  readonly unfreed: Set<number>;
  /** Allocations of other graphs that its nodes free. */
  readonly foreignFrees: number[];
  hasMemoryNodes: boolean;
  /** An edge was added between existing nodes, so there may be a cycle. */
  hasLateEdges: boolean;
  executables: number;
  destroyed: boolean;
  /** The graph it was moved into, and per device where in the parent's range its memory lies. */
  parent: Graph | undefined;
  readonly placeInParent: Map<number, number>;
  readonly children: Graph[];
}

/** What a graph has on one device. */
export interface GraphPart {
  readonly placement: Placement;
  readonly shadow: Placement;
  readonly memory: GraphMemory;
}

export interface Executable {
  readonly id: number;
  readonly autoFree: boolean;
  /** The graph it was instantiated from. */
  readonly origin: Graph;
  /** The graph it launches: another one after an update. */
  graph: Graph;
}

export interface GraphAllocation {
  readonly id: number;
  readonly graph: Graph;
  readonly device: number;
  readonly range: AddressRange;
  readonly shadowStart: number;
  /** Whether its own graph, or another one, has a free node for it. */
  freedBy: 'nobody' | 'owner' | 'another';
  /** Allocated by a launch and not freed since. */
  live: boolean;
}

export interface Stream {
  readonly id: number;
  /** When everything enqueued so far will have ended. */
  tail: number;
  /** How many operations were enqueued here. */
  sequence: number;
  /** Per other stream: how many of its operations come before whatever is enqueued here next. */
  readonly sees: Map<number, number>;
  /** Work that takes time, in order; entries that are over are dropped when someone looks. */
  readonly unfinished: { readonly sequence: number; end: number }[];
}

/** What a recorded event stands for: the stream's past at that moment. */
export interface RecordedEvent {
  readonly end: number;
  readonly sees: ReadonlyMap<number, number>;
}
