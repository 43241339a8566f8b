/** Searches through the slots of a pool, again and again: rounds over slots that hold the same are passed over, and all that is found stays certain. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

/** `search`: the loops that look for a slot that has something, and for one that has nothing. */
const pool = (take: string, give: string): string => `#include <cuda_runtime.h>
__global__ void work(float *data) { data[threadIdx.x] = 1.0f; }
struct Slot { void *ptr = nullptr; size_t size = 0; };
struct Pool {
  Slot slots[200] = {};
  void *take(size_t size) {
    ${take}
    void *ptr;
    cudaMalloc(&ptr, size);
    return ptr;
  }
  void give(void *ptr, size_t size) {
    ${give}
    cudaFree(ptr);
  }
  void clear() {
    for (int i = 0; i < 200; i++)
      if (slots[i].ptr) { cudaFree(slots[i].ptr); slots[i].ptr = nullptr; }
  }
};
`;
const byIndex = pool(
  'for (int i = 0; i < 200; ++i) { Slot &slot = slots[i]; if (slot.ptr && slot.size >= size) { void *ptr = slot.ptr; slot.ptr = nullptr; return ptr; } }',
  'for (int i = 0; i < 200; ++i) { Slot &slot = slots[i]; if (slot.ptr == nullptr) { slot.ptr = ptr; slot.size = size; return; } }',
);
const byElement = pool(
  'for (auto &slot : slots) if (slot.ptr && slot.size >= size) { void *ptr = slot.ptr; slot.ptr = nullptr; return ptr; }',
  'for (auto &slot : slots) { if (slot.ptr != nullptr) continue; slot.ptr = ptr; slot.size = size; return; }',
);
const byPlace = pool(
  'for (int i = 0; i < 200; ++i) if (slots[i].ptr && &slots[i] != &slots[0]) { void *ptr = slots[i].ptr; slots[i].ptr = nullptr; return ptr; }',
  'for (int i = 0; i < 200; ++i) if (!slots[i].ptr && i != 7) { slots[i].ptr = ptr; slots[i].size = size; return; }',
);

const layers = (last: string): string => `int main() {
  Pool pool;
  for (int layer = 0; layer < 12; layer++) {
    float *first = (float *)pool.take(4096), *second = (float *)pool.take(8192);
    work<<<1, 64>>>(first);
    work<<<1, 64>>>(second);
    pool.give(first, 4096);
    pool.give(second, 8192);
  }
  float *kept = (float *)pool.take(4096);
  work<<<1, 64>>>(kept);
  cudaDeviceSynchronize();
  ${last}
}`;

const clears = layers('pool.give(kept, 4096); pool.clear();');
describeRows('a pool that is searched', '', [
  [
    'by the index',
    'malloc-double-free',
    byIndex,
    layers('cudaFree(kept); pool.give(kept, 4096); pool.clear();'),
    clears,
  ],
  [
    'by element',
    'malloc-double-free',
    byElement,
    layers('cudaFree(kept); pool.give(kept, 4096); pool.clear();'),
    clears,
  ],
  ['by place', 'malloc-double-free', byPlace, layers('cudaFree(kept); pool.give(kept, 4096); pool.clear();'), clears],
  [
    'and emptied',
    'malloc-use-after-free',
    byIndex,
    layers('pool.give(kept, 4096); pool.clear(); work<<<1, 64>>>(kept);'),
    clears,
  ],
]);

describe('rounds over slots that hold the same', () => {
  it.each([
    ['by the index', byIndex],
    ['by element', byElement],
  ])('cost nothing, %s', async (_, head) => {
    const { facts, findings } = await analyseText(head + clears);
    expect(findings).toEqual([]);
    expect(facts.get('main')!.trace.steps).toBeLessThan(3000);
  });
});
