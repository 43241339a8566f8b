/** Runs a trace against CUDA's rules, one call at a time. */

import type { EventOf, Trace, TraceEvent } from '../trace/event.ts';
import {
  askHandles,
  destroyedInCapture,
  destroyStream,
  endCapture,
  recordEvent,
  synchronise,
  tellCapture,
  unsafeInCapture,
  waitEvent,
} from './capture.ts';
import { beginCapture, updateCapture } from './capture-begin.ts';
import { childGraph } from './child-graphs.ts';
import { isDevice } from './device-access.ts';
import { noteReset, refusedAfterReset } from './device-resets.ts';
import { setEnabled, setParameters, updateExecutable } from './executables.ts';
import type { CallOutcome, Execution } from './execution.ts';
import {
  addEdges,
  addExplicitNode,
  cloneGraph,
  destroyNode,
  movedAt,
  removeEdges,
  tellNodes,
  updateNode,
} from './graphs.ts';
import { instantiate, launch, upload } from './launches.ts';
import { allocate, allocateAsync, freeAsync, freeHost, freeNow, streamOperation } from './memory.ts';
import { destroyPool, notePool, setPool, setPoolAccess } from './pools.ts';
import { addGraph, createState, noteAllocations, refuse, type State, succeed } from './state.ts';
import { callUnknown } from './unseen.ts';

/** Executes a trace. Total: any sequence of events has an outcome. */
export function executeTrace(trace: Trace, check: () => void = () => undefined): Execution {
  const { execution, next } = startExecution(trace);
  for (const event of trace.events) {
    if ((event.index & 127) === 0) check();
    next(event);
  }
  return execution;
}

/** An execution that follows a trace while it is written: the trace's tables may still grow. */
export interface RunningExecution {
  readonly execution: Execution;
  readonly state: State;
  next(event: TraceEvent): CallOutcome;
}

export function startExecution(trace: Trace, deviceCount: number | null = null): RunningExecution {
  const state = createState(trace, deviceCount);
  return {
    execution: executionOf(state),
    state,
    next: (event) => {
      noteAllocations(state);
      const outcome = step(state, event);
      state.calls.push(outcome);
      return outcome;
    },
  };
}

function executionOf(state: State): Execution {
  const { trace } = state;
  return {
    trace,
    calls: state.calls,
    graphs: state.graphs,
    executables: state.executables,
    operations: state.operations,
    allocations: state.allocations,
    graphOfHandle: state.graphOfHandle,
    nodeOfHandle: state.nodeOfHandle,
    executableOfHandle: state.executableOfHandle,
    nonBlockingStreams: state.nonBlocking,
    unreachable: state.unreachable,
  };
}

