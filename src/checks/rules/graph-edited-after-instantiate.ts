/** D9: A graph is changed after it was instantiated, and only what was instantiated before is launched. */

import type { EventOf, TraceEvent } from '../../trace/event.ts';
import { handleName, subjectOfCall } from '../describe.ts';
import { eventsOf, type Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const graphEditedAfterInstantiate = defineRule({
  id: 'graph-edited-after-instantiate',
  number: 'D9',
  group: 'D',
  severity: 'warning',
  summary: 'A graph is changed after it was instantiated, and only what was instantiated before is launched.',
  why: 'cudaGraphInstantiate takes the graph as it is. What is added or changed later is in no executable until the graph is instantiated again, or an executable is updated from it.',
  remedy:
    'Change the graph before it is instantiated, instantiate it again, call cudaGraphExecUpdate, or change the executable itself (cudaGraphExec…NodeSetParams).',
  source: 'CUDA Programming Guide, updating instantiated graphs',
  bad: `
cudaMalloc(&data, 4096);
void *argument[] = {&data};
work.kernelParams = argument;
cudaGraphAddKernelNode(&use, graph, nullptr, 0, &work);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphNode_t second;
cudaGraphAddKernelNode(&second, graph, &use, 1, &work); //!
cudaGraphLaunch(exec, stream);
cudaStreamSynchronize(stream);
cudaFree(data);
`,
  good: `
cudaMalloc(&data, 4096);
void *argument[] = {&data};
work.kernelParams = argument;
cudaGraphAddKernelNode(&use, graph, nullptr, 0, &work);
cudaGraphNode_t second;
cudaGraphAddKernelNode(&second, graph, &use, 1, &work);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaStreamSynchronize(stream);
cudaFree(data);
`,
  check: violations,
});

/** A graph, the last time that it was instantiated, what was changed since, and the launch behind that. */
interface Taken {
  readonly instantiated: EventOf<'exec.instantiate'>;
  change?: TraceEvent;
  launch?: TraceEvent;
}

/** One a graph, at the first change that nothing takes in. */
function violations(facts: Facts): Violation[] {
  const { end } = facts.trace;
  // What a run that did not come to its end would have done with the graph, nobody knows.
  if (eventsOf(facts, 'exec.instantiate').length === 0 || (end !== 'complete' && end !== 'ended')) return [];
  return [...lastTaken(facts)].flatMap(([graph, { instantiated, change, launch }]): Violation[] => {
    if (!change || !launch) return [];
    const [name, exec] = [handleName(facts, graph), handleName(facts, instantiated.exec)];
    return [
      {
        event: change.index,
        message: `${name} is changed after ${exec} was instantiated from it: the launch runs it as it was before.`,
        certainty: 'always',
        related: [
          { role: 'inst', event: instantiated.index, message: `${exec} is instantiated here` },
          { role: 'launch', event: launch.index, message: `${exec} is launched here` },
        ],
        witness: [],
        repairs: [],
        subject: subjectOfCall(facts, change.index),
      },
    ];
  });
}

/** By graph; those that something else has taken in since, or may have, are not among them. */
function lastTaken(facts: Facts): ReadonlyMap<number, Taken> {
  const refused = new Set(facts.refused.map(({ event }) => event));
  const graphOfNode = new Map<number, number>();
  const graphOfExec = new Map<number, number>();
  const taken = new Map<number, Taken>();
  for (const event of facts.trace.events) {
    for (const graph of takenIn(event)) taken.delete(graph);
    if (event.verb === 'node.add') graphOfNode.set(event.node, event.graph);
    if (event.verb === 'exec.instantiate') {
      taken.set(event.graph, { instantiated: event });
      graphOfExec.set(event.exec, event.graph);
    } else if (event.verb === 'exec.launch') {
      const of = taken.get(graphOfExec.get(event.exec) ?? -1);
      if (of?.change && of.instantiated.exec === event.exec) of.launch ??= event;
    } else {
      const of = taken.get(changedGraph(event, graphOfNode) ?? -1);
      if (of && !refused.has(event.index)) of.change ??= event;
    }
  }
  return taken;
}

/** The graphs of which an event takes in how they are then, or lets somebody else do so. */
function takenIn(event: TraceEvent): readonly number[] {
  switch (event.verb) {
    case 'exec.update':
    case 'graph.nodes':
      return [event.graph];
    case 'graph.clone':
      return [event.source];
    case 'node.add':
      return event.operation.child === undefined ? none : [event.operation.child];
    case 'capture.begin':
      return event.graph === null ? none : [event.graph];
    case 'call.unknown':
      return event.handles;
    default:
      return none;
  }
}

const none: readonly number[] = [];

/** The graph that an event changes; undefined for one that changes none. */
function changedGraph(event: TraceEvent, graphOf: ReadonlyMap<number, number>): number | undefined {
  switch (event.verb) {
    case 'node.add':
      return event.graph;
    case 'node.update':
    case 'node.destroy':
      return graphOf.get(event.node);
    case 'edges.add':
    case 'edges.remove':
      return graphOf.get(event.to?.[0] ?? -1);
    default:
      return undefined;
  }
}
