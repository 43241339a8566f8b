/** `cudaMemcpyBatchAsync`: each copy of a batch has its own length. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <vector>
static cudaStream_t s;
static int *d, *h;
static void open() { cudaStreamCreate(&s); cudaMalloc(&d, 256); cudaMallocHost(&h, 512); }
static void close() { cudaStreamSynchronize(s); cudaFree(d); cudaFreeHost(h); cudaStreamDestroy(s); }
struct Batch {
  std::vector<void *> to; std::vector<const void *> from; std::vector<size_t> bytes;
  void add(void *t, const void *f, size_t n) { to.push_back(t); from.push_back(f); bytes.push_back(n); }
  void submit() { cudaMemcpyAttributes how{}; size_t first = 0;
    cudaMemcpyBatchAsync(to.data(), from.data(), bytes.data(), to.size(), &how, &first, 1, s); }
};
`;

describeRows('batches of copies', head, [
  [
    'are waited for before the host looks at any of it',
    'host-buffer-used-before-sync',
    '',
    'open(); Batch b; b.add(h, d, 64); b.add(h + 64, d, 256); b.submit(); int v = h[100]; close(); return v;',
    'open(); Batch b; b.add(h, d, 64); b.add(h + 64, d, 256); b.submit(); int v = h[20]; cudaStreamSynchronize(s); v += h[100]; close(); return v;',
  ],
  [
    'go on behind the end where one of them does',
    'copy-out-of-range',
    '',
    'open(); Batch b; b.add(h, d, 256); b.add(h + 64, d + 32, 256); b.submit(); close();',
    'open(); Batch b; b.add(h, d, 256); b.add(h + 64, d + 32, 128); b.submit(); close();',
  ],
]);
