/**
 * The breadth of the two APIs: for each call a program with one mistake that only shows when the call is understood, and
 * its twin that is right.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
__global__ void rd(const float *p, float *o) { o[0] = p[0]; }
`;

type Row = readonly [what: string, rules: readonly string[], program: string];

/** An explicit graph of one kernel node over `p`, instantiated as `x`, with `q` beside it. */
const oneKernel = `
  cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; float *p, *q; cudaGraphNode_t n;
  cudaStreamCreate(&s); cudaGraphCreate(&g, 0); cudaMalloc(&p, 4); cudaMalloc(&q, 4);
  cudaKernelNodeParams kp = {}; kp.gridDim = dim3(1); kp.blockDim = dim3(1); kp.func = (void *)k;
  void *pa[] = {&p}; void *qa[] = {&q}; kp.kernelParams = pa;
  cudaGraphAddKernelNode(&n, g, nullptr, 0, &kp); cudaGraphInstantiate(&x, g, 0);
  kp.kernelParams = qa;`;

/** A capture in `s` that allocates `a` and writes it, with `o` beside it; `kp` is a kernel node that reads `a`. */
const capturing = `
  cudaStream_t s; float *a, *o; cudaGraph_t g, cg; cudaGraphExec_t x; cudaGraphNode_t m;
  cudaStreamCreate(&s); cudaMalloc(&o, 4);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMallocAsync(&a, 4, s); k<<<1, 1, 0, s>>>(a);
  cudaStreamCaptureStatus st; const cudaGraphNode_t *deps; size_t nd; const cudaGraphEdgeData *ed; unsigned long long id;
  cudaKernelNodeParams kp = {}; kp.gridDim = dim3(1); kp.blockDim = dim3(1); kp.func = (void *)rd;
  void *ra[] = {&a, &o}; kp.kernelParams = ra;`;

const captured =
  'cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }';

/** A graph `g` that allocates `ap.dptr` in `m` and has a conditional node `c` behind it; `np` is a kernel node over `pa` or `qa`. */
const conditional = (type: string, size: number): string => `
  cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; cudaGraphNode_t m, c, n, f; float *q; cudaStreamCreate(&s); cudaGraphCreate(&g, 0); cudaMalloc(&q, 4);
  cudaMemAllocNodeParams ap = {}; ap.poolProps.allocType = cudaMemAllocationTypePinned; ap.poolProps.location.type = cudaMemLocationTypeDevice; ap.bytesize = 4;
  cudaGraphAddMemAllocNode(&m, g, nullptr, 0, &ap); cudaGraphConditionalHandle h; cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams cp = {cudaGraphNodeTypeConditional}; cp.conditional.handle = h; cp.conditional.type = ${type}; cp.conditional.size = ${size};
  cudaGraphAddNode(&c, g, &m, nullptr, 1, &cp); cudaGraphNodeParams np = {}; np.type = cudaGraphNodeTypeKernel; np.kernel.func = (void *)k;
  void *pa[] = {&ap.dptr}; void *qa[] = {&q};`;

