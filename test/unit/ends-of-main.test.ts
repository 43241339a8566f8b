/** A program that gives up in the midst of `main` need not tidy up: `return 1;` there is what `exit(1);` is. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (body: string): string => `#include <cuda_runtime.h>
#include <cstdio>
#define TRY(x) { const auto status = x; if (status != LIBRARY_SUCCESS) { printf("%d", status); return status; } }
__global__ void k(float *p) { p[0] = 1.0f; }
int libraryCreate(); bool isRight();
struct Guard { int *p; Guard() { p = new int; } ~Guard() { delete p; } };
int main() {
  Guard guard;
  cudaStream_t stream; cudaStreamCreate(&stream);
  float *p; cudaMallocAsync((void **)&p, 64, stream);
  k<<<1, 1, 0, stream>>>(p);
  ${body}
}`;
const tidy = 'cudaFreeAsync(p, stream); cudaStreamSynchronize(stream); cudaStreamDestroy(stream);';
const rules = async (body: string): Promise<readonly string[]> =>
  (await analyseText(program(body))).findings.map(({ rule }) => rule);

describe('the end of a program', () => {
  it.each([
    ['a number says that it failed', `if (!isRight()) return 1; ${tidy} return 0;`],
    ['a status says so', `TRY(libraryCreate()) ${tidy} return 0;`],
    ['either may be the end', `${tidy} if (isRight()) { return 0; } else { return 1; }`],
  ])('%s', async (_what, body) => {
    expect(await rules(body)).toEqual([]);
  });

  it.each([
    ['it went well', `if (!isRight()) return 0; ${tidy} return 0;`],
    ['the last statement', 'cudaStreamSynchronize(stream); cudaStreamDestroy(stream); return isRight() ? 0 : 1;'],
    ['it fails in the end', 'cudaStreamSynchronize(stream); cudaStreamDestroy(stream); return 1;'],
  ])('is not for want of success: %s', async (_what, body) => {
    expect(await rules(body)).toContain('async-leak');
  });
});
