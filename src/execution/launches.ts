/** Instantiation, upload, launch. */

import type { EventOf, OperationKind } from '../trace/event.ts';
import { invalidateByLegacy, unsafeInCapture, whenInvalidated } from './capture.ts';
import type { CallOutcome, ExecutableModel, GraphModel, GraphNode, WaitTarget } from './execution.ts';
import { findNode, findSingular, hasMemoryNodes, innerGraphs, isMemoryNode } from './execution.ts';
import { describeSingular, movedAt } from './graphs.ts';
import {
  addOperation,
  captureDisturbedByLegacy,
  captureOf,
  graphFor,
  isAncestor,
  livenessOf,
  none,
  refuse,
  type State,
  succeed,
} from './state.ts';
import { mayBeLive, noteUnseen } from './unseen.ts';

export function instantiate(state: State, event: EventOf<'exec.instantiate'>): CallOutcome {
  const graph = graphFor(state, event.graph, event.index);
  const refused =
    unsafeInCapture(state, event) ??
    (graph ? checkInstantiate(state, graph, event) : refuse(event, 'cudaErrorInvalidValue', 'nullHandle'));
  const executable: ExecutableModel = {
    index: state.executables.length,
    handle: event.exec,
    graph: graph?.index ?? -1,
    nodes: graph ? graph.nodes.map((node) => ({ ...node, dependencies: [...node.dependencies] })) : [],
    autoFree: event.autoFree,
    flags: [
      ...(event.autoFree ? ['AutoFreeOnLaunch'] : []),
      ...(event.deviceLaunch ? ['DeviceLaunch'] : []),
      ...(event.uploadStream !== null ? ['Upload'] : []),
    ],
    event: event.index,
    result: refused?.result ?? 'cudaSuccess',
    alive: !refused,
    launches: [],
  };
  state.executables.push(executable);
  state.executableOfHandle.set(event.exec, executable.index);
  if (refused) return { ...refused, executable: executable.index };
  graph?.executables.add(executable.index);
  return succeed(event, { executable: executable.index });
}

function checkInstantiate(state: State, graph: GraphModel, event: EventOf<'exec.instantiate'>): CallOutcome | null {
  if (hasCycle(graph)) return refuse(event, 'cudaErrorInvalidValue', 'cycle');
  const singular = findSingular(state, graph);
  const other = [...graph.executables][0];
  if (singular && other !== undefined)
    return refuse(event, 'cudaErrorNotSupported', 'secondExec', [
      { role: 'inst', event: state.executables[other]!.event },
      describeSingular(singular),
    ]);
  // Memory nodes in a conditional's body are found here (rule E7; recording `conditional_body`), as are flags that do not
  // go with them or with each other (E10, D6, D7; `device_launch_flag`, `autofree_device_launch`, `instantiate_upload_flag_no_params`).
  if (hasMemoryInBody(state, graph)) return succeed(event, { result: 'cudaErrorInvalidValue' });
  const forHost = event.deviceLaunch ? findNode(state, graph, isForHost) : null;
  if (forHost || (event.deviceLaunch && event.autoFree))
    return refuse(
      event,
      'cudaErrorInvalidValue',
      'deviceLaunchWithMemory',
      forHost ? [{ role: isMemoryNode(forHost) ? 'alloc' : 'node', event: forHost.event }] : [],
    );
  if (event.upload && event.uploadStream === null) return refuse(event, 'cudaErrorInvalidValue', 'uploadWithoutStream');
  if (graph.inside === 'moved') return refuse(event, 'cudaErrorNotSupported', 'movedChild', movedAt(graph));
  if (graph.parent !== null) return refuse(event, 'cudaErrorNotSupported', 'childMovedTwice');
  return null;
}

/**
 * Nodes that a graph launched from the device cannot have: it has kernel, memcpy, memset and child nodes only (CUDA Runtime API,
 * cudaGraphInstantiateFlagDeviceLaunch; host, event record, empty and conditional nodes were refused on an H200).
 */
