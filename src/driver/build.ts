/** Building graphs: nodes, edges, children, and what the driver refuses while a graph is built. */

import { createAddressSpace, releaseRange } from './address-space.ts';
import { appendEdge, appendNode, createGraphOrder, seenThrough } from './graph-order.ts';
import type { AddNode } from './operations.ts';
import { createGraphMemory, createPhysicalPool } from './physical.ts';
import { createPlacement, placeAllocation, placeFree, placeOther, refreshLists } from './placement.ts';
import type { Device, Driver, Graph, GraphAllocation, GraphPart } from './state.ts';

/** An address and whether it hangs on the host order, or undefined for a refused node. */
export type NodeResult =
  | { readonly accepted: true; readonly address?: number; readonly hangsOnHostOrder?: boolean; readonly device?: number }
  | { readonly accepted: false; readonly result: 'cudaErrorInvalidValue' | 'cudaErrorMemoryAllocation' | 'cudaErrorNotSupported' };

const INVALID: NodeResult = { accepted: false, result: 'cudaErrorInvalidValue' };
const NOT_SUPPORTED: NodeResult = { accepted: false, result: 'cudaErrorNotSupported' };
const ACCEPTED: NodeResult = { accepted: true };

export function createGraph(id: number): Graph {
  return {
    id,
    order: createGraphOrder(),
    ends: [],
    microseconds: 0,
    parts: new Map(),
    unfreed: new Set(),
    foreignFrees: [],
    hasMemoryNodes: false,
    executables: 0,
    destroyed: false,
    parent: undefined,
    children: [],
  };
}

/** The device of that number, created at its first use. */
export function deviceOf(driver: Driver, id: number): Device {
  let device = driver.devices.get(id);
  if (!device) {
    const first = driver.profile.firstAddress + id * driver.profile.deviceStride;
    device = {
      id,
      space: createAddressSpace(first),
      shadowSpace: createAddressSpace(first),
      physical: createPhysicalPool(),
    };
    driver.devices.set(id, device);
  }
  return device;
}

/** Adds a node or says why not; a refused node leaves the graph as it was. */
export function addNode(driver: Driver, graph: Graph, operation: AddNode): NodeResult {
  const { node, dependencies } = operation;
  if (hasBadDependencies(graph, dependencies)) return INVALID;
  switch (node.kind) {
    case 'alloc':
      return addAllocation(driver, graph, dependencies, node.allocation, node.bytes, node.device ?? 0);
    case 'free':
      return addFree(driver, graph, dependencies, node.allocation);
    case 'other':
      addPlain(graph, dependencies, node.microseconds ?? driver.workMicroseconds);
      return ACCEPTED;
    case 'child':
      return addChild(driver, graph, dependencies, node.child, node.move);
  }
}

/** Adds edges between existing nodes: later nodes see them, addresses already given stay. */
export function addEdges(graph: Graph, from: readonly number[], to: readonly number[]): boolean {
  const count = graph.ends.length;
  const seenHere = new Set<number>();
  for (const [index, source] of from.entries()) {
    const target = to[index];
    if (target === undefined || source === target || source >= count || target >= count) return false;
    const key = source * count + target;
    if (seenHere.has(key) || graph.order.dependencies[target]?.includes(source)) return false;
    seenHere.add(key);
  }
  for (const [index, source] of from.entries()) {
    const changed = appendEdge(graph.order, source, to[index] as number);
    for (const part of graph.parts.values())
      for (const placement of [part.placement, part.shadow])
        refreshLists(placement, [to[index] as number, ...changed], (node) => graph.order.dependencies[node] ?? []);
  }
  return true;
}

/** Returns the graph's address ranges when graph and executables are gone and nothing of it is live (rule A.7). */
export function releaseAddresses(driver: Driver, graph: Graph): void {
  if (!graph.destroyed || graph.executables > 0) return;
  for (const id of graph.unfreed) if (driver.allocations.get(id)?.live) return;
  for (const [id, part] of graph.parts) {
    const device = deviceOf(driver, id);
    for (const chunk of part.placement.chunks) releaseRange(device.space, chunk);
    for (const chunk of part.shadow.chunks) releaseRange(device.shadowSpace, chunk);
  }
  graph.parts.clear();
  for (const child of graph.children) releaseAddresses(driver, child);
}

function hasBadDependencies(graph: Graph, dependencies: readonly number[]): boolean {
  for (const [index, dependency] of dependencies.entries()) {
    if (!(dependency >= 0 && dependency < graph.ends.length)) return true;
    if (dependencies.indexOf(dependency) !== index) return true;
  }
  return false;
}

function addPlain(graph: Graph, dependencies: readonly number[], microseconds: number): void {
  for (const part of graph.parts.values()) {
    placeOther(part.placement, dependencies);
    placeOther(part.shadow, dependencies);
  }
  appendNode(graph.order, dependencies, seenThrough(graph.order, dependencies), false);
  noteEnd(graph, dependencies, microseconds);
}

function noteEnd(graph: Graph, dependencies: readonly number[], microseconds: number): void {
  let start = 0;
  for (const dependency of dependencies) start = Math.max(start, graph.ends[dependency] ?? 0);
  graph.ends.push(start + microseconds);
  graph.microseconds = Math.max(graph.microseconds, start + microseconds);
}

