/** Running graphs: instantiate, launch, upload, free, trim, and how far the streams have come. */

import { deviceOf, releaseAddresses } from './build.ts';
import type { Result } from './operations.ts';
import { mapForLaunch } from './mapping.ts';
import {
  type BlockChange,
  blocksUnder,
  holdBlocks,
  type MapReason,
  markPending,
  type PendingUse,
  releaseBlocks,
  trimPool,
} from './physical.ts';
import { enqueue, streamOf } from './streams.ts';
import type { Driver, Executable, Graph, GraphAllocation, GraphPart, Stream } from './state.ts';

export interface RunResult {
  readonly result: Result;
  readonly device?: number;
  readonly mappedBytes?: number;
  readonly reason?: MapReason | undefined;
  readonly changes?: readonly BlockChange[];
}

const SUCCESS: RunResult = { result: 'cudaSuccess' };
const INVALID: RunResult = { result: 'cudaErrorInvalidValue' };

/** One executable per graph with memory nodes at a time (experiment `inst_twice`). */
export function instantiate(driver: Driver, id: number, graph: Graph, autoFree: boolean): RunResult {
  if (driver.executables.has(id)) return INVALID;
  if (graph.parent || (graph.hasMemoryNodes && graph.executables > 0)) return { result: 'cudaErrorNotSupported' };
  driver.executables.set(id, { id, autoFree, graph });
  graph.executables++;
  return SUCCESS;
}

export function destroyExec(driver: Driver, executable: Executable): RunResult {
  driver.executables.delete(executable.id);
  executable.graph.executables--;
  releaseAddresses(driver, executable.graph);
  return SUCCESS;
}

/** Launches or refuses; a refused launch changes nothing (rule B.8). */
export function launch(driver: Driver, executable: Executable, streamId: number): RunResult {
  const { graph, autoFree } = executable;
  const graphs = [graph, ...descendants(graph)];
  if (!mayLaunch(driver, graphs, autoFree)) return INVALID;
  const stream = streamOf(driver, streamId);
  const parts = graphs.flatMap((one) => [...one.parts]);
  const mapped = mapParts(driver, parts, streamId);
  if (autoFree) for (const one of graphs) freeLive(driver, one, stream);
  const previous = parts.reduce((latest, [, part]) => Math.max(latest, part.memory.end), 0);
  const end = enqueue(driver, stream, graph.microseconds, previous);
  const use = { stream: streamId, end };
  for (const [device, part] of parts) markPending(deviceOf(driver, device).physical, part.memory, use, false);
  for (const one of graphs) finishLaunch(driver, one, use);
  return mapped;
}

/** Maps as a launch in that stream would, and runs nothing (rule B.7). */
export function upload(driver: Driver, executable: Executable, streamId: number): RunResult {
  const graphs = [executable.graph, ...descendants(executable.graph)];
  const parts = graphs.flatMap((one) => [...one.parts]);
  const mapped = mapParts(driver, parts, streamId);
  for (const [device, part] of parts) {
    const use = { stream: streamId, end: Math.max(driver.now, part.memory.end) };
    markPending(deviceOf(driver, device).physical, part.memory, use, true);
  }
  enqueue(driver, streamOf(driver, streamId), 0);
  return mapped;
}

/** `cudaFreeAsync` (with a stream) or `cudaFree` of a graph's allocation. */
export function freeAllocation(driver: Driver, allocation: GraphAllocation, stream: Stream | undefined): RunResult {
  if (!allocation.live) return INVALID;
  if (stream) {
    enqueue(driver, stream, 0);
    unpin(driver, allocation, { stream: stream.id, end: stream.tail });
  } else {
    unpin(driver, allocation, undefined);
  }
  releaseAddresses(driver, allocation.graph);
  return { result: 'cudaSuccess', device: allocation.device };
}

export function trim(driver: Driver, deviceId: number): RunResult {
  const changes = trimPool(deviceOf(driver, deviceId).physical, driver.now);
  const released = changes.filter((change) => change.kind === 'release').length;
  driver.now += released * driver.profile.costs.releaseBlock;
  return { result: 'cudaSuccess', device: deviceId, changes };
}

function descendants(graph: Graph): Graph[] {
  return graph.children.flatMap((child) => [child, ...descendants(child)]);
}

function mayLaunch(driver: Driver, graphs: readonly Graph[], autoFree: boolean): boolean {
  for (const graph of graphs) {
    if (!autoFree) for (const id of graph.unfreed) if (driver.allocations.get(id)?.live) return false;
    for (const id of graph.foreignFrees) if (!driver.allocations.get(id)?.live) return false;
  }
  return true;
}

/** Auto-free on launch: what the last launch left is freed in the launching stream, before the launch. */
function freeLive(driver: Driver, graph: Graph, stream: Stream): void {
  for (const id of graph.unfreed) {
    const allocation = driver.allocations.get(id);
    if (allocation?.live) unpin(driver, allocation, { stream: stream.id, end: Math.max(stream.tail, driver.now) });
  }
}

function mapParts(driver: Driver, parts: readonly (readonly [number, GraphPart])[], stream: number): RunResult {
  const { costs, blockBytes } = driver.profile;
  const changes: BlockChange[] = [];
  let mapped = 0;
  let reason: MapReason | undefined;
  let waitUntil = driver.now;
  let cost = 0;
  for (const [device, part] of parts) {
    const outcome = mapForLaunch(deviceOf(driver, device).physical, part.memory, stream, driver.now);
    for (const change of outcome.changes) changes.push(change);
    mapped += outcome.mapped;
    reason ??= outcome.reason;
    waitUntil = Math.max(waitUntil, outcome.waitUntil);
    cost += outcome.created * costs.createBlock + (outcome.mapped - outcome.created) * costs.mapBlock;
  }
  driver.now = Math.max(driver.now, waitUntil) + cost;
  return { result: 'cudaSuccess', device: parts[0]?.[0] ?? 0, mappedBytes: mapped * blockBytes, reason, changes };
}

/** What the graph leaves unfreed is live from now on; what it frees of other graphs no longer is. */
function finishLaunch(driver: Driver, graph: Graph, use: PendingUse): void {
  for (const id of graph.foreignFrees) {
    const allocation = driver.allocations.get(id);
    if (allocation) unpin(driver, allocation, use);
  }
  for (const id of graph.unfreed) {
    const allocation = driver.allocations.get(id);
    const memory = allocation && graph.parts.get(allocation.device)?.memory;
    if (!allocation || !memory) continue;
    allocation.live = true;
    const { physical } = deviceOf(driver, allocation.device);
    const { start, end } = allocation.range;
    holdBlocks(physical, blocksUnder(memory, start, end, driver.profile.blockBytes), id, memory);
  }
}

/** The allocation no longer holds its blocks; with `use`, the freeing stream may still touch them. */
function unpin(driver: Driver, allocation: GraphAllocation, use: PendingUse | undefined): void {
  allocation.live = false;
  const memory = allocation.graph.parts.get(allocation.device)?.memory;
  if (!memory) return;
  if (use) memory.freesEnd = Math.max(memory.freesEnd, use.end);
  const { physical } = deviceOf(driver, allocation.device);
  const { start, end } = allocation.range;
  releaseBlocks(physical, blocksUnder(memory, start, end, driver.profile.blockBytes), allocation.id, use);
}