function isForHost({ operation: { kind }, isDestroyed }: GraphNode): boolean {
  return !isDestroyed && notOnDevice.has(kind);
}

const notOnDevice: ReadonlySet<OperationKind> = new Set([
  'memAlloc',
  'memFree',
  'host',
  'eventRecord',
  'eventWait',
  'semaphoreSignal',
  'semaphoreWait',
  'batchMemOp',
  'empty',
  'conditional',
]);

function hasMemoryInBody(state: State, graph: GraphModel): boolean {
  return graph.nodes.some((node) =>
    (node.operation.bodies ?? []).some((handle) => {
      const body = state.graphs[state.graphOfHandle.get(handle) ?? -1];
      return body !== undefined && (hasMemoryNodes(state, body) || hasMemoryInBody(state, body));
    }),
  );
}

function hasCycle(graph: GraphModel): boolean {
  return graph.nodes.some(
    (node) => node.dependencies.some((dependency) => dependency > node.id) && isAncestor(graph, node.id, node.id),
  );
}

function executableFor(state: State, handle: number): ExecutableModel | null {
  const index = state.executableOfHandle.get(handle);
  const executable = index === undefined ? undefined : state.executables[index];
  return executable ?? null;
}

/** All nodes that a launch runs, those of child graphs and of the bodies of conditional nodes included. */
function launchedNodes(
  state: Pick<State, 'graphs' | 'graphOfHandle'>,
  nodes: readonly GraphNode[],
  depth = 0,
): GraphNode[] {
  return nodes.flatMap((node) => [
    node,
    ...(depth < 8 ? innerGraphs(state, node).flatMap((inner) => launchedNodes(state, inner.nodes, depth + 1)) : []),
  ]);
}

export function launch(state: State, event: EventOf<'exec.launch'>): CallOutcome {
  const executable = executableFor(state, event.exec);
  const capture = captureOf(state, event.stream);
  if (capture) {
    const invalid = whenInvalidated(event, capture);
    if (invalid) return invalid;
    // In every mode, with memory nodes or without (rule C28; recordings `cap_graphLaunch_inside…`).
    capture.invalidated = true;
    return refuse(event, 'cudaErrorStreamCaptureUnsupported', 'captureUnsafe', [
      { role: 'begin', event: capture.event },
    ]);
  }
  const disturbed = captureDisturbedByLegacy(state, event.stream);
  if (disturbed) return invalidateByLegacy(event, disturbed);
  if (executable && executable.result !== 'cudaSuccess') return refuse(event, 'cudaErrorInvalidValue', 'nullHandle');
  const nodes = executable ? launchedNodes(state, executable.nodes) : [];
  const refused = executable ? checkLaunch(state, executable, nodes, event) : null;
  if (refused) return refused;
  const operation = addOperation(state, {
    event: event.index,
    stream: event.stream,
    kind: 'launch',
    operation: null,
    executable: executable?.index ?? null,
    nth: (executable?.launches.length ?? 0) + 1,
    waitsFor: null,
    nodeWaits: waitsOf(state, nodes),
    blocking: false,
  });
  executable?.launches.push(operation.index);
  noteUnseen(state, event);
  applyLaunch(state, nodes, event.index, operation.index);
  return succeed(event, { operation: operation.index });
}

