/** Runs a trace against CUDA's rules, one call at a time. */

import type { EventOf, Trace, TraceEvent } from '../trace/event.ts';
import { beginCapture, endCapture, recordEvent, synchronise, unsafeInCapture, waitEvent } from './capture.ts';
import type { CallOutcome, Execution } from './execution.ts';
import { addEdges, addExplicitNode, cloneGraph, destroyNode, removeEdges, updateNode } from './graphs.ts';
import { instantiate, launch, upload } from './launches.ts';
import { allocate, allocateAsync, freeAsync, freeNow, streamOperation } from './memory.ts';
import { addGraph, createState, type State, succeed } from './state.ts';

/** Executes a trace. Total: any sequence of events has an outcome. */
export function executeTrace(trace: Trace): Execution {
  const state = createState(trace);
  for (const event of trace.events) state.calls.push(step(state, event));
  return {
    trace,
    calls: state.calls,
    graphs: state.graphs,
    executables: state.executables,
    operations: state.operations,
    allocations: state.allocations,
    graphOfHandle: state.graphOfHandle,
    executableOfHandle: state.executableOfHandle,
    nonBlockingStreams: state.nonBlocking,
  };
}

function step(state: State, event: TraceEvent): CallOutcome {
  switch (event.verb) {
    case 'stream.create':
      if (event.nonBlocking) state.nonBlocking.add(event.stream);
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
    case 'capture.end':
      return endCapture(state, event);
    case 'host.synchronise':
      return synchronise(state, event);
    case 'call.unsafeInCapture':
      return unsafeInCapture(state, event) ?? succeed(event);
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
    case 'exec.upload':
      return upload(state, event);
    case 'exec.destroy':
      return destroyExecutable(state, event);
    case 'exec.update':
    case 'event.create':
    case 'event.destroy':
    case 'stream.destroy':
    case 'device.trim':
    case 'call.unknown':
      return succeed(event);
  }
}

function destroyGraph(state: State, event: EventOf<'graph.destroy'>): CallOutcome {
  const index = state.graphOfHandle.get(event.graph);
  if (index === undefined) return succeed(event, { result: 'cudaErrorInvalidValue' });
  state.graphs[index]!.alive = false;
  return succeed(event);
}

function destroyExecutable(state: State, event: EventOf<'exec.destroy'>): CallOutcome {
  const index = state.executableOfHandle.get(event.exec);
  const executable = index === undefined ? undefined : state.executables[index];
  if (executable?.result !== 'cudaSuccess') return succeed(event, { result: 'cudaErrorInvalidValue' });
  executable.alive = false;
  state.graphs[executable.graph]?.executables.delete(executable.index);
  return succeed(event);
}
