/** Lambdas that only calculate are given up when they take too long, as functions are; what stands behind them is read. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
bool more(); int pick(); void use(int);
__global__ void fill(float *data, int n) { if (threadIdx.x < n) data[threadIdx.x] = 1; }`;
const twice = 'float *d; cudaMalloc(&d, 64); cudaFree(d); cudaFree(d);';
const once = 'float *d; cudaMalloc(&d, 64); cudaFree(d);';
const before = (text: string) => ['malloc-double-free', '', `${text} ${twice}`, `${text} ${once}`] as const;

describeRows('lambdas that call themselves', head, [
  [
    'through a std::function',
    ...before('std::function<int(int)> f = [&](int x) { return x < 2 ? x : f(x - 1) + f(x - 2); }; use(f(40));'),
  ],
  [
    'through a parameter',
    ...before(
      'auto f = [](auto self, int x) -> int { return x < 2 ? x : self(self, x - 1) + self(self, x - 2); }; use(f(f, 40));',
    ),
  ],
  [
    'each the one before',
    ...before(
      `auto l0 = [&](int x) { return x; }; ${Array.from({ length: 40 }, (_, i) => `auto l${i + 1} = [&](int x) { return l${i}(x) + l${i}(x + 1); };`).join(' ')} use(l40(1));`,
    ),
  ],
  [
    'what they set is not known then',
    'malloc-double-free',
    '',
    `int mode = 0; std::function<int(int)> f = [&](int x) { if (x < 2) { mode = 1; return x; } return f(x - 1) + f(x - 2); };
    float *d; cudaMalloc(&d, 64); f(40); if (mode == 1) cudaFree(d); cudaFree(d);`,
    '',
  ],
  [
    'work that they launch',
    'malloc-use-after-free',
    '',
    `float *d; cudaMalloc(&d, 64); auto run = [&](int n) { fill<<<1, 32>>>(d, n); }; cudaFree(d); run(16);`,
    `float *d; cudaMalloc(&d, 64); auto run = [&](int n) { fill<<<1, 32>>>(d, n); }; run(16); cudaFree(d);`,
  ],
]);
