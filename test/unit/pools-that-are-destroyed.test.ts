/** Pools of memory: what is taken from one that has been destroyed; what is freed afterwards is right. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
static cudaStream_t s; static float *p; static CUdeviceptr d;
static cudaMemPool_t make() { cudaMemPoolProps props = {}; props.allocType = cudaMemAllocationTypePinned; props.location = {cudaMemLocationTypeDevice, 0}; cudaMemPool_t pool; cudaMemPoolCreate(&pool, &props); return pool; }
`;
const rule = 'handle-use-after-destroy';

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
    rule,
    '',
    'cudaStreamCreate(&s); cudaMemPool_t pool = make(); cudaMemPoolDestroy(pool); cudaMemPoolDestroy(pool); cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); cudaMemPool_t pool = make(); cudaMemPoolDestroy(pool); pool = make(); cudaMallocFromPoolAsync(&p, 64, pool, s); cudaFreeAsync(p, s); cudaStreamSynchronize(s); cudaMemPoolDestroy(pool); cudaStreamDestroy(s);',
  ],
  [
    'that the device has by itself stays',
    '',
    '',
    '',
    'cudaStreamCreate(&s); cudaMemPool_t pool; cudaDeviceGetDefaultMemPool(&pool, 0); cudaMemPoolDestroy(pool); cudaMallocFromPoolAsync(&p, 64, pool, s); cudaFreeAsync(p, s); cudaStreamDestroy(s);',
  ],
]);
