/** What `emplace` of an owner returns, and macros whose last operator waits for what stands behind their use. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `
#include <any>
#include <optional>
#include <variant>
__global__ void k(float *p) { p[0] = 1.0f; }
struct Check {
  int line;
  void operator,(cudaError_t) const {}
  void operator%(cudaError_t) const {}
  void operator*(cudaError_t) const {}
};
static cudaStream_t s;`;

const rows: readonly Row[] = [
  [
    'the place that an optional makes',
    'async-double-free',
    '',
    'std::optional<float *> p; cudaMallocAsync(&p.emplace(), 64, s); cudaFreeAsync(*p, s); cudaFreeAsync(p.value(), s);',
    'std::optional<float *> p; cudaMallocAsync(&p.emplace(), 64, s); if (p) cudaFreeAsync(*p, s);',
  ],
  [
    'the executable in an optional',
    'relaunch-with-live-allocation',
    '',
    `cudaStreamCreate(&s); std::optional<cudaGraphExec_t> e; cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); float *p;
     cudaMallocAsync(&p, 64, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e.emplace(), g, 0);
     cudaGraphLaunch(e.value(), s); cudaGraphLaunch(*e, s); cudaFreeAsync(p, s); cudaGraphExecDestroy(*e); cudaGraphDestroy(g);`,
    `cudaStreamCreate(&s); std::optional<cudaGraphExec_t> e; cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); float *p;
     cudaMallocAsync(&p, 64, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e.emplace(), g, 0);
     cudaGraphLaunch(e.value(), s); cudaFreeAsync(p, s); cudaGraphExecDestroy(*e); cudaGraphDestroy(g);`,
  ],
  [
    'the place that a variant makes',
    'async-double-free',
    '',
    'std::variant<int, float *> v; cudaMallocAsync(&v.emplace<1>(), 64, s); cudaFreeAsync(std::get<1>(v), s); cudaFreeAsync(std::get<1>(v), s);',
    'std::variant<int, float *> v; cudaMallocAsync(&v.emplace<1>(), 64, s); cudaFreeAsync(std::get<1>(v), s);',
  ],
  ...[',', '%', '*'].map(
    (operator): Row => [
      `a macro that ends in ${operator}`,
      'async-use-after-free',
      `#define CU Check{__LINE__} ${operator}`,
      'float *p; CU cudaMallocAsync(&p, 64, s); CU cudaFreeAsync(p, s); k<<<1, 1, 0, s>>>(p);',
      'float *p; CU cudaMallocAsync(&p, 64, s); k<<<1, 1, 0, s>>>(p); CU cudaFreeAsync(p, s);',
    ],
  ),
];

describeRows('what is emplaced, and macros that are open', head, rows);
