/** Arrays of many places that a host loop looks through, as pools do: it comes to the end of them. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (count: number, release: string): string => `#include <cuda_runtime.h>
__global__ void fill(float *p) { p[threadIdx.x] = 1.f; }
struct Pool {
  static const int MAX = ${count};
  struct Buffer { void *ptr = nullptr; size_t size = 0; };
  Buffer buffers[MAX] = {};
  void *alloc(size_t size, size_t *actual) {
    for (int i = 0; i < MAX; ++i) {
      Buffer &b = buffers[i];
      if (b.ptr != nullptr && b.size >= size) {
        void *ptr = b.ptr;
        *actual = b.size;
        b.ptr = nullptr;
        b.size = 0;
        return ptr;
      }
    }
    void *ptr;
    cudaMalloc(&ptr, size);
    *actual = size;
    return ptr;
  }
  void free(void *ptr, size_t size) {
    for (int i = 0; i < MAX; ++i) {
      Buffer &b = buffers[i];
      if (b.ptr == nullptr) {
        b.ptr = ptr;
        b.size = size;
        return;
      }
    }
    cudaFree(ptr);
  }
};
int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  Pool pool;
  size_t size = 0;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  float *p = (float *)pool.alloc(4096, &size);
  fill<<<1, 32, 0, stream>>>(p);
  ${release}
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 4; i++) cudaGraphLaunch(exec, stream);
  cudaDeviceSynchronize();
  return 0;
}
`;

describe('a pool of many places', () => {
  it.each([16, 100, 256])('of %i takes back what it gave', async (count) => {
    expect((await analyseText(program(count, 'pool.free(p, size);'))).findings).toEqual([]);
    const { findings } = await analyseText(program(count, 'cudaFree(p);'));
    expect(findings.map(({ rule }) => rule)).toEqual(['malloc-use-after-free']);
  });
});
