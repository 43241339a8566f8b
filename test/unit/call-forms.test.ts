/**
 * One mistake in the forms in which both APIs let it be written: asked for by structure, in the driver's words, through another
 * library. Each with its twin that is right.
 */

import { describe, expect, it } from 'vitest';
import { graphDocument } from '../../src/scene/graph-document.ts';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <vector>
__global__ void fill(float *p) { p[0] = 1.0f; }
__global__ void rd(const float *p, float *o) { o[0] = p[0]; }
`;

type Row = readonly [what: string, rules: readonly string[], program: string];

/** A graph `g` that allocates `ap.dptr` in `m`, writes it in `k1` and reads it in `k2`. */
const chain = ` cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; cudaGraphNode_t m, k1, k2, f; float *q; cudaStreamCreate(&s); cudaGraphCreate(&g, 0); cudaMalloc(&q, 4);
  cudaMemAllocNodeParams ap = {}; ap.poolProps.allocType = cudaMemAllocationTypePinned; ap.poolProps.location.type = cudaMemLocationTypeDevice; ap.bytesize = 4;
  cudaGraphAddMemAllocNode(&m, g, nullptr, 0, &ap); void *wa[] = {&ap.dptr}; void *ra[] = {&ap.dptr, &q};
  cudaKernelNodeParams kp = {(void *)fill, 1, 1, 0, wa, nullptr}; cudaGraphAddKernelNode(&k1, g, &m, 1, &kp);
  kp.func = (void *)rd; kp.kernelParams = ra; cudaGraphAddKernelNode(&k2, g, &k1, 1, &kp);`;

const run = ' cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }';

/** A captured graph of the driver over memory of its own. */
const driverGraph = ` CUstream s, u; CUgraph g; CUgraphExec x; CUdeviceptr p; cuStreamCreate(&s, 0); cuStreamCreate(&u, 0);
  cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL); cuMemAllocAsync(&p, 64, s); cuMemsetD32Async(p, 0, 16, s);`;

const driverMemory = ` CUgraph g, in; CUgraphNode a, f, c; CUgraphExec x; CUstream s; cuStreamCreate(&s, 0); cuGraphCreate(&g, 0); cuGraphCreate(&in, 0);
  CUDA_MEM_ALLOC_NODE_PARAMS ap = {}; ap.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; ap.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; ap.bytesize = 64;
  cuGraphAddMemAllocNode(&a, in, nullptr, 0, &ap); cuGraphAddMemFreeNode(&f, in, &a, 1, ap.dptr);
  CUgraphNodeParams np = {}; np.type = CU_GRAPH_NODE_TYPE_GRAPH; np.graph.graph = in;`;

/** `p` of the stream `s`, and another stream `t`. */
const twoStreams = ` cudaStream_t s, t; float *p; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaMallocAsync(&p, 64, s); cudaStreamSynchronize(s);`;

const rows: readonly Row[] = [
  [
    'a free behind the dependencies of the last use',
    ['graph-use-free-race'],
    `int main() {${chain} size_t n = 0; cudaGraphNodeGetDependencies(k2, nullptr, nullptr, &n); std::vector<cudaGraphNode_t> d(n);
  cudaGraphNodeGetDependencies(k2, d.data(), nullptr, &n); cudaGraphAddMemFreeNode(&f, g, d.data(), n, ap.dptr);${run}`,
  ],
  [
    'a free behind the nodes that nothing comes after',
    [],
    `int main() {${chain} size_t n = 0; cudaGraphGetNodes(g, nullptr, &n); std::vector<cudaGraphNode_t> all(n), ends; cudaGraphGetNodes(g, all.data(), &n);
  for (auto node : all) { size_t after = 0; cudaGraphNodeGetDependentNodes(node, nullptr, nullptr, &after); if (after == 0) ends.push_back(node); }
  cudaGraphAddMemFreeNode(&f, g, ends.data(), ends.size(), ap.dptr);${run}`,
  ],
  [
    'a free behind the roots of the graph',
    ['graph-use-free-race'],
    `int main() {${chain} size_t n = 0; cudaGraphGetRootNodes(g, nullptr, &n); std::vector<cudaGraphNode_t> d(n); cudaGraphGetRootNodes(g, d.data(), &n);
  cudaGraphAddMemFreeNode(&f, g, d.data(), n, ap.dptr);${run}`,
  ],
  [
    'a free behind the end of the last edge',
    [],
    `int main() {${chain} size_t n = 0; cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &n); std::vector<cudaGraphNode_t> from(n), to(n);
  cudaGraphGetEdges(g, from.data(), to.data(), nullptr, &n); cudaGraphAddMemFreeNode(&f, g, &to[n - 1], 1, ap.dptr);${run}`,
  ],
  [
    'a node of a clone found by its original',
    [],
    `int main() { cudaStream_t s; cudaGraph_t g, c; cudaGraphExec_t x; cudaGraphNode_t k1, k2, in; float *p, *q; cudaStreamCreate(&s); cudaGraphCreate(&g, 0); cudaMalloc(&p, 4); cudaMalloc(&q, 4);
  void *wa[] = {&p}; void *ra[] = {&p, &q}; cudaKernelNodeParams kp = {(void *)fill, 1, 1, 0, wa, nullptr}; cudaGraphAddKernelNode(&k1, g, nullptr, 0, &kp);
  cudaGraphClone(&c, g); cudaGraphNodeFindInClone(&in, k1, c); kp.func = (void *)rd; kp.kernelParams = ra; cudaGraphAddKernelNode(&k2, c, &in, 1, &kp);
  cudaGraphInstantiate(&x, c, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a node of the original beside those of its clone',
    ['graph-cross-graph-dependency'],
    `int main() { cudaGraph_t g, c; cudaGraphNode_t k1, k2; cudaGraphCreate(&g, 0); cudaGraphAddEmptyNode(&k1, g, nullptr, 0);
  cudaGraphClone(&c, g); cudaGraphAddEmptyNode(&k2, c, &k1, 1); return 0; }`,
  ],
  [
    'a child moved in the words of the driver',
    [],
    `int main() {${driverMemory} np.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE; cuGraphAddNode(&c, g, nullptr, nullptr, 0, &np); return 0; }`,
  ],
  [
    'a child copied in the words of the driver',
    ['mem-graph-child-by-clone'],
    `int main() {${driverMemory} np.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE; cuGraphAddNode(&c, g, nullptr, nullptr, 0, &np); return 0; }`,
  ],
  ...(['u', 's'] as const).map(
    (stream): Row => [
      `an upload into ${stream === 's' ? 'the stream of the launch' : 'another stream'} by the parameters of the driver`,
      stream === 's' ? [] : ['perf-upload-stream-mismatch'],
      `int main() {${driverGraph} cuMemFreeAsync(p, s); cuStreamEndCapture(s, &g); CUDA_GRAPH_INSTANTIATE_PARAMS ip = {};
  ip.flags = CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD; ip.hUploadStream = ${stream}; cuGraphInstantiateWithParams(&x, g, &ip); cuGraphLaunch(x, s); cuStreamSynchronize(s); return 0; }`,
    ],
  ),
  [
    'an upload into another stream by the parameters of the runtime',
    ['perf-upload-stream-mismatch'],
    `int main() { cudaStream_t s, u; cudaGraph_t g; cudaGraphExec_t x; float *p; cudaStreamCreate(&s); cudaStreamCreate(&u); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&p, 64, s); fill<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiateParams ip = {};
  ip.flags = cudaGraphInstantiateFlagUpload; ip.uploadStream = u; cudaGraphInstantiateWithParams(&x, g, &ip); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a loop until an event of the driver is ready',
    [],
    `int main() { CUstream s, t; CUevent e; CUdeviceptr p; cuStreamCreate(&s, CU_STREAM_NON_BLOCKING); cuStreamCreate(&t, CU_STREAM_NON_BLOCKING); cuEventCreate(&e, CU_EVENT_DISABLE_TIMING);
  cuMemAllocAsync(&p, 64, s); cuEventRecord(e, s); while (cuEventQuery(e) == CUDA_ERROR_NOT_READY) {} cuMemsetD32Async(p, 0, 16, t); cuMemFreeAsync(p, t); cuStreamSynchronize(t); return 0; }`,
  ],
  [
    'a copy with attributes that races with the free',
    ['async-use-free-race'],
    `int main() {${twoStreams} float *q; cudaMalloc(&q, 64); cudaMemcpyAttributes at = {}; cudaMemcpyWithAttributesAsync(q, p, 64, &at, t); cudaFreeAsync(p, s); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'parameters of a kernel node read, changed and set again',
    ['graph-use-free-race'],
    `int main() {${chain} cudaKernelNodeParams again; cudaGraphKernelNodeGetParams(k2, &again); again.gridDim = dim3(4); cudaGraphKernelNodeSetParams(k2, &again);
  cudaGraphAddMemFreeNode(&f, g, &k1, 1, ap.dptr);${run}`,
  ],
  [
    'parameters of a kernel node read, and other arguments set',
    [],
    `int main() {${chain} cudaKernelNodeParams again; cudaGraphKernelNodeGetParams(k2, &again); void *oa[] = {&q, &q}; again.kernelParams = oa; cudaGraphKernelNodeSetParams(k2, &again);
  cudaGraphAddMemFreeNode(&f, g, &k1, 1, ap.dptr);${run}`,
  ],
  [
    'Thrust beside a kernel of one name, not waited for',
    ['async-use-free-race'],
    `int main() {${twoStreams} thrust::fill(thrust::cuda::par_nosync.on(t), p, p + 16, 1.f); cudaFreeAsync(p, s); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'Thrust beside a kernel of one name',
    [],
    `int main() {${twoStreams} thrust::fill(thrust::cuda::par.on(t), p, p + 16, 1.f); cudaFreeAsync(p, s); cudaDeviceSynchronize(); return 0; }`,
  ],
  [
    'Thrust waiting for its work during a capture',
    ['capture-sync-or-query'],
    `int main() { cudaStream_t s; cudaGraph_t g; float *p; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaMalloc(&p, 64); cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  thrust::fill(thrust::cuda::par.on(s), p, p + 16, 1.f); cudaStreamEndCapture(s, &g); return 0; }`,
  ],
  [
    'two kernels on one part of an array',
    ['stream-conflicting-access'],
    `int main() {${twoStreams} fill<<<1, 1, 0, s>>>(p + 4); fill<<<1, 1, 0, t>>>(p + 4); cudaDeviceSynchronize(); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'two kernels on two parts of an array',
    [],
    `int main() {${twoStreams} fill<<<1, 1, 0, s>>>(p + 4); fill<<<1, 1, 0, t>>>(p + 8); cudaDeviceSynchronize(); cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'an element of pinned memory read before its copy is done',
    ['host-buffer-used-before-sync'],
    `int main() { cudaStream_t s; float *h, *p; cudaStreamCreate(&s); cudaMallocHost(&h, 64); cudaMalloc(&p, 64); cudaMemcpyAsync(h, p, 64, cudaMemcpyDefault, s); float third = h[3]; cudaStreamSynchronize(s); return 0; }`,
  ],
  [
    'a capture of the default stream by its number',
    ['capture-begin-legacy'],
    `int main() { cudaGraph_t g; cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal); cudaStreamEndCapture(0, &g); return 0; }`,
  ],
  [
    'a capture of a stream that is not read',
    [],
    `struct Holder; Holder *make(); cudaStream_t streamOf(Holder *); int main() { Holder *h = make(); cudaGraph_t g; cudaStreamBeginCapture(streamOf(h), cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(streamOf(h), &g); return 0; }`,
  ],
];

describe('a program with', () => {
  for (const [what, rules, program] of rows)
    it(what, async () => {
      const { findings, gaps } = await analyseText(head + program);
      expect(findings.map(({ rule }) => rule).sort()).toEqual([...rules].sort());
      if (!/streamOf/.test(program)) expect(gaps).toEqual([]);
    });
});

it('a destroyed node is no node of the graph', async () => {
  const { facts, sources } =
    await analyseText(`${head} int main() { cudaGraph_t g; cudaGraphExec_t x; cudaGraphNode_t a, b, c; cudaGraphCreate(&g, 0);
  cudaGraphAddEmptyNode(&a, g, nullptr, 0); cudaGraphAddEmptyNode(&b, g, &a, 1); cudaGraphNode_t both[] = {a, b}; cudaGraphAddEmptyNode(&c, g, both, 2);
  cudaGraphDestroyNode(b); cudaGraphInstantiate(&x, g, 0); return 0; }`);
  const [graph] = graphDocument(facts, sources, 'main').graphs;
  expect(graph?.nodes.map(({ id }) => id)).toEqual([0, 1]);
  expect(graph?.edges).toEqual([[0, 1]]);
});
