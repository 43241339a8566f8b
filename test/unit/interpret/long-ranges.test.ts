/** Containers of millions of elements cost no memory of ours: the first elements are known, and how many there are. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const millions = `
#include <array>
#include <cuda_runtime.h>
#include <utility>
#include <vector>
template <size_t... I> size_t total(std::index_sequence<I...>) { return sizeof...(I); }
int main() {
  std::vector<float> host(50000000);
  std::array<float, 50000000> fixed;
  auto [first] = fixed;
  size_t counted = total(std::make_index_sequence<50000000>{});
  FILL
  float *device;
  cudaMalloc(&device, copy.size() * sizeof(float));
  cudaFree(device);
}`;

const ways: readonly (readonly [what: string, text: string, length: number])[] = [
  ['made from two iterators', 'std::vector<float> copy(host.begin(), host.end());', 50_000_000],
  ['made from a part', 'std::vector<float> copy(host.begin() + 10, host.begin() + 40000010);', 40_000_000],
  ['assigned', 'std::vector<float> copy; copy.assign(host.begin(), host.end());', 50_000_000],
  ['inserted', 'std::vector<float> copy(3); copy.insert(copy.begin(), host.begin(), host.end());', 50_000_003],
  ['inserted so often', 'std::vector<float> copy; copy.insert(copy.end(), 30000000, 1.0f);', 30_000_000],
];

describe('a long range', () => {
  it.each(ways)('%s', async (_, text, length) => {
    const { facts, findings } = await analyseText(millions.replace('FILL', text));
    const sizes = facts.get('main')?.trace.allocations.map(({ bytes }) => bytes);
    expect(sizes).toContainEqual(expect.objectContaining({ value: length * 4 }));
    expect(findings).toEqual([]);
  });
});
