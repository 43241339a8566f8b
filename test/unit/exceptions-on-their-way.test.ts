/** Guards that ask whether they end because of an exception: `std::uncaught_exceptions()`. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <exception>
#include <stdexcept>
__global__ void k(float *p) { *p = 1; }
class Capture {
public:
  Capture(cudaStream_t s, cudaGraphExec_t &out) : s_(s), out_(out), before_(std::uncaught_exceptions()) {
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  }
  ~Capture() {
    cudaGraph_t graph;
    cudaStreamEndCapture(s_, &graph);
    if (std::uncaught_exceptions() == before_) cudaGraphInstantiate(&out_, graph, 0);
    cudaGraphDestroy(graph);
  }

private:
  cudaStream_t s_;
  cudaGraphExec_t &out_;
  int before_;
};
static void fill(cudaStream_t s, float *p, int n) {
  if (n > 256) throw std::length_error("too long");
  k<<<1, n, 0, s>>>(p);
}
`;

const program = (
  n: number,
): string => `cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 1024); cudaGraphExec_t x = nullptr;
  try { Capture c(s, x); fill(s, p, ${n}); } catch (const std::exception &) {}
  cudaGraphLaunch(x, s); cudaStreamSynchronize(s); cudaFree(p);`;

describeRows('exceptions on their way', head, [
  ['a capture that is given up', 'launch-invalid-exec', '', program(257), program(256)],
  [
    'one behind which another goes on',
    'launch-invalid-exec',
    'struct Report { cudaStream_t s; float *p; cudaGraphExec_t &x; ~Report() { try { Capture c(s, x); fill(s, p, 257); } catch (...) {} } };',
    `cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 1024); cudaGraphExec_t x = nullptr;
     try { Report r{s, p, x}; throw std::runtime_error("no"); } catch (const std::exception &) {} cudaGraphLaunch(x, s);`,
    `cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 1024); cudaGraphExec_t x = nullptr;
     try { throw std::runtime_error("no"); } catch (const std::exception &) { Capture c(s, x); fill(s, p, 2); }
     cudaGraphLaunch(x, s);`,
  ],
]);
