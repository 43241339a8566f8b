/** Parameters of kernels that launches leave out: what a kernel does is what it does with their defaults. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__device__ int done;
__global__ void signal(int n, int told = 0) { if (told) done = 1; }
__global__ void fill(float *p, int n, bool write = false);
__global__ void fill(float *p, int n, bool write) { if (write) p[0] = 1; }
__global__ void either(float *p, int n, float *other = nullptr) { if (other) other[0] = 1; else if (n > 100) p[0] = 2; }
`;
const body = (first: string, second: string): string =>
  `cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); float *p; cudaMalloc(&p, 4); ${first} ${second} cudaDeviceSynchronize(); cudaFree(p);`;
const rule = 'stream-conflicting-access';

describeRows('defaults of a kernel', head, [
  [
    'a flag, for a variable of the device',
    rule,
    '',
    body('signal<<<1, 1, 0, s>>>(3, 1);', 'signal<<<1, 1, 0, t>>>(3, 1);'),
    body('signal<<<1, 1, 0, s>>>(3);', 'signal<<<1, 1, 0, t>>>(3);'),
  ],
  [
    'a flag that the declaration has',
    rule,
    '',
    body('fill<<<1, 1, 0, s>>>(p, 3, true);', 'fill<<<1, 1, 0, t>>>(p, 3, true);'),
    body('fill<<<1, 1, 0, s>>>(p, 3);', 'fill<<<1, 1, 0, t>>>(p, 3);'),
  ],
  [
    'no memory',
    rule,
    '',
    body('either<<<1, 1, 0, s>>>(p, 200);', 'either<<<1, 1, 0, t>>>(p, 200);'),
    body('either<<<1, 1, 0, s>>>(p, 3);', 'either<<<1, 1, 0, t>>>(p, 3);'),
  ],
]);
