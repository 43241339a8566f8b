/**
 * The same situation in CUDA C++ and in TypeScript: the same graph, the same launches, the same findings about the same
 * things. Some situations by hand, as people write them; then random ones.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../src/checks/facts.ts';
import type { Analysis, Language } from '../../src/pipeline.ts';
import { evaluateSize } from '../../src/trace/size.ts';
import { testEngine } from '../support/engine.ts';
import { patience, scaled } from './generated/scale.ts';
import { graphPrograms } from './generators.ts';
import { printCuda, printTypeScript, typescriptProgram, understood } from './programs.ts';

const engine = await testEngine();
const analyse = (text: string, language: Language): Analysis =>
  engine.analyse({ file: language === 'cuda' ? 'a.cu' : 'a.ts', text, language });

interface Pair {
  readonly what: string;
  readonly cuda: string;
  readonly typescript: string;
  readonly rules: readonly string[];
}

const cudaBefore = `#include <cuda_runtime.h>
__global__ void produce(float *out) { out[0] = 1.0f; }
__global__ void consume(const float *in) { if (in[0] < 0.0f) __trap(); }
int main() {
`;
const params = `cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 1 << 20;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t alloc, write, read, release;
  cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
  void *data = params.dptr;
  void *arguments[] = {&data};
  cudaKernelNodeParams producer = {(void *)produce, 1, 1, 0, arguments, nullptr};
  cudaKernelNodeParams consumer = {(void *)consume, 1, 1, 0, arguments, nullptr};
`;
const typescriptAlloc = `const graph = cudaGraphCreate();
  const { node: alloc, dptr: data } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 1 << 20 });
`;
const streams = `cudaStream_t stream, other;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreate(&event);
`;
const typescriptStreams = `const stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking);
  const other = cudaStreamCreateWithFlags(cudaStreamNonBlocking);
  const event = cudaEventCreate();
`;
const produceNode = "cudaGraphAddKernelNode(graph, [alloc], { func: 'produce', writes: [data] })";
const consumer = "{ func: 'consume', reads: [data] }";

const pairs: readonly Pair[] = [
  {
    what: 'allocate, write, read, free',
    cuda: `${params}  cudaGraphAddKernelNode(&write, graph, &alloc, 1, &producer);
  cudaGraphAddKernelNode(&read, graph, &write, 1, &consumer);
  cudaGraphAddMemFreeNode(&release, graph, &read, 1, data);`,
    typescript: `${typescriptAlloc}  const write = ${produceNode};
  const read = cudaGraphAddKernelNode(graph, [write], ${consumer});
  cudaGraphAddMemFreeNode(graph, [read], data);`,
    rules: [],
  },
  {
    what: 'a reader beside the free',
    cuda: `${params}  cudaGraphAddKernelNode(&write, graph, &alloc, 1, &producer);
  cudaGraphAddKernelNode(&read, graph, &write, 1, &consumer);
  cudaGraphAddMemFreeNode(&release, graph, &write, 1, data);`,
    typescript: `${typescriptAlloc}  const write = ${produceNode};
  cudaGraphAddKernelNode(graph, [write], ${consumer});
  cudaGraphAddMemFreeNode(graph, [write], data);`,
    rules: ['graph-use-free-race'],
  },
  {
    what: 'a reader behind the free',
    cuda: `${params}  cudaGraphAddKernelNode(&write, graph, &alloc, 1, &producer);
  cudaGraphAddMemFreeNode(&release, graph, &write, 1, data);
  cudaGraphAddKernelNode(&read, graph, &release, 1, &consumer);`,
    typescript: `${typescriptAlloc}  const write = ${produceNode};
  const release = cudaGraphAddMemFreeNode(graph, [write], data);
  cudaGraphAddKernelNode(graph, [release], ${consumer});`,
    rules: ['graph-use-after-free'],
  },
  {
    what: 'launched again with the memory alive',
    cuda: `${streams}${params}  cudaGraphAddKernelNode(&write, graph, &alloc, 1, &producer);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 2; i++) cudaGraphLaunch(exec, stream);
  cudaFreeAsync(data, stream);`,
    typescript: `${typescriptStreams}${typescriptAlloc}  ${produceNode};
  const exec = cudaGraphInstantiate(graph);
  for (let i = 0; i < 2; i++) cudaGraphLaunch(exec, stream);
  cudaFreeAsync(data, stream);`,
    rules: ['relaunch-with-live-allocation'],
  },
  {
    what: 'auto-free on launch',
    cuda: `${streams}${params}  cudaGraphAddKernelNode(&write, graph, &alloc, 1, &producer);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int i = 0; i < 2; i++) cudaGraphLaunch(exec, stream);
  cudaFreeAsync(data, stream);`,
    typescript: `${typescriptStreams}${typescriptAlloc}  ${produceNode};
  const exec = cudaGraphInstantiate(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (let i = 0; i < 2; i++) cudaGraphLaunch(exec, stream);
  cudaFreeAsync(data, stream);`,
    rules: [],
  },
  {
    what: 'capture with fork and join',
    cuda: `${streams}  void *data;
  cudaGraph_t graph;
  cudaEvent_t joined;
  cudaEventCreate(&joined);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&data, 4096, stream);
  produce<<<1, 1, 0, stream>>>((float *)data);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(other, event, 0);
  consume<<<1, 1, 0, other>>>((float *)data);
  cudaEventRecord(joined, other);
  cudaStreamWaitEvent(stream, joined, 0);
  cudaFreeAsync(data, stream);
  cudaStreamEndCapture(stream, &graph);`,
    typescript: `${typescriptStreams}  const joined = cudaEventCreate();
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const data = cudaMallocAsync(4096, stream);
  cudaLaunchKernel({ func: 'produce', writes: [data] }, stream);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(other, event);
  cudaLaunchKernel(${consumer}, other);
  cudaEventRecord(joined, other);
  cudaStreamWaitEvent(stream, joined);
  cudaFreeAsync(data, stream);
  const graph = cudaStreamEndCapture(stream);`,
    rules: [],
  },
  {
    what: 'capture that frees before the join',
    cuda: `${streams}  void *data;
  cudaGraph_t graph;
  cudaEvent_t joined;
  cudaEventCreate(&joined);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&data, 4096, stream);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(other, event, 0);
  consume<<<1, 1, 0, other>>>((float *)data);
  cudaEventRecord(joined, other);
  cudaFreeAsync(data, stream);
  cudaStreamWaitEvent(stream, joined, 0);
  cudaStreamEndCapture(stream, &graph);`,
    typescript: `${typescriptStreams}  const joined = cudaEventCreate();
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const data = cudaMallocAsync(4096, stream);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(other, event);
  cudaLaunchKernel(${consumer}, other);
  cudaEventRecord(joined, other);
  cudaFreeAsync(data, stream);
  cudaStreamWaitEvent(stream, joined);
  const graph = cudaStreamEndCapture(stream);`,
    rules: ['graph-use-free-race'],
  },
  {
    what: 'graph memory used in another stream without an event',
    cuda: `${streams}${params}  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  consume<<<1, 1, 0, other>>>((float *)data);
  cudaEventRecord(event, other);
  cudaStreamWaitEvent(stream, event, 0);
  cudaFreeAsync(data, stream);`,
    typescript: `${typescriptStreams}${typescriptAlloc}  const exec = cudaGraphInstantiate(graph);
  cudaGraphLaunch(exec, stream);
  cudaLaunchKernel(${consumer}, other);
  cudaEventRecord(event, other);
  cudaStreamWaitEvent(stream, event);
  cudaFreeAsync(data, stream);`,
    rules: ['xgraph-use-unordered-with-alloc'],
  },
  {
    what: 'stream memory used behind its free',
    cuda: `${streams}  void *data;
  cudaMallocAsync(&data, 4096, stream);
  cudaFreeAsync(data, stream);
  consume<<<1, 1, 0, stream>>>((float *)data);`,
    typescript: `${typescriptStreams}  const data = cudaMallocAsync(4096, stream);
  cudaFreeAsync(data, stream);
  cudaLaunchKernel(${consumer}, stream);`,
    rules: ['async-use-after-free'],
  },
];

/** Everything asked of CUDA about graphs, streams and memory, free of names and places. */
function summary(facts: Facts | undefined): unknown {
  const { execution, trace } = facts ?? { execution: undefined, trace: undefined };
  return {
    graphs: execution?.graphs.map((graph) =>
      graph.nodes.map(({ operation, dependencies }) => ({
        kind: operation.kind,
        bytes: operation.kind === 'memAlloc' && operation.bytes ? evaluateSize(operation.bytes) : null,
        modes: operation.accesses.map((access) => access.mode),
        dependencies,
      })),
    ),
    operations: execution?.operations.map(({ kind, stream, nth }) => [kind, trace?.handles[stream]?.name, nth]),
    flags: execution?.executables.map((executable) => [executable.autoFree, executable.result]),
  };
}

