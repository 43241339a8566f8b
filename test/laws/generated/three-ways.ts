/** A graph of work written in three ways: node by node, captured from streams, and given to streams as it is. */

import type { Dag } from './dag.ts';
import { explicitGraph } from './explicit-graph.ts';
import { givenBuffers, type HostProgram, type NamedStep, stepStatements, streamsAndEvents } from './host-program.ts';
import { call, type Listing, plain } from './listing.ts';
import { kernelDefinitions } from './work.ts';

export function asExplicitGraph(dag: Dag): Listing {
  return {
    definitions: definitionsOf(dag),
    statements: [
      ...givenBuffers(dag.given),
      ...explicitGraph(dag, 'g0'),
      plain('cudaStream_t s0', [], ['s0']),
      call('cudaStreamCreateWithFlags(&s0, cudaStreamNonBlocking)', null, [], ['s0']),
      plain('cudaGraphExec_t x0', [], ['x0']),
      call('cudaGraphInstantiate(&x0, g0, 0)', null, [], ['x0', 'g0']),
      call('cudaGraphLaunch(x0, s0)', null, ['x0'], ['s0']),
    ],
  };
}

/** Streams and events that order the work as the graph does, and no more. */
export function asStreamProgram(dag: Dag, picks: readonly number[]): HostProgram {
  const { steps, streams } = streamSteps(dag, picks);
  return {
    streams: Array.from({ length: streams }, () => 'nonBlocking'),
    given: dag.given,
    graphs: [],
    autoFree: false,
    steps,
  };
}

/** The same work captured: every stream forks from the first at the beginning and is joined at the end. */
export function asCapture(dag: Dag, picks: readonly number[]): Listing {
  const { steps, streams, events } = streamSteps(dag, picks);
  const others = Array.from({ length: streams - 1 }, (_, index) => index + 1);
  const plumbing = (step: NamedStep['step']): NamedStep => ({ id: '', step });
  const all: NamedStep[] = [
    plumbing({ kind: 'record', stream: 0, event: events }),
    ...others.map((stream) => plumbing({ kind: 'wait', stream, event: events })),
    ...steps,
    ...others.flatMap((stream) => [
      plumbing({ kind: 'record', stream, event: events + stream }),
      plumbing({ kind: 'wait', stream: 0, event: events + stream }),
    ]),
  ];
  const program: HostProgram = { ...asStreamProgram(dag, picks), steps: all };
  return {
    definitions: definitionsOf(dag),
    statements: [
      ...givenBuffers(dag.given),
      ...streamsAndEvents(program),
      plain('cudaGraph_t g0', [], ['g0']),
      call('cudaStreamBeginCapture(s0, cudaStreamCaptureModeGlobal)', null, [], ['s0', 'capture']),
      ...all.flatMap((each) => stepStatements(each, program)),
      call('cudaStreamEndCapture(s0, &g0)', null, [], ['s0', 'g0', 'capture']),
      plain('cudaGraphExec_t x0', [], ['x0']),
      call('cudaGraphInstantiate(&x0, g0, 0)', null, [], ['x0', 'g0']),
      call('cudaGraphLaunch(x0, s0)', null, ['x0'], ['s0']),
    ],
  };
}

function definitionsOf(dag: Dag): string {
  return kernelDefinitions(dag.nodes.map((node) => node.work));
}

/**
 * A node goes into a stream whose last node it depends on, or into a new one; it waits for its other dependencies. Steps
 * that are nodes are called as in the graph.
 */
function streamSteps(dag: Dag, picks: readonly number[]) {
  const streamOf: number[] = [];
  const last: number[] = [];
  dag.nodes.forEach(({ dependencies }, index) => {
    const free = last.flatMap((node, stream) => (dependencies.includes(node) ? [stream] : []));
    const pick = picks[index % picks.length] ?? 0;
    const stream = free[pick % (free.length + 1)] ?? last.length;
    streamOf.push(stream);
    last[stream] = index;
  });
  const isAwaited = (node: number): boolean =>
    dag.nodes.some(({ dependencies }, other) => dependencies.includes(node) && streamOf[other] !== streamOf[node]);
  const steps: NamedStep[] = [];
  dag.nodes.forEach(({ work, dependencies }, index) => {
    const stream = streamOf[index] ?? 0;
    for (const event of dependencies)
      if (streamOf[event] !== stream) steps.push({ id: '', step: { kind: 'wait', stream, event } });
    steps.push({ id: `g0n${index}`, step: { kind: 'work', stream, work } });
    if (isAwaited(index)) steps.push({ id: '', step: { kind: 'record', stream, event: index } });
  });
  return { steps, streams: Math.max(1, last.length), events: dag.nodes.length };
}
