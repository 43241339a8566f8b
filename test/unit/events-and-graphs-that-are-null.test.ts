/** Null where an event or a graph belongs, and fills of the default stream that nobody waits for. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1.0f; }`;

const begin = 'cudaStream_t s; cudaStreamCreate(&s);';
const end = 'cudaStreamSynchronize(s); cudaStreamDestroy(s);';

const nulls: readonly Row[] = [
  [
    'an event that is recorded before it is created',
    'null-handle',
    'struct Lane { cudaEvent_t done = nullptr; };',
    `${begin} Lane lane; cudaEventRecord(lane.done, s); cudaEventCreate(&lane.done); ${end} cudaEventDestroy(lane.done);`,
    `${begin} Lane lane; cudaEventCreate(&lane.done); cudaEventRecord(lane.done, s); ${end} cudaEventDestroy(lane.done);`,
  ],
  [
    'one event too few in a vector',
    'null-handle',
    '',
    `${begin} std::vector<cudaEvent_t> all(3); for (int i = 0; i < 2; i++) cudaEventCreate(&all[i]); for (auto each : all) cudaStreamWaitEvent(s, each, 0); ${end}`,
    `${begin} std::vector<cudaEvent_t> all(3); for (int i = 0; i < 3; i++) cudaEventCreate(&all[i]); for (auto each : all) cudaStreamWaitEvent(s, each, 0); ${end} for (auto each : all) cudaEventDestroy(each);`,
  ],
  [
    'a wait of the host for nothing, and tidying up what was never made',
    'null-handle',
    '',
    'cudaEvent_t e = nullptr; cudaEventSynchronize(e);',
    'cudaEvent_t e = nullptr; cudaGraph_t g = nullptr; cudaEventDestroy(e); cudaGraphDestroy(g);',
  ],
  [
    'a graph that is instantiated before it is there',
    'null-handle',
    '',
    `${begin} cudaGraph_t g = nullptr; cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphCreate(&g, 0); ${end} cudaGraphDestroy(g);`,
    `${begin} cudaGraph_t g = nullptr; cudaGraphExec_t e; cudaGraphCreate(&g, 0); cudaGraphInstantiate(&e, g, 0); ${end} cudaGraphExecDestroy(e); cudaGraphDestroy(g);`,
  ],
  [
    'nodes and clones of no graph',
    'null-handle',
    '',
    'cudaGraph_t g = nullptr, c; cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, g, nullptr, 0); cudaGraphClone(&c, g);',
    'cudaGraph_t g = nullptr, c; cudaGraphNode_t n; cudaGraphCreate(&g, 0); cudaGraphAddEmptyNode(&n, g, nullptr, 0); cudaGraphClone(&c, g); cudaGraphDestroy(c); cudaGraphDestroy(g);',
  ],
  [
    'what somebody unseen may have made',
    '',
    'void make(cudaEvent_t *e, cudaGraph_t *g);',
    `${begin} cudaEvent_t e = nullptr; cudaGraph_t g = nullptr; cudaEventRecord(e, s); make(&e, &g); ${end}`,
    `${begin} cudaEvent_t e = nullptr; cudaGraph_t g = nullptr; make(&e, &g); cudaEventRecord(e, s); cudaGraphExec_t x; cudaGraphInstantiate(&x, g, 0); ${end} cudaGraphExecDestroy(x);`,
  ],
  [
    'an event of an owner that somebody unseen fills',
    '',
    '#include <memory>\nusing Owner = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>>; static bool isOver(cudaEvent_t event) { return cudaEventQuery(event) == cudaSuccess; }',
    '',
    'Owner owner; lib::queue<Owner> idle; idle.try_pop(owner); isOver(owner.get());',
  ],
];

describeRows('Null in place of an event or a graph', head, nulls);

const own = 'cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); float *p; cudaMalloc(&p, 4096);';
const over = 'cudaStreamSynchronize(s); cudaStreamDestroy(s); cudaFree(p);';

const fills: readonly Row[] = [
  [
    'a stream of its own behind cudaMemset: a hint, which the fixtures hold',
    '',
    '',
    '',
    `${own} cudaMemset(p, 0, 4096); cudaDeviceSynchronize(); k<<<1, 32, 0, s>>>(p); ${over}`,
  ],
  [
    'a stream that waits for the default stream, or that nobody saw being made',
    '',
    'void f(cudaStream_t s, float *p) { cudaMemset(p, 0, 4096); k<<<1, 32, 0, s>>>(p); cudaStreamSynchronize(s); }',
    '',
    `cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 4096); cudaMemset(p, 0, 4096); k<<<1, 32, 0, s>>>(p); ${over}`,
  ],
];

describeRows('cudaMemset beside a stream that does not wait', head, fills);
