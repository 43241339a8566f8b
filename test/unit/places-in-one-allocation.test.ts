/** Addresses of one allocation are in order, and have a distance. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
__global__ void work(float *p) { p[0] = 1; }
struct Part { const char *name; float *at; };
`;

describeRows('which part of a slab comes first', head, [
  [
    'what is freed is the first by name, or by address',
    'malloc-interior-free',
    '',
    `float *slab; cudaMalloc(&slab, 4096); Part parts[] = {{"a", slab + 64}, {"b", slab}, {"c", slab + 128}};
auto *first = std::min_element(parts, parts + 3, [](const Part &x, const Part &y) { return x.name[0] < y.name[0]; });
cudaFree(first->at);`,
    `float *slab; cudaMalloc(&slab, 4096); Part parts[] = {{"a", slab + 64}, {"b", slab}, {"c", slab + 128}};
auto *first = std::min_element(parts, parts + 3, [](const Part &x, const Part &y) { return x.at < y.at; });
cudaFree(first->at);`,
  ],
  [
    'how far two of them lie apart',
    'malloc-double-free',
    '',
    'float *p; cudaMalloc(&p, 4096); float *end = p + 1024; cudaFree(p); if (end - p == 1024) cudaFree(p);',
    'float *p; cudaMalloc(&p, 4096); float *end = p + 1024; cudaFree(p); if (end - p == 4096) cudaFree(p);',
  ],
  [
    'a loop from its begin to its end',
    'malloc-double-free',
    '',
    'float *p; cudaMalloc(&p, 4096); int parts = 0; for (float *at = p, *end = p + 1024; at < end; at += 256) { work<<<1, 1>>>(at); parts++; } cudaFree(p); if (parts == 4) cudaFree(p);',
    'float *p; cudaMalloc(&p, 4096); int parts = 0; for (float *at = p, *end = p + 1024; at < end; at += 256) { work<<<1, 1>>>(at); parts++; } cudaFree(p); if (parts == 1024) cudaFree(p);',
  ],
]);
