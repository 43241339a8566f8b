/** Data races: two accesses of one memory that nothing orders, at least one of them surely a write. */

import type { Span } from '../base/span.ts';
import { type Execution, type GraphModel, type GraphNode, innerGraphs } from '../execution/execution.ts';
import { orderGraph } from '../order/graph-order.ts';
import type { Order } from '../order/order.ts';
import { distanceOfAccess, startOfAccess, touchesSomewhere } from '../trace/access-starts.ts';
import type { Access, AccessMode, Operation } from '../trace/event.ts';
import type { TouchedBytes } from '../trace/touched-bytes.ts';
import { builtGraphs } from './built-graphs.ts';
import type { Instance, Lifetimes, Use } from './lifetimes.ts';
import { meetInWhole, type Reach } from './whole-accesses.ts';

export interface GraphConflict {
  readonly graph: GraphModel;
  readonly allocation: number;
  readonly first: GraphNode;
  readonly second: GraphNode;
  readonly firstMode: AccessMode;
  readonly secondMode: AccessMode;
}

/** Unordered pairs inside one graph; `second` was added later. */
export function findGraphConflicts(execution: Execution): readonly GraphConflict[] {
  return builtGraphs(execution).flatMap((graph) => {
    if (graph.failed || graph.nodes.length < 2) return [];
    const order = orderGraph(graph.nodes);
    if (order.isCyclic) return [];
    const out: GraphConflict[] = [];
    for (const [allocation, accesses] of accessesByAllocation(execution, graph)) {
      for (let later = 1; later < accesses.length; later++) {
        for (let earlier = 0; earlier < later; earlier++) {
          const { node: first, access: firstAccess } = accesses[earlier]!;
          const { node: second, access: secondAccess } = accesses[later]!;
          if (first === second || order.before(first.id, second.id) || order.before(second.id, first.id)) continue;
          if (first.operation.kind === 'host' && second.operation.kind === 'host') continue;
          if (order.isPartial(first.id) || order.isPartial(second.id)) continue;
          if (!conflict(firstAccess, secondAccess) && !conflictInWhole(execution, accesses[earlier]!, accesses[later]!))
            continue;
          out.push({ graph, allocation, first, second, firstMode: firstAccess.mode, secondMode: secondAccess.mode });
        }
      }
    }
    return out;
  });
}

/** Most accesses of one allocation that are compared pairwise. */
const maximumAccesses = 240;

function accessesByAllocation(execution: Execution, graph: GraphModel): Map<number, NodeAccess[]> {
  const out = new Map<number, NodeAccess[]>();
  for (const node of graph.nodes) {
    for (const access of accessesOf(execution, node, 0)) {
      const list = out.get(access.pointer.allocation) ?? [];
      if (list.length < maximumAccesses) list.push({ node, access });
      out.set(access.pointer.allocation, list);
    }
  }
  return out;
}

interface NodeAccess {
  readonly node: GraphNode;
  readonly access: Access;
}

/** What a node touches, in the graphs inside it too. */
function accessesOf(execution: Execution, node: GraphNode, depth: number): readonly Access[] {
  const inside = depth < 8 ? innerGraphs(execution, node).flatMap((graph) => graph.nodes) : [];
  const own = node.operation.opaque ? [] : node.operation.accesses;
  return inside.length === 0 ? own : [...own, ...inside.flatMap((inner) => accessesOf(execution, inner, depth + 1))];
}

function writes(mode: AccessMode): boolean {
  return mode === 'write' || mode === 'readwrite';
}

/** Whether two accesses surely have a byte in common: they begin at the same place, or one begins in what the other touches. */
function meet(
  first: number | null,
  firstExtent: number | undefined,
  second: number | null,
  secondExtent: number | undefined,
): boolean {
  if (first === null || second === null) return false;
  if (first === second) return true;
  return first < second ? first + (firstExtent ?? 0) > second : second + (secondExtent ?? 0) > first;
}

type Ranged = Pick<Use, 'mode' | 'touched'> & { readonly extent?: number | undefined };

/** Bytes of the allocation that an access touches in any case. `start`: where a copy begins; a kernel's are counted from its pointer. */
function surely(access: Ranged, pointer: number | null, start: number | null): readonly TouchedBytes[] {
  const { touched, extent, mode } = access;
  if (touched)
    return pointer === null
      ? []
      : touched.map((each) => ({ ...each, from: each.from + pointer, to: each.to + pointer }));
  if (start === null || extent === undefined || mode === 'unknown') return [];
  return [{ from: start, to: start + extent, isWrite: writes(mode) }];
}

