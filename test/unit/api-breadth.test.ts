/**
 * The breadth of the two APIs: for each call a program with one mistake that only shows when the call is understood, and
 * its twin that is right.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <utility>
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

/** Two arrays and a stream of the program's own that is blocking. */
const twoStreams = ' cudaStream_t s; float *p, *q; cudaStreamCreate(&s); cudaMalloc(&p, 4); cudaMalloc(&q, 4);';

/** `p` of the non-blocking stream `s`, recorded in `e`, and another stream `t`. */
const async = ` cudaStream_t s, t; float *p, *q; cudaEvent_t e; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaEventCreate(&e); cudaMalloc(&q, 4); cudaMallocAsync(&p, 4, s); cudaEventRecord(e, s);`;

/** An empty graph `inner` that is a child of `g`. */
const moved = (
  ownership: string,
): string => ` cudaGraph_t g, inner; cudaGraphNode_t n; cudaGraphExec_t x; cudaGraphCreate(&g, 0); cudaGraphCreate(&inner, 0);
  cudaMemAllocNodeParams ap = {}; ap.poolProps.allocType = cudaMemAllocationTypePinned; ap.poolProps.location.type = cudaMemLocationTypeDevice; ap.bytesize = 4;
  cudaGraphNodeParams cp = {cudaGraphNodeTypeGraph}; cp.graph.graph = inner; cp.graph.ownership = ${ownership}; cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &cp);`;

/** Pinned memory `h` and an array `p` on the device, of 16 bytes each. */
const pinned = ' cudaStream_t s; float *h, *p; cudaStreamCreate(&s); cudaMallocHost(&h, 16); cudaMalloc(&p, 16);';

/** A captured graph of a kernel over `p` and an allocation with its free; `found` is the kernel's node, `kp` the kernel over `q`. */
const foundNode = ` cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; float *p, *q, *t; cudaStreamCreate(&s); cudaMalloc(&p, 4); cudaMalloc(&q, 4);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(p); cudaMallocAsync(&t, 4, s); cudaFreeAsync(t, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0);
  cudaKernelNodeParams kp = {}; kp.func = (void *)k; void *qa[] = {&q}; kp.kernelParams = qa; size_t count = 0; cudaGraphGetNodes(g, nullptr, &count);
  std::vector<cudaGraphNode_t> nodes(count); cudaGraphGetNodes(g, nodes.data(), &count); cudaGraphNode_t found;
  for (size_t i = 0; i < count; ++i) { cudaGraphNodeType type; cudaGraphNodeGetType(nodes[i], &type); if (type == cudaGraphNodeTypeKernel) found = nodes[i]; }`;

/** Work in `t` on `p` that `s` allocates: without order, and behind a wait for it. */
const inOrder = (what: string, work: string): readonly Row[] => {
  const program = (wait: string): string => `int main() { cudaStream_t s, t; float *p, *q; cudaEvent_t e;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaEventCreate(&e); cudaMalloc(&q, 4);
  cudaMallocAsync(&p, 4, s); cudaEventRecord(e, s); ${wait} ${work}; cudaEventRecord(e, t); cudaStreamWaitEvent(s, e, 0); cudaFreeAsync(p, s); return 0; }`;
  return [
    [`${what} before the allocation`, ['async-use-before-alloc'], program('')],
    [`${what} behind the allocation`, [], program('cudaStreamWaitEvent(t, e, 0);')],
  ];
};

