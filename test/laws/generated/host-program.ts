/** Programs of streams, events, launches and synchronisation, as data and as statements. */

import type { Dag } from './dag.ts';
import { explicitGraph } from './explicit-graph.ts';
import { call, type Listing, plain, type Statement } from './listing.ts';
import { bytes, kernelDefinitions, kernelName, type Work } from './work.ts';

/** The default stream, streams that wait for it and it for them, and streams that do not. */
export type StreamKind = 'legacy' | 'blocking' | 'nonBlocking';

export type HostStep =
  | { readonly kind: 'work'; readonly stream: number; readonly work: Work }
  | { readonly kind: 'record'; readonly stream: number; readonly event: number }
  | { readonly kind: 'wait'; readonly stream: number; readonly event: number }
  | { readonly kind: 'launch'; readonly stream: number; readonly graph: number }
  | { readonly kind: 'syncStream'; readonly stream: number }
  | { readonly kind: 'syncEvent'; readonly event: number }
  | { readonly kind: 'syncDevice' }
  /** `cudaFree` of memory that streams or graphs allocate. */
  | { readonly kind: 'hostFree'; readonly buffer: number }
  /** A copy to the host that returns when it is done. */
  | { readonly kind: 'fetch'; readonly buffer: number };

/** A step and what it is called in verdicts. */
export interface NamedStep {
  readonly id: string;
  readonly step: HostStep;
}

export interface HostProgram {
  readonly streams: readonly StreamKind[];
  /** Buffers below this number come from `cudaMalloc` and stay. */
  readonly given: number;
  /** Built before the steps, one executable each; their nodes are called `g0n3`. */
  readonly graphs: readonly Dag[];
  /** A launch frees what is left of the one before. */
  readonly autoFree: boolean;
  readonly steps: readonly NamedStep[];
}

/** All work of a program, in streams and in graphs. */
export function workOf({ graphs, steps }: HostProgram): readonly Work[] {
  return [
    ...graphs.flatMap((graph) => graph.nodes.map((node) => node.work)),
    ...steps.flatMap(({ step }) => (step.kind === 'work' ? [step.work] : [])),
  ];
}

const autoFreeFlag = 'cudaGraphInstantiateFlagAutoFreeOnLaunch';

export function listingOf(program: HostProgram): Listing {
  return {
    definitions: kernelDefinitions(workOf(program)),
    statements: [
      ...givenBuffers(program.given),
      ...streamsAndEvents(program),
      ...program.graphs.flatMap((graph, index) => [
        ...explicitGraph(graph, `g${index}`),
        plain(`cudaGraphExec_t x${index}`, [], [`x${index}`]),
        // What is added to a graph later is not in its executable.
        call(
          `cudaGraphInstantiate(&x${index}, g${index}, ${program.autoFree ? autoFreeFlag : 0})`,
          null,
          [],
          [`x${index}`, `g${index}`],
        ),
      ]),
      ...program.steps.flatMap((each) => stepStatements(each, program)),
    ],
  };
}

export function givenBuffers(count: number): readonly Statement[] {
  return Array.from({ length: count }, (_, buffer) => [
    plain(`float *b${buffer}`, [], [`b${buffer}`]),
    call(`cudaMalloc(&b${buffer}, ${bytes})`, null, ['capture'], [`b${buffer}`]),
  ]).flat();
}

export function streamsAndEvents({ streams, graphs, steps }: HostProgram): readonly Statement[] {
  const events = new Set([
    ...steps.flatMap(({ step }) => ('event' in step ? [step.event] : [])),
    ...graphs.flatMap(({ nodes }) => nodes.flatMap(({ work }) => ('event' in work ? [work.event] : []))),
  ]);
  return [
    ...streams.flatMap((kind, index) => {
      if (kind === 'legacy') return [];
      const flags = kind === 'blocking' ? 'cudaStreamDefault' : 'cudaStreamNonBlocking';
      return [
        plain(`cudaStream_t s${index}`, [], [`s${index}`]),
        call(`cudaStreamCreateWithFlags(&s${index}, ${flags})`, null, [], [`s${index}`]),
      ];
    }),
    ...[...events].flatMap((event) => [
      plain(`cudaEvent_t e${event}`, [], [`e${event}`]),
      call(`cudaEventCreate(&e${event})`, null, [], [`e${event}`]),
    ]),
    ...(steps.some(({ step }) => step.kind === 'fetch') ? [plain('float host[1]', [], ['host'])] : []),
  ];
}

