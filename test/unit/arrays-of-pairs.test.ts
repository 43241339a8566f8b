/** Arrays whose elements are pairs, tuples or arrays with objects of the program in them: those are made, and end, as the language says. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <tuple>
#include <utility>
#include <vector>
struct Buffer {
  float *p = nullptr;
  Buffer() { cudaMallocAsync(&p, 64, 0); }
  Buffer(const Buffer &) = delete;
  Buffer(Buffer &&other) : p(other.p) { other.p = nullptr; }
  ~Buffer() { if (p) cudaFreeAsync(p, 0); }
};
__global__ void work(float *p) { p[0] = 1; }
`;

describeRows(
  'objects in elements',
  head,
  (
    [
      ['std::pair<Buffer, int> all[2];', 'all[1].first.p'],
      ['std::array<std::pair<Buffer, int>, 2> all;', 'all[1].first.p'],
      ['std::tuple<int, Buffer> all[2];', 'std::get<1>(all[1]).p'],
      ['std::vector<std::array<Buffer, 2>> all(1);', 'all[0][1].p'],
      ['std::pair<Buffer, Buffer> all[1][1];', 'all[0][0].second.p'],
    ] as const
  ).map(
    ([declared, used]) =>
      [
        declared,
        'async-use-after-free',
        '',
        `float *kept; { ${declared} kept = ${used}; work<<<1, 1>>>(kept); } work<<<1, 1>>>(kept);`,
        `float *kept; { ${declared} kept = ${used}; work<<<1, 1>>>(kept); }`,
      ] as const,
  ),
);