const rows: readonly Row[] = [
  [
    'new parameters of a graph node, which an executable does not see',
    ['graph-edited-after-instantiate', 'malloc-use-after-free'],
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
    'a stream that has joined stays joined when the dependencies are set back',
    [],
    `int main() { cudaStream_t t; cudaStreamCreate(&t); cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); float *b; cudaMalloc(&b, 4); ${capturing}
  cudaStreamGetCaptureInfo(s, &st, &id, &cg, &deps, &ed, &nd); std::vector<cudaGraphNode_t> saved(deps, deps + nd);
  cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); k<<<1, 1, 0, t>>>(b); cudaEventRecord(f, t); cudaStreamWaitEvent(s, f, 0);
  cudaStreamUpdateCaptureDependencies(s, saved.data(), nullptr, saved.size(), cudaStreamSetCaptureDependencies); cudaFreeAsync(a, s); ${captured}`,
  ],
  [
    'a stream that is compared behind the place where it joined',
    [],
    `int main() { cudaStream_t t; cudaStreamCreate(&t); cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); float *b; cudaMalloc(&b, 4); ${capturing}
  cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); k<<<1, 1, 0, t>>>(b); cudaEventRecord(f, t); cudaStreamWaitEvent(s, f, 0);
  EXPECT_EQ(t, s) << "as expected"; ASSERT_NE(t, nullptr); cudaFreeAsync(a, s); ${captured}`,
  ],
  [
    'work of a stream behind the place where it joined',
    ['capture-unjoined'],
    `int main() { cudaStream_t t; cudaStreamCreate(&t); cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); float *b; cudaMalloc(&b, 4); ${capturing}
  cudaStreamGetCaptureInfo(s, &st, &id, &cg, &deps, &ed, &nd); std::vector<cudaGraphNode_t> saved(deps, deps + nd);
  cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); k<<<1, 1, 0, t>>>(b); cudaEventRecord(f, t); cudaStreamWaitEvent(s, f, 0);
  cudaStreamUpdateCaptureDependencies(s, saved.data(), nullptr, saved.size(), cudaStreamSetCaptureDependencies); k<<<1, 1, 0, t>>>(b); cudaFreeAsync(a, s); ${captured}`,
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
  ...inOrder(
    'a batch of copies',
    'void *to[] = {p}; const void *from[] = {q}; size_t sizes[] = {4}; cudaMemcpyAttributes at = {}; size_t at0 = 0; cudaMemcpyBatchAsync(to, from, sizes, 1, &at, &at0, 1, t)',
  ),
  ...inOrder(
    'a batch of copies of 12.8',
    'void *to[] = {q}; void *from[] = {p}; size_t sizes[] = {4}, fail; cudaMemcpyAttributes at = {}; size_t at0 = 0; cudaMemcpyBatchAsync(to, from, sizes, 1, &at, &at0, 1, &fail, t)',
  ),
  ...inOrder(
    'a batch of 3D copies',
    'cudaMemcpy3DBatchOp op[1] = {}; op[0].src.op.ptr.ptr = q; op[0].dst.op.ptr.ptr = p; cudaMemcpy3DBatchAsync(1, op, 0, t)',
  ),
  ...inOrder('a 3D memset', 'cudaMemset3DAsync(make_cudaPitchedPtr(p, 4, 4, 1), 0, make_cudaExtent(4, 1, 1), t)'),
  ...inOrder(
    'a 3D copy between devices',
    'cudaMemcpy3DPeerParms c = {}; c.srcPtr = make_cudaPitchedPtr(q, 4, 4, 1); c.dstPtr = make_cudaPitchedPtr(p, 4, 4, 1); cudaMemcpy3DPeerAsync(&c, t)',
  ),
  ...inOrder(
    'a copy into an array',
    'cudaArray_t array; cudaMemcpy2DToArrayAsync(array, 0, 0, p, 4, 4, 1, cudaMemcpyDeviceToDevice, t)',
  ),
  ...inOrder(
    'a copy out of an array',
    'cudaArray_t array; cudaMemcpy2DFromArrayAsync(p, 4, array, 0, 0, 4, 1, cudaMemcpyDeviceToDevice, t)',
  ),
  ...inOrder('a prefetch', 'cudaMemLocation l = {cudaMemLocationTypeDevice, 0}; cudaMemPrefetchAsync(p, 4, l, 0, t)'),
  ...inOrder(
    'a batch of prefetches',
    'void *all[] = {q, p}; size_t sizes[] = {4, 4}, at0 = 0; cudaMemLocation l = {cudaMemLocationTypeDevice, 0}; cudaMemPrefetchBatchAsync(all, sizes, 2, &l, &at0, 1, 0, t)',
  ),
  ...inOrder(
    'a 2D copy of the driver',
    'CUDA_MEMCPY2D c = {}; c.srcDevice = (CUdeviceptr)p; c.dstDevice = (CUdeviceptr)q; c.WidthInBytes = 4; c.Height = 1; cuMemcpy2DAsync(&c, t)',
  ),
  ...inOrder(
    'a 3D copy of the driver',
    'CUDA_MEMCPY3D c = {}; c.srcDevice = (CUdeviceptr)q; c.dstDevice = (CUdeviceptr)p; c.WidthInBytes = 4; c.Height = 1; c.Depth = 1; cuMemcpy3DAsync(&c, t)',
  ),
  ...inOrder(
    'a copy between devices of the driver',
    'CUcontext c; cuMemcpyPeerAsync((CUdeviceptr)p, c, (CUdeviceptr)q, c, 4, t)',
  ),
  ...inOrder('a memset of elements of the driver', 'cuMemsetD32Async((CUdeviceptr)p, 0, 1, t)'),
  ...inOrder('a 2D memset of the driver', 'cuMemsetD2D16Async((CUdeviceptr)p, 4, 0, 2, 1, t)'),
  ...inOrder('a prefetch of the driver', 'cuMemPrefetchAsync((CUdeviceptr)p, 4, 0, t)'),
  ...inOrder(
    'a cooperative launch of the driver',
    'CUfunction f; void *args[] = {&p}; cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, t, args)',
  ),
  ...inOrder(
    'an extensible launch of the driver',
    'CUfunction f; CUlaunchConfig c = {}; c.hStream = t; void *args[] = {&p}; cuLaunchKernelEx(&c, f, args, nullptr)',
  ),
  ...inOrder('a name that the header gives a call', 'cudaMemsetAsync_ptsz(p, 0, 4, t)'),
  [
    'mapped host memory under its address on the device',
    ['malloc-use-after-free'],
    `int main() { cudaStream_t s; cudaStreamCreate(&s); float *h, *d; cudaHostAlloc(&h, 4, cudaHostAllocMapped); cudaHostGetDevicePointer(&d, h, 0);
  cudaFreeHost(h); k<<<1, 1, 0, s>>>(d); return 0; }`,
  ],
  [
    'a kernel of a module that is in the text',
    ['graph-conflicting-access'],
    `extern "C" __global__ void fill(float *p) { p[0] = 1.0f; }
int main() { CUstream s, t; CUmodule m; CUfunction f, w; CUdeviceptr p, q; CUevent e, j; CUgraph g; cuStreamCreate(&s, 1); cuStreamCreate(&t, 1); cuEventCreate(&e, 0); cuEventCreate(&j, 0);
  cuModuleLoad(&m, "m.cubin"); cuModuleGetFunction(&f, m, "_Z2rdPKfPf"); cuModuleGetFunction(&w, m, "fill"); cuMemAlloc(&p, 4); cuMemAlloc(&q, 4); void *wa[] = {&p}; void *ra[] = {&p, &q};
  cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL); cuEventRecord(e, s); cuStreamWaitEvent(t, e, 0); cuLaunchKernel(w, 1, 1, 1, 1, 1, 1, 0, s, wa, nullptr);
  cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, t, ra, nullptr); cuEventRecord(j, t); cuStreamWaitEvent(s, j, 0); cuStreamEndCapture(s, &g); return 0; }`,
  ],
  [
    'kernels of a library that only read',
    [],
    `int main() { CUstream s, t; CUlibrary m; CUkernel h; CUfunction f; CUdeviceptr p, q, r; CUevent e, j; CUgraph g; cuStreamCreate(&s, 1); cuStreamCreate(&t, 1); cuEventCreate(&e, 0); cuEventCreate(&j, 0);
  cuLibraryGetKernel(&h, m, "_Z2rdPKfPf"); cuKernelGetFunction(&f, h); cuMemAlloc(&p, 4); cuMemAlloc(&q, 4); cuMemAlloc(&r, 4); void *wa[] = {&p, &r}; void *ra[] = {&p, &q};
  cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL); cuEventRecord(e, s); cuStreamWaitEvent(t, e, 0); cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, wa, nullptr);
  cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, t, ra, nullptr); cuEventRecord(j, t); cuStreamWaitEvent(s, j, 0); cuStreamEndCapture(s, &g); return 0; }`,
  ],
  [
    'a default stream that waits for others',
    [],
    `int main() {${twoStreams} k<<<1, 1, 0, s>>>(p); rd<<<1, 1>>>(p, q); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'a default stream of each thread',
    ['stream-conflicting-access'],
    `#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
int main() {${twoStreams} k<<<1, 1, 0, s>>>(p); rd<<<1, 1>>>(p, q); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'the legacy stream beside a default stream of each thread',
    [],
    `#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
int main() {${twoStreams} k<<<1, 1, 0, s>>>(p); rd<<<1, 1, 0, cudaStreamLegacy>>>(p, q); cudaMemsetAsync(p, 0, 4); cudaStreamSynchronize(0); return 0; }`,
  ],
  [
    'one thread and its default stream by both names',
    [],
    `#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
int main() {${twoStreams} k<<<1, 1>>>(p); rd<<<1, 1, 0, cudaStreamPerThread>>>(p, q); cudaMallocAsync(&p, 4, 0); k<<<1, 1>>>(p); cudaFreeAsync(p, cudaStreamPerThread); return 0; }`,
  ],
  [
    'the stream of the thread by name',
    ['stream-conflicting-access'],
    `int main() {${twoStreams} k<<<1, 1, 0, s>>>(p); rd<<<1, 1, 0, cudaStreamPerThread>>>(p, q); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'a capture of the default stream of the thread',
    [],
    `#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
int main() {${twoStreams} cudaGraph_t g; cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal); k<<<1, 1>>>(p); rd<<<1, 1>>>(p, q); cudaStreamEndCapture(0, &g); return 0; }`,
  ],
  [
    'a Thrust algorithm in a stream before the allocation',
    ['async-use-before-alloc'],
    `int main() {${async} thrust::sort(thrust::cuda::par.on(t), p, p + 1); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'a Thrust algorithm that waits for its work',
    [],
    `int main() {${async} cudaStreamWaitEvent(t, e, 0); thrust::sort(thrust::cuda::par.on(t), p, p + 1); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'a Thrust algorithm that does not wait for its work',
    ['async-use-free-race'],
    `int main() {${async} cudaStreamWaitEvent(t, e, 0); auto policy = thrust::cuda::par_nosync.on(t); thrust::device_ptr<float> d = thrust::device_pointer_cast(p);
  thrust::fill(policy, d, d + 1, 1.0f); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'a Thrust algorithm over iterators, with an allocator of temporaries',
    ['async-use-before-alloc'],
    `int main() {${async} Cache cache; thrust::for_each(thrust::cuda::par_nosync(cache).on(t), thrust::make_zip_iterator(thrust::make_tuple(p, q)), thrust::make_zip_iterator(thrust::make_tuple(p + 1, q + 1)), Add());
  cudaStreamSynchronize(t); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'Thrust on the host during a capture',
    [],
    `int main() {${async} cudaGraph_t g; cudaStream_t b; cudaStreamCreate(&b); thrust::host_vector<float> h(4); cudaStreamBeginCapture(b, cudaStreamCaptureModeRelaxed);
  thrust::sort(h.begin(), h.end()); k<<<1, 1, 0, b>>>(q); cudaStreamEndCapture(b, &g); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'CUB asked for the size of its workspace',
    [],
    `int main() {${async} size_t bytes = 0; cub::DeviceReduce::Sum(nullptr, bytes, p, q, 1, t); cudaStreamWaitEvent(t, e, 0); void *work; cudaMallocAsync(&work, bytes, t);
  cub::DeviceReduce::Sum(work, bytes, p, q, 1, t); cudaFreeAsync(work, t); cudaStreamSynchronize(t); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'CUB in a stream before the allocation',
    ['async-use-before-alloc'],
    `int main() {${async} size_t bytes = 0; cub::DeviceReduce::Sum(nullptr, bytes, p, q, 1, t); void *work; cudaMallocAsync(&work, bytes, t);
  cub::DeviceReduce::Sum(work, bytes, p, q, 1, t); cudaFreeAsync(work, t); cudaStreamSynchronize(t); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'a transform in the stream of its plan',
    ['async-use-before-alloc'],
    `int main() {${async} cufftHandle plan; cufftPlan1d(&plan, 1, CUFFT_R2C, 1); cufftSetStream(plan, t); cufftExecR2C(plan, p, (cufftComplex *)q);
  cudaStreamSynchronize(t); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'random numbers into memory that another stream reads',
    ['stream-conflicting-access'],
    `int main() {${async} curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); curandSetStream(g, t); curandGenerateUniform(g, q, 1);
  rd<<<1, 1, 0, s>>>(q, p); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'a collective over memory that another stream writes',
    ['stream-conflicting-access'],
    `int main() {${async} ncclComm_t c; k<<<1, 1, 0, s>>>(q); float *r; cudaMalloc(&r, 4); ncclAllReduce(q, r, 1, ncclFloat, ncclSum, c, t); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'a copy of cuBLAS in another stream',
    ['async-use-before-alloc'],
    `int main() {${async} float *h; cudaMallocHost(&h, 4); cublasSetVectorAsync(1, 4, h, 1, p, 1, t); cudaStreamSynchronize(t); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'a handle of a library whose stream is not seen',
    [],
    `void step(cublasHandle_t h, cudaStream_t s, float *x) { cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(x);
  cublasSscal(h, 1, nullptr, x, 1); cudaStreamEndCapture(s, &g); }`,
  ],
  [
    'a launch of an executable that was destroyed',
    ['handle-use-after-destroy'],
    `int main() {${oneKernel} cudaGraphExecDestroy(x); cudaGraphLaunch(x, s); return 0; }`,
  ],
  [
    'a graph destroyed before its executable',
    [],
    `int main() {${oneKernel} cudaGraphDestroy(g); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); cudaGraphExecDestroy(x); cudaStreamDestroy(s); return 0; }`,
  ],
  [
    'an event that is waited for after it was destroyed',
    ['handle-use-after-destroy'],
    `int main() {${twoStreams} cudaEvent_t e; cudaEventCreate(&e); k<<<1, 1, 0, s>>>(p); cudaEventRecord(e, s); cudaEventDestroy(e); cudaStreamWaitEvent(s, e, 0); return 0; }`,
  ],
  [
    'streams made anew in one variable',
    [],
    `int main() { float *p; cudaMalloc(&p, 4); cudaStream_t s[2]; for (int round = 0; round < 3; ++round) { for (auto &each : s) cudaStreamCreate(&each); k<<<1, 1, 0, s[0]>>>(p); cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) cudaStreamDestroy(s[i]); } return 0; }`,
  ],
  [
    'an owner whose memory outlives its stream',
    ['handle-use-after-destroy'],
    `struct Stream { cudaStream_t s; Stream() { cudaStreamCreate(&s); } ~Stream() { cudaStreamDestroy(s); } };
struct Buffer { float *p; cudaStream_t s; Buffer(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); } ~Buffer() { cudaFreeAsync(p, s); } };
int main() { std::unique_ptr<Buffer> left; { Stream s; left = std::make_unique<Buffer>(s.s); } left.reset(); return 0; }`,
  ],
  [
    'owners of streams that are moved about',
    [],
    `struct Stream { cudaStream_t s = nullptr; Stream() { cudaStreamCreate(&s); } Stream(Stream &&o) noexcept : s(o.s) { o.s = nullptr; } Stream(const Stream &) = delete;
  Stream &operator=(Stream &&o) noexcept { std::swap(s, o.s); return *this; } ~Stream() { if (s) cudaStreamDestroy(s); } };
int main() { float *p; cudaMalloc(&p, 8); std::vector<Stream> all; for (int i = 0; i < 3; ++i) all.emplace_back(); Stream one = std::move(all[1]); all[0] = std::move(one);
  k<<<1, 1, 0, all[0].s>>>(p); k<<<1, 1, 0, all[2].s>>>(p + 1); return 0; }`,
  ],
  [
    'a moved graph that is changed',
    ['moved-child-misuse'],
    `int main() {${moved('cudaGraphChildGraphOwnershipMove')} cudaGraphAddMemAllocNode(&n, inner, nullptr, 0, &ap); return 0; }`,
  ],
  [
    'a moved graph that is instantiated',
    ['moved-child-misuse'],
    `int main() {${moved('cudaGraphChildGraphOwnershipMove')} cudaGraphInstantiate(&x, inner, 0); return 0; }`,
  ],
  [
    'a cloned graph that is changed and destroyed',
    [],
    `int main() {${moved('cudaGraphChildGraphOwnershipClone')} cudaGraphNode_t f; cudaGraphAddMemAllocNode(&n, inner, nullptr, 0, &ap); cudaGraphAddMemFreeNode(&f, inner, &n, 1, ap.dptr); cudaGraphDestroy(inner); return 0; }`,
  ],
  [
    'CUB with an environment that may name a stream',
    [],
    `int main() {${async} cudaGraph_t g; cudaStream_t b; cudaStreamCreate(&b); auto env = with(b); cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal);
  cub::DeviceTransform::Transform(q, q, 1, Op(), env); cudaStreamEndCapture(b, &g); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'pinned memory read before its copy is done',
    ['host-buffer-used-before-sync'],
    `int main() {${pinned} cudaMemcpyAsync(h, p, 16, cudaMemcpyDeviceToHost, s); float sum = 0; for (int i = 0; i < 4; ++i) sum += h[i]; cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'pinned memory overwritten before its copy is done',
    ['host-buffer-used-before-sync'],
    `int main() {${pinned} for (int i = 0; i < 2; ++i) { for (int j = 0; j < 4; ++j) h[j] = i; cudaMemcpyAsync(p, h, 16, cudaMemcpyHostToDevice, s); k<<<1, 1, 0, s>>>(p); } cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'pinned memory read while it is copied to the device',
    [],
    `int main() {${pinned} h[0] = 1; cudaMemcpyAsync(p, h, 16, cudaMemcpyHostToDevice, s); float x = *h; cudaStreamSynchronize(s); h[0] = 2; return 0; }`,
  ],
  [
    'pinned memory read behind an event',
    [],
    `int main() {${pinned} cudaMemcpyAsync(h, p, sizeof(*h) * 4, cudaMemcpyDeviceToHost, s); cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s); size_t n = sizeof(h[0]);
  while (cudaEventQuery(e) == cudaErrorNotReady) {} float x = h[0]; return 0; }`,
  ],
  [
    'two halves of pinned memory, one of them in use',
    [],
    `int main() {${pinned} cudaMemcpyAsync(h + 2, p, 8, cudaMemcpyDeviceToHost, s); h[0] = 1; h[1] = h[0]; cudaStreamSynchronize(s); return h[2] > 0; }`,
  ],
  [
    'pinned memory read when a callback says so',
    [],
    `static void done(void *flag) { *(bool *)flag = true; }
int main() {${pinned} bool flag = false; cudaMemcpyAsync(h, p, 16, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(s, done, &flag); while (!flag) {} float x = h[0]; return 0; }`,
  ],
  [
    'pinned memory read behind a function that may wait',
    [],
    `void waitForAll();
int main() {${pinned} cudaMemcpyAsync(h, p, 16, cudaMemcpyDeviceToHost, s); waitForAll(); return h[0] > 0; }`,
  ],
  [
    'pinned memory that a launched graph copies into',
    ['host-buffer-used-before-sync'],
    `int main() {${pinned} cudaGraph_t g; cudaGraphExec_t x; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMemcpyAsync(h, p, 16, cudaMemcpyDeviceToHost, s); cudaStreamEndCapture(s, &g);
  h[0] = 0; cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); float y = h[0]; cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'managed memory read while a kernel writes it',
    ['managed-host-access-race'],
    `int main() { cudaStream_t s; cudaStreamCreate(&s); float *m; cudaMallocManaged(&m, 16); m[0] = 1; k<<<1, 1, 0, s>>>(m); float x = m[0]; cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'managed memory read while a kernel reads it',
    [],
    `int main() { cudaStream_t s; cudaStreamCreate(&s); float *m, *o; cudaMallocManaged(&m, 16); cudaMallocManaged(&o, 16); rd<<<1, 1, 0, s>>>(m, o); float x = m[0]; cudaStreamSynchronize(s); x = o[0]; return 0; }`,
  ],
  [
    'members of managed objects behind a synchronisation',
    [],
    `struct P { float x, y; };
__global__ void step(P *p) { p[0].x += p[0].y; }
int main() { P *m; cudaMallocManaged(&m, 2 * sizeof(P)); for (int i = 0; i < 2; ++i) { m[i].x = 0; step<<<1, 1>>>(m); cudaDeviceSynchronize(); } return m->x > 0; }`,
  ],
  [
    'an executable that a list of tuples shares',
    [],
    `struct State { std::vector<std::tuple<int, std::shared_ptr<cudaGraphExec_t>>> kept; };
static std::shared_ptr<cudaGraphExec_t> make(cudaGraph_t g) { std::shared_ptr<cudaGraphExec_t> res(new cudaGraphExec_t{}, [](cudaGraphExec_t *x) { if (*x) cudaGraphExecDestroy(*x); delete x; });
  cudaGraphInstantiate(res.get(), g, 0); return res; }
void run(State &state, cudaGraph_t g, cudaStream_t s) { cudaGraphExec_t x = nullptr; { auto made = make(g); state.kept.push_back(std::make_tuple(1, made)); x = *made; } cudaGraphLaunch(x, s); }`,
  ],
  [
    'pinned memory read beside a callback that nobody waits for',
    ['host-buffer-used-before-sync'],
    `static void done(void *flag) { *(bool *)flag = true; }
int main() {${pinned} bool flag = false; cudaMemcpyAsync(h, p, 16, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(s, done, &flag); float x = h[0]; cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'managed objects that a kernel hands on by reference',
    ['managed-host-access-race'],
    `struct P { float x, y; };
__device__ void advance(P &p, float by) { p.x += p.y * by; }
__global__ void step(P *p) { advance(p[threadIdx.x], 0.1f); }
int main() { P *m; cudaMallocManaged(&m, 2 * sizeof(P)); step<<<1, 2>>>(m); float x = m[0].x; cudaDeviceSynchronize(); return x > 0; }`,
  ],
  [
    'a host node that is given a local of its builder',
    ['baked-host-pointer-dead'],
    `struct Job { int n; };
static void work(void *) {}
static cudaGraphExec_t build() { cudaGraph_t g; cudaGraphNode_t n; cudaGraphExec_t x; cudaGraphCreate(&g, 0); Job job = {1}; cudaHostNodeParams hp = {}; hp.fn = work; hp.userData = &job;
  cudaGraphAddHostNode(&n, g, nullptr, 0, &hp); cudaGraphInstantiate(&x, g, 0); return x; }
int main() { cudaStream_t s; cudaStreamCreate(&s); cudaGraphExec_t x = build(); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a host node that is given what lives on',
    [],
    `struct Job { int n; };
static Job global;
static void work(void *) {}
static cudaGraphExec_t build(Job &given) { cudaGraph_t g; cudaGraphNode_t n, m, o; cudaGraphExec_t x; cudaGraphCreate(&g, 0); static Job lasting = {1}; Job *heap = new Job{2}; cudaHostNodeParams hp = {}; hp.fn = work;
  Job &alias = global; hp.userData = &alias; cudaGraphAddHostNode(&n, g, nullptr, 0, &hp); hp.userData = &lasting; cudaGraphAddHostNode(&m, g, &n, 1, &hp); hp.userData = heap; cudaGraphAddHostNode(&n, g, &m, 1, &hp);
  hp.userData = &given; cudaGraphAddHostNode(&o, g, &n, 1, &hp); cudaGraphInstantiate(&x, g, 0); return x; }
int main() { cudaStream_t s; cudaStreamCreate(&s); Job mine; cudaGraphExec_t x = build(mine); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a local that its executable is given another one for',
    [],
    `static void work(void *) {}
struct Job { int n; };
int main() { cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphNode_t n; cudaGraphExec_t x; cudaGraphCreate(&g, 0); Job kept = {0}; cudaHostNodeParams hp = {}; hp.fn = work;
  { Job job = {1}; hp.userData = &job; cudaGraphAddHostNode(&n, g, nullptr, 0, &hp); cudaGraphInstantiate(&x, g, 0); }
  hp.userData = &kept; cudaGraphExecHostNodeSetParams(x, n, &hp); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a local array that is copied at once',
    [],
    `static void fill(float *p, cudaStream_t s) { float first[4] = {1, 2, 3, 4}; cudaMemcpyAsync(p, first, sizeof(first), cudaMemcpyHostToDevice, s); }
int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 16); fill(p, s); k<<<1, 1, 0, s>>>(p); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a callback that outlives what it is given',
    ['host-buffer-freed-in-flight'],
    `struct Job { int n; };
static void work(void *) {}
static void later(cudaStream_t s) { Job job = {1}; cudaLaunchHostFunc(s, work, &job); }
int main() { cudaStream_t s; cudaStreamCreate(&s); later(s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a callback that is waited for',
    [],
    `struct Job { int n; };
static void work(void *) {}
static void now(cudaStream_t s) { Job job = {1}; cudaLaunchHostFunc(s, work, &job); cudaStreamSynchronize(s); }
int main() { cudaStream_t s; cudaStreamCreate(&s); now(s); now(s); return 0; }`,
  ],
  [
    'new parameters for a node that the text does not tell',
    [],
    `cudaGraphNode_t find(cudaGraph_t g);
int main() {${oneKernel} cudaGraphExecKernelNodeSetParams(x, find(g), &kp); cudaFree(p); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a captured node found among the nodes of its graph, freed memory',
    ['malloc-use-after-free'],
    `int main() {${foundNode} cudaGraphExecKernelNodeSetParams(x, found, &kp); cudaFree(q); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a captured node found among the nodes of its graph',
    [],
    `int main() {${foundNode} cudaGraphExecKernelNodeSetParams(x, found, &kp); cudaFree(p); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'an allocation found among the nodes of its graph',
    ['mem-node-set-enabled'],
    `int main() {${foundNode} cudaGraphNodeSetEnabled(x, nodes[1], 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a callback that another thread may wait for',
    [],
    `struct Job { int n; };
static void work(void *) {}
void runAll(cudaStream_t s);
static void later(cudaStream_t s) { Job job = {1}; cudaLaunchHostFunc(s, work, &job); std::thread t(runAll, s); t.join(); }
int main() { cudaStream_t s; cudaStreamCreate(&s); later(s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'one cooperative kernel on two streams, which may wait for itself',
    [],
    `int main() { cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); float *p; cudaMalloc(&p, 4); void *a[] = {&p}; cudaLaunchCooperativeKernel((void *)k, 1, 1, a, 0, s); cudaLaunchCooperativeKernel((void *)k, 1, 1, a, 0, t); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'a cooperative kernel beside another kernel',
    ['stream-conflicting-access'],
    `int main() { cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); float *p; cudaMalloc(&p, 4); void *a[] = {&p}; cudaLaunchCooperativeKernel((void *)k, 1, 1, a, 0, s); k<<<1, 1, 0, t>>>(p); cudaDeviceSynchronize(); return 0; }`,
  ],
];

it('a default stream that the text chooses too late for nvcc', async () => {
  const tooLate = rows.find(([what]) => what === 'a default stream of each thread');
  const { findings } = await analyseText(head + tooLate?.[2]);
  expect(findings.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([]);
});

describe('a program with', () => {
  for (const [what, rules, program] of rows)
    it(what, async () => {
      // nvcc does not heed a default stream that is chosen in the text; a host compiler does.
      const isHostCode = program.startsWith('#define CUDA_API_PER_THREAD_DEFAULT_STREAM');
      const { findings } = await analyseText(head + program, 'cuda', isHostCode ? 'program.cpp' : undefined);
      const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
      expect([...new Set(said.map(({ rule }) => rule))].sort()).toEqual(rules);
    });
});