function step(state: State, event: TraceEvent): CallOutcome {
  const refused = refusedAfterReset(state, event);
  if (refused) return refused;
  switch (event.verb) {
    case 'stream.create':
      if (event.nonBlocking) state.nonBlocking.add(event.stream);
      state.deviceOfStream.set(event.stream, state.device);
      return succeed(event);
    case 'event.create':
      state.deviceOfEvent.set(event.event, state.device);
      return succeed(event);
    case 'pool.get':
    case 'pool.create':
      return notePool(state, event);
    case 'pool.destroy':
      return destroyPool(state, event);
    case 'pool.set':
      return setPool(state, event);
    case 'pool.access':
      return setPoolAccess(state, event);
    case 'device.setAttribute':
      return setAttribute(event);
    case 'thread.captureMode':
      state.allowsUnsafe = event.allowsUnsafe;
      return succeed(event);
    case 'device.trim':
      // Recording `memGetInfo_attrs`.
      return succeed(event, isDevice(state, event.device ?? 0) ? {} : { result: 'cudaErrorInvalidDevice' });
    case 'device.set':
      state.device = event.device;
      return succeed(event);
    case 'device.reset':
      noteReset(state, event);
      return succeed(event);
    case 'graph.create':
      addGraph(state, event.graph, 'explicit', event.index);
      return succeed(event);
    case 'graph.destroy':
      return destroyGraph(state, event);
    case 'graph.clone':
      return cloneGraph(state, event);
    case 'node.add':
      return addExplicitNode(state, event);
    case 'node.destroy':
      return destroyNode(state, event);
    case 'node.update':
      return updateNode(state, event);
    case 'edges.add':
      return addEdges(state, event);
    case 'edges.remove':
      return removeEdges(state, event);
    case 'event.record':
      return recordEvent(state, event);
    case 'stream.wait':
      return waitEvent(state, event);
    case 'capture.begin':
      return beginCapture(state, event);
    case 'capture.update':
      return updateCapture(state, event);
    case 'capture.info':
      return tellCapture(state, event);
    case 'capture.end':
      return endCapture(state, event);
    case 'host.synchronise':
      return synchronise(state, event);
    case 'call.unsafeInCapture':
      return unsafeInCapture(state, event, event.stream) ?? succeed(event);
    case 'stream.operation':
      return streamOperation(state, event);
    case 'memory.allocate':
      return allocate(state, event);
    case 'memory.free':
      return freeNow(state, event);
    case 'memory.allocateAsync':
      return allocateAsync(state, event);
    case 'memory.freeAsync':
      return freeAsync(state, event);
    case 'exec.instantiate':
      return instantiate(state, event);
    case 'exec.launch':
      return launch(state, event);
    case 'handle.missing':
      if (event.type === 'exec') return refuse(event, 'cudaErrorInvalidValue', 'noExecutable');
      return refuse(
        event,
        (event.type === 'event' || event.type === 'stream') && !event.isOfNode
          ? 'cudaErrorInvalidResourceHandle'
          : 'cudaErrorInvalidValue',
        'noHandle',
      );
    case 'exec.upload':
      return upload(state, event);
    case 'exec.destroy':
      return destroyExecutable(state, event);
    case 'exec.update':
      return updateExecutable(state, event);
    case 'exec.updateNode':
      return setParameters(state, event);
    case 'node.enable':
      return setEnabled(state, event);
    case 'graph.nodes':
      return tellNodes(state, event);
    case 'node.child':
      return childGraph(state, event);
    case 'memory.freeHost':
      return freeHost(state, event);
    case 'stream.destroy':
      return destroyStream(state, event);
    case 'event.destroy':
    case 'host.access':
    case 'host.objectEnds':
    case 'host.mayWait':
    case 'memory.asked':
    case 'callback.given':
      return succeed(event);
    case 'handle.asked':
      return askHandles(state, event);
    case 'call.unknown':
      return callUnknown(state, event);
  }
}

/** The highs can be set to zero and nothing else (recording `memGetInfo_attrs`); `cudaGraphMemAttr*High` are odd. */
function setAttribute(event: EventOf<'device.setAttribute'>): CallOutcome {
  const isCurrent = event.attribute !== null && event.attribute % 2 === 0;
  const isOther = event.value !== null && event.value !== 0;
  return succeed(event, isCurrent || isOther ? { result: 'cudaErrorInvalidValue' } : {});
}

function destroyGraph(state: State, event: EventOf<'graph.destroy'>): CallOutcome {
  const index = state.graphOfHandle.get(event.graph);
  if (index === undefined) return succeed(event, goneOrUnseen(state, event.graph));
  // A moved child belongs to its parent (recording `moved_child_then_edit`).
  const graph = state.graphs[index]!;
  const refused = destroyedInCapture(state, event, index);
  if (refused) return refused;
  if (graph.inside === 'moved') return refuse(event, 'cudaErrorInvalidValue', 'movedChild', movedAt(graph));
  if (graph.inside !== null) return succeed(event, { result: 'cudaErrorInvalidValue' });
  graph.alive = false;
  return succeed(event);
}

/** What destroying returns for what was not made here: somebody unseen may have made it. */
function goneOrUnseen({ trace }: State, handle: number): { result?: 'cudaErrorInvalidValue' } {
  return trace.handles[handle]?.external ? {} : { result: 'cudaErrorInvalidValue' };
}

function destroyExecutable(state: State, event: EventOf<'exec.destroy'>): CallOutcome {
  const index = state.executableOfHandle.get(event.exec);
  const executable = index === undefined ? undefined : state.executables[index];
  if (!executable) return succeed(event, goneOrUnseen(state, event.exec));
  if (executable.result !== 'cudaSuccess') return succeed(event, { result: 'cudaErrorInvalidValue' });
  // One that has been on the device is not given back during a capture (H200, CUDA 13.0).
  const wasThere = state.operations.some((each) => each.executable === executable.index);
  const refused = wasThere ? unsafeInCapture(state, event) : null;
  if (refused) return refused;
  executable.alive = false;
  for (const graph of state.graphs) graph.executables.delete(executable.updates ?? executable.index);
  return succeed(event);
}
