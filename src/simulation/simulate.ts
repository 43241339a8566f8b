/** The calls of a run, replayed on the simulated driver. */

import { createDriver, type DriverOptions, step } from '../driver/driver.ts';
import type { Operation, Outcome } from '../driver/operations.ts';
import type { DriverProfile } from '../driver/profile.ts';
import type { Driver } from '../driver/state.ts';
import type { CallOutcome, Execution } from '../execution/execution.ts';
import { evaluateSize, type Size } from '../trace/size.ts';

export interface SimulatedCall {
  readonly event: number;
  /** What CUDA returns: the driver's answer where it takes part, else the execution's. */
  readonly result: string;
  /** null when the driver takes no part in the call. */
  readonly outcome: Outcome | null;
}

export interface Simulation {
  readonly calls: readonly SimulatedCall[];
  /** Address each allocation got, by allocation. */
  readonly addresses: ReadonlyMap<number, { readonly address: number; readonly hangsOnHostOrder: boolean }>;
  /** Allocations whose size the text and the settings do not determine: they were taken to be {@link assumedBytes}. */
  readonly assumed: ReadonlySet<number>;
  readonly profile: DriverProfile;
}

/** Size taken for allocations whose size is not known, bytes. */
const assumedBytes = 1 << 20;

export interface SimulationOptions {
  readonly settings?: Readonly<Record<string, number>>;
  readonly hostOrder?: 'up' | 'down';
  readonly driver?: DriverOptions;
}

/** Replays a run. Pure: the same execution and options give the same answers. */
export function simulate(execution: Execution, options: SimulationOptions = {}): Simulation {
  const { simulation, next } = startSimulation(execution, options);
  for (const call of execution.calls) next(call);
  return simulation;
}

/** A simulation that follows an execution call by call. */
export interface RunningSimulation {
  readonly simulation: Simulation;
  readonly driver: Driver;
  next(call: CallOutcome): SimulatedCall;
}

export function startSimulation(execution: Execution, options: SimulationOptions = {}): RunningSimulation {
  const driver = createDriver({ ...options.driver, hostOrder: options.hostOrder ?? options.driver?.hostOrder ?? 'up' });
  const calls: SimulatedCall[] = [];
  const addresses = new Map<number, { address: number; hangsOnHostOrder: boolean }>();
  const assumed = new Set<number>();
  const bytesOf = (allocation: number, size: Size | null): number => {
    const bytes = size ? evaluateSize(size, options.settings) : null;
    if (bytes !== null && bytes > 0 && Number.isFinite(bytes)) return Math.ceil(bytes);
    assumed.add(allocation);
    return assumedBytes;
  };
  step(driver, { kind: 'poolCreate', pool: 0 });
  const next = (call: CallOutcome): SimulatedCall => {
    let last: Outcome | null = null;
    let refused: string | null = null;
    for (const operation of operationsOf(execution, call, bytesOf)) {
      last = step(driver, operation);
      if (last.result !== 'cudaSuccess') refused = last.result;
      const allocation =
        operation.kind === 'addNode' && operation.node.kind === 'alloc'
          ? operation.node.allocation
          : operation.kind === 'poolMalloc'
            ? operation.allocation
            : null;
      if (allocation !== null && last.address !== undefined)
        addresses.set(allocation, { address: last.address, hangsOnHostOrder: last.hangsOnHostOrder ?? false });
    }
    const simulated: SimulatedCall = {
      event: call.event,
      result: call.result === 'cudaSuccess' ? (refused ?? 'cudaSuccess') : call.result,
      outcome: last,
    };
    calls.push(simulated);
    return simulated;
  };
  return { simulation: { calls, addresses, assumed, profile: driver.profile }, driver, next };
}

