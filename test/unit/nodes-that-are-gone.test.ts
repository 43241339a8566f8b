/** Nodes that were destroyed, by themselves or with their graph, are no longer there for what is told by them. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <vector>
__global__ void fill(float *p) { p[threadIdx.x] = 1.0f; }
static float *d; static void *values[1] = {&d};
static cudaKernelNodeParams params() { cudaKernelNodeParams p = {0}; p.func = (void *)fill; p.gridDim = dim3(1); p.blockDim = dim3(32); p.kernelParams = values; return p; }
`;
const rule = 'handle-use-after-destroy';
const begin =
  'cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 256); cudaGraph_t g; cudaGraphExec_t e; cudaGraphNode_t n; cudaGraphCreate(&g, 0); cudaKernelNodeParams p = params(); cudaGraphAddKernelNode(&n, g, nullptr, 0, &p);';
const made = `${begin} cudaGraphInstantiate(&e, g, 0);`;
const launch = 'cudaGraphLaunch(e, s); cudaStreamSynchronize(s);';
const end = 'cudaGraphExecDestroy(e); cudaFree(d); cudaStreamDestroy(s);';
const destroy = 'cudaGraphDestroy(g);';

const told = (what: string, use: string): Row => [
  what,
  rule,
  '',
  `${made} ${destroy} ${use} ${launch} ${end}`,
  `${made} ${use} ${launch} ${destroy} ${end}`,
];

const rows: readonly Row[] = [
  told('parameters of an executable', 'cudaGraphExecKernelNodeSetParams(e, n, &p);'),
  told('a node of an executable is switched off', 'cudaGraphNodeSetEnabled(e, n, 0);'),
  told('parameters of a graph', 'cudaGraphKernelNodeSetParams(n, &p); cudaGraphExecUpdate(e, g, nullptr);'),
  [
    'nodes of a captured graph',
    rule,
    '',
    ...([`${destroy} SET`, `SET ${destroy}`].map(
      (order) =>
        `cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 256); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); fill<<<1, 32, 0, s>>>(d); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); size_t count = 1; std::vector<cudaGraphNode_t> nodes(1); cudaGraphGetNodes(g, nodes.data(), &count); cudaKernelNodeParams p = params(); ${order.replace('SET', 'cudaGraphExecKernelNodeSetParams(e, nodes[0], &p);')} ${launch} ${end}`,
    ) as [string, string]),
  ],
  [
    'a node that was destroyed is depended on',
    rule,
    '',
    `${begin} cudaGraphDestroyNode(n); cudaGraphNode_t m; cudaGraphAddEmptyNode(&m, g, &n, 1); cudaGraphInstantiate(&e, g, 0); ${launch} ${destroy} ${end}`,
    `${begin} cudaGraphDestroyNode(n); cudaGraphNode_t m; cudaGraphAddEmptyNode(&n, g, nullptr, 0); cudaGraphAddEmptyNode(&m, g, &n, 1); cudaGraphInstantiate(&e, g, 0); ${launch} ${destroy} ${end}`,
  ],
  [
    'a node is destroyed twice',
    rule,
    '',
    `${begin} cudaGraphDestroyNode(n); cudaGraphDestroyNode(n); ${destroy} cudaFree(d);`,
    `${begin} cudaGraphDestroyNode(n); cudaGraphAddEmptyNode(&n, g, nullptr, 0); cudaGraphDestroyNode(n); ${destroy} cudaFree(d);`,
  ],
  [
    'a graph in a loop is made anew each time',
    '',
    '',
    '',
    `${begin} cudaGraphInstantiate(&e, g, 0); for (int i = 0; i < 3; i++) { cudaGraphExecKernelNodeSetParams(e, n, &p); ${launch} cudaGraphExecDestroy(e); ${destroy} cudaGraphCreate(&g, 0); cudaGraphAddKernelNode(&n, g, nullptr, 0, &p); cudaGraphInstantiate(&e, g, 0); } ${destroy} ${end}`,
  ],
  [
    'nodes of a clone outlive those of the first graph',
    '',
    '',
    '',
    `${begin} cudaGraph_t c; cudaGraphNode_t k; cudaGraphClone(&c, g); cudaGraphNodeFindInClone(&k, n, c); ${destroy} cudaGraphInstantiate(&e, c, 0); cudaGraphExecKernelNodeSetParams(e, k, &p); ${launch} cudaGraphDestroy(c); ${end}`,
  ],
  [
    'a child node outlives the graph that it was made from',
    '',
    '',
    '',
    `${begin} cudaGraph_t o, other; cudaGraphNode_t child; cudaGraphCreate(&o, 0); cudaGraphAddChildGraphNode(&child, o, nullptr, 0, g); cudaGraphInstantiate(&e, o, 0); cudaGraphClone(&other, g); ${destroy} cudaGraphExecChildGraphNodeSetParams(e, child, other); ${launch} cudaGraphDestroy(other); cudaGraphDestroy(o); ${end}`,
  ],
];

describeRows('nodes that are gone', head, rows);
