/**
 * The simulated CUDA driver: what the real one would answer, address by address and block by block.
 *
 *     const driver = createDriver({ hostOrder: 'up' });
 *     step(driver, { kind: 'graphCreate', graph: 0 });
 *     step(driver, { kind: 'addNode', graph: 0, node: { kind: 'alloc', allocation: 7, bytes: 4096 }, dependencies: [] });
 *     step(driver, { kind: 'instantiate', exec: 0, graph: 0 });
 *     const outcome = step(driver, { kind: 'launch', exec: 0, stream: 1 });
 *     outcome.result        'cudaSuccess' or the name of the error; a refused call changes nothing
 *     outcome.memory        [used, usedHigh, reserved, reservedHigh] after the call
 *     outcome.mappedBytes   what this launch had to map, and `outcome.reason` says why
 *     outcome.changes       which physical block was created, mapped, unmapped or released, and for which graph
 *
 * The caller chooses all numbers (graphs, executables, streams, events, allocations, pools); allocation numbers are global,
 * nodes are named by their index in creation order. Operations are listed in operations.ts. `step` changes the driver in
 * place, looks at no clock, and gives the same answers every time.
 *
 * Device time is simulated, because whether a launch is still in flight decides what the next one may reuse: a node takes
 * its `microseconds`, or the option `workMicroseconds` (default one second, so that work counts as running until the
 * program synchronises).
 */

import { addEdges, addNode, createGraph, deviceOf, releaseAddresses } from './build.ts';
import type { MemoryAttributes, Operation, Outcome, Result } from './operations.ts';
import type { BlockChange, MapReason } from './physical.ts';
import type { HostOrder } from './placement.ts';
import { DEFAULT_PROFILE, type DriverProfile } from './profile.ts';
import { destroyExec, freeAllocation, instantiate, launch, type RunResult, streamOf, trim, upload } from './run.ts';
import type { Driver } from './state.ts';

export interface DriverOptions {
  readonly profile?: DriverProfile;
  readonly hostOrder?: HostOrder;
  readonly workMicroseconds?: number;
}

export function createDriver(options: DriverOptions = {}): Driver {
  return {
    profile: options.profile ?? DEFAULT_PROFILE,
    hostOrder: options.hostOrder ?? 'up',
    workMicroseconds: options.workMicroseconds ?? 1_000_000,
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

const INVALID: RunResult = { result: 'cudaErrorInvalidValue' };
const OK: RunResult = { result: 'cudaSuccess' };

export function step(driver: Driver, operation: Operation): Outcome {
  driver.now += driver.profile.costs.call;
  switch (operation.kind) {
    case 'graphCreate':
      driver.graphs.set(operation.graph, createGraph(operation.graph));
      return outcome(driver, OK);
    case 'addNode': {
      const graph = driver.graphs.get(operation.graph);
      if (!graph) return outcome(driver, INVALID);
      const r = addNode(driver, graph, operation);
      if (!r.accepted) return outcome(driver, { result: r.result });
      return { ...outcome(driver, { result: 'cudaSuccess', device: r.device ?? 0 }), address: r.address, hangsOnHostOrder: r.hangsOnHostOrder };
    }
    case 'addDependencies': {
      const graph = driver.graphs.get(operation.graph);
      return outcome(driver, graph && addEdges(graph, operation.from, operation.to) ? OK : INVALID);
    }
    case 'destroyGraph': {
      const graph = driver.graphs.get(operation.graph);
      if (!graph || graph.parent) return outcome(driver, INVALID);
      graph.destroyed = true;
      driver.graphs.delete(operation.graph);
      releaseAddresses(driver, graph);
      return outcome(driver, OK);
    }
    case 'instantiate': {
      const graph = driver.graphs.get(operation.graph);
      return outcome(driver, graph ? instantiate(driver, operation.exec, graph, operation.autoFree ?? false) : INVALID);
    }
    case 'launch': {
      const e = driver.executables.get(operation.exec);
      return outcome(driver, e ? launch(driver, e, operation.stream) : INVALID);
    }
    case 'upload': {
      const e = driver.executables.get(operation.exec);
      return outcome(driver, e ? upload(driver, e, operation.stream) : INVALID);
    }
    case 'destroyExec': {
      const e = driver.executables.get(operation.exec);
      return outcome(driver, e ? destroyExec(driver, e) : INVALID);
    }
    case 'syncStream': {
      driver.now = Math.max(driver.now, streamOf(driver, operation.stream).tail);
      return outcome(driver, OK);
    }
    case 'syncDevice': {
      for (const s of driver.streams.values()) driver.now = Math.max(driver.now, s.tail);
      for (const g of driver.graphs.values()) for (const p of g.parts.values()) driver.now = Math.max(driver.now, p.memory.end);
      return outcome(driver, OK);
    }
    case 'freeAsync': {
      const a = driver.allocations.get(operation.allocation);
      return outcome(driver, a ? freeAllocation(driver, a, streamOf(driver, operation.stream)) : INVALID);
    }
    case 'free': {
      const a = driver.allocations.get(operation.allocation);
      return outcome(driver, a ? freeAllocation(driver, a, undefined) : INVALID);
    }
    case 'trim':
      return outcome(driver, trim(driver, operation.device ?? 0));
    default:
      return outcome(driver, INVALID);
  }
}

function outcome(driver: Driver, result: RunResult): Outcome {
  const p = deviceOf(driver, result.device ?? 0).physical;
  const b = driver.profile.blockBytes;
  const memory: MemoryAttributes = [p.usedBlocks * b, p.usedHigh * b, p.blocks.length * b, p.reservedHigh * b];
  const changes: readonly BlockChange[] = result.changes ?? [];
  return { result: result.result as Result, memory, mappedBytes: result.mappedBytes ?? 0, reason: result.reason as MapReason | undefined, changes };
}
