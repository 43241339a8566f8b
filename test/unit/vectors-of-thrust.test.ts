/** Memory that an object of Thrust holds: it goes with the object, and elsewhere when the object grows. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <map>
#include <vector>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/universal_vector.h>
#include <thrust/device_malloc.h>
#include <thrust/reduce.h>
__global__ void k(float *p) { p[threadIdx.x] += 1.0f; }
static cudaStream_t nb() { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); return s; }`;

const made = 'cudaStream_t s = nb(), t = nb(); thrust::device_vector<float> v(1024, 1.0f); float *p = v.data().get();';
const done = 'cudaDeviceSynchronize();';
const freed = 'malloc-use-after-free';
const races = 'stream-conflicting-access';
const loop = 'for (int round = 0; round < 2; round++)';

const graph = `struct Step { thrust::device_vector<float> v; cudaStream_t s; cudaGraph_t g = nullptr; cudaGraphExec_t e = nullptr;
  explicit Step(size_t n) : v(n) { cudaStreamCreate(&s); }
  ~Step() { cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaStreamDestroy(s); }
  void build() { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 256, 0, s>>>(thrust::raw_pointer_cast(v.data())); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); }
  void run() { cudaGraphLaunch(e, s); cudaStreamSynchronize(s); } };`;

const rows: readonly Row[] = [
  [
    'resize',
    freed,
    '',
    `${made} v.resize(4096); k<<<1, 32, 0, s>>>(p); ${done}`,
    `${made} v.resize(64); k<<<1, 32, 0, s>>>(p); ${done}`,
  ],
  [
    'a graph keeps the address that was before it grew',
    freed,
    graph,
    'Step x(256); x.build(); x.run(); x.v.resize(512); x.run();',
    'Step x(256); x.v.reserve(512); x.build(); x.run(); x.v.resize(512); x.run();',
  ],
  [
    'shrink',
    freed,
    '',
    `${made} v.clear(); v.shrink_to_fit(); k<<<1, 32, 0, s>>>(p); ${done}`,
    `${made} v.clear(); k<<<1, 32, 0, s>>>(p); ${done}`,
  ],
  [
    'swapped with nothing',
    freed,
    '',
    `${made} thrust::device_vector<float>().swap(v); k<<<1, 32, 0, s>>>(p); ${done}`,
    `${made} thrust::device_vector<float> w; w.swap(v); k<<<1, 32, 0, s>>>(p); ${done}`,
  ],
  [
    'element added',
    freed,
    '',
    `${made} v.push_back(1); k<<<1, 32, 0, s>>>(p); ${done}`,
    `${made} v.pop_back(); v.push_back(1); k<<<1, 32, 0, s>>>(p); ${done}`,
  ],
  [
    'moved',
    freed,
    '',
    `${made} thrust::device_vector<float> w; { thrust::device_vector<float> u = std::move(v); } k<<<1, 32, 0, s>>>(p); ${done}`,
    `${made} thrust::device_vector<float> w; w = std::move(v); k<<<1, 32, 0, s>>>(p); ${done}`,
  ],
  [
    'returned by value, or only its address',
    freed,
    'float *lost() { thrust::device_vector<float> v(64); return thrust::raw_pointer_cast(v.data()); } thrust::device_vector<float> kept() { thrust::device_vector<float> v(64); return v; }',
    `float *p = lost(); k<<<1, 32>>>(p); ${done}`,
    `auto v = kept(); k<<<1, 32>>>(thrust::raw_pointer_cast(v.data())); ${done}`,
  ],
  [
    'a cast that is found by what it is given',
    'copy-out-of-range',
    'struct Sized { size_t bytes; };',
    `thrust::device_vector<float> v(32); k<<<1, 64>>>(raw_pointer_cast(v.data())); ${done}`,
    `thrust::device_vector<float> v(64); k<<<1, 64>>>(raw_pointer_cast(v.data())); ${done}`,
  ],
  [
    'in a map',
    freed,
    '',
    `std::map<int, thrust::device_vector<float>> all; all[1].resize(64); all[2].resize(64); float *p = thrust::raw_pointer_cast(&all[1][0]); all.erase(1); k<<<1, 32>>>(p); ${done}`,
    `std::map<int, thrust::device_vector<float>> all; all[1].resize(64); all[2].resize(64); float *p = thrust::raw_pointer_cast(&all[1][0]); all.erase(2); k<<<1, 32>>>(p); ${done}`,
  ],
  [
    'read by an algorithm that does not wait for the kernel',
    races,
    '',
    `${made} k<<<1, 32, 0, s>>>(p); float sum = thrust::reduce(v.begin(), v.end()); ${done}`,
    `${made} k<<<1, 32, 0, s>>>(p); float sum = thrust::reduce(thrust::cuda::par.on(s), v.begin(), v.end()); ${done}`,
  ],
  [
    'copied into a vector of the host: it is a copy',
    races,
    '',
    `${made} k<<<1, 32, 0, s>>>(p); thrust::host_vector<float> h = v; ${done}`,
    `${made} k<<<1, 32, 0, s>>>(p); ${done} thrust::host_vector<float> h = v; ${loop} { h = v; std::vector<float> g(v.begin(), v.end()); } v = h;`,
  ],
  [
    'made in a capture',
    'capture-unsafe-call',
    '',
    'cudaStream_t s = nb(); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); thrust::device_vector<float> v(64); cudaStreamEndCapture(s, &g);',
    '',
  ],
  [
    'a number of elements and a value',
    'copy-out-of-range',
    '',
    'thrust::device_vector<int> v(16, 0); cudaMemset(thrust::raw_pointer_cast(v.data()), 0, 100);',
    'thrust::device_vector<int> v(16, 0); cudaMemset(thrust::raw_pointer_cast(v.data()), 0, 64);',
  ],
  [
    'managed vector read by the host',
    'managed-host-access-race',
    '',
    `cudaStream_t s = nb(); thrust::universal_vector<float> v(64); k<<<1, 32, 0, s>>>(thrust::raw_pointer_cast(v.data())); float first = v[0]; ${done}`,
    `cudaStream_t s = nb(); thrust::universal_vector<float> v(64); k<<<1, 32, 0, s>>>(thrust::raw_pointer_cast(v.data())); ${done} float first = v[0];`,
  ],
  [
    'device_free',
    freed,
    '',
    `auto p = thrust::device_malloc<float>(64); thrust::device_free(p); k<<<1, 32>>>(p.get()); ${done}`,
    `auto p = thrust::device_malloc<float>(64); k<<<1, 32>>>(p.get()); ${done} thrust::device_free(p);`,
  ],
];

describeRows('vectors and buffers of libraries', head, rows);

describe('where it is said', () => {
  it('on lines of the program, with the name of the vector', async () => {
    const text = `${head}
int main() {
  cudaStream_t s = nb(); cudaGraph_t g; cudaGraphExec_t e;
  {
    thrust::device_vector<float> values(64);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    k<<<1, 32, 0, s>>>(values.data().get());
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
  }
  cudaGraphLaunch(e, s); cudaStreamSynchronize(s);
}
`;
    const { findings } = await analyseText(text);
    const [finding] = findings.filter(({ severity }) => severity === 'error');
    expect(finding?.message).toContain('`values`');
    const places = [finding!.span, ...finding!.related.map(({ span }) => span)];
    expect(places.map(({ file }) => file)).toEqual(places.map(() => finding!.span.file));
    const lines = places.map(
      ({ start }) => text.slice(0, start).split('\n').at(-1)!.trim() + text.slice(start).split('\n')[0],
    );
    expect(lines.some((line) => line.includes('values(64)'))).toBe(true);
    expect(lines.some((line) => line.includes('cudaGraphInstantiate'))).toBe(true);
  });
});
