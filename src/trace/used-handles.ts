/** The objects of CUDA that a call works with: streams, events, graphs, executables. Not those it makes. */

import type { TraceEvent } from './event.ts';

/** Handles of streams, events, graphs and executables that must exist for the call; also the one it destroys. */
export function usedHandles(event: TraceEvent): readonly number[] {
  switch (event.verb) {
    case 'stream.destroy':
    case 'capture.update':
    case 'capture.info':
    case 'capture.end':
    case 'memory.freeAsync':
      return [event.stream];
    case 'memory.allocateAsync':
      return event.pool === null ? [event.stream] : [event.stream, event.pool];
    case 'pool.destroy':
    case 'pool.access':
      return [event.pool];
    case 'pool.set':
      return event.pool === null ? [] : [event.pool];
    case 'stream.operation':
      // What a function that is not seen does with its argument nobody knows.
      return event.operation.opaque ? [] : [event.stream];
    case 'event.destroy':
      return [event.event];
    case 'event.record':
    case 'stream.wait':
      return [event.event, event.stream];
    case 'host.synchronise':
      return event.handle === null ? [] : [event.handle];
    case 'graph.destroy':
      return [event.graph];
    case 'handle.asked':
      return event.handles;
    case 'graph.clone':
      return [event.source];
    case 'node.add': {
      const { child, event: signal } = event.operation;
      return [event.graph, child, signal].filter((handle) => handle !== undefined);
    }
    case 'edges.add':
    case 'edges.remove':
    case 'exec.instantiate':
      return [event.graph];
    case 'capture.begin':
      return event.graph === null ? [event.stream] : [event.stream, event.graph];
    case 'exec.destroy':
      return [event.exec];
    case 'exec.launch':
    case 'exec.upload':
      return [event.exec, event.stream];
    case 'exec.update':
      return [event.exec, event.graph];
    case 'exec.updateNode':
    case 'node.enable':
      return event.exec === null ? [] : [event.exec];
    default:
      return [];
  }
}

/** Handles of the nodes that a call works with; also the one it destroys. */
export function usedNodes(event: TraceEvent): readonly number[] {
  switch (event.verb) {
    case 'node.add':
    case 'capture.begin':
    case 'capture.update':
      return event.dependencies ?? none;
    case 'edges.add':
    case 'edges.remove':
      return [...(event.from ?? none), ...(event.to ?? none)];
    case 'node.destroy':
    case 'node.update':
    case 'node.child':
    case 'exec.updateNode':
    case 'node.enable':
      return [event.node];
    default:
      return none;
  }
}

const none: readonly never[] = [];

/** The object that a call destroys; null when it destroys none. */
export function destroyedHandle(event: TraceEvent): number | null {
  switch (event.verb) {
    case 'stream.destroy':
      return event.stream;
    case 'event.destroy':
      return event.event;
    case 'pool.destroy':
      return event.isDefault ? null : event.pool;
    case 'graph.destroy':
      return event.graph;
    case 'exec.destroy':
      return event.exec;
    case 'node.destroy':
      return event.node;
    default:
      return null;
  }
}
