/** Running graphs: instantiate, update, launch, upload, free and trim. */

import { deviceOf, releaseAddresses } from './build.ts';
import { hasCycle } from './graph-order.ts';
import { mapForLaunch } from './mapping.ts';
import type { Result } from './operations.ts';
import {
  type Block,
  type BlockChange,
  blocksUnder,
  type GraphMemory,
  holdBlocks,
  type MapReason,
  markPending,
  type PendingUse,
  releaseBlocks,
  trimPool,
} from './physical.ts';
import type { Driver, Executable, Graph, GraphAllocation, GraphPart, Stream } from './state.ts';
import { enqueue, streamOf } from './streams.ts';

export interface RunResult {
  readonly result: Result;
  readonly device?: number;
  readonly mappedBytes?: number;
  readonly reason?: MapReason | undefined;
  readonly changes?: readonly BlockChange[];
}

const SUCCESS: RunResult = { result: 'cudaSuccess' };
const INVALID: RunResult = { result: 'cudaErrorInvalidValue' };

/** One executable per graph with memory nodes (`inst_twice`), none of a moved child; a cycle is found here (rule A15). */
export function instantiate(driver: Driver, id: number, graph: Graph, autoFree: boolean): RunResult {
  if (driver.executables.has(id)) return INVALID;
  if (graph.parent || (graph.hasMemoryNodes && graph.executables > 0)) return { result: 'cudaErrorNotSupported' };
  if (graph.hasLateEdges && hasCycle(graph.order)) return INVALID;
  driver.executables.set(id, { id, autoFree, origin: graph, graph });
  graph.executables++;
  return SUCCESS;
}

/** The executable takes over the other graph's allocations, even while its own are live (`exec_update_while_live`). */
export function updateExecutable(driver: Driver, executable: Executable, graph: Graph): RunResult {
  const before = executable.graph.kinds;
  const same = before.length === graph.kinds.length && before.every((kind, node) => kind === graph.kinds[node]);
  if (!same) return { result: 'cudaErrorGraphExecUpdateFailure' };
  if (executable.graph !== executable.origin) leaveGraph(driver, executable.graph);
  if (graph !== executable.origin) graph.executables++;
  executable.graph = graph;
  return SUCCESS;
}

export function destroyExecutable(driver: Driver, executable: Executable): RunResult {
  driver.executables.delete(executable.id);
  if (executable.graph !== executable.origin) leaveGraph(driver, executable.graph);
  leaveGraph(driver, executable.origin);
  return SUCCESS;
}

function leaveGraph(driver: Driver, graph: Graph): void {
  graph.executables--;
  releaseAddresses(driver, graph);
}

/** Launches or refuses; a refused launch changes nothing (rule B.8). */
export function launch(driver: Driver, executable: Executable, streamId: number): RunResult {
  const { graph, autoFree } = executable;
  const graphs = withChildren(graph);
  if (!mayLaunch(driver, graphs, autoFree)) return INVALID;
  const stream = streamOf(driver, streamId);
  const mapped = mapParts(driver, graph, streamId);
  if (autoFree) for (const one of graphs) freeLive(driver, one, stream);
  const end = enqueue(driver, stream, graph.microseconds, latestEnd(graph));
  graph.runsUntil = end;
  const use = { stream: streamId, end };
  markParts(driver, graph, use, false);
  for (const one of graphs) finishLaunch(driver, one, use);
  return mapped;
}

/**
 * Maps as a launch in that stream would and runs nothing. It waits for the graph's own launch, not for what is in the stream
 * (rule B.7); what comes later in the stream waits for it (recording launch-454).
 */
export function upload(driver: Driver, executable: Executable, streamId: number): RunResult {
  const { graph } = executable;
  const mapped = mapParts(driver, graph, streamId);
  const end = Math.max(driver.now, latestEnd(graph));
  markParts(driver, graph, { stream: streamId, end }, true);
  enqueue(driver, streamOf(driver, streamId), 0, end);
  return mapped;
}

/** `cudaFreeAsync` (with a stream) or `cudaFree` of a graph's allocation. */
export function freeAllocation(driver: Driver, allocation: GraphAllocation, stream: Stream | undefined): RunResult {
  if (!allocation.live) return INVALID;
  const use = stream ? { stream: stream.id, end: enqueue(driver, stream, 0) } : undefined;
  unpin(driver, allocation, use);
  releaseAddresses(driver, allocation.graph);
  return { result: 'cudaSuccess', device: allocation.device };
}

