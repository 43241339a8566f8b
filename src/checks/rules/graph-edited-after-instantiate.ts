/** D9: A graph is changed after it was instantiated, and only what was instantiated before is launched. */

import type { TraceEvent } from '../../trace/event.ts';
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

/** One a graph, at the first change that nothing takes in. */
function violations(facts: Facts): Violation[] {
  const { events, end } = facts.trace;
  const made = eventsOf(facts, 'exec.instantiate');
  // What a run that did not come to its end would have done with the graph, nobody knows.
  if (made.length === 0 || (end !== 'complete' && end !== 'ended')) return [];
  const refused = new Set(facts.refused.map(({ event }) => event));
  const graphOf = new Map(eventsOf(facts, 'node.add').map(({ node, graph }) => [node, graph]));
  return [...new Set(made.map(({ graph }) => graph))].flatMap((graph): Violation[] => {
    const taken = lastTaken(events, graph);
    const change = events.find(
      (event) => event.index > taken && !refused.has(event.index) && changedGraph(event, graphOf) === graph,
    );
    const instantiated = made.findLast((each) => each.graph === graph);
    if (!change || !instantiated || instantiated.index !== taken) return [];
    const launch = eventsOf(facts, 'exec.launch').find(
      ({ exec, index }) => index > change.index && exec === instantiated.exec,
    );
    if (!launch) return [];
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

/** The last event that takes in how the graph is then, or lets somebody else do so; −1 where there is none. */
function lastTaken(events: readonly TraceEvent[], graph: number): number {
  return events.findLastIndex((event) => {
    switch (event.verb) {
      case 'exec.instantiate':
      case 'exec.update':
      case 'graph.nodes':
        return event.graph === graph;
      case 'graph.clone':
        return event.source === graph;
      case 'node.add':
        return event.operation.child === graph;
      case 'capture.begin':
        return event.graph === graph;
      case 'call.unknown':
        return event.handles.includes(graph);
      default:
        return false;
    }
  });
}

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
