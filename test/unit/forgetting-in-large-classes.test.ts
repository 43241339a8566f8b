/** What a loop of unknown rounds adds to is forgotten through all that it calls, each function once: large classes call themselves everywhere. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

it('goes through methods that all call each other', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `step${index}`);
  const calls = names.map((name) => `${name}();`).join(' ');
  const methods = names.map((name) => `void ${name}() { if (isWordy) { ${calls} } }`).join('\n  ');
  const { findings } = await analyseText(`#include <cuda_runtime.h>
#include <vector>
bool more();
struct Plan {
  std::vector<int> sizes;
  bool isWordy = false;
  ${methods}
};
int main() {
  Plan plan;
  while (more()) { plan.sizes.push_back(1); plan.step0(); }
  float *data;
  cudaMalloc(&data, 64);
  for (size_t i = 0; i < plan.sizes.size(); i++) cudaMemset(data, 0, 64);
  cudaFree(data);
  cudaFree(data);
}`);
  expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error malloc-double-free']);
});
