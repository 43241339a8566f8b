/** A copy or a memset of no bytes touches nothing, wherever its pointers lead. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <vector>
#include <algorithm>
#include <cstdio>
#include <cstring>
extern FILE *file;
`;

const filledByHost = (call: string): string =>
  `cudaStream_t s; cudaStreamCreate(&s); int *p, *d; cudaMallocHost(&p, 64); cudaMalloc(&d, 64);
   cudaMemcpyAsync(p, d, 64, cudaMemcpyDeviceToHost, s); ${call};
   cudaStreamSynchronize(s); cudaFreeHost(p); cudaFree(d); cudaStreamDestroy(s);`;

describeRows('of no bytes', head, [
  [
    'a memset of what is freed',
    'malloc-use-after-free',
    '',
    'int *d; cudaMalloc(&d, 64); cudaFree(d); cudaMemset(d, 0, 64);',
    'int *d; cudaMalloc(&d, 64); cudaFree(d); const size_t none = 0; cudaMemset(d, 0, none * sizeof(int));',
  ],
  [
    'a copy of a container without elements',
    'malloc-use-after-free',
    '',
    `std::vector<int> list(4); int *d; cudaMalloc(&d, 64); cudaFree(d);
     cudaMemcpy(d, list.data(), list.size() * sizeof(int), cudaMemcpyHostToDevice);`,
    `std::vector<int> list; int *d; cudaMalloc(&d, 64); cudaFree(d);
     cudaMemcpy(d, list.data(), list.size() * sizeof(int), cudaMemcpyHostToDevice);`,
  ],
  [
    'a copy of no rows',
    'malloc-use-after-free',
    '',
    'char h[64]; char *d; cudaMalloc(&d, 64); cudaFree(d); cudaMemcpy2D(d, 8, h, 8, 8, 2, cudaMemcpyHostToDevice);',
    'char h[64]; char *d; cudaMalloc(&d, 64); cudaFree(d); cudaMemcpy2D(d, 8, h, 8, 8, 0, cudaMemcpyHostToDevice);',
  ],
  [
    'a copy out of memory of the host that is written and freed',
    'host-buffer-used-before-sync',
    '',
    `cudaStream_t s; cudaStreamCreate(&s); int *p, *d; cudaMallocHost(&p, 64); cudaMalloc(&d, 64);
     cudaMemcpyAsync(d, p, 64, cudaMemcpyHostToDevice, s); p[0] = 4;
     cudaStreamSynchronize(s); cudaFreeHost(p); cudaFree(d); cudaStreamDestroy(s);`,
    `cudaStream_t s; cudaStreamCreate(&s); int *p, *d; cudaMallocHost(&p, 64); cudaMalloc(&d, 64);
     cudaMemcpyAsync(d, p, 0, cudaMemcpyHostToDevice, s); p[0] = 4; cudaFreeHost(p);
     cudaStreamSynchronize(s); cudaFree(d); cudaStreamDestroy(s);`,
  ],
  ...['memset(p, 0, #)', 'memmove(p, p + 4, #)', 'std::fill_n(p, #, 1)', 'fread(p, 4, #, file)'].map(
    (call): Row => [
      `on the host: ${call}`,
      'host-buffer-used-before-sync',
      '',
      filledByHost(call.replace('#', '16')),
      filledByHost(call.replace('#', '0')),
    ],
  ),
]);