/** Whether one of the two surely writes a byte that the other touches, though they may begin at different places. */
function overlap(first: readonly TouchedBytes[], second: readonly TouchedBytes[]): boolean {
  return first.some((one) =>
    second.some((other) => (one.isWrite || other.isWrite) && one.from < other.to && other.from < one.to),
  );
}

/** Both write where lists and numbers say that they were given, and they were given others: that may be other places. */
function mayKeepApart(
  first: Pick<Access, 'mode' | 'placesFrom'>,
  second: Pick<Access, 'mode' | 'placesFrom'>,
): boolean {
  if (!writes(first.mode) || !writes(second.mode)) return false;
  const [one, other] = [first.placesFrom, second.placesFrom];
  if (!one || !other) return false;
  return one.length !== other.length || one.some((each, index) => each !== other[index]);
}

/** Where the pointers of two accesses lead and where they begin, in bytes from one place. */
interface Places {
  readonly pointers: readonly [number | null, number | null];
  readonly starts: readonly [number | null, number | null];
}

type Placed = Pick<Use, 'pointer' | 'offset' | 'pointerDistance' | 'distance'>;

/** Both from the allocation's start, or both from where a number that nobody knows leads. */
function placesOf(first: Placed, second: Placed): Places {
  const [one, other] = [first.pointerDistance, second.pointerDistance];
  if (!one || !other?.isCountedAs(one))
    return { pointers: [first.pointer, second.pointer], starts: [first.offset, second.offset] };
  return {
    pointers: [one.bytes, other.bytes],
    starts: [first.distance?.bytes ?? null, second.distance?.bytes ?? null],
  };
}

/** Where the two surely have a byte in common: 'whole' where what they do as a whole counts, 'part' where those bytes say what. */
function common(first: Ranged & Placed, second: Ranged & Placed): 'whole' | 'part' | null {
  const { pointers, starts } = placesOf(first, second);
  if (meet(starts[0], first.extent, starts[1], second.extent)) return 'whole';
  return overlap(surely(first, pointers[0], starts[0]), surely(second, pointers[1], starts[1])) ? 'part' : null;
}

function ranged(access: Access): Ranged & Placed & Pick<Use, 'isSomewhere'> {
  const { mode, extent, touched, pointer } = access;
  const { offset, distance } = pointer;
  return {
    mode,
    ...(extent === undefined ? {} : { extent }),
    ...(touched ? { touched } : {}),
    pointer: offset,
    offset: startOfAccess(access),
    pointerDistance: distance ?? null,
    distance: distanceOfAccess(access),
    isSomewhere: touchesSomewhere(access),
  };
}

/** Surely the same bytes, and surely a write among them. */
export function conflict(first: Access, second: Access): boolean {
  const found = common(ranged(first), ranged(second));
  if (found === null || (first.isAtomic && second.isAtomic)) return false;
  if (found === 'part') return true;
  if (first.mode === 'unknown' || second.mode === 'unknown' || mayKeepApart(first, second)) return false;
  return writes(first.mode) || writes(second.mode);
}

/** As {@link conflict}, where nobody knows where one of them begins, but the other takes the whole allocation. */
function conflictInWhole({ trace }: Execution, first: NodeAccess, second: NodeAccess): boolean {
  const [one, other] = [first, second].map(({ node, access }): Reach => reachOf(ranged(access), node.operation));
  const size = trace.allocations[first.access.pointer.allocation]?.bytes ?? null;
  return meetInWhole(size, one!, other!) && !(first.access.isAtomic && second.access.isAtomic);
}

function reachOf(access: Omit<Reach, 'bytes'>, operation: Operation | null | undefined): Reach {
  const isCopy = operation?.kind === 'memcpy' || operation?.kind === 'memset';
  const { mode, pointer, offset, extent, touched, isSomewhere } = access;
  return { mode, pointer, offset, extent, touched, isSomewhere, bytes: isCopy ? operation.bytes : null };
}

export interface StreamConflict {
  readonly instance: Instance;
  /** Earlier in host order. */
  readonly first: Use;
  readonly second: Use;
}

/** What one call does to the memory, in one way and one stream. */
interface Doings {
  readonly stream: number | string;
  readonly operations: Set<number>;
  /** So many more are looked at. */
  left: number;
}

/**
 * A loop repeats the same pairs: the first few readings and writings of each call, and of each node by each call that launches it,
 * in each stream stand for all, or in all guessed streams of one name; and the next few when something new was done elsewhere.
 */
