/** Classes whose heads a macro writes, and macros that are given more than a screenful; each mistake beside the program without it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
__global__ void work(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= 2; }
#define API __attribute__((visibility("default")))
#define CLASS(n) class n final
#define TASK(n, base) struct API n : public base
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
template <class F> struct Guard { F f; ~Guard() { f(); } };
struct Maker { template <class F> Guard<F> operator+(F f) { return {f}; } };
#define DEFER(...) auto CAT(guard, __LINE__) = Maker{} + [&] { __VA_ARGS__ }
`;

const owner = (drop: string): string =>
  `CLASS(Buffer) { float *p_ = nullptr; public: Buffer() { cudaMalloc(&p_, 4096); } ~Buffer() { cudaFree(p_); } float *get() const { return p_; } void drop() { cudaFree(p_); ${drop} } };
   int main() { Buffer b; work<<<8, 128>>>(b.get(), 1024); b.drop(); return 0; }`;

const task = (last: string): string =>
  `struct Base { cudaStream_t s; Base() { cudaStreamCreate(&s); } ~Base() { cudaStreamDestroy(s); } };
   TASK(Task, Base) { float *p; void run() { cudaMallocAsync((void **)&p, 4096, s); work<<<8, 128, 0, s>>>(p, 1024); ${last} cudaStreamSynchronize(s); } };
   int main() { Task t; t.run(); return 0; }`;

const long = Array.from({ length: 150 }, (_, step) => `std::printf("step %d of the end (of all)\\n", ${step});`).join(
  '\n',
);
const deferred = (last: string): string =>
  `int main() { float *p; cudaMalloc(&p, 4096); DEFER(${long} cudaFree(p););
   work<<<8, 128>>>(p, 1024); cudaDeviceSynchronize(); ${last} return 0; }`;

const rows: readonly Row[] = [
  ['a class that a macro begins', 'malloc-double-free', '', owner(''), owner('p_ = nullptr;')],
  [
    'a class with a base that a macro begins',
    'async-use-after-free',
    '',
    task('cudaFreeAsync(p, s); work<<<8, 128, 0, s>>>(p, 1024);'),
    task('work<<<8, 128, 0, s>>>(p, 1024); cudaFreeAsync(p, s);'),
  ],
  ['more than 4,000 letters for the end of a scope', 'malloc-double-free', '', deferred('cudaFree(p);'), deferred('')],
];

describeRows(
  'macros around much',
  head,
  rows.map(([what, rule, , bad, good]) => [what, rule, '', bad, good]),
);
