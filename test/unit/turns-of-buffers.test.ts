/** Buffers that take turns in a loop of which nobody knows how often it goes round: the first of them has its turn again. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (count: number, begin: string, slot: string, wait: string): string => `#include <cuda_runtime.h>
#include <cstdlib>
#include <queue>
#include <utility>
__global__ void scale(float *p) { p[threadIdx.x] *= 2.f; }
int main(int argc, char **argv) {
  const int rounds = atoi(argv[1]);
  cudaStream_t streams[${count}];
  cudaEvent_t copied[${count}];
  float *host[${count}], *device[${count}];
  for (int i = 0; i < ${count}; i++) {
    cudaStreamCreate(&streams[i]);
    cudaEventCreate(&copied[i]);
    cudaMallocHost(&host[i], 1024);
    cudaMalloc(&device[i], 1024);
  }
  ${begin}
  for (int i = 0; i < rounds; i++) {
    ${slot}
    ${wait}
    host[slot][0] = i;
    cudaMemcpyAsync(device[slot], host[slot], 1024, cudaMemcpyHostToDevice, streams[slot]);
    cudaEventRecord(copied[slot], streams[slot]);
    scale<<<1, 32, 0, streams[slot]>>>(device[slot]);
  }
  cudaDeviceSynchronize();
  return 0;
}
`;

const found = async (text: string): Promise<readonly string[]> =>
  (await analyseText(text)).findings.map(({ rule }) => rule);

describe('buffers that take turns as often as nobody knows', () => {
  it.each([
    ['two, by the remainder', 2, '', 'const int slot = i % 2;'],
    ['two, by the last bit', 2, '', 'const int slot = i & 1;'],
    ['two, turned over', 2, 'int current = 0;', 'const int slot = current; current ^= 1;'],
    ['two, the other one', 2, 'int current = 0;', 'const int slot = current; current = 1 - current;'],
    ['three', 3, '', 'const int slot = i % 3;'],
    ['three, by a number of their own', 3, 'int next = 0;', 'const int slot = next; next = (next + 1) % 3;'],
    ['four', 4, '', 'const int slot = i % 4;'],
    ['eight', 8, '', 'const int slot = i % 8;'],
    ['three, until the last', 3, 'int next = 0;', 'const int slot = next; if (++next == 3) next = 0;'],
    ['three, chosen', 3, 'int next = 0;', 'const int slot = next; next = next == 2 ? 0 : next + 1;'],
    ['two, turned by !', 2, 'bool other = false;', 'const int slot = other; other = !other;'],
    ['two, swapped', 2, 'int now = 0, then = 1;', 'const int slot = now; std::swap(now, then);'],
    [
      'three, out of a queue',
      3,
      'std::queue<int> free; for (int i = 0; i < 3; i++) free.push(i);',
      'const int slot = free.front(); free.pop(); free.push(slot);',
    ],
    [
      'two in one allocation',
      2,
      'float *whole; cudaMallocHost(&whole, 2048); host[0] = whole; host[1] = whole + 256;',
      'const int slot = i % 2;',
    ],
  ])('%s', async (_what, count, begin, slot) => {
    expect(await found(program(count, begin, slot, ''))).toEqual(['host-buffer-used-before-sync']);
    expect(await found(program(count, begin, slot, 'cudaEventSynchronize(copied[slot]);'))).toEqual([]);
  });

  it('not where the counter alone tells which it is: there may be no more', async () => {
    const each = `#include <cuda_runtime.h>
__global__ void scale(float *p) { p[threadIdx.x] *= 2.f; }
int main(int argc, char **argv) {
  cudaStream_t streams[8] = {};
  float *data[8] = {};
  const int count = argc - 1;
  for (int i = 0; i < count; i++) {
    cudaStreamCreate(&streams[i]);
    cudaMalloc(&data[i], 1024);
  }
  auto use = [&](int i) { scale<<<1, 32, 0, streams[i]>>>(data[i]); };
  for (int i = 0; i < count; i++) use(i);
  for (int i = 0; i < count; i++) {
    cudaStreamSynchronize(streams[i]);
    cudaStreamDestroy(streams[i]);
    cudaFree(data[i]);
  }
  return 0;
}
`;
    expect(await found(each)).toEqual([]);
  });

  const batch = (given: string, wait: string): string => `#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>
struct Request { int id; float scale; };
struct Slot {
  float *host, *device;
  cudaEvent_t done;
  Slot() { cudaMallocHost(&host, 1024); cudaMalloc(&device, 1024); cudaEventCreate(&done); }
};
std::vector<Request> load(const char *name);
int main(int argc, char **argv) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Slot slots[2];
  int next = 0;
  ${given}
  for (const auto &request : requests) {
    Slot &slot = slots[next];
    next = (next + 1) % 2;
    ${wait}
    slot.host[0] = request.scale;
    cudaMemcpyAsync(slot.device, slot.host, 1024, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(slot.done, stream);
  }
  cudaDeviceSynchronize();
  return 0;
}
`;

  it.each(['std::vector<Request> requests = load(argv[1]);', 'std::vector<Request> requests(atoi(argv[1]));'])(
    'and in a loop over elements that nobody knows: %s',
    async (given) => {
      expect(await found(batch(given, ''))).toEqual(['host-buffer-used-before-sync']);
      expect(await found(batch(given, 'cudaEventSynchronize(slot.done);'))).toEqual([]);
    },
  );

  it('not over the buffers themselves', async () => {
    const each = `#include <cuda_runtime.h>
#include <vector>
__global__ void scale(float *p) { p[threadIdx.x] *= 2.f; }
int main(int argc, char **argv) {
  std::vector<float *> buffers;
  for (int i = 0; i < argc; i++) {
    float *p;
    cudaMalloc(&p, 1024);
    buffers.push_back(p);
  }
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (float *p : buffers) scale<<<1, 32, 0, stream>>>(p);
  cudaStreamSynchronize(stream);
  for (float *p : buffers) cudaFree(p);
  return 0;
}
`;
    expect(await found(each)).toEqual([]);
  });

  const ring = (wait: string): string => `#include <cuda_runtime.h>
#include <fstream>
#include <memory>
#include <vector>
struct Frame {
  Frame() { cudaMallocHost(&host, 64); cudaMalloc(&device, 64); cudaEventCreate(&done); }
  char *host, *device;
  cudaEvent_t done;
};
class Pipeline {
  static constexpr int kRing = 3;
  std::vector<std::unique_ptr<Frame>> ring;
  cudaStream_t stream;
  int next = 0;
 public:
  Pipeline() { cudaStreamCreate(&stream); for (int i = 0; i < kRing; ++i) ring.push_back(std::make_unique<Frame>()); }
  void push(const char *from) {
    Frame &frame = *ring[next % kRing];
    ${wait}
    next++;
    frame.host[0] = from[0];
    cudaMemcpyAsync(frame.device, frame.host, 64, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(frame.done, stream);
  }
};
int main(int argc, char **argv) {
  std::ifstream source(argv[1]);
  std::vector<char> raw(64);
  Pipeline pipeline;
  while (source.read(raw.data(), raw.size())) pipeline.push(raw.data());
  cudaDeviceSynchronize();
  return 0;
}
`;

  it('and that a method turns to, in a loop that reads until there is no more', async () => {
    expect(await found(ring(''))).toEqual(['host-buffer-used-before-sync']);
    expect(await found(ring('cudaEventSynchronize(frame.done);'))).toEqual([]);
  });
});
