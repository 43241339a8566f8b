/** Two places in one allocation, both as far in as one number says that nobody knows. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
__global__ void put(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 1.0f; }
__global__ void get(const float *p, float *q, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) q[i] = p[i]; }
int next(int);
cudaStream_t s, t; float *d, *e;
void begin() { cudaStreamCreate(&s); cudaStreamCreate(&t); cudaMalloc(&d, 1 << 20); cudaMalloc(&e, 1 << 20); }
void fill(cudaStream_t in, float *p) { put<<<4, 256, 0, in>>>(p, 1024); }`;

const race = 'stream-conflicting-access';
const end = 'cudaDeviceSynchronize(); cudaFree(d); cudaFree(e);';
const both = (work: string): string => `begin(); int at = atoi(getenv("AT")), by = atoi(getenv("BY")); ${work} ${end}`;
const two = (first: string, second: string): string =>
  both(`put<<<4, 256, 0, s>>>(${first}, 1024); put<<<4, 256, 0, t>>>(${second}, 1024);`);

describeRows('places that one unknown number tells', head, [
  ['the same place, and one that another number tells', race, '', two('d + at', 'd + at'), two('d + at', 'd + by')],
  ['a little further, and behind its end', race, '', two('d + at', 'd + at + 512'), two('d + at', 'd + at + 1024')],
  [
    'in another variable',
    race,
    '',
    both('float *p = d + at; fill(s, p); fill(t, p);'),
    both('float *p = d + at; fill(s, p); fill(s, p);'),
  ],
  [
    'calculated from one number, each time anew',
    race,
    '',
    both('fill(s, d + 2 * at / 4); fill(t, d + at * 2 / 4);'),
    both('fill(s, d + 2 * at / 4); fill(t, d + 3 * at / 4);'),
  ],
  [
    'a part of the whole for each stream',
    race,
    '',
    both('for (int i = 1; i < 3; ++i) fill(s, d + i * at / 4); for (int i = 1; i < 3; ++i) fill(t, d + i * at / 4);'),
    both('for (int i = 1; i < 3; ++i) fill(s, d + i * at / 4); for (int i = 1; i < 3; ++i) fill(s, d + i * at / 4);'),
  ],
  ['an element of it', race, '', both('fill(s, &d[at]); fill(t, &d[at]);'), both('fill(s, &d[at]); fill(t, &d[by]);')],
  [
    'a number that each round tells anew',
    race,
    '',
    both('int o = next(0); for (int i = 0; i < 2; ++i) fill(i ? s : t, d + o);'),
    both('for (int i = 0; i < 2; ++i) { int o = next(i); fill(i ? s : t, d + o); }'),
  ],
  [
    'a number that each round makes larger',
    race,
    '',
    both('for (int i = 0; i < 2; ++i) { fill(i ? s : t, d + at); }'),
    both('for (int i = 0; i < 2; ++i) { fill(i ? s : t, d + at); at += by; }'),
  ],
  [
    'copies and memsets',
    race,
    '',
    both('cudaMemsetAsync(d + at, 0, 4096, s); cudaMemcpyAsync(e, d + at + 1023, 4096, cudaMemcpyDeviceToDevice, t);'),
    both('cudaMemsetAsync(d + at, 0, 4096, s); cudaMemcpyAsync(e, d + at + 1024, 4096, cudaMemcpyDeviceToDevice, t);'),
  ],
  [
    'counted in elements of another size',
    race,
    '',
    both('cudaMemsetAsync((char *)d + at, 0, 64, s); cudaMemsetAsync((char *)d + at, 1, 64, t);'),
    both('cudaMemsetAsync((char *)d + at, 0, 64, s); cudaMemsetAsync(d + at, 1, 64, t);'),
  ],
  [
    'a reader of another buffer',
    race,
    '',
    both('put<<<4, 256, 0, s>>>(d + at, 1024); get<<<4, 256, 0, t>>>(d + at, e, 1024);'),
    both('put<<<4, 256, 0, s>>>(d + at, 1024); get<<<4, 256, 0, t>>>(e + at, d + by, 1024);'),
  ],
]);
