/**
 * The simulated CUDA driver: what the real one would answer, address by address and block by block.
 *
 *     const driver = createDriver({ hostOrder: 'up' });
 *     step(driver, { kind: 'graphCreate', graph: 0 });
 *     step(driver, { kind: 'addNode', graph: 0, node: { kind: 'alloc', allocation: 7, bytes: 4096 }, dependencies: [] });
 *     step(driver, { kind: 'instantiate', exec: 0, graph: 0 });
 *     const outcome = step(driver, { kind: 'launch', exec: 0, stream: 1 });
 *
 *     outcome.result            'cudaSuccess' or the name of the error; a refused call changes nothing
 *     outcome.address           what an allocation got; `hangsOnHostOrder` when nobody can be sure of it
 *     outcome.memory            [used, usedHigh, reserved, reservedHigh] after the call
 *     outcome.mappedBytes       what this launch had to map, and `outcome.reason` says why
 *     outcome.changes           which physical block was created, mapped, unmapped or released, and for which graph
 *
 * The caller chooses all numbers (graphs, executables, streams, events, allocations, pools); allocation numbers are global,
 * nodes are named by their index in creation order. operations.ts lists the operations. `step` changes the driver in place,
 * does no IO, looks at no clock, and gives the same answers every time.
 *
 * Device time is simulated, because whether a launch is still in flight decides what the next one may reuse: a node takes
 * its `microseconds`, or the option `workMicroseconds` (default one second, so that work counts as running until the
 * program synchronises).
 *
 *     addresses   address-space.ts   ranges of whole graphs          placement.ts    where an allocation node lies
 *                 graph-order.ts     which frees come before a node  free-blocks.ts  what frees gave back
 *     memory      physical.ts        blocks and who uses them        mapping.ts      what a launch maps
 *     streams     streams.ts         order, synchronisation          pool.ts         cudaMallocAsync
 *     calls       build.ts           building graphs                 run.ts          running them
 */

import { addEdges, addNode, createGraph, deviceOf, releaseAddresses } from './build.ts';
import type {
  ExecutableOperation,
  FreeOperation,
  GraphOperation,
  MemoryAttributes,
  Operation,
  Outcome,
  Result,
} from './operations.ts';
import type { HostOrder } from './placement.ts';
import type { StreamPool } from './pool.ts';
import { DEFAULT_PROFILE, type DriverProfile } from './profile.ts';
import {
  destroyExecutable,
  freeAllocation,
  instantiate,
  launch,
  type RunResult,
  trim,
  updateExecutable,
  upload,
} from './run.ts';
import type { Driver } from './state.ts';
import { freeFromPool, poolOperation, streamOf, streamOperation } from './streams.ts';

export interface DriverOptions {
  readonly profile?: DriverProfile;
  /** Whether host heap addresses are taken to rise or to fall from one allocation to the next; default `up`. */
  readonly hostOrder?: HostOrder;
  /** How long a node or a piece of work runs that does not say. */
  readonly workMicroseconds?: number;
}

const WORK_MICROSECONDS = 1_000_000;

export function createDriver(options: DriverOptions = {}): Driver {
  return {
    profile: options.profile ?? DEFAULT_PROFILE,
    hostOrder: options.hostOrder ?? 'up',
    workMicroseconds: options.workMicroseconds ?? WORK_MICROSECONDS,
    devices: new Map(),
    graphs: new Map(),
    executables: new Map(),
    allocations: new Map(),
    streams: new Map(),
    events: new Map(),
    pools: new Map(),
    poolOf: new Map(),
    now: 0,
  };
}

const SUCCESS: RunResult = { result: 'cudaSuccess' };
const INVALID: RunResult = { result: 'cudaErrorInvalidValue' };
const NOT_SUPPORTED: RunResult = { result: 'cudaErrorNotSupported' };

/** Does one operation and says what the driver would have said. */
export function step(driver: Driver, operation: Operation): Outcome {
  driver.now += driver.profile.costs.call;
  switch (operation.kind) {
    case 'graphCreate':
    case 'addNode':
    case 'addDependencies':
    case 'cloneGraph':
    case 'destroyNode':
    case 'removeDependencies':
    case 'destroyGraph':
      return graphOperation(driver, operation);
    case 'instantiate':
    case 'updateExec':
    case 'launch':
    case 'upload':
    case 'destroyExec':
      return outcomeOf(driver, executableOperation(driver, operation));
    case 'eventRecord':
    case 'eventWait':
    case 'syncStream':
    case 'syncEvent':
    case 'syncDevice':
    case 'work':
      streamOperation(driver, operation);
      return outcomeOf(driver, SUCCESS);
    case 'freeAsync':
    case 'free':
      return freeOperation(driver, operation);
    case 'trim':
      return outcomeOf(driver, trim(driver, operation.device ?? 0));
    case 'resetHighs':
      return outcomeOf(driver, resetHighs(driver, operation.device ?? 0));
    case 'poolCreate':
    case 'poolMalloc':
    case 'poolTrimTo':
    case 'poolDestroy': {
      const done = poolOperation(driver, operation);
      return done ? poolOutcome('cudaSuccess', done.pool, done.address) : outcomeOf(driver, INVALID);
    }
  }
}