function sampled(execution: Execution, uses: readonly Use[]): Use[] {
  const byPlace = new Map<Span, Map<Span, Map<string, Doings>>>();
  const known: Doings[] = [];
  const begin = (stream: number | string): Doings => {
    for (const other of known) if (other.stream !== stream) other.left = Math.max(other.left, 2);
    const begun = { stream, operations: new Set<number>(), left: 3 };
    known.push(begun);
    return begun;
  };
  return uses
    .filter((use) => {
      const { span } = execution.trace.events[use.event]!;
      const call = execution.trace.events[execution.operations[use.operation]?.event ?? use.event]!.span;
      const calls = byPlace.get(span) ?? new Map<Span, Map<string, Doings>>();
      byPlace.set(span, calls);
      const ways = calls.get(call) ?? new Map<string, Doings>();
      calls.set(call, ways);
      const handle = execution.trace.handles[streamOf(execution, use)];
      const stream = handle?.isGuess ? handle.name : streamOf(execution, use);
      // Buffers that change places are read by a call that wrote them a few rounds before, and is to write them again.
      const way = `${stream} ${use.mode}`;
      const doings = ways.get(way) ?? begin(stream);
      ways.set(way, doings);
      const { operations } = doings;
      if (doings.left > 0 && !operations.has(use.operation)) {
        operations.add(use.operation);
        doings.left--;
      }
      return operations.has(use.operation);
    })
    .slice(0, maximumAccesses);
}

function streamOf(execution: Execution, use: Use): number {
  return execution.operations[use.operation]?.stream ?? -1;
}

/** Launches of one cooperative kernel, as on several devices: a barrier in memory may order what they do. */
function mayWaitForEachOther(execution: Execution, first: Use, second: Use): boolean {
  const [one, other] = [first, second].map((use) => execution.operations[use.operation]?.operation);
  return one?.cooperative === true && other?.cooperative === true && one.label === other.label;
}

/** Kernels of which one waits for what the other writes while both run. */
function tellEachOther(first: Use, second: Use): boolean {
  const isAnswered = (one: Use, other: Use): boolean =>
    one.waitsForOthers && (other.waitsForOthers || other.talksToHost);
  return isAnswered(first, second) || isAnswered(second, first);
}

/** A function of the host: two of them may wait for each other as the host does. */
function isOfHost(execution: Execution, { node, operation }: Use): boolean {
  return (node?.operation ?? execution.operations[operation]?.operation)?.kind === 'host';
}

function isInWhole({ trace, operations }: Execution, { allocation }: Instance, first: Use, second: Use): boolean {
  const [one, other] = [first, second].map((use) =>
    reachOf(use, use.node?.operation ?? operations[use.operation]?.operation),
  );
  return meetInWhole(trace.allocations[allocation.id]?.bytes ?? null, one!, other!);
}

/** Unordered pairs of which at least one lies outside the other's graph. */
export function findStreamConflicts(
  execution: Execution,
  order: Order,
  lifetimes: Lifetimes,
): readonly StreamConflict[] {
  const out: StreamConflict[] = [];
  for (const instance of lifetimes.instances) {
    // One stream does one thing after the other.
    if (!order.hasDevices && new Set(instance.uses.map((use) => streamOf(execution, use))).size < 2) continue;
    const uses = sampled(execution, instance.uses);
    const seen = new Set<string>();
    for (let later = 1; later < uses.length; later++) {
      for (let earlier = 0; earlier < later; earlier++) {
        const first = uses[earlier]!;
        const second = uses[later]!;
        if (first.operation === second.operation || first.isOpaque || second.isOpaque) continue;
        if (order.before(first.point, second.point) || order.before(second.point, first.point)) continue;
        const found = common(first, second) ?? (isInWhole(execution, instance, first, second) ? 'whole' : null);
        if (found === null) continue;
        if (first.mode === 'unknown' || second.mode === 'unknown' || !(writes(first.mode) || writes(second.mode)))
          continue;
        if (first.isAtomic && second.isAtomic) continue;
        if (found === 'whole' && mayKeepApart(first, second)) continue;
        if (mayWaitForEachOther(execution, first, second) || tellEachOther(first, second)) continue;
        if (isOfHost(execution, first) && isOfHost(execution, second)) continue;
        const key = `${first.event} ${second.event}`;
        if (seen.has(key)) continue;
        seen.add(key);
        out.push({ instance, first, second });
      }
    }
  }
  return out;
}
