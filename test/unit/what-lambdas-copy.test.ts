/** `[=]` copies what the body means, and keeps nothing else alive. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <deque>
#include <functional>
#include <memory>
#include <vector>
__global__ void use(int *p) { p[threadIdx.x] = 1; }
#define RUN(s) use<<<1, 256, 0, s>>>(buffer.get())
#define RUN_IN_A RUN(a)
cudaStream_t a, b;
auto make(cudaStream_t in, cudaStream_t freed) {
  int *p = nullptr; cudaMallocAsync(&p, 1024, in);
  return std::shared_ptr<int>(p, [freed](int *q) { cudaFreeAsync(q, freed); });
}
void begin() { cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking); }
void end() { cudaStreamSynchronize(a); cudaStreamSynchronize(b); }`;

const race = 'async-use-free-race';
const queue = 'std::deque<std::function<void()>> tasks;';
const pair = (work: (freed: string) => string): [string, string] => [
  `begin(); ${work('b')} end();`,
  `begin(); ${work('a')} end();`,
];

describeRows('what lambdas share', head, [
  [
    'two in a queue that the second one could name',
    race,
    '',
    ...pair(
      (freed) => `{ ${queue} { auto buffer = make(a, ${freed});
        for (int i = 0; i < 2; ++i) tasks.push_back([=] { use<<<1, 256, 0, a>>>(buffer.get()); }); }
        while (!tasks.empty()) { tasks.front()(); tasks.pop_front(); } }`,
    ),
  ],
  [
    'what only a macro names',
    race,
    '',
    ...pair(
      (
        freed,
      ) => `{ ${queue} { auto buffer = make(a, ${freed}); tasks.push_back([=] { RUN_IN_A; }); tasks.push_back([=] { RUN_IN_A; }); }
        for (auto &task : tasks) task(); }`,
    ),
  ],
  [
    'what only a lambda in there keeps',
    race,
    '',
    ...pair(
      (freed) => `{ ${queue} { auto buffer = make(a, ${freed}); int *p = buffer.get();
        tasks.push_back([=] { auto keep = [buffer] {}; use<<<1, 256, 0, a>>>(p); keep(); }); }
        tasks.front()(); }`,
    ),
  ],
]);
