/** Sets whose elements are ordered by a function that also compares addresses: free lists of allocators. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (order: string, wait: string): string => `#include <cuda_runtime.h>
#include <cstdint>
#include <set>
struct Block { cudaStream_t stream; size_t size; void *ptr; };
${order}
struct Pool {
  std::set<Block *, Order> free{ORDER};
  Block *get(size_t size, cudaStream_t stream) {
    Block key{stream, size, nullptr};
    auto it = free.lower_bound(&key);
    if (it != free.end() && (*it)->stream == stream) {
      Block *found = *it;
      free.erase(it);
      return found;
    }
    void *ptr = nullptr;
    cudaMalloc(&ptr, size);
    return new Block{stream, size, ptr};
  }
  void put(Block *block) { free.insert(block); }
};
int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  Pool pool;
  Block *one = pool.get(4096, first), *two = pool.get(4096, first), *other = pool.get(8192, second);
  pool.put(one);
  pool.put(two);
  pool.put(other);
  float *host;
  cudaMallocHost(&host, 4096);
  for (int i = 0; i < 4; i++) {
    Block *block = pool.get(4096, first);
    host[0] = i;
    cudaMemcpyAsync(block->ptr, host, 4096, cudaMemcpyHostToDevice, first);
    ${wait}
    pool.put(block);
  }
  cudaDeviceSynchronize();
  return 0;
}
`;

const compare = `if (a->stream != b->stream) return (uintptr_t)a->stream < (uintptr_t)b->stream;
  if (a->size != b->size) return a->size < b->size;
  return (uintptr_t)a->ptr < (uintptr_t)b->ptr;`;

describe('what is ordered by address', () => {
  it.each([
    [
      'by a function',
      `typedef bool (*Order)(const Block *, const Block *);
static bool bySize(const Block *a, const Block *b) { ${compare} }
#define ORDER bySize`,
    ],
    [
      'by a class',
      `struct Order { bool operator()(const Block *a, const Block *b) const { ${compare} } };
#define ORDER Order{}`,
    ],
  ])('%s', async (_what, order) => {
    const { findings } = await analyseText(program(order, ''));
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['host-buffer-used-before-sync', 'error']]);
    expect((await analyseText(program(order, 'cudaStreamSynchronize(first);'))).findings).toEqual([]);
  });
});
