/** Building graphs: nodes, edges, children, and what the driver refuses while a graph is built. */

import { createAddressSpace, releaseRange } from './address-space.ts';
import { appendEdge, appendNode, createGraphOrder, seenThrough } from './graph-order.ts';
import type { AddNode, Result } from './operations.ts';
import { createGraphMemory, createPhysicalPool, forgetGraph } from './physical.ts';
import {
  createPlacement,
  type Placement,
  placeAllocation,
  placeChild,
  placeFree,
  placeOther,
  refreshLists,
} from './placement.ts';
import type { Device, Driver, Graph, GraphAllocation, GraphPart } from './state.ts';

/** What adding a node gave; with an error the graph is as it was. */
export interface NodeResult {
  readonly result: Result;
  readonly address?: number;
  /** Where it would lie if the host heap grew the other way, if elsewhere. */
  readonly otherAddress?: number | undefined;
  readonly device?: number;
}

const ACCEPTED: NodeResult = { result: 'cudaSuccess' };
const INVALID: NodeResult = { result: 'cudaErrorInvalidValue' };
const NOT_SUPPORTED: NodeResult = { result: 'cudaErrorNotSupported' };

export function createGraph(id: number): Graph {
  return {
    id,
    order: createGraphOrder(),
    ends: [],
    microseconds: 0,
    runsUntil: 0,
    kinds: [],
    parts: new Map(),
    allocations: [],
    unfreed: new Set(),
    foreignFrees: [],
    hasMemoryNodes: false,
    hasLateEdges: false,
    executables: 0,
    destroyed: false,
    parent: undefined,
    placeInParent: new Map(),
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

/** Adds a node or says why not. */
export function addNode(driver: Driver, graph: Graph, operation: AddNode): NodeResult {
  const { node, dependencies } = operation;
  if (hasBadDependencies(graph, dependencies)) return INVALID;
  const added = addKind(driver, graph, node, dependencies);
  if (added.result === 'cudaSuccess') graph.kinds.push(node.kind);
  return added;
}

/** Adds edges between existing nodes: later nodes see them, addresses already given stay. False when refused. */
export function addEdges(graph: Graph, from: readonly number[], to: readonly number[]): boolean {
  const count = graph.ends.length;
  const given = new Set<number>();
  for (const [index, source] of from.entries()) {
    const target = to[index];
    if (target === undefined || source === target || !isNode(graph, source) || !isNode(graph, target)) return false;
    const key = source * count + target;
    if (given.has(key) || graph.order.dependencies[target]?.includes(source)) return false;
    given.add(key);
  }
  for (const [index, source] of from.entries()) {
    const target = to[index] as number;
    const changed = appendEdge(graph.order, source, target);
    for (const placement of placementsOf(graph))
      refreshLists(placement, [target, ...changed], (node) => graph.order.dependencies[node] ?? []);
  }
  graph.hasLateEdges ||= from.length > 0;
  return true;
}

/** Gives the graph's address ranges back when graph and executables are gone and nothing of it is live (rule A.7). */
export function releaseAddresses(driver: Driver, graph: Graph): void {
  if (!graph.destroyed || graph.executables > 0) return;
  for (const id of graph.unfreed) if (driver.allocations.get(id)?.live) return;
  for (const [id, part] of graph.parts) {
    const device = deviceOf(driver, id);
    for (const chunk of part.placement.chunks) releaseRange(device.space, chunk);
    for (const chunk of part.shadow.chunks) releaseRange(device.shadowSpace, chunk);
    forgetGraph(device.physical, part.memory);
  }
  graph.parts.clear();
  for (const id of graph.allocations) driver.allocations.delete(id);
  for (const child of graph.children) {
    child.destroyed = true;
    releaseAddresses(driver, child);
  }
}

function isNode(graph: Graph, node: number): boolean {
  return node >= 0 && node < graph.ends.length;
}

function hasBadDependencies(graph: Graph, dependencies: readonly number[]): boolean {
  if (dependencies.length > 8 && new Set(dependencies).size !== dependencies.length) return true;
  for (const [index, dependency] of dependencies.entries()) {
    if (!isNode(graph, dependency)) return true;
    if (dependencies.length <= 8 && dependencies.indexOf(dependency) !== index) return true;
  }
  return false;
}

function addKind(driver: Driver, graph: Graph, node: AddNode['node'], dependencies: readonly number[]): NodeResult {
  switch (node.kind) {
    case 'alloc':
      return addAllocation(driver, graph, node, dependencies);
    case 'free':
      return addFree(driver, graph, node.allocation, dependencies);
    case 'other':
      return addPlain(graph, dependencies, node.microseconds ?? driver.workMicroseconds);
    case 'child':
      return addChild(driver, graph, node, dependencies);
  }
}

function addPlain(graph: Graph, dependencies: readonly number[], microseconds: number): NodeResult {
  for (const part of graph.parts.values()) {
    placeOther(part.placement, dependencies);
    placeOther(part.shadow, dependencies);
  }
  appendNode(graph.order, dependencies, seenThrough(graph.order, dependencies), false);
  noteEnd(graph, dependencies, microseconds);
  return ACCEPTED;
}

function placementsOf(graph: Graph): Placement[] {
  return [...graph.parts.values()].flatMap((part) => [part.placement, part.shadow]);
}

function noteEnd(graph: Graph, dependencies: readonly number[], microseconds: number): void {
  let start = 0;
  for (const dependency of dependencies) start = Math.max(start, graph.ends[dependency] ?? 0);
  graph.ends.push(start + microseconds);
  graph.microseconds = Math.max(graph.microseconds, start + microseconds);
}

/** Refusals: recordings `zero`, `huge_size`, `moved_child_then_edit`. */
function addAllocation(
  driver: Driver,
  graph: Graph,
  node: AddNode['node'] & { readonly kind: 'alloc' },
  dependencies: readonly number[],
): NodeResult {
  const { profile, allocations } = driver;
  if (graph.parent) return NOT_SUPPORTED;
  if (allocations.has(node.allocation) || driver.poolOf.has(node.allocation) || !(node.bytes > 0)) return INVALID;
  if (node.bytes > profile.largestAllocation) return { result: 'cudaErrorMemoryAllocation' };
  const device = node.device ?? 0;
  const bytes = Math.ceil(node.bytes / profile.granularity) * profile.granularity;
  const part = partOf(driver, graph, device);
  const seen = seenThrough(graph.order, dependencies);
  placeElsewhere(graph, part, dependencies);
  const start = placeAllocation(part.placement, dependencies, seen, bytes);
  const shadowStart = placeAllocation(part.shadow, dependencies, seen, bytes);
  appendNode(graph.order, dependencies, seen, false);
  noteEnd(graph, dependencies, 0);
  const range = { start, end: start + bytes };
  const id = node.allocation;
  allocations.set(id, { id, graph, device, range, shadowStart, freedBy: 'nobody', live: false });
  graph.allocations.push(id);
  graph.unfreed.add(id);
  graph.hasMemoryNodes = true;
  noteTouched(part, range.start, range.end, profile.blockBytes);
  return {
    result: 'cudaSuccess',
    address: start,
    otherAddress: start === shadowStart ? undefined : shadowStart,
    device,
  };
}

/** One graph has separate address ranges per device (recording `two_devices_one_graph`); nodes so far pass nothing on. */
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

/** On all other devices the node only passes its arenas on. */
function placeElsewhere(graph: Graph, part: GraphPart, dependencies: readonly number[]): void {
  if (graph.parts.size === 1) return;
  for (const other of graph.parts.values()) {
    if (other === part) continue;
    placeOther(other.placement, dependencies);
    placeOther(other.shadow, dependencies);
  }
}

/** Adds the address blocks of new chunks, and marks those under `[start, end)` as used (rule B.1). */
function noteTouched(part: GraphPart, start: number, end: number, blockBytes: number): void {
  const { memory, placement } = part;
  for (; memory.chunks < placement.chunks.length; memory.chunks++) {
    const chunk = placement.chunks[memory.chunks];
    if (!chunk) break;
    for (let address = chunk.start; address < chunk.end; address += blockBytes) {
      memory.byAddress.set(address, memory.addresses.length);
      memory.addresses.push({ address, touched: false, block: undefined, missing: 'firstUse' });
    }
    memory.checkedAt = -1;
  }
  for (let address = start - (start % blockBytes); address < end; address += blockBytes) {
    const place = memory.addresses[memory.byAddress.get(address) ?? -1];
    if (place) place.touched = true;
  }
}

/** Refusals: recordings `free_twice_same_graph`, `free_in_both_owner_first`, `free_in_both_other_first`. */
function addFree(driver: Driver, graph: Graph, id: number, dependencies: readonly number[]): NodeResult {
  const allocation = driver.allocations.get(id);
  if (!allocation) return INVALID;
  const own = allocation.graph === graph;
  if (own ? allocation.freedBy !== 'nobody' : allocation.freedBy === 'owner') return INVALID;
  if (graph.parent) return NOT_SUPPORTED;
  graph.hasMemoryNodes = true;
  if (own) return addOwnFree(graph, allocation, dependencies);
  // Experiment `crossfree`: what another graph frees cannot be reused inside this one.
  allocation.freedBy = 'another';
  graph.foreignFrees.push(id);
  return addPlain(graph, dependencies, 0);
}

function addOwnFree(graph: Graph, allocation: GraphAllocation, dependencies: readonly number[]): NodeResult {
  allocation.freedBy = 'owner';
  graph.unfreed.delete(allocation.id);
  const seen = seenThrough(graph.order, dependencies);
  const free = appendNode(graph.order, dependencies, seen, true);
  noteEnd(graph, dependencies, 0);
  const part = graph.parts.get(allocation.device);
  if (!part) return INVALID;
  const bytes = allocation.range.end - allocation.range.start;
  placeElsewhere(graph, part, dependencies);
  placeFree(part.placement, dependencies, seen, free, allocation.range.start, bytes);
  placeFree(part.shadow, dependencies, seen, free, allocation.shadowStart, bytes);
  return ACCEPTED;
}

/** Refusals: recordings `child_clone_ownership`, `moved_child_twice`, `moved_instantiated_child`. */
function addChild(
  driver: Driver,
  graph: Graph,
  node: AddNode['node'] & { readonly kind: 'child' },
  dependencies: readonly number[],
): NodeResult {
  const child = driver.graphs.get(node.child);
  if (!child || child === graph) return INVALID;
  if (!node.move) return child.hasMemoryNodes ? NOT_SUPPORTED : addPlain(graph, dependencies, child.microseconds);
  if (child.parent || child.executables > 0) return NOT_SUPPORTED;
  child.parent = graph;
  graph.children.push(child);
  if (child.parts.size === 0) return addPlain(graph, dependencies, child.microseconds);
  graph.hasMemoryNodes = true;
  makeRoomForChild(driver, graph, child, dependencies);
  return ACCEPTED;
}

/**
 * An estimate from two experiments (`c1`: 64 MiB for a child of one block; `c3`: later allocations of the parent lie in
 * that room): the parent sets aside the child's ranges and one block more, as if the child node allocated and freed it.
 */
function makeRoomForChild(driver: Driver, graph: Graph, child: Graph, dependencies: readonly number[]): void {
  const { blockBytes } = driver.profile;
  for (const device of child.parts.keys()) partOf(driver, graph, device);
  const seen = seenThrough(graph.order, dependencies);
  const free = appendNode(graph.order, dependencies, seen, true);
  noteEnd(graph, dependencies, child.microseconds);
  for (const [device, part] of graph.parts) {
    const inner = child.parts.get(device);
    if (!inner) {
      placeOther(part.placement, dependencies);
      placeOther(part.shadow, dependencies);
      continue;
    }
    const bytes = inner.memory.addresses.length * blockBytes + blockBytes;
    const start = placeChild(part.placement, dependencies, seen, free, bytes);
    placeChild(part.shadow, dependencies, seen, free, bytes);
    child.placeInParent.set(device, start);
    noteTouched(part, start, start + bytes, blockBytes);
  }
}