function graphOperation(driver: Driver, operation: GraphOperation): Outcome {
  const graph = driver.graphs.get(operation.graph);
  if (operation.kind === 'graphCreate') {
    if (!graph) driver.graphs.set(operation.graph, createGraph(operation.graph));
    return outcomeOf(driver, graph ? INVALID : SUCCESS);
  }
  if (!graph) return outcomeOf(driver, INVALID);
  switch (operation.kind) {
    case 'addNode': {
      const added = addNode(driver, graph, operation);
      const { result, address, otherAddress } = added;
      return {
        result,
        address,
        hangsOnHostOrder: otherAddress !== undefined,
        otherAddress,
        memory: memoryOf(driver, added.device ?? 0),
        mappedBytes: 0,
        changes: NO_CHANGES,
      };
    }
    case 'addDependencies':
      return outcomeOf(driver, addEdges(graph, operation.from, operation.to) ? SUCCESS : INVALID);
    // Recordings `clone`, `destroy_other_node`, `remove_dependency`: refused as soon as the graph has a memory node.
    case 'cloneGraph':
      if (graph.hasMemoryNodes || driver.graphs.has(operation.clone)) return outcomeOf(driver, NOT_SUPPORTED);
      driver.graphs.set(operation.clone, { ...structuredClone(graph), id: operation.clone, executables: 0 });
      return outcomeOf(driver, SUCCESS);
    case 'destroyNode':
    case 'removeDependencies':
      return outcomeOf(driver, graph.hasMemoryNodes ? NOT_SUPPORTED : SUCCESS);
    case 'destroyGraph':
      // A moved child belongs to its parent (recording `moved_child_then_edit`).
      if (graph.parent) return outcomeOf(driver, INVALID);
      graph.destroyed = true;
      driver.graphs.delete(graph.id);
      releaseAddresses(driver, graph);
      return outcomeOf(driver, SUCCESS);
  }
}

function executableOperation(driver: Driver, operation: ExecutableOperation): RunResult {
  if (operation.kind === 'instantiate') {
    const graph = driver.graphs.get(operation.graph);
    return graph ? instantiate(driver, operation.exec, graph, operation.autoFree ?? false) : INVALID;
  }
  const executable = driver.executables.get(operation.exec);
  if (!executable) return INVALID;
  switch (operation.kind) {
    case 'updateExec': {
      const graph = driver.graphs.get(operation.graph);
      return graph ? updateExecutable(driver, executable, graph) : INVALID;
    }
    case 'launch':
      return launch(driver, executable, operation.stream);
    case 'upload':
      return upload(driver, executable, operation.stream);
    case 'destroyExec':
      return destroyExecutable(driver, executable);
  }
}

/** One call frees either kind of memory; the pointer says which it is. */
function freeOperation(driver: Driver, operation: FreeOperation): Outcome {
  const stream = operation.kind === 'freeAsync' ? operation.stream : undefined;
  const pool = driver.poolOf.get(operation.allocation);
  if (pool) {
    const freed = freeFromPool(driver, pool, operation.allocation, stream);
    return poolOutcome(freed ? 'cudaSuccess' : 'cudaErrorInvalidValue', pool, undefined);
  }
  const allocation = driver.allocations.get(operation.allocation);
  if (!allocation) return outcomeOf(driver, INVALID);
  return outcomeOf(
    driver,
    freeAllocation(driver, allocation, stream === undefined ? undefined : streamOf(driver, stream)),
  );
}

function resetHighs(driver: Driver, device: number): RunResult {
  const { physical } = deviceOf(driver, device);
  physical.usedHigh = physical.usedBlocks;
  physical.reservedHigh = physical.blocks.length;
  return { result: 'cudaSuccess', device };
}

function outcomeOf(driver: Driver, run: RunResult): Outcome {
  return {
    result: run.result,
    memory: memoryOf(driver, run.device ?? 0),
    mappedBytes: run.mappedBytes ?? 0,
    reason: run.reason,
    changes: run.changes ?? NO_CHANGES,
  };
}

const NO_CHANGES: Outcome['changes'] = [];

function memoryOf(driver: Driver, device: number): MemoryAttributes {
  const { physical } = deviceOf(driver, device);
  const { blockBytes } = driver.profile;
  return [
    physical.usedBlocks * blockBytes,
    physical.usedHigh * blockBytes,
    physical.blocks.length * blockBytes,
    physical.reservedHigh * blockBytes,
  ];
}

function poolOutcome(result: Result, pool: StreamPool, address: number | undefined): Outcome {
  const reserved = pool.mapped.size * pool.blockBytes;
  return {
    result,
    address,
    memory: [pool.used, pool.usedHigh, reserved, pool.reservedHigh],
    mappedBytes: 0,
    changes: NO_CHANGES,
  };
}