export function trim(driver: Driver, deviceId: number): RunResult {
  const changes = trimPool(deviceOf(driver, deviceId).physical, driver.now);
  const released = changes.filter((change) => change.kind === 'release').length;
  driver.now += released * driver.profile.costs.releaseBlock;
  return { result: 'cudaSuccess', device: deviceId, changes };
}

function withChildren(graph: Graph): readonly Graph[] {
  return graph.children.length === 0 ? [graph] : [graph, ...graph.children.flatMap(withChildren)];
}

function latestEnd(graph: Graph): number {
  let latest = graph.runsUntil;
  for (const part of graph.parts.values()) latest = Math.max(latest, part.memory.end);
  return latest;
}

function markParts(driver: Driver, graph: Graph, use: PendingUse, upload: boolean): void {
  for (const [device, part] of graph.parts) markPending(deviceOf(driver, device).physical, part.memory, use, upload);
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
    const end = Math.max(stream.tail, driver.now);
    if (allocation?.live) unpin(driver, allocation, { stream: stream.id, end });
  }
}

/** Maps the graph on every device it has memory on, and lets the simulated clock run as long as that takes. */
function mapParts(driver: Driver, graph: Graph, stream: number): RunResult {
  const { costs, blockBytes } = driver.profile;
  const outcomes = [...graph.parts].map(([device, part]) => mapPart(driver, device, part, stream));
  let mapped = 0;
  let waitUntil = driver.now;
  let cost = 0;
  for (const outcome of outcomes) {
    mapped += outcome.mapped;
    waitUntil = Math.max(waitUntil, outcome.waitUntil);
    cost += outcome.created * costs.createBlock + (outcome.mapped - outcome.created) * costs.mapBlock;
  }
  driver.now = Math.max(driver.now, waitUntil) + cost;
  return {
    result: 'cudaSuccess',
    device: graph.parts.keys().next().value ?? 0,
    mappedBytes: mapped * blockBytes,
    reason: outcomes.find((outcome) => outcome.reason)?.reason,
    changes: outcomes.length === 1 ? outcomes[0]?.changes : outcomes.flatMap((outcome) => outcome.changes),
  };
}

function mapPart(driver: Driver, device: number, part: GraphPart, stream: number) {
  return mapForLaunch(deviceOf(driver, device).physical, part.memory, stream, driver.now);
}

/** What the graph leaves unfreed is live from now on; what it frees of other graphs no longer is. */
function finishLaunch(driver: Driver, graph: Graph, use: PendingUse): void {
  for (const id of graph.foreignFrees) {
    const allocation = driver.allocations.get(id);
    if (allocation) unpin(driver, allocation, use);
  }
  for (const id of graph.unfreed) {
    const allocation = driver.allocations.get(id);
    if (!allocation) continue;
    allocation.live = true;
    const held = placeOf(driver, allocation);
    if (held) holdBlocks(deviceOf(driver, allocation.device).physical, held.blocks, id, held.memory);
  }
}

/** The allocation no longer holds its blocks; with `use`, the freeing stream may still touch them. */
function unpin(driver: Driver, allocation: GraphAllocation, use: PendingUse | undefined): void {
  allocation.live = false;
  const held = placeOf(driver, allocation);
  if (!held) return;
  if (use) held.memory.freesEnd = Math.max(held.memory.freesEnd, use.end);
  releaseBlocks(deviceOf(driver, allocation.device).physical, held.blocks, allocation.id, use);
}

/** The blocks under an allocation; those of a moved child lie in its outermost parent. */
function placeOf(
  driver: Driver,
  allocation: GraphAllocation,
): { readonly memory: GraphMemory; readonly blocks: readonly Block[] } | undefined {
  let { graph } = allocation;
  let shift = 0;
  while (graph.parent) {
    const inner = graph.parts.get(allocation.device)?.placement.chunks[0]?.start ?? 0;
    shift += (graph.placeInParent.get(allocation.device) ?? inner) - inner;
    graph = graph.parent;
  }
  const memory = graph.parts.get(allocation.device)?.memory;
  if (!memory) return undefined;
  const { start, end } = allocation.range;
  return { memory, blocks: blocksUnder(memory, start + shift, end + shift, driver.profile.blockBytes) };
}