/** A launch needs its unfreed allocations gone (or auto-free), and what its free nodes free to be live. */
function checkLaunch(
  state: State,
  executable: ExecutableModel,
  nodes: readonly GraphNode[],
  event: EventOf<'exec.launch'>,
): CallOutcome | null {
  // Code that is not seen may have added a node that frees, and so may a node whose address is not known.
  const mayFree =
    executable.autoFree ||
    state.graphs[executable.graph]?.hasUnseen ||
    nodes.some(({ operation }) => operation.kind === 'memFree' && !operation.freed);
  for (const node of nodes) {
    const { allocation } = node.operation;
    if (node.operation.kind === 'memAlloc' && allocation !== undefined && !mayFree) {
      const liveness = livenessOf(state, allocation);
      if (liveness.live && !liveness.isOpen) {
        const first = liveness.born === null ? [] : [{ role: 'launch', event: liveness.born }];
        return refuse(
          event,
          'cudaErrorInvalidValue',
          'relaunchUnfreed',
          [{ role: 'alloc', event: node.event }, ...first, { role: 'inst', event: executable.event }],
          allocation,
        );
      }
    }
    const freed = node.operation.freed;
    if (node.operation.kind === 'memFree' && freed) {
      const model = state.allocations[freed.allocation]!;
      if (
        model.kind !== 'graph' ||
        nodes.some((each) => each.operation.kind === 'memAlloc' && each.operation.allocation === freed.allocation)
      )
        continue;
      const liveness = livenessOf(state, freed.allocation);
      const related = [
        ...(model.event === null ? [] : [{ role: 'alloc', event: model.event }]),
        ...(liveness.freed === null ? [] : [{ role: 'free', event: liveness.freed }]),
      ];
      if (!liveness.live && !mayBeLive(state, freed.allocation))
        return refuse(
          event,
          'cudaErrorInvalidValue',
          liveness.born === null ? 'freeNotLive' : 'doubleFree',
          [...related, { role: 'freeNode', event: node.event }],
          freed.allocation,
        );
    }
  }
  return null;
}

/** An event wait node is bound to what its event was last recorded with when the launch is made. */
function waitsOf(state: State, nodes: readonly GraphNode[]): ReadonlyMap<number, WaitTarget> {
  const waits = new Map<number, WaitTarget>();
  for (const node of nodes) {
    const record =
      node.operation.kind === 'eventWait' && node.operation.event !== undefined
        ? state.records.get(node.operation.event)
        : undefined;
    if (record?.kind === 'eager') waits.set(node.event, record.target);
  }
  return waits;
}

function applyLaunch(state: State, nodes: readonly GraphNode[], event: number, operation: number): void {
  for (const node of nodes) {
    if (node.operation.kind === 'memAlloc' && node.operation.allocation !== undefined) {
      const liveness = livenessOf(state, node.operation.allocation);
      liveness.live = true;
      liveness.born = event;
      liveness.isOpen = false;
    }
  }
  for (const node of nodes) {
    if (node.operation.kind === 'memFree' && node.operation.freed) {
      const liveness = livenessOf(state, node.operation.freed.allocation);
      liveness.live = false;
      liveness.freed = event;
    }
    if (node.operation.kind === 'eventRecord' && node.operation.event !== undefined) {
      const nodesOfEvent = nodes
        .filter((each) => each.operation.kind === 'eventRecord' && each.operation.event === node.operation.event)
        .map((each) => each.event);
      state.records.set(node.operation.event, {
        kind: 'eager',
        target: { kind: 'launch', operation, nodes: nodesOfEvent },
      });
    }
  }
}

export function upload(state: State, event: EventOf<'exec.upload'>): CallOutcome {
  const executable = executableFor(state, event.exec);
  if (executable && executable.result !== 'cudaSuccess') return refuse(event, 'cudaErrorInvalidValue', 'nullHandle');
  // In a stream that captures, in every mode (H200, CUDA 13.0).
  const refused = captureOf(state, event.stream) ? unsafeInCapture(state, event, event.stream) : null;
  if (refused) return refused;
  const operation = addOperation(state, {
    event: event.index,
    stream: event.stream,
    kind: 'upload',
    operation: null,
    executable: executable?.index ?? null,
    nth: 0,
    waitsFor: null,
    nodeWaits: none,
    blocking: false,
  });
  return succeed(event, { operation: operation.index });
}
