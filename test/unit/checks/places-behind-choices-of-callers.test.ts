/** Where a mistake is reported whose call of CUDA is reached through a call that leads to several functions. */

import { expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <vector>
__global__ void use(float *p) { *p += 1; }
`;

/** The lines of the findings that are errors, as they are written. */
async function linesFound(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(text);
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ span }) => text.slice(text.lastIndexOf('\n', span.start) + 1, text.indexOf('\n', span.start)).trim());
}

const builders = `${head}
template <class Derived> struct Step {
  cudaStream_t stream;
  void enqueue() { static_cast<Derived &>(*this).give(); }
};
struct Use : Step<Use> {
  float *p;
  Use(cudaStream_t s, float *q) : Step{s}, p(q) {}
  void give() { use<<<1, 1, 0, stream>>>(p); }
};
struct Free : Step<Free> {
  float *p;
  Free(cudaStream_t s, float *q) : Step{s}, p(q) {}
  void give() { cudaFreeAsync(p, stream); }
};
int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  float *a;
  cudaMallocAsync(&a, 64, s);
  Use(s, a).enqueue();
  Free(s, a).enqueue();
  Use(s, a).enqueue(); // too late
}
`;

it('where the caller chooses: at its call', async () => {
  expect(await linesFound(builders)).toEqual(['Use(s, a).enqueue(); // too late']);
});

const queue = `${head}
struct Step { virtual ~Step() = default; virtual void run(cudaStream_t s) = 0; };
struct Use : Step {
  float *&p;
  explicit Use(float *&q) : p(q) {}
  void run(cudaStream_t s) override { use<<<1, 1, 0, s>>>(p); }
};
struct Free : Step {
  float *&p;
  explicit Free(float *&q) : p(q) {}
  void run(cudaStream_t s) override { cudaFreeAsync(p, s); }
};
struct Last : Step {
  float *&p;
  explicit Last(float *&q) : p(q) {}
  void run(cudaStream_t s) override { cudaMemsetAsync(p, 0, 64, s); }
};
static void drain(const std::vector<std::unique_ptr<Step>> &steps, cudaStream_t s) {
  for (auto &step : steps) step->run(s);
}
int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  float *a;
  std::vector<std::unique_ptr<Step>> steps;
  steps.push_back(std::make_unique<Use>(a));
  steps.push_back(std::make_unique<Free>(a));
  steps.push_back(std::make_unique<Last>(a));
  cudaMallocAsync(&a, 64, s);
  drain(steps, s);
  cudaMallocAsync(&a, 64, s);
  drain(steps, s);
}
`;

it('where a list of steps is run: in the step', async () => {
  const lines = await linesFound(queue);
  expect(new Set(lines)).toEqual(new Set(['void run(cudaStream_t s) override { cudaMemsetAsync(p, 0, 64, s); }']));
});