/** A step as statements, with what may not change places with it. */
export function stepStatements({ id, step }: NamedStep, program: Pick<HostProgram, 'streams' | 'graphs'>): Statement[] {
  const { streams } = program;
  const name = (stream: number): string => (streams[stream] === 'legacy' ? '0' : `s${stream}`);
  /** A stream is a queue, and the default stream a gate in those that know it. */
  const queue = (stream: number): string[] => {
    if (streams[stream] === 'nonBlocking') return [`s${stream}`];
    if (streams[stream] === 'blocking') return [`s${stream}`];
    return streams.flatMap((kind, index) => (kind === 'nonBlocking' ? [] : [`s${index}`]));
  };
  const everything = ['host', ...streams.map((_, index) => `s${index}`)];
  switch (step.kind) {
    case 'work':
      return workStatements(id, step.work, name(step.stream), queue(step.stream));
    case 'record':
      return [
        call(
          `cudaEventRecord(e${step.event}, ${name(step.stream)})`,
          id,
          [],
          [...queue(step.stream), `e${step.event}`],
        ),
      ];
    case 'wait':
      return [
        call(
          `cudaStreamWaitEvent(${name(step.stream)}, e${step.event}, 0)`,
          id,
          [`e${step.event}`],
          queue(step.stream),
        ),
      ];
    case 'launch': {
      const nodes = program.graphs[step.graph]?.nodes ?? [];
      const born = nodes.flatMap(({ work }) => (work.kind === 'alloc' ? [`b${work.buffer}`] : []));
      const events = nodes.flatMap(({ work }) => ('event' in work ? [`e${work.event}`] : []));
      return [
        call(
          `cudaGraphLaunch(x${step.graph}, ${name(step.stream)})`,
          id,
          [],
          [...queue(step.stream), `x${step.graph}`, ...born, ...events, 'memory'],
        ),
      ];
    }
    case 'syncStream':
      return [call(`cudaStreamSynchronize(${name(step.stream)})`, id, [], everything)];
    case 'syncEvent':
      return [call(`cudaEventSynchronize(e${step.event})`, id, [`e${step.event}`], everything)];
    case 'syncDevice':
      return [call('cudaDeviceSynchronize()', id, [], everything)];
    case 'hostFree':
      return [call(`cudaFree(b${step.buffer})`, id, freed(step.buffer), [...everything, 'memory'])];
    case 'fetch':
      return [
        call(`cudaMemcpy(host, b${step.buffer}, 4, cudaMemcpyDeviceToHost)`, id, [`b${step.buffer}`], everything),
      ];
  }
}

/** CUDA takes a free from outside a graph or not by the free nodes that there are. */
function freed(buffer: number): readonly string[] {
  return [`b${buffer}`, `frees of b${buffer}`];
}

function workStatements(id: string, work: Work, stream: string, queue: readonly string[]): Statement[] {
  switch (work.kind) {
    case 'alloc':
      return [
        plain(`float *b${work.buffer}`, [], [`b${work.buffer}`]),
        call(`cudaMallocAsync(&b${work.buffer}, ${bytes}, ${stream})`, id, [], [...queue, `b${work.buffer}`]),
      ];
    case 'free':
      // Which of two frees is refused hangs on their order.
      return [call(`cudaFreeAsync(b${work.buffer}, ${stream})`, id, freed(work.buffer), [...queue, 'memory'])];
    case 'memset':
      return [call(`cudaMemsetAsync(b${work.buffer}, 0, 4, ${stream})`, id, [`b${work.buffer}`], queue)];
    case 'copy':
      return [
        call(
          `cudaMemcpyAsync(b${work.to}, b${work.from}, 4, cudaMemcpyDeviceToDevice, ${stream})`,
          id,
          [`b${work.from}`, `b${work.to}`],
          queue,
        ),
      ];
    case 'recordEvent':
    case 'waitEvent':
      return [];
    case 'kernel': {
      const values = [...work.reads, ...work.writes].map((buffer) => `b${buffer}`);
      const kernel = kernelName(work.reads.length, work.writes.length);
      return [plain(`${kernel}<<<1, 1, 0, ${stream}>>>(${values.join(', ')})`, values, queue, id)];
    }
  }
}