function addAllocation(
  driver: Driver,
  graph: Graph,
  dependencies: readonly number[],
  id: number,
  bytes: number,
  deviceId: number,
): NodeResult {
  if (graph.parent || driver.allocations.has(id)) return graph.parent ? NOT_SUPPORTED : INVALID;
  if (!(bytes > 0)) return INVALID;
  if (bytes > driver.profile.largestAllocation) return { accepted: false, result: 'cudaErrorMemoryAllocation' };
  const { granularity } = driver.profile;
  const rounded = Math.ceil(bytes / granularity) * granularity;
  const part = partOf(driver, graph, deviceId);
  const seen = seenThrough(graph.order, dependencies);
  for (const other of graph.parts.values()) {
    if (other === part) continue;
    placeOther(other.placement, dependencies);
    placeOther(other.shadow, dependencies);
  }
  const start = placeAllocation(part.placement, dependencies, seen, rounded);
  const shadowStart = placeAllocation(part.shadow, dependencies, seen, rounded);
  appendNode(graph.order, dependencies, seen, false);
  noteEnd(graph, dependencies, 0);
  const range = { start, end: start + rounded };
  driver.allocations.set(id, {
    id,
    graph,
    device: deviceId,
    range,
    shadowStart,
    bytes,
    freedBy: 'nobody',
    live: false,
  });
  graph.unfreed.add(id);
  graph.hasMemoryNodes = true;
  noteTouched(driver, part, range.start, range.end);
  return { accepted: true, address: start, hangsOnHostOrder: start !== shadowStart, device: deviceId };
}

/** What the graph has on the device; created at the first allocation there, with the nodes so far passing nothing on. */
function partOf(driver: Driver, graph: Graph, deviceId: number): GraphPart {
  const known = graph.parts.get(deviceId);
  if (known) return known;
  const device = deviceOf(driver, deviceId);
  const other = driver.hostOrder === 'up' ? 'down' : 'up';
  const { blockBytes } = driver.profile;
  const part: GraphPart = {
    placement: createPlacement(device.space, driver.hostOrder, blockBytes),
    shadow: createPlacement(device.shadowSpace, other, blockBytes),
    memory: createGraphMemory(graph.id),
  };
  for (let node = 0; node < graph.ends.length; node++) {
    placeOther(part.placement, []);
    placeOther(part.shadow, []);
  }
  graph.parts.set(deviceId, part);
  return part;
}

/** Adds the address blocks of a new chunk, and marks those the allocation lies on as used. */
function noteTouched(driver: Driver, part: GraphPart, start: number, end: number): void {
  const { blockBytes } = driver.profile;
  const { memory, placement } = part;
  const known = memory.chunks;
  for (const chunk of placement.chunks.slice(known)) {
    for (let address = chunk.start; address < chunk.end; address += blockBytes) {
      memory.byAddress.set(address, memory.addresses.length);
      memory.addresses.push({ address, touched: false, block: undefined, missing: 'firstUse' });
    }
  }
  memory.chunks = placement.chunks.length;
  for (let address = start - (start % blockBytes); address < end; address += blockBytes) {
    const block = memory.addresses[memory.byAddress.get(address) ?? -1];
    if (block) block.touched = true;
  }
}

function addFree(driver: Driver, graph: Graph, dependencies: readonly number[], id: number): NodeResult {
  const allocation = driver.allocations.get(id);
  if (!allocation) return INVALID;
  const own = allocation.graph === graph;
  if (own ? allocation.freedBy !== 'nobody' : allocation.freedBy === 'owner') return INVALID;
  if (graph.parent) return NOT_SUPPORTED;
  if (!own) {
    allocation.freedBy = 'another';
    graph.foreignFrees.push(id);
    graph.hasMemoryNodes = true;
    addPlain(graph, dependencies, 0);
    return ACCEPTED;
  }
  allocation.freedBy = 'owner';
  graph.unfreed.delete(id);
  freeInOwnGraph(graph, allocation, dependencies);
  return ACCEPTED;
}

function freeInOwnGraph(graph: Graph, allocation: GraphAllocation, dependencies: readonly number[]): void {
  const seen = seenThrough(graph.order, dependencies);
  const free = appendNode(graph.order, dependencies, seen, true);
  const bytes = allocation.range.end - allocation.range.start;
  for (const [device, part] of graph.parts) {
    if (device === allocation.device) {
      placeFree(part.placement, dependencies, seen, free, allocation.range.start, bytes);
      placeFree(part.shadow, dependencies, seen, free, allocation.shadowStart, bytes);
    } else {
      placeOther(part.placement, dependencies);
      placeOther(part.shadow, dependencies);
    }
  }
  noteEnd(graph, dependencies, 0);
}

function addChild(
  driver: Driver,
  graph: Graph,
  dependencies: readonly number[],
  id: number,
  move: boolean,
): NodeResult {
  const child = driver.graphs.get(id);
  if (!child || child === graph) return INVALID;
  if (child.hasMemoryNodes && !move) return NOT_SUPPORTED;
  if (move && (child.parent || child.executables > 0)) return NOT_SUPPORTED;
  if (move) {
    child.parent = graph;
    graph.children.push(child);
    graph.hasMemoryNodes ||= child.hasMemoryNodes;
  }
  addPlain(graph, dependencies, child.microseconds);
  return ACCEPTED;
}
