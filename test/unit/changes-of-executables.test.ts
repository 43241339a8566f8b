/** Event nodes without an event, and changes of executables that name a node of another graph; each mistake beside the program without it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void work(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }
static cudaStream_t s; static cudaGraph_t g, h; static cudaGraphExec_t x; static float *d; static int n = 1024;
static cudaKernelNodeParams params(void **args) { cudaKernelNodeParams k = {}; k.func = (void *)work; k.gridDim = dim3(8); k.blockDim = dim3(128); k.kernelParams = args; return k; }
static cudaGraphNode_t kernel(cudaGraph_t in, float *p) { void *a[] = {&p, &n}; auto k = params(a); cudaGraphNode_t r; cudaGraphAddKernelNode(&r, in, nullptr, 0, &k); return r; }
static void change(cudaGraphNode_t node) { void *a[] = {&d, &n}; auto k = params(a); cudaGraphExecKernelNodeSetParams(x, node, &k); }
static cudaGraph_t captured() { cudaGraph_t made; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); work<<<8, 128, 0, s>>>(d, n); cudaStreamEndCapture(s, &made); return made; }
static cudaGraphNode_t first(cudaGraph_t of) { cudaGraphNode_t node; size_t count = 1; cudaGraphGetNodes(of, &node, &count); return node; }
`;

const begin =
  'cudaStreamCreate(&s); cudaMalloc(&d, 4096); cudaGraphCreate(&g, 0); cudaGraphCreate(&h, 0); cudaEvent_t e; cudaEventCreate(&e); cudaGraphNode_t r, a = kernel(g, d);';
const end =
  'cudaGraphLaunch(x, s); cudaStreamSynchronize(s); cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaGraphDestroy(h); cudaEventDestroy(e); cudaFree(d); cudaStreamDestroy(s);';
const made = 'cudaGraphInstantiate(&x, g, 0);';

const rows: readonly Row[] = [
  [
    'an event node is given null',
    'null-handle',
    '',
    `${begin} cudaEvent_t none = nullptr; cudaGraphAddEventRecordNode(&r, g, &a, 1, none); ${made} ${end}`,
    `${begin} cudaEvent_t none = e; cudaGraphAddEventRecordNode(&r, g, &a, 1, none); ${made} ${end}`,
  ],
  [
    'an event node is given null later',
    'null-handle',
    '',
    `${begin} cudaEvent_t later = nullptr; cudaGraphAddEventRecordNode(&r, g, &a, 1, e); ${made} cudaGraphExecEventRecordNodeSetEvent(x, r, later); ${end}`,
    `${begin} cudaEvent_t later = nullptr; cudaEventCreate(&later); cudaGraphAddEventRecordNode(&r, g, &a, 1, e); ${made} cudaGraphExecEventRecordNodeSetEvent(x, r, later); ${end} cudaEventDestroy(later);`,
  ],
  [
    'a node of another graph gets new parameters',
    'graph-cross-graph-dependency',
    '',
    `${begin} auto b = kernel(h, d); ${made} change(b); ${end}`,
    `${begin} auto b = kernel(g, d); cudaGraphAddDependencies(g, &a, &b, nullptr, 1); ${made} change(b); ${end}`,
  ],
  [
    'a node of another graph is switched off',
    'graph-cross-graph-dependency',
    '',
    `${begin} auto b = kernel(h, d); ${made} cudaGraphNodeSetEnabled(x, b, 0); ${end}`,
    `${begin} kernel(h, d); ${made} cudaGraphNodeSetEnabled(x, a, 0); ${end}`,
  ],
  [
    'a node of the graph that it is updated with',
    '',
    '',
    '',
    `${begin} cudaGraphDestroy(g); g = captured(); ${made} cudaGraphDestroy(h); h = captured(); cudaGraphExecUpdateResultInfo info; cudaGraphExecUpdate(x, h, &info); change(first(h)); ${end}`,
  ],
  [
    'a node of a clone, and of what it was cloned from',
    '',
    '',
    '',
    `${begin} cudaGraph_t c; cudaGraphClone(&c, g); cudaGraphNode_t b; cudaGraphNodeFindInClone(&b, a, c); cudaGraphInstantiate(&x, c, 0); change(b); change(a); ${end} cudaGraphDestroy(c);`,
  ],
  [
    'a node of a child',
    '',
    '',
    '',
    `${begin} cudaGraphNode_t child; cudaGraphAddChildGraphNode(&child, h, nullptr, 0, g); cudaGraph_t inner; cudaGraphChildGraphNodeGetGraph(child, &inner); cudaGraphInstantiate(&x, h, 0); change(first(inner)); ${end}`,
  ],
  [
    'a copy that becomes longer than the memory',
    'copy-out-of-range',
    '',
    `float *b; cudaMalloc(&b, 2048); ${begin} cudaGraphAddMemcpyNode1D(&r, g, &a, 1, b, d, 1024, cudaMemcpyDeviceToDevice); ${made} cudaGraphExecMemcpyNodeSetParams1D(x, r, b, d, 4096, cudaMemcpyDeviceToDevice); ${end} cudaFree(b);`,
    `float *b; cudaMalloc(&b, 2048); ${begin} cudaGraphAddMemcpyNode1D(&r, g, &a, 1, b, d, 1024, cudaMemcpyDeviceToDevice); ${made} cudaGraphExecMemcpyNodeSetParams1D(x, r, b, d, 2048, cudaMemcpyDeviceToDevice); ${end} cudaFree(b);`,
  ],
  [
    'a memset of a node that goes on behind the end',
    'copy-out-of-range',
    '',
    `${begin} cudaMemsetParams m = {}; m.dst = d; m.elementSize = 4; m.width = 512; m.height = 1; cudaGraphAddMemsetNode(&r, g, &a, 1, &m); m.width = 2048; cudaGraphMemsetNodeSetParams(r, &m); ${made} ${end}`,
    `${begin} cudaMemsetParams m = {}; m.dst = d; m.elementSize = 4; m.width = 512; m.height = 1; cudaGraphAddMemsetNode(&r, g, &a, 1, &m); m.width = 1024; cudaGraphMemsetNodeSetParams(r, &m); ${made} ${end}`,
  ],
];

describeRows('changes of executables', head, rows);
