/**
 * What a program can ask of the simulated driver, and what it answers.
 *
 * The caller chooses all numbers (graphs, executables, streams, events, allocations, pools, devices). Nodes are named by
 * the index in their graph, in the order of creation; a refused node gets no index. Allocation numbers are global. Streams
 * should be numbered in the order of creation: the driver searches them in that order.
 */

import type { BlockChange, MapReason } from './physical.ts';

export type Operation =
  | GraphOperation
  | ExecutableOperation
  | StreamOperation
  | FreeOperation
  | PoolOperation
  | MemoryOperation;

export type GraphOperation =
  | { readonly kind: 'graphCreate'; readonly graph: number }
  | AddNode
  | {
      readonly kind: 'addDependencies';
      readonly graph: number;
      /** Edge number i goes from `from[i]` to `to[i]`. */
      readonly from: readonly number[];
      readonly to: readonly number[];
    }
  /** Cloning, destroying a node, removing an edge: refused as soon as a graph has memory nodes. */
  | { readonly kind: 'cloneGraph'; readonly graph: number; readonly clone: number }
  | { readonly kind: 'destroyNode'; readonly graph: number; readonly node: number }
  | { readonly kind: 'removeDependencies'; readonly graph: number }
  | { readonly kind: 'destroyGraph'; readonly graph: number };

export interface AddNode {
  readonly kind: 'addNode';
  readonly graph: number;
  readonly node:
    | { readonly kind: 'alloc'; readonly allocation: number; readonly bytes: number; readonly device?: number }
    | { readonly kind: 'free'; readonly allocation: number }
    /** `microseconds`: how long it runs on the device; without it the driver's `workMicroseconds`. */
    | { readonly kind: 'other'; readonly microseconds?: number }
    /** A child graph; `move` gives the child to the parent, else it is cloned. */
    | { readonly kind: 'child'; readonly child: number; readonly move: boolean };
  readonly dependencies: readonly number[];
}

export type ExecutableOperation =
  | { readonly kind: 'instantiate'; readonly exec: number; readonly graph: number; readonly autoFree?: boolean }
  | { readonly kind: 'updateExec'; readonly exec: number; readonly graph: number }
  | { readonly kind: 'launch'; readonly exec: number; readonly stream: number }
  | { readonly kind: 'upload'; readonly exec: number; readonly stream: number }
  | { readonly kind: 'destroyExec'; readonly exec: number };

export type StreamOperation =
  | { readonly kind: 'eventRecord'; readonly event: number; readonly stream: number }
  | { readonly kind: 'eventWait'; readonly event: number; readonly stream: number }
  | { readonly kind: 'syncStream'; readonly stream: number }
  | { readonly kind: 'syncEvent'; readonly event: number }
  | { readonly kind: 'syncDevice'; readonly device?: number }
  /** Work in a stream outside graphs. */
  | { readonly kind: 'work'; readonly stream: number; readonly microseconds?: number };

export type FreeOperation =
  /** `cudaFreeAsync` of a graph's or a pool's allocation. */
  | { readonly kind: 'freeAsync'; readonly allocation: number; readonly stream: number }
  /** `cudaFree` of a graph's or a pool's allocation. */
  | { readonly kind: 'free'; readonly allocation: number };

export type MemoryOperation =
  | { readonly kind: 'trim'; readonly device?: number }
  | { readonly kind: 'resetHighs'; readonly device?: number };

export type PoolOperation =
  | {
      readonly kind: 'poolCreate';
      readonly pool: number;
      readonly device?: number;
      readonly followEvents?: boolean;
      readonly opportunistic?: boolean;
      readonly internalDependencies?: boolean;
      /** Bytes that stay reserved at a synchronisation; default 0. */
      readonly releaseThreshold?: number;
    }
  | {
      readonly kind: 'poolMalloc';
      readonly pool: number;
      readonly allocation: number;
      readonly bytes: number;
      readonly stream: number;
    }
  | { readonly kind: 'poolTrimTo'; readonly pool: number; readonly bytes: number }
  | { readonly kind: 'poolDestroy'; readonly pool: number };

/** The errors this model returns; every other call succeeds. */
export type Result =
  | 'cudaSuccess'
  | 'cudaErrorInvalidValue'
  | 'cudaErrorMemoryAllocation'
  | 'cudaErrorNotSupported'
  | 'cudaErrorGraphExecUpdateFailure';

/** used, usedHigh, reserved, reservedHigh, in bytes. */
export type MemoryAttributes = readonly [number, number, number, number];

export interface Outcome {
  readonly result: Result;
  /** The address an allocation got. */
  readonly address?: number;
  /** Whether the address is another one if the host heap falls instead of rises, or the reverse; and which. */
  readonly hangsOnHostOrder?: boolean;
  readonly otherAddress?: number;
  /** Attributes after the call: of the pool for pool operations, else of graph memory on the device concerned. */
  readonly memory: MemoryAttributes;
  /** Bytes this call had to map, and why. */
  readonly mappedBytes: number;
  readonly reason?: MapReason;
  readonly changes: readonly BlockChange[];
}
