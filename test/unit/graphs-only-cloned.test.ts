/** Graphs that are there to be cloned: the clones are judged, which may have got further edges. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__global__ void put(float *p) { p[0] += 1; }
static float *p; static cudaGraph_t g, c; static cudaGraphNode_t a, b, x, y;
static cudaGraphNode_t add() { void *args[] = {&p}; cudaKernelNodeParams k{}; k.func = (void *)put; k.gridDim = dim3(1); k.blockDim = dim3(1); k.kernelParams = args;
  cudaGraphNode_t n; cudaGraphAddKernelNode(&n, g, nullptr, 0, &k); return n; }
static void begin() { cudaMalloc(&p, 4); cudaGraphCreate(&g, 0); a = add(); b = add(); cudaGraphClone(&c, g);
  cudaGraphNodeFindInClone(&x, a, c); cudaGraphNodeFindInClone(&y, b, c); }
static void run(cudaGraph_t what) { cudaGraphExec_t e; cudaGraphInstantiate(&e, what, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize(); }`;

const race = 'graph-conflicting-access';
const edge = 'cudaGraphAddDependencies(c, &x, &y, 1);';

const rows: readonly Row[] = [
  ['the clone has an edge that the graph has not', race, '', 'begin(); run(c);', `begin(); ${edge} run(c);`],
  ['the graph runs, too', race, '', `begin(); ${edge} run(c); run(g);`, ''],
  ['nothing runs', race, '', `begin(); ${edge}`, ''],
];

describeRows('graphs that are cloned', head, rows);