/** What the driver is told about one call; nothing for calls that were refused or do not concern it. */
function operationsOf(
  execution: Execution,
  call: CallOutcome,
  bytesOf: (allocation: number, size: Size | null) => number,
): Operation[] {
  const event = execution.trace.events[call.event]!;
  if (call.result !== 'cudaSuccess') return [];
  if (call.node) return nodeOperations(execution, call.node, bytesOf);
  switch (event.verb) {
    case 'graph.create':
      return graphOperation(execution, event.graph, (graph) => ({ kind: 'graphCreate', graph }));
    case 'capture.begin': {
      const graph = execution.graphs.find((each) => each.event === event.index);
      return graph ? [{ kind: 'graphCreate', graph: graph.index }] : [];
    }
    case 'graph.destroy':
      return graphOperation(execution, event.graph, (graph) => ({ kind: 'destroyGraph', graph }));
    case 'edges.add':
      return graphOperation(execution, event.graph, (graph) => {
        const place = (handle: number): number =>
          execution.graphs[graph]!.nodes.find((node) => node.handle === handle)?.id ?? -1;
        const pairs = (event.from ?? [])
          .map((from, index) => [place(from), place(event.to?.[index] ?? -1)] as const)
          .filter(([from, to]) => from >= 0 && to >= 0);
        return { kind: 'addDependencies', graph, from: pairs.map(([from]) => from), to: pairs.map(([, to]) => to) };
      });
    case 'exec.instantiate': {
      const executable = call.executable === null ? undefined : execution.executables[call.executable];
      return executable
        ? [{ kind: 'instantiate', exec: executable.index, graph: executable.graph, autoFree: executable.autoFree }]
        : [];
    }
    case 'exec.destroy': {
      const exec = instantiated(execution, execution.executableOfHandle.get(event.exec));
      return exec === null ? [] : [{ kind: 'destroyExec', exec }];
    }
    case 'exec.update': {
      const index = execution.executableOfHandle.get(event.exec);
      const exec = instantiated(execution, index);
      const executable = index === undefined ? undefined : execution.executables[index];
      return exec === null || executable === undefined || executable.graph === execution.executables[exec]?.graph
        ? []
        : [{ kind: 'updateExec', exec, graph: executable.graph }];
    }
    case 'memory.allocateAsync':
      return [
        {
          kind: 'poolMalloc',
          pool: 0,
          allocation: event.allocation,
          bytes: bytesOf(event.allocation, execution.trace.allocations[event.allocation]!.bytes),
          stream: event.stream,
        },
      ];
    case 'memory.freeAsync':
      return event.pointer && isDriverMemory(execution, event.pointer.allocation)
        ? [{ kind: 'freeAsync', allocation: event.pointer.allocation, stream: event.stream }]
        : [];
    case 'memory.free':
      return event.pointer && isDriverMemory(execution, event.pointer.allocation)
        ? [{ kind: 'free', allocation: event.pointer.allocation }]
        : [];
    case 'event.record':
      return call.operation === null ? [] : [{ kind: 'eventRecord', event: event.event, stream: event.stream }];
    case 'stream.wait':
      return call.operation === null ? [] : [{ kind: 'eventWait', event: event.event, stream: event.stream }];
    case 'host.synchronise':
      if (event.query) return [];
      if (event.scope === 'stream' && event.handle !== null) return [{ kind: 'syncStream', stream: event.handle }];
      if (event.scope === 'event' && event.handle !== null) return [{ kind: 'syncEvent', event: event.handle }];
      return [{ kind: 'syncDevice' }];
    case 'stream.operation':
      return [
        { kind: 'work', stream: event.stream },
        ...(event.blocking ? [{ kind: 'syncStream', stream: event.stream } as const] : []),
      ];
    case 'exec.launch':
    case 'exec.upload': {
      const operation = call.operation === null ? null : execution.operations[call.operation]!;
      const exec = instantiated(execution, operation?.executable ?? undefined);
      if (!operation || exec === null) return [];
      return [
        {
          kind: event.verb === 'exec.launch' ? 'launch' : 'upload',
          exec,
          stream: operation.stream,
        },
      ];
    }
    case 'device.trim':
      return [{ kind: 'trim', device: event.device ?? 0 }];
    default:
      return [];
  }
}

/** The executable as the driver counts it: updates are the same one. */
function instantiated(execution: Execution, index: number | undefined): number | null {
  if (index === undefined) return null;
  return execution.executables[index]?.updates ?? index;
}

function graphOperation(execution: Execution, handle: number, make: (graph: number) => Operation): Operation[] {
  const graph = execution.graphOfHandle.get(handle);
  return graph === undefined ? [] : [make(graph)];
}

function isDriverMemory(execution: Execution, allocation: number): boolean {
  const { kind } = execution.allocations[allocation]!;
  return kind === 'graph' || kind === 'stream';
}

/** A node, and the bodies it brings; copies inside child nodes are the driver's own affair. */
function nodeOperations(
  execution: Execution,
  place: { graph: number; node: number },
  bytesOf: (allocation: number, size: Size | null) => number,
): Operation[] {
  const graph = execution.graphs[place.graph]!;
  if (graph.inside === 'copied') return [];
  const bodies = graph.nodes[place.node]!.operation.bodies ?? [];
  return [
    nodeOperation(execution, place, bytesOf),
    ...bodies.flatMap((body) => graphOperation(execution, body, (each) => ({ kind: 'graphCreate', graph: each }))),
  ];
}

function nodeOperation(
  execution: Execution,
  place: { graph: number; node: number },
  bytesOf: (allocation: number, size: Size | null) => number,
): Operation {
  const node = execution.graphs[place.graph]!.nodes[place.node]!;
  const base = { kind: 'addNode' as const, graph: place.graph };
  // Edges added later are told as such: an allocation's address is fixed from the edges that exist when it is added.
  const event = execution.trace.events[node.event]!;
  const dependencies =
    event.verb === 'node.add' ? handlesToNodes(execution, place.graph, event.dependencies ?? []) : node.dependencies;
  const { operation } = node;
  if (operation.kind === 'memAlloc' && operation.allocation !== undefined)
    return {
      ...base,
      node: {
        kind: 'alloc',
        allocation: operation.allocation,
        bytes: bytesOf(operation.allocation, operation.bytes),
        device: operation.properties?.location.device ?? 0,
      },
      dependencies,
    };
  if (operation.kind === 'memFree' && operation.freed)
    return { ...base, node: { kind: 'free', allocation: operation.freed.allocation }, dependencies };
  // What the node was given: the copy that it has of it is the driver's own affair.
  const given = event.verb === 'node.add' ? event.operation.child : operation.child;
  const child = operation.kind === 'child' && given !== undefined ? execution.graphOfHandle.get(given) : undefined;
  if (child !== undefined)
    return { ...base, node: { kind: 'child', child, move: operation.moved === true }, dependencies };
  return { ...base, node: { kind: 'other' }, dependencies };
}

function handlesToNodes(execution: Execution, graph: number, handles: readonly number[]): number[] {
  const nodes = execution.graphs[graph]!.nodes;
  return handles.flatMap((handle) => {
    const node = nodes.find((each) => each.handle === handle);
    return node ? [node.id] : [];
  });
}
