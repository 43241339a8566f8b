/** What the host reads and writes of managed memory through a span. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <ranges>
#include <span>
__global__ void work(int *p) { p[threadIdx.x] = 1; }
`;

const before = `int *p; cudaMallocManaged(&p, 64 * sizeof(int));
cudaStream_t s; cudaStreamCreate(&s);
std::span<int> seen{p, 64};
work<<<1, 64, 0, s>>>(p);
`;
const after = `cudaStreamSynchronize(s);
cudaStreamDestroy(s);
cudaFree(p);
`;

const read = (what: string, how: string): Row => [
  what,
  'managed-host-access-race',
  '',
  `${before}${how}\n${after}`,
  `${before}cudaStreamSynchronize(s);\n${how}\n${after}`,
];

describeRows('a span over memory that a kernel writes', head, [
  read('an element', 'int first = seen[0]; (void)first;'),
  read('an algorithm over the range', 'auto n = std::ranges::count(seen, 1); (void)n;'),
  read('an element of a part', 'int last = seen.first(2)[0]; (void)last;'),
  read('a loop over copies', 'int sum = 0; for (int v : seen) sum += v;'),
  [
    'its size and where it lies touch nothing',
    '',
    '',
    '',
    `${before}auto n = seen.size(); auto *at = seen.data(); (void)n, (void)at;\n${after}`,
  ],
]);