const rows: readonly Row[] = [
  [
    'new parameters of a graph node, which an executable does not see',
    ['malloc-use-after-free'],
    `int main() {${oneKernel} cudaGraphKernelNodeSetParams(n, &kp); cudaFree(p); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'new parameters of a kernel node of an executable',
    [],
    `int main() {${oneKernel} cudaGraphExecKernelNodeSetParams(x, n, &kp); cudaFree(p); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'new parameters of a kernel node of an executable, freed memory',
    ['malloc-use-after-free'],
    `int main() {${oneKernel} cudaGraphExecKernelNodeSetParams(x, n, &kp); cudaFree(q); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'new parameters of one of two executables',
    ['malloc-use-after-free'],
    `int main() {${oneKernel} cudaGraphExec_t y; cudaGraphInstantiate(&y, g, 0); cudaGraphExecKernelNodeSetParams(x, n, &kp);
  cudaFree(p); cudaGraphLaunch(x, s); cudaGraphLaunch(y, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'new parameters by cudaGraphExecNodeSetParams',
    [],
    `int main() {${oneKernel} cudaGraphNodeParams np = {}; np.type = cudaGraphNodeTypeKernel; np.kernel.func = (void *)k; np.kernel.kernelParams = qa;
  cudaGraphExecNodeSetParams(x, n, &np); cudaFree(p); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'new parameters of a kernel node, launches still in order',
    [],
    `int main() {${oneKernel} kp.kernelParams = pa; cudaStream_t t; cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaGraphLaunch(x, s);
  cudaGraphExecKernelNodeSetParams(x, n, &kp); cudaGraphLaunch(x, t); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'new parameters of a memset node of an executable',
    [],
    `int main() { cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; float *p, *q; cudaGraphNode_t n; cudaStreamCreate(&s); cudaGraphCreate(&g, 0);
  cudaMalloc(&p, 4); cudaMalloc(&q, 4); cudaMemsetParams mp = {}; mp.dst = p; mp.width = 1; mp.height = 1; mp.elementSize = 4;
  cudaGraphAddMemsetNode(&n, g, nullptr, 0, &mp); cudaGraphInstantiate(&x, g, 0); mp.dst = q; cudaGraphExecMemsetNodeSetParams(x, n, &mp);
  cudaFree(p); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'new parameters of a memcpy node of an executable, freed memory',
    ['malloc-use-after-free'],
    `int main() { cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; float *p, *q, *r; cudaGraphNode_t n; cudaStreamCreate(&s); cudaGraphCreate(&g, 0);
  cudaMalloc(&p, 4); cudaMalloc(&q, 4); cudaMalloc(&r, 4); cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, p, q, 4, cudaMemcpyDeviceToDevice);
  cudaGraphInstantiate(&x, g, 0); cudaGraphExecMemcpyNodeSetParams1D(x, n, r, q, 4, cudaMemcpyDeviceToDevice);
  cudaFree(r); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'new parameters in the driver API',
    [],
    `int main() { CUstream s; CUgraph g; CUgraphExec x; CUdeviceptr p, q; CUgraphNode n; CUcontext c; cuStreamCreate(&s, 0); cuGraphCreate(&g, 0);
  cuMemAlloc(&p, 4); cuMemAlloc(&q, 4); CUDA_MEMSET_NODE_PARAMS mp = {}; mp.dst = p; mp.width = 1; mp.height = 1; mp.elementSize = 4;
  cuGraphAddMemsetNode(&n, g, nullptr, 0, &mp, c); cuGraphInstantiate(&x, g, 0); mp.dst = q; cuGraphExecMemsetNodeSetParams(x, n, &mp, c);
  cuMemFree(p); cuGraphLaunch(x, s); cuStreamSynchronize(s); return 0; }`,
  ],
  [
    'an executable updated from a graph captured anew',
    [],
    `int main() { cudaStream_t s; cudaGraph_t g, h; cudaGraphExec_t x; float *p, *q; cudaStreamCreate(&s); cudaMalloc(&p, 4); cudaMalloc(&q, 4);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(p); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(q); cudaStreamEndCapture(s, &h);
  cudaGraphExecUpdateResultInfo info; cudaGraphExecUpdate(x, h, &info); cudaFree(p); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'an executable updated from a graph over freed memory',
    ['malloc-use-after-free'],
    `int main() { cudaStream_t s; cudaGraph_t g, h; cudaGraphExec_t x; float *p, *q; cudaStreamCreate(&s); cudaMalloc(&p, 4); cudaMalloc(&q, 4);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(p); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(q); cudaStreamEndCapture(s, &h);
  cudaGraphExecUpdateResultInfo info; cudaGraphExecUpdate(x, h, &info); cudaFree(q); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a node added by hand to the graph under capture',
    ['graph-use-free-race'],
    `int main() {${capturing} cudaStreamGetCaptureInfo(s, &st, &id, &cg, &deps, &ed, &nd);
  cudaGraphAddKernelNode(&m, cg, deps, nd, &kp); cudaFreeAsync(a, s); ${captured}`,
  ],
  [
    'a node added by hand to the graph under capture, and waited for',
    [],
    `int main() {${capturing} cudaStreamGetCaptureInfo(s, &st, &id, &cg, &deps, &ed, &nd);
  cudaGraphAddKernelNode(&m, cg, deps, nd, &kp); cudaStreamUpdateCaptureDependencies(s, &m, nullptr, 1, cudaStreamSetCaptureDependencies);
  cudaFreeAsync(a, s); ${captured}`,
  ],
  [
    'a node added by hand beside the dependencies of a capture',
    ['graph-use-before-alloc'],
    `int main() {${capturing} cudaStreamGetCaptureInfo_v2(s, &st, &id, &cg, &deps, &nd);
  cudaGraphAddKernelNode(&m, cg, nullptr, 0, &kp); cudaStreamUpdateCaptureDependencies(s, &m, 1, cudaStreamAddCaptureDependencies);
  cudaFreeAsync(a, s); ${captured}`,
  ],
  [
    'the dependencies of a capture with two ends',
    [],
    `int main() { cudaStream_t t; cudaStreamCreate(&t); cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); float *b; cudaMalloc(&b, 4); ${capturing}
  cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); k<<<1, 1, 0, t>>>(b); cudaEventRecord(f, t); rd<<<1, 1, 0, s>>>(a, o); cudaStreamWaitEvent(s, f, 0);
  cudaStreamGetCaptureInfo_v3(s, &st, &id, &cg, &deps, &ed, &nd); std::vector<cudaGraphNode_t> all(deps, deps + nd);
  if (nd == 2) { void *rb[] = {&a, &b}; kp.kernelParams = rb; cudaGraphAddKernelNode(&m, cg, all.data(), all.size(), &kp); }
  cudaStreamUpdateCaptureDependencies_v2(s, &m, nullptr, 1, cudaStreamSetCaptureDependencies); cudaFreeAsync(a, s); ${captured}`,
  ],
  [
    'as many dependencies of a capture as there are',
    ['graph-conflicting-access', 'graph-use-before-alloc'],
    `int main() { cudaStream_t t; cudaStreamCreate(&t); cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); float *b; cudaMalloc(&b, 4); ${capturing}
  cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); k<<<1, 1, 0, t>>>(b); cudaEventRecord(f, t); rd<<<1, 1, 0, s>>>(a, o); cudaStreamWaitEvent(s, f, 0);
  cudaStreamGetCaptureInfo(s, &st, &id, &cg, &deps, &ed, &nd); void *rb[] = {&a, &b}; kp.kernelParams = rb;
  if (nd == 2) cudaGraphAddKernelNode(&m, cg, nullptr, 0, &kp); cudaStreamUpdateCaptureDependencies(s, &m, nullptr, 1, cudaStreamAddCaptureDependencies);
  cudaFreeAsync(a, s); ${captured}`,
  ],
  [
    'capture information of the driver API',
    ['graph-use-free-race'],
    `int main() { CUstream s; CUgraph g, cg; CUgraphNode m; CUdeviceptr a; CUcontext c; cuStreamCreate(&s, 0);
  cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL); cuMemAllocAsync(&a, 4, s); CUstreamCaptureStatus st; cuuint64_t id; const CUgraphNode *deps; size_t nd;
  cuStreamGetCaptureInfo(s, &st, &id, &cg, &deps, &nd); CUDA_MEMSET_NODE_PARAMS mp = {}; mp.dst = a; mp.width = 1; mp.height = 1; mp.elementSize = 4;
  cuGraphAddMemsetNode(&m, cg, deps, nd, &mp, c); cuMemFreeAsync(a, s); cuStreamEndCapture(s, &g); return 0; }`,
  ],
  [
    'a switched off node over freed memory',
    [],
    `int main() {${oneKernel} cudaFree(p); cudaGraphNodeSetEnabled(x, n, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a node over freed memory that is switched on again',
    ['malloc-use-after-free'],
    `int main() {${oneKernel} cudaFree(p); cudaGraphNodeSetEnabled(x, n, 0); cudaGraphLaunch(x, s); cudaGraphNodeSetEnabled(x, n, 1);
  cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'new parameters for a node that is switched off',
    [],
    `int main() {${oneKernel} cudaFree(p); cudaGraphNodeSetEnabled(x, n, 0); cudaGraphExecKernelNodeSetParams(x, n, &kp); cudaGraphLaunch(x, s);
  cudaGraphNodeSetEnabled(x, n, 1); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a child node that is switched off',
    ['mem-node-set-enabled'],
    `int main() {${oneKernel} cudaGraph_t outer; cudaGraphNode_t c; cudaGraphExec_t y; cudaGraphCreate(&outer, 0); cudaGraphAddChildGraphNode(&c, outer, nullptr, 0, g);
  cudaGraphInstantiate(&y, outer, 0); cudaGraphNodeSetEnabled(y, c, 0); return 0; }`,
  ],
  [
    'a use in the body of a conditional node that races with the free',
    ['graph-use-free-race'],
    `int main() {${conditional('cudaGraphCondTypeIf', 1)} np.kernel.kernelParams = pa; cudaGraphAddNode(&n, cp.conditional.phGraph_out[0], nullptr, nullptr, 0, &np);
  cudaGraphAddMemFreeNode(&f, g, &m, 1, ap.dptr); return 0; }`,
  ],
  [
    'a use in the body of a conditional node before the free',
    [],
    `int main() {${conditional('cudaGraphCondTypeIf', 1)} np.kernel.kernelParams = pa; cudaGraphAddNode(&n, cp.conditional.phGraph_out[0], nullptr, nullptr, 0, &np);
  cudaGraphAddMemFreeNode(&f, g, &c, 1, ap.dptr); cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); return 0; }`,
  ],
  [
    'a use in the second body of a switch',
    ['malloc-use-after-free'],
    `int main() {${conditional('cudaGraphCondTypeSwitch', 3)} np.kernel.kernelParams = qa; cudaGraphAddNode(&n, cp.conditional.phGraph_out[1], nullptr, nullptr, 0, &np);
  cudaGraphAddMemFreeNode(&f, g, &c, 1, ap.dptr); cudaGraphInstantiate(&x, g, 0); cudaFree(q); cudaGraphLaunch(x, s); return 0; }`,
  ],
  [
    'uses in two bodies of one conditional node',
    [],
    `int main() {${conditional('cudaGraphCondTypeIf', 2)} np.kernel.kernelParams = qa; cudaGraphAddNode(&n, cp.conditional.phGraph_out[0], nullptr, nullptr, 0, &np);
  cudaGraphAddNode(&n, cp.conditional.phGraph_out[1], nullptr, nullptr, 0, &np); cudaGraphAddMemFreeNode(&f, g, &c, 1, ap.dptr);
  cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'a race with a use in the captured body of a loop',
    ['graph-conflicting-access'],
    `int main() {${conditional('cudaGraphCondTypeWhile', 1)} cudaStreamBeginCaptureToGraph(s, cp.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
  k<<<1, 1, 0, s>>>(q); cudaStreamEndCapture(s, nullptr); np.kernel.kernelParams = qa; cudaGraphAddNode(&n, g, &m, nullptr, 1, &np);
  cudaGraphAddMemFreeNode(&f, g, &c, 1, ap.dptr); return 0; }`,
  ],
  [
    'an allocation captured into the body of a conditional node',
    ['conditional-body-mem-node'],
    `int main() {${conditional('cudaGraphCondTypeIf', 1)} cudaGraphAddMemFreeNode(&f, g, &c, 1, ap.dptr);
  cudaStreamBeginCaptureToGraph(s, cp.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
  float *t; cudaMallocAsync(&t, 4, s); k<<<1, 1, 0, s>>>(t); cudaFreeAsync(t, s); cudaStreamEndCapture(s, nullptr); return 0; }`,
  ],
];

describe('a program with', () => {
  for (const [what, rules, program] of rows)
    it(what, async () => {
      const { findings } = await analyseText(head + program);
      const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
      expect([...new Set(said.map(({ rule }) => rule))].sort()).toEqual(rules);
    });
});
