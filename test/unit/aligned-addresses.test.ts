/** Addresses that are rounded as numbers: what is reached through them is still the allocation's. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdint>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
constexpr std::uintptr_t up(std::uintptr_t v, std::uintptr_t a) { return (v + a - 1) / a * a; }
char *raw;`;

const begin = 'cudaMalloc(&raw, 1000);';

describeRows('rounded addresses', head, [
  [
    'a mask',
    'copy-out-of-range',
    '',
    `${begin} char *p = (char *)(((uintptr_t)raw + 64 + 255) & ~uintptr_t(255)); cudaMemset(p, 0, 800); cudaFree(raw);`,
    `${begin} char *p = (char *)(((uintptr_t)raw + 64 + 255) & ~uintptr_t(255)); cudaMemset(p, 0, 744); cudaFree(raw);`,
  ],
  [
    'a quotient and a product',
    'malloc-use-after-free',
    '',
    `${begin} float *p = reinterpret_cast<float *>(up(reinterpret_cast<std::uintptr_t>(raw) + 64, 128)); cudaFree(raw); k<<<1, 8>>>(p);`,
    `${begin} float *p = reinterpret_cast<float *>(up(reinterpret_cast<std::uintptr_t>(raw) + 64, 128)); k<<<1, 8>>>(p); cudaFree(raw);`,
  ],
  [
    'what is freed',
    'malloc-interior-free',
    '',
    `${begin} size_t a = 128; auto at = ((size_t)raw + 1 + a - 1) & ~(a - 1); cudaFree((void *)at);`,
    `${begin} size_t a = 128; auto at = ((size_t)raw + a - 1) & ~(a - 1); cudaFree((void *)at);`,
  ],
  [
    'further than allocations are aligned',
    'malloc-use-after-free',
    '',
    `cudaMalloc(&raw, 9000); float *p = (float *)up((uintptr_t)raw, 4096); cudaFree(raw); k<<<1, 8>>>(p);`,
    `cudaMalloc(&raw, 9000); float *p = (float *)up((uintptr_t)raw, 4096); k<<<1, 8>>>(p); cudaMemset(p, 0, 4904); cudaFree(raw);`,
  ],
  [
    'a mark in the lowest bit that is taken away again',
    'malloc-double-free',
    '',
    `${begin} uintptr_t marked = (uintptr_t)raw | 1; cudaFree(raw); if (marked & 1) cudaFree((void *)(marked & ~(uintptr_t)1));`,
    `${begin} uintptr_t marked = (uintptr_t)raw | 1; cudaFree(raw); if (!(marked & 1)) cudaFree((void *)(marked & ~(uintptr_t)1));`,
  ],
  [
    'a mark that is not taken away',
    'malloc-interior-free',
    '',
    `${begin} uintptr_t marked = (uintptr_t)raw ^ 2u; if (marked % 4 == 2) cudaFree((void *)marked);`,
    `${begin} uintptr_t marked = (uintptr_t)raw ^ 2u; if (marked % 4 == 2) cudaFree((void *)(marked ^ 2));`,
  ],
  [
    'several marks at a time',
    'malloc-use-after-free',
    '',
    `${begin} size_t marked = 5u | (size_t)raw; cudaFree(raw); k<<<1, 8>>>((float *)(marked & ~(size_t)5));`,
    `${begin} size_t marked = 5u | (size_t)raw; k<<<1, 8>>>((float *)(marked & ~(size_t)5)); cudaFree(raw);`,
  ],
]);
