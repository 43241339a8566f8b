/** Memory of graphs and of pools is used by the device it lies on, and by those that were given access before. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
__global__ void look(const float *p, float *out) { out[threadIdx.x] = p[threadIdx.x]; }
static cudaStream_t near, far; static float *p; static cudaGraph_t g; static cudaGraphExec_t x; static cudaGraphNode_t n;
static void makeStreams() { cudaSetDevice(1); cudaStreamCreate(&far); cudaSetDevice(0); cudaStreamCreate(&near); }
static cudaMemAccessDesc access(int device) {
  cudaMemAccessDesc d = {}; d.location.type = cudaMemLocationTypeDevice; d.location.id = device; d.flags = cudaMemAccessFlagsProtReadWrite;
  return d;
}
static cudaMemPool_t pool(int device) { cudaMemPool_t q; cudaDeviceGetDefaultMemPool(&q, device); return q; }
static void give(cudaMemPool_t of, int device) { cudaMemAccessDesc d = access(device); cudaMemPoolSetAccess(of, &d, 1); }
struct On { int before; explicit On(int d) { cudaGetDevice(&before); cudaSetDevice(d); } ~On() { cudaSetDevice(before); } };
static void allocate(int device, const cudaMemAccessDesc *d, size_t count) {
  cudaMemAllocNodeParams a = {}; a.poolProps.allocType = cudaMemAllocationTypePinned; a.poolProps.location.type = cudaMemLocationTypeDevice;
  a.poolProps.location.id = device; a.bytesize = 128; a.accessDescs = d; a.accessDescCount = count;
  cudaGraphCreate(&g, 0); cudaGraphAddMemAllocNode(&n, g, nullptr, 0, &a); p = (float *)a.dptr;
  cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, near); cudaStreamSynchronize(near);
}
static void capture(cudaMemPool_t of) {
  cudaStreamBeginCapture(near, cudaStreamCaptureModeGlobal); cudaMallocFromPoolAsync(&p, 128, of, near);
  cudaStreamEndCapture(near, &g); cudaGraphInstantiate(&x, g, 0);
}
static void launch() { cudaGraphLaunch(x, near); cudaStreamSynchronize(near); }
`;
const rule = 'peer-access-not-requested';
const late = 'peer-pool-access-after-capture';
const row = (what: string, of: string, bad: string, good: string, before = ''): Row => [
  what,
  of,
  before,
  bad && `makeStreams(); ${bad}`,
  good && `makeStreams(); ${good} cudaDeviceSynchronize(); cudaFree(p);`,
];
const wait = 'cudaStreamSynchronize(near);';

describeRows('memory of another device', head, [
  row(
    'of a stream',
    rule,
    `cudaMallocAsync(&p, 128, near); ${wait} { On o(1); k<<<1, 32, 0, far>>>(p); }`,
    `give(pool(0), 1); cudaMallocAsync(&p, 128, near); ${wait} { On o(1); k<<<1, 32, 0, far>>>(p); cudaStreamSynchronize(far); }`,
  ),
  row(
    'of a stream, which access is given to later',
    rule,
    `cudaMallocAsync(&p, 128, near); ${wait} give(pool(1), 1); { On o(1); k<<<1, 32>>>(p); }`,
    `cudaMallocAsync(&p, 128, near); give(pool(0), 1); ${wait} { On o(1); k<<<1, 32>>>(p); cudaDeviceSynchronize(); }`,
  ),
  row(
    'that cudaDeviceEnablePeerAccess was called for',
    rule,
    `cudaSetDevice(1); cudaDeviceEnablePeerAccess(0, 0); cudaMallocAsync(&p, 128, near); ${wait} k<<<1, 32, 0, far>>>(p);`,
    'cudaMalloc(&p, 128); { On o(1); cudaDeviceEnablePeerAccess(0, 0); k<<<1, 32, 0, far>>>(p); cudaDeviceSynchronize(); }',
  ),
  row(
    'of a graph',
    rule,
    'allocate(0, nullptr, 0); cudaSetDevice(1); k<<<1, 32, 0, far>>>(p);',
    'auto d = access(1); allocate(0, &d, 1); cudaSetDevice(1); k<<<1, 32, 0, far>>>(p); cudaStreamSynchronize(far);',
  ),
  row(
    'of a graph that is launched elsewhere: it lies where it was asked for',
    rule,
    'allocate(1, nullptr, 0); k<<<1, 32, 0, near>>>(p);',
    'allocate(1, nullptr, 0); cudaSetDevice(1); k<<<1, 32, 0, far>>>(p); cudaStreamSynchronize(far);',
  ),
  row(
    'in a node',
    rule,
    'allocate(0, nullptr, 0); cudaSetDevice(1); void *args[] = {&p}; cudaKernelNodeParams w = {(void *)k, 1, 32, 0, args, nullptr}; cudaGraphAddKernelNode(&n, g, &n, 1, &w);',
    'allocate(0, nullptr, 0); void *args[] = {&p}; cudaKernelNodeParams w = {(void *)k, 1, 32, 0, args, nullptr}; cudaGraphAddKernelNode(&n, g, &n, 1, &w);',
  ),
  row(
    'of several devices, in a loop',
    rule,
    'std::vector<float *> v(2); std::vector<cudaStream_t> s{near, far}; for (int d = 0; d < 2; ++d) { cudaSetDevice(d); cudaMallocAsync(&v[d], 128, s[d]); } cudaDeviceSynchronize(); for (int d = 0; d < 2; ++d) { cudaSetDevice(d); k<<<1, 32, 0, s[d]>>>(v[1 - d]); }',
    'std::vector<float *> v(2); std::vector<cudaStream_t> s{near, far}; for (int d = 0; d < 2; ++d) { cudaSetDevice(d); cudaMallocAsync(&v[d], 128, s[d]); k<<<1, 32, 0, s[d]>>>(v[d]); cudaFreeAsync(v[d], s[d]); }',
  ),
  row(
    'that is only copied',
    rule,
    '',
    `float *q; cudaMallocAsync(&p, 128, near); ${wait} cudaSetDevice(1); cudaMalloc(&q, 128); cudaMemcpyPeerAsync(q, 1, p, 0, 128, far); cudaStreamSynchronize(far); look<<<1, 32, 0, far>>>(q, q); cudaStreamSynchronize(far); cudaFree(q);`,
  ),
  row(
    'captured before access was given',
    late,
    'capture(pool(0)); give(pool(0), 1); launch(); cudaSetDevice(1); k<<<1, 32, 0, far>>>(p);',
    'give(pool(0), 1); capture(pool(0)); launch(); cudaSetDevice(1); k<<<1, 32, 0, far>>>(p); cudaStreamSynchronize(far);',
  ),
  row(
    'captured, and used where it lies',
    late,
    '',
    'capture(pool(0)); give(pool(0), 1); launch(); k<<<1, 32, 0, near>>>(p); cudaStreamSynchronize(near);',
  ),
  row('captured without access', rule, 'capture(pool(0)); launch(); cudaSetDevice(1); k<<<1, 32, 0, far>>>(p);', ''),
  row(
    'taken from a pool that the device was given',
    rule,
    `cudaMemPoolProps props = {}; props.allocType = cudaMemAllocationTypePinned; props.location = {cudaMemLocationTypeDevice, 0}; cudaMemPool_t q; cudaMemPoolCreate(&q, &props); give(pool(0), 1); cudaDeviceSetMemPool(0, q); cudaMallocAsync(&p, 128, near); ${wait} cudaSetDevice(1); k<<<1, 32, 0, far>>>(p);`,
    `cudaMemPoolProps props = {}; props.allocType = cudaMemAllocationTypePinned; props.location = {cudaMemLocationTypeDevice, 0}; cudaMemPool_t q; cudaMemPoolCreate(&q, &props); give(q, 1); cudaDeviceSetMemPool(0, q); cudaMallocAsync(&p, 128, near); ${wait} cudaSetDevice(1); k<<<1, 32, 0, far>>>(p); cudaStreamSynchronize(far);`,
  ),
  row(
    'on devices that nobody knows',
    rule,
    '',
    `cudaMalloc(&p, 4);`,
    `void f(int a, int b) { float *q; cudaStream_t s, t; cudaSetDevice(a); cudaStreamCreate(&s); cudaMallocAsync(&q, 128, s); cudaStreamSynchronize(s); cudaSetDevice(b); cudaStreamCreate(&t); k<<<1, 32, 0, t>>>(q); }
     void h(cudaStream_t s) { float *q; cudaMallocAsync(&q, 128, s); cudaSetDevice(1); k<<<1, 32, 0, s>>>(q); }
     void i() { float *q; cudaSetDevice(0); cudaMallocAsync(&q, 128, 0); cudaStreamSynchronize(0); cudaSetDevice(1); k<<<1, 32>>>(q); cudaDeviceSynchronize(); cudaFree(q); }`,
  ),
]);
