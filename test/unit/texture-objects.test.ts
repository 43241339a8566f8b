/** Texture and surface objects lead to the memory that they were made over. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <string.h>
struct Pair { cudaTextureObject_t first, second; };
__global__ void sample(cudaTextureObject_t t, float *out) { out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x); }
__global__ void blend(Pair p, float *out) { out[threadIdx.x] = tex1Dfetch<float>(p.first, 0) * tex1Dfetch<float>(p.second, 0); }
__global__ void draw(cudaSurfaceObject_t s) { surf2Dwrite(1.f, s, 0, 0); }
__global__ void fill(float *p) { p[threadIdx.x] = 1; }
`;
const linear = `float *p, *out; cudaMallocAsync(&p, 256, s); cudaMallocAsync(&out, 256, s); fill<<<1, 64, 0, s>>>(p);
  cudaResourceDesc r; memset(&r, 0, sizeof r); r.resType = cudaResourceTypeLinear; r.res.linear.devPtr = p;
  cudaTextureDesc d = {}; cudaTextureObject_t t = 0; cudaCreateTextureObject(&t, &r, &d, nullptr);`;
const array = `cudaChannelFormatDesc c = cudaCreateChannelDesc<float>(); cudaArray_t a; cudaMallocArray(&a, &c, 64, 64);
  float *out; cudaMalloc(&out, 256);
  cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
  cudaTextureDesc d = {}; cudaTextureObject_t t; cudaCreateTextureObject(&t, &r, &d, nullptr);
  cudaSurfaceObject_t u; cudaCreateSurfaceObject(&u, &r);`;
const rest = 'cudaFreeAsync(out, s); cudaStreamSynchronize(s); cudaDestroyTextureObject(t);';

const found = async (body: string): Promise<readonly string[]> =>
  (await analyseText(`${head}void f(cudaStream_t s) { ${body} }\n`)).findings.map(({ rule }) => rule);

describe('memory behind a texture object', () => {
  it('is freed when the kernels are done', async () => {
    expect(await found(`${linear} sample<<<1, 64, 0, s>>>(t, out); cudaFreeAsync(p, s); ${rest}`)).toEqual([]);
    expect(await found(`${linear} cudaFreeAsync(p, s); sample<<<1, 64, 0, s>>>(t, out); ${rest}`)).toEqual([
      'async-use-after-free',
    ]);
  });

  it('is in structures, too', async () => {
    expect(await found(`${linear} blend<<<1, 64, 0, s>>>({t, t}, out); cudaFreeAsync(p, s); ${rest}`)).toEqual([]);
    expect(
      await found(`${linear} Pair b = {t, t}; cudaFreeAsync(p, s); blend<<<1, 64, 0, s>>>(b, out); ${rest}`),
    ).toContain('async-use-after-free');
  });

  it('is written by one stream and read by another in order', async () => {
    const other = 'cudaStream_t o; cudaStreamCreateWithFlags(&o, cudaStreamNonBlocking);';
    const copy = 'cudaStreamSynchronize(s); cudaMemsetAsync(p, 0, 256, o);';
    const end = `cudaStreamSynchronize(o); cudaFreeAsync(p, s); ${rest}`;
    expect(await found(`${linear} ${other} ${copy} sample<<<1, 64, 0, s>>>(t, out); ${end}`)).toContain(
      'stream-conflicting-access',
    );
    expect(
      await found(`${linear} ${other} ${copy} cudaStreamSynchronize(o); sample<<<1, 64, 0, s>>>(t, out); ${end}`),
    ).toEqual([]);
  });

  it('is an array', async () => {
    const free = 'cudaStreamSynchronize(s); cudaFreeArray(a); cudaFree(out);';
    expect(await found(`${array} sample<<<1, 64, 0, s>>>(t, out); draw<<<1, 1, 0, s>>>(u); ${free}`)).toEqual([]);
    expect(await found(`${array} cudaFreeArray(a); draw<<<1, 1, 0, s>>>(u); cudaFree(out);`)).toEqual([
      'malloc-use-after-free',
    ]);
  });

  it('is described for the driver as well', async () => {
    const made = `CUdeviceptr p; cuMemAllocAsync(&p, 256, s); cuMemsetD8Async(p, 0, 256, s);
      CUDA_RESOURCE_DESC r = {}; r.resType = CU_RESOURCE_TYPE_LINEAR; r.res.linear.devPtr = p;
      CUDA_TEXTURE_DESC d = {}; CUtexObject t; cuTexObjectCreate(&t, &r, &d, nullptr); float *out; cudaMallocAsync(&out, 256, s);`;
    expect(
      await found(`${made} cuMemFreeAsync(p, s); sample<<<1, 64, 0, s>>>(t, out); cudaFreeAsync(out, s);`),
    ).toEqual(['async-use-after-free']);
  });
});
