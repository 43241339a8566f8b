/** Pools of memory: what is taken from one that has been destroyed; what is freed afterwards is right. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
static cudaStream_t s; static float *p; static CUdeviceptr d;
static cudaMemPool_t make() { cudaMemPoolProps props = {}; props.allocType = cudaMemAllocationTypePinned; props.location = {cudaMemLocationTypeDevice, 0}; cudaMemPool_t pool; cudaMemPoolCreate(&pool, &props); return pool; }
`;
const rule = 'async-pool-destroyed';
const twice = 'handle-use-after-destroy';

describeRows('a pool', head, [
  [
    'that memory is taken from',
    rule,
    '',
    'cudaStreamCreate(&s); cudaMemPool_t pool = make(); cudaMemPoolDestroy(pool); cudaMallocFromPoolAsync(&p, 64, pool, s); cudaFreeAsync(p, s); cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); cudaMemPool_t pool = make(); cudaMallocFromPoolAsync(&p, 64, pool, s); cudaMemPoolDestroy(pool); cudaFreeAsync(p, s); cudaStreamDestroy(s);',
  ],
  [
    'of the driver',
    rule,
    '',
    'cudaStreamCreate(&s); CUmemoryPool pool; CUmemPoolProps props = {}; cuMemPoolCreate(&pool, &props); cuMemPoolDestroy(pool); cuMemAllocFromPoolAsync(&d, 64, pool, s); cuMemFreeAsync(d, s); cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); CUmemoryPool pool; CUmemPoolProps props = {}; cuMemPoolCreate(&pool, &props); cuMemAllocFromPoolAsync(&d, 64, pool, s); cuMemFreeAsync(d, s); cudaStreamSynchronize(s); cuMemPoolDestroy(pool); cudaStreamDestroy(s);',
  ],
  [
    'made again in the same variable',
    twice,
    '',
    'cudaStreamCreate(&s); cudaMemPool_t pool = make(); cudaMemPoolDestroy(pool); cudaMemPoolDestroy(pool); cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); cudaMemPool_t pool = make(); cudaMemPoolDestroy(pool); pool = make(); cudaMallocFromPoolAsync(&p, 64, pool, s); cudaFreeAsync(p, s); cudaStreamSynchronize(s); cudaMemPoolDestroy(pool); cudaStreamDestroy(s);',
  ],
  [
    'that the device has by itself',
    rule,
    '',
    'cudaStreamCreate(&s); cudaMemPool_t pool; cudaDeviceGetDefaultMemPool(&pool, 0); cudaMemPoolDestroy(pool);',
    'cudaStreamCreate(&s); cudaMemPool_t pool; cudaDeviceGetDefaultMemPool(&pool, 0); cudaMallocFromPoolAsync(&p, 64, pool, s); cudaFreeAsync(p, s); cudaStreamDestroy(s);',
  ],
  [
    'that the device has by itself stays: it is there for what comes behind',
    rule,
    '',
    'cudaStreamCreate(&s); cudaMemPool_t pool; cudaDeviceGetMemPool(&pool, 0); cudaMemPoolDestroy(pool); cudaMallocFromPoolAsync(&p, 64, pool, s); cudaFreeAsync(p, s); cudaStreamDestroy(s);',
    '',
  ],
  [
    'that the device was given is destroyed by whoever made it',
    rule,
    '',
    'cudaMemPool_t pool = make(), own; cudaDeviceSetMemPool(0, pool); cudaMemPoolDestroy(pool); cudaDeviceGetMemPool(&own, 0); cudaMemPoolDestroy(own);',
    'cudaMemPool_t pool = make(), current; cudaDeviceSetMemPool(0, pool); cudaDeviceGetMemPool(&current, 0); cudaMemPoolDestroy(current);',
  ],
  [
    'that somebody else may have given the device',
    rule,
    'void end(int d) { cudaMemPool_t current; cudaDeviceGetMemPool(&current, d); cudaMemPoolDestroy(current); }',
    '',
    'return 0;',
  ],
  [
    'in a class',
    rule,
    'struct Pool { cudaMemPool_t pool = make(); ~Pool() { close(); } void close() { if (pool) cudaMemPoolDestroy(pool); pool = nullptr; } float *take(cudaMemPool_t of) { cudaMallocFromPoolAsync(&p, 64, of, s); return p; } };',
    'cudaStreamCreate(&s); Pool all; cudaMemPool_t kept = all.pool; all.close(); cudaFreeAsync(all.take(kept), s);',
    'cudaStreamCreate(&s); Pool all; cudaFreeAsync(all.take(all.pool), s); all.close();',
  ],
  [
    'in loops',
    rule,
    '',
    'cudaStreamCreate(&s); cudaMemPool_t pool = make(); for (int i = 0; i < 2; ++i) { cudaMallocFromPoolAsync(&p, 64, pool, s); cudaFreeAsync(p, s); cudaMemPoolDestroy(pool); }',
    'cudaStreamCreate(&s); for (int i = 0; i < 2; ++i) { cudaMemPool_t pool = make(); cudaMallocFromPoolAsync(&p, 64, pool, s); cudaFreeAsync(p, s); cudaMemPoolDestroy(pool); }',
  ],
]);
