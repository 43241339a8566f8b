/** Default streams of several devices, what waits for a device, and the default stream beside a capture. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <functional>
#include <memory>
#include <thread>
#include <vector>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }`;

const rows: readonly Row[] = [
  [
    'default stream of device 1 is not waited for by sync of device 0',
    '',
    '',
    'float *p, h[4]; cudaSetDevice(1); cudaMallocManaged(&p, 4); k<<<1,1>>>(p); cudaSetDevice(0); cudaDeviceSynchronize(); p[0] = 2;',
    'float *p, h[4]; cudaSetDevice(1); cudaMallocManaged(&p, 4); k<<<1,1>>>(p); cudaDeviceSynchronize(); cudaSetDevice(0); p[0] = 2;',
  ],
  [
    'pinned copied in a stream of device 1, sync of device 0',
    '',
    '',
    'float *d, *h; cudaSetDevice(1); cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 4); cudaMallocHost(&h, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaSetDevice(0); cudaDeviceSynchronize(); float x = h[0]; return (int)x;',
    'float *d, *h; cudaSetDevice(1); cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 4); cudaMallocHost(&h, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaSetDevice(0); cudaSetDevice(1); cudaDeviceSynchronize(); float x = h[0]; return (int)x;',
  ],
  [
    'kernels in default streams of two devices race on peer memory',
    '',
    '',
    'float *d; cudaSetDevice(0); cudaMalloc(&d, 4); cudaDeviceEnablePeerAccess(1, 0); k<<<1,1>>>(d); cudaSetDevice(1); cudaDeviceEnablePeerAccess(0, 0); k<<<1,1>>>(d); cudaDeviceSynchronize(); cudaSetDevice(0); cudaDeviceSynchronize();',
    'float *d; cudaSetDevice(0); cudaMalloc(&d, 4); cudaDeviceEnablePeerAccess(1, 0); k<<<1,1>>>(d); cudaDeviceSynchronize(); cudaSetDevice(1); cudaDeviceEnablePeerAccess(0, 0); k<<<1,1>>>(d); cudaDeviceSynchronize(); cudaSetDevice(0); cudaDeviceSynchronize();',
  ],
  [
    'blocking stream of device 0 and default stream of device 1',
    '',
    '',
    'float *d; cudaSetDevice(0); cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 4); k<<<1,1,0,s>>>(d); cudaSetDevice(1); k<<<1,1>>>(d); cudaDeviceSynchronize();',
    'float *d; cudaSetDevice(0); cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 4); k<<<1,1,0,s>>>(d); k<<<1,1>>>(d); cudaDeviceSynchronize();',
  ],
  [
    'loop over devices, sync only last',
    '',
    '',
    'float *d[2], *h[2]; for (int i = 0; i < 2; i++) { cudaSetDevice(i); cudaMalloc(&d[i], 4); cudaMallocHost(&h[i], 4); cudaMemcpyAsync(h[i], d[i], 4, cudaMemcpyDeviceToHost); } cudaDeviceSynchronize(); float sum = 0; for (int i = 0; i < 2; i++) sum += h[i][0]; return (int)sum;',
    'float *d[2], *h[2]; for (int i = 0; i < 2; i++) { cudaSetDevice(i); cudaMalloc(&d[i], 4); cudaMallocHost(&h[i], 4); cudaMemcpyAsync(h[i], d[i], 4, cudaMemcpyDeviceToHost); } for (int i = 0; i < 2; i++) { cudaSetDevice(i); cudaDeviceSynchronize(); } float sum = 0; for (int i = 0; i < 2; i++) sum += h[i][0]; return (int)sum;',
  ],
  [
    'freed async while other device reads',
    'async-use-free-race',
    '',
    'cudaMemPool_t pool; cudaDeviceGetDefaultMemPool(&pool, 0); cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite}; cudaMemPoolSetAccess(pool, &access, 1); float *d; cudaSetDevice(0); cudaStream_t s0, s1; cudaStreamCreate(&s0); cudaMallocAsync(&d, 4, s0); cudaStreamSynchronize(s0); cudaSetDevice(1); cudaStreamCreate(&s1); k<<<1,1,0,s1>>>(d); cudaSetDevice(0); cudaDeviceSynchronize(); cudaFreeAsync(d, s0);',
    'cudaMemPool_t pool; cudaDeviceGetDefaultMemPool(&pool, 0); cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite}; cudaMemPoolSetAccess(pool, &access, 1); float *d; cudaSetDevice(0); cudaStream_t s0, s1; cudaStreamCreate(&s0); cudaMallocAsync(&d, 4, s0); cudaStreamSynchronize(s0); cudaSetDevice(1); cudaStreamCreate(&s1); k<<<1,1,0,s1>>>(d); cudaDeviceSynchronize(); cudaSetDevice(0); cudaFreeAsync(d, s0);',
  ],
  [
    'legacy wait during capture of blocking stream',
    '',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); cudaEvent_t e; cudaEventCreate(&e); float *p; cudaMalloc(&p, 4); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(p); cudaStreamWaitEvent(0, e, 0); cudaStreamEndCapture(s, &g);',
    'cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaEvent_t e; cudaEventCreate(&e); float *p; cudaMalloc(&p, 4); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(p); cudaStreamEndCapture(s, &g); cudaStreamWaitEvent(0, e, 0);',
  ],
  [
    'legacy waits for captured event',
    '',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); cudaEvent_t e; cudaEventCreate(&e); float *p; cudaMalloc(&p, 4); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(p); cudaEventRecord(e, s); cudaStreamWaitEvent(cudaStreamLegacy, e, 0); cudaStreamEndCapture(s, &g);',
    '',
  ],
  [
    'legacy event record during capture',
    '',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); cudaEvent_t e; cudaEventCreate(&e); float *p; cudaMalloc(&p, 4); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(p); cudaEventRecord(e, 0); cudaStreamEndCapture(s, &g);',
    '',
  ],
  [
    'device sync after set device back; unknown device fine',
    '',
    'void pick(int *d);',
    '',
    'int dev; pick(&dev); float *d, *h; cudaSetDevice(dev); cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 4); cudaMallocHost(&h, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); int o; pick(&o); cudaSetDevice(o); cudaDeviceSynchronize(); float x = h[0]; return (int)x;',
  ],
  [
    'saved and restored device',
    '',
    'struct Dev { int old; Dev(int d) { cudaGetDevice(&old); cudaSetDevice(d); } ~Dev() { cudaSetDevice(old); } };',
    'float *d, *h; cudaMallocHost(&h, 4); { Dev g(1); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); } cudaDeviceSynchronize(); float x = h[0]; return (int)x;',
    'float *d, *h; cudaMallocHost(&h, 4); { Dev g(1); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); cudaDeviceSynchronize(); } float x = h[0]; return (int)x;',
  ],
  [
    'driver API contexts',
    '',
    '',
    '',
    'CUcontext a, b; cuCtxCreate(&a, 0, 0); cuCtxCreate(&b, 0, 1); CUdeviceptr p; float *h; cuMemAllocHost((void **)&h, 4); cuCtxSetCurrent(a); cuMemAlloc(&p, 4); cuMemcpyDtoHAsync(h, p, 4, 0); cuCtxSynchronize(); float x = h[0]; return (int)x;',
  ],
  [
    'loops over devices whose number is not known',
    '',
    '',
    '',
    'int n; cudaGetDeviceCount(&n); float **d = new float *[n], **h = new float *[n]; for (int i = 0; i < n; i++) { cudaSetDevice(i); cudaMalloc(&d[i], 4); cudaMallocHost(&h[i], 4); cudaMemcpyAsync(h[i], d[i], 4, cudaMemcpyDeviceToHost); } for (int i = 0; i < n; i++) { cudaSetDevice(i); cudaDeviceSynchronize(); } float sum = 0; for (int i = 0; i < n; i++) sum += h[i][0]; return (int)sum;',
  ],
  [
    'streams of devices in a vector, events across',
    '',
    '',
    'float *d[2]; cudaStream_t s[2]; cudaEvent_t e[2]; for (int i = 0; i < 2; i++) { cudaSetDevice(i); cudaStreamCreate(&s[i]); cudaEventCreate(&e[i]); cudaMalloc(&d[i], 64); k<<<1,1,0,s[i]>>>(d[i]); cudaEventRecord(e[i], s[i]); } cudaMemcpyPeerAsync(d[1], 1, d[0], 0, 64, s[1]); cudaDeviceSynchronize();',
    'float *d[2]; cudaStream_t s[2]; cudaEvent_t e[2]; for (int i = 0; i < 2; i++) { cudaSetDevice(i); cudaStreamCreate(&s[i]); cudaEventCreate(&e[i]); cudaMalloc(&d[i], 64); k<<<1,1,0,s[i]>>>(d[i]); cudaEventRecord(e[i], s[i]); } cudaStreamWaitEvent(s[1], e[0], 0); cudaMemcpyPeerAsync(d[1], 1, d[0], 0, 64, s[1]); cudaDeviceSynchronize();',
  ],
  [
    'threads, one a device',
    '',
    'static void work(int dev, float *h) { cudaSetDevice(dev); float *d; cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); cudaDeviceSynchronize(); cudaFree(d); }',
    '',
    'float *h[2]; float *d, *x; cudaMallocHost(&x, 4); cudaMalloc(&d, 4); std::vector<std::thread> v; for (int i = 0; i < 2; i++) { cudaMallocHost(&h[i], 4); v.emplace_back(work, i, h[i]); } for (auto &t : v) t.join(); cudaMemcpyAsync(x, d, 4, cudaMemcpyDeviceToHost); cudaDeviceSynchronize(); return (int)(x[0] + h[0][0] + h[1][0]);',
  ],
  [
    `a thread's device is its own`,
    '',
    '',
    'float *d, *x; cudaMallocHost(&x, 4); cudaSetDevice(1); cudaMalloc(&d, 4); std::thread t([] { cudaSetDevice(2); cudaDeviceSynchronize(); }); cudaMemcpyAsync(x, d, 4, cudaMemcpyDeviceToHost); t.join(); cudaSetDevice(0); cudaDeviceSynchronize(); return (int)x[0];',
    'float *d, *x; cudaMallocHost(&x, 4); cudaSetDevice(1); cudaMalloc(&d, 4); cudaMemcpyAsync(x, d, 4, cudaMemcpyDeviceToHost); std::thread t([] { cudaSetDevice(2); cudaDeviceSynchronize(); }); t.join(); cudaDeviceSynchronize(); return (int)x[0];',
  ],
  [
    'nested guards',
    '',
    'struct Dev { int old; Dev(int d) { cudaGetDevice(&old); cudaSetDevice(d); } ~Dev() { cudaSetDevice(old); } };',
    'float *d, *h; cudaMallocHost(&h, 4); Dev g(1); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); { Dev g(2); cudaDeviceSynchronize(); } float x = h[0]; return (int)x;',
    'float *d, *h; cudaMallocHost(&h, 4); Dev g(1); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); { Dev g(2); cudaDeviceSynchronize(); } cudaDeviceSynchronize(); float x = h[0]; return (int)x;',
  ],
  [
    'guard that compares',
    '',
    'struct Dev { int old; int now; Dev(int d) : now(d) { cudaGetDevice(&old); if (old != d) cudaSetDevice(d); } ~Dev() { if (old != now) cudaSetDevice(old); } };',
    'float *d, *h; cudaMallocHost(&h, 4); Dev g(1); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); { Dev g(0); cudaDeviceSynchronize(); } float x = h[0]; return (int)x;',
    'float *d, *h; cudaMallocHost(&h, 4); Dev g(1); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); { Dev g(1); cudaDeviceSynchronize(); } float x = h[0]; return (int)x;',
  ],
  [
    'unseen guard of a library',
    '',
    'namespace lib { struct Guard { explicit Guard(int d); ~Guard(); }; }',
    '',
    'float *d, *h; cudaMallocHost(&h, 4); { lib::Guard g(1); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); } cudaSetDevice(1); cudaDeviceSynchronize(); float x = h[0]; return (int)x;',
  ],
  [
    'capture on device 0, default stream of device 1',
    '',
    '',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); float *p, *q; cudaMalloc(&p, 4); cudaSetDevice(1); cudaMalloc(&q, 4); cudaSetDevice(0); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); k<<<1,1,0,s>>>(p); cudaSetDevice(1); k<<<1,1>>>(q); cudaSetDevice(0); cudaStreamEndCapture(s, &g);',
  ],
  [
    'wait in the default stream for an event of a capture in a stream that does not block',
    'capture-legacy-stream-use',
    '',
    'cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaEvent_t e; cudaEventCreate(&e); float *p; cudaMalloc(&p, 4); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(p); cudaEventRecord(e, s); cudaStreamWaitEvent(0, e, 0); cudaStreamEndCapture(s, &g);',
    'cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaEvent_t e; cudaEventCreate(&e); float *p; cudaMalloc(&p, 4); cudaGraph_t g; cudaEventRecord(e, s); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(p); cudaStreamWaitEvent(0, e, 0); cudaStreamEndCapture(s, &g);',
  ],
  [
    'a function that gives the device back',
    '',
    '',
    `void f(float *d, float *h) { cudaSetDevice(1); cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaSetDevice(2); cudaDeviceSynchronize(); cudaMallocHost(&h, 4); cudaSetDevice(1); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaSetDevice(2); cudaDeviceSynchronize(); h[0] += 1; }
int main() { return 0; }`,
    `float f(float *d) { int old; cudaGetDevice(&old); float *h; cudaMallocHost(&h, 4); cudaSetDevice(1); cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaSetDevice(old); cudaDeviceSynchronize(); return h[0]; }
int main() { return 0; }`,
  ],
];

describeRows('several devices', head, rows);
