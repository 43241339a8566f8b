/** Memory of a stream lies on the stream's device: where another one is current that is hinted at. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const hints = async (body: string): Promise<readonly string[]> => {
  const { findings } = await analyseText(
    `#include <cuda_runtime.h>\nstatic cudaStream_t near, far; static float *p;\n${body.includes('void f') ? body : `int main() { cudaStreamCreate(&near); ${body} return 0; }`}`,
  );
  return findings.filter(({ rule }) => rule === 'async-pool-device-mismatch').map(({ severity }) => severity);
};

it('is hinted at where another device is current', async () => {
  expect(await hints('cudaSetDevice(1); cudaMallocAsync(&p, 64, near); cudaFreeAsync(p, near);')).toEqual(['hint']);
  expect(
    await hints('cudaSetDevice(1); cudaStreamCreate(&far); cudaMallocAsync(&p, 64, far); cudaFreeAsync(p, far);'),
  ).toEqual([]);
  expect(await hints('cudaSetDevice(0); cudaMallocAsync(&p, 64, near); cudaFreeAsync(p, near);')).toEqual([]);
});

it('is not where nobody knows which one is', async () => {
  expect(
    await hints('extern int which; cudaSetDevice(which); cudaMallocAsync(&p, 64, near); cudaFreeAsync(p, near);'),
  ).toEqual([]);
  expect(
    await hints('void f(cudaStream_t s) { cudaSetDevice(1); cudaMallocAsync(&p, 64, s); cudaFreeAsync(p, s); }'),
  ).toEqual([]);
  expect(
    await hints(
      'void f() { cudaStream_t s; cudaStreamCreate(&s); cudaSetDevice(1); cudaMallocAsync(&p, 64, s); cudaFreeAsync(p, s); }',
    ),
  ).toEqual([]);
});