/** The rule, and the name of what it is about. */
function findings(analysis: Analysis): readonly string[] {
  return analysis.findings
    .filter((finding) => finding.severity === 'error')
    .map((finding) => `${finding.rule}: ${/`(\w+)`/.exec(finding.message)?.[1]}`)
    .sort();
}

describe('CUDA C++ and TypeScript', () => {
  it.each(pairs.map((pair) => [pair.what, pair] as const))('agree on %s', (_, pair) => {
    const inCuda = analyse(`${cudaBefore}  ${pair.cuda}\n}\n`, 'cuda');
    const inTypeScript = analyse(typescriptProgram(pair.typescript), 'typescript');
    expect([inCuda.gaps, inTypeScript.gaps]).toEqual([[], []]);
    expect(findings(inCuda).map((finding) => finding.replace(/:.*/, ''))).toEqual(pair.rules);
    expect(findings(inTypeScript)).toEqual(findings(inCuda));
    expect(summary(inTypeScript.facts.get('main'))).toEqual(summary(inCuda.facts.get('main')));
  });

  it('agree on a namespace import', () => {
    const [, pair] = pairs;
    const body = pair?.typescript.replace(/\bcuda[A-Z]\w*/g, 'cuda.$&') ?? '';
    const text = `import * as cuda from 'graphmem/runtime';\nfunction main(): void {\n  ${body}\n}\n`;
    expect(analyse(text, 'typescript').gaps).toEqual([]);
  });

  it(
    'agree on random graphs',
    () => {
      fc.assert(
        fc.property(graphPrograms, (program) => {
          const inTypeScript = understood(analyse(printTypeScript(program), 'typescript'));
          expect(inTypeScript).toEqual(understood(analyse(printCuda(program), 'cuda')));
        }),
        scaled(200),
      );
    },
    patience,
  );
});
