/** What functions that are not run may have stored is forgotten in bounded work: the methods of a large class, as of a parser, call each other everywhere. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `step${index}`);

async function found(members: string, body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
#include <vector>
bool more();
enum Mode { Quick, Slow };
struct Plan {
  std::vector<int> sizes;
  int mode = Slow;
  bool isWordy = false;
  ${members}
};
int main() {
  Plan plan;
  float *data;
  cudaMalloc(&data, 64);
  ${body}
  cudaFree(data);
}`);
  return findings.map(({ rule, severity }) => `${severity} ${rule}`);
}

it('goes through methods that all call each other once a loop', async () => {
  const calls = names(300).join('(); ');
  const methods = names(300).map((name) => `void ${name}() { if (isWordy) { ${calls}(); } }`);
  const body = `while (more()) { plan.sizes.push_back(1); plan.step0(); }
  for (size_t i = 0; i < plan.sizes.size(); i++) cudaMemset(data, 0, 64);
  cudaFree(data);`;
  expect(await found(methods.join('\n  '), body)).toEqual(['error malloc-double-free']);
});

it('gives up on what they assign in particular, and forgets all that they may', async () => {
  const calls = names(80).join('(); ');
  const methods = names(80).map((name) => `void ${name}() { if (more()) return; mode = Quick; ${calls}(); }`);
  const body = 'plan.step0();\n  if (plan.mode == Quick) cudaFree(data);';
  expect(await found(methods.join('\n  '), body)).toEqual(['warning malloc-double-free']);
});
