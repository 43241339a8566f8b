/** The address of an array as a whole, cast to a pointer to a pointer, points at its first element; `(&array)[0]` is the array. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
struct Allocator {
  void release(void **slot) const { if (*slot != nullptr) cudaFreeAsync(*slot, 0); *slot = nullptr; }
};
struct Model {
  int *cache[2] = {nullptr, nullptr};
  void begin() { void *p; cudaMallocAsync(&p, 512, 0); cache[0] = (int *)p; cache[1] = cache[0] + 64; }
};
__global__ void work(int *data) { data[threadIdx.x] = 1; }
struct Rows { float data[16]; };
__global__ void fill(float *data) { data[threadIdx.x] = 1.0f; }
`;

describeRows(
  'the first element of an array',
  head,
  ['(void **)(&model.cache)[0]', '(void **)(&model.cache[0])', '(void **)&model.cache', '(void **)model.cache'].map(
    (slot) =>
      [
        slot,
        'async-use-after-free',
        '',
        `Allocator allocator; Model model; model.begin(); int *kept = model.cache[1]; allocator.release(${slot}); work<<<1, 32>>>(kept);`,
        `Allocator allocator; Model model; model.begin(); work<<<1, 32>>>(model.cache[1]); allocator.release(${slot});`,
      ] as const,
  ),
);

describeRows('a member that is an array lies where its object lies', head, [
  [
    'given to a kernel',
    'device-gets-host-pointer',
    'void run(Rows *rows) { fill<<<1, 16>>>(rows->data); }',
    'float data[16]; fill<<<1, 16>>>(data); cudaDeviceSynchronize();',
    'Rows *rows; cudaMallocManaged(&rows, sizeof(Rows)); run(rows); cudaDeviceSynchronize(); cudaFree(rows);',
  ],
]);
