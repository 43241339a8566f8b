/** Flags that a loop over the arguments may set: an ordinary run has none, and what stands behind a flag is looked at as well. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (behind: string, end: string) => `#include <cuda_runtime.h>
#include <cstring>
__global__ void work(float *p) { p[0] = 1; }
struct Options { bool twice = false; int rounds = 2; };
int main(int argc, char **argv) {
  bool smoke = false;
  Options options;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--smoke") == 0) smoke = true;
    else if (!strcmp(argv[i], "--twice")) options.twice = true;
  }
  float *p; cudaMalloc(&p, 64);
  for (int k = 0; k < options.rounds; k++) work<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  ${behind}
  ${end}
}`;

it.each([
  ['a variable', 'if (smoke) { cudaFree(p); work<<<1, 1>>>(p); return 0; }', 'malloc-use-after-free'],
  ['a member', 'if (options.twice) cudaFree(p);', 'malloc-double-free'],
])('a mistake behind %s may happen', async (_, behind, rule) => {
  const { findings } = await analyseText(program(behind, 'cudaFree(p); return 0;'));
  expect(findings.map((each) => [each.rule, each.certainty])).toEqual([[rule, 'sometimes']]);
});

it.each(['if (smoke) work<<<1, 1>>>(p);', 'if (!smoke && !options.twice) work<<<1, 1>>>(p);'])(
  'what an ordinary run does stays certain: %s',
  async (behind) => {
    const { findings } = await analyseText(program(behind, 'cudaFree(p); cudaFree(p); return 0;'));
    expect(findings.map((each) => [each.rule, each.certainty])).toEqual([['malloc-double-free', 'always']]);
  },
);
