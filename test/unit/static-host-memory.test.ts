/** Memory of the host that is there for good, as statics of functions. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <vector>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }
static cudaStream_t nb() { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); return s; }
static cudaGraphExec_t inst(cudaGraph_t g) { cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); return e; }`;

const rows: readonly Row[] = [
  [
    'a static vector in a graph',
    'baked-host-pointer-dead',
    'static cudaGraph_t build(float *d, bool lasts) { static std::vector<float> lasting(16); std::vector<float> brief(16); float *from = lasts ? lasting.data() : brief.data(); cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, d, from, 64, cudaMemcpyHostToDevice); return g; }',
    'float *d; cudaMalloc(&d, 64); auto s = nb(); cudaGraphLaunch(inst(build(d, false)), s); cudaStreamSynchronize(s);',
    'float *d; cudaMalloc(&d, 64); auto s = nb(); cudaGraphLaunch(inst(build(d, true)), s); cudaStreamSynchronize(s);',
  ],
  [
    'a static number in a graph',
    'baked-host-pointer-dead',
    `static cudaGraph_t build(int *d) { static int lasting = 3; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, d, &lasting, 4, cudaMemcpyHostToDevice); return g; }
static cudaGraph_t briefly(int *d) { int brief = 3; cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, d, &brief, 4, cudaMemcpyHostToDevice); return g; }`,
    'int *d; cudaMalloc(&d, 64); auto s = nb(); cudaGraphLaunch(inst(briefly(d)), s); cudaStreamSynchronize(s);',
    'int *d; cudaMalloc(&d, 64); auto s = nb(); cudaGraphLaunch(inst(build(d)), s); cudaStreamSynchronize(s);',
  ],
  [
    'a static vector that is pinned',
    '',
    'static void copy(float *d, cudaStream_t s) { static std::vector<float> h(16); static bool once = (cudaHostRegister(h.data(), 64, 0), true); (void)once; cudaMemcpyAsync(d, h.data(), 64, cudaMemcpyHostToDevice, s); }',
    '',
    'float *d; cudaMalloc(&d, 64); auto s = nb(); copy(d, s); cudaStreamSynchronize(s);',
  ],
];

describeRows('a static that work uses', head, rows);
