/** A check that only reports, `if (count == 0) report("none");`, does not make an ordinary run one in which there is none. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const said = async (check: string, loop: string): Promise<readonly string[]> => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
#include <cstdlib>
struct Devices { int count() const; int operator[](int i) const; };
void report(const char *text);
__global__ void k(float *p) { p[threadIdx.x] = 1; }
void project(const Devices &devices, float *out) {
  int count = devices.count();
  ${check}
  float **all = (float **)malloc(count * sizeof(float *));
  for (int i = 0; i < count; i++) { cudaSetDevice(devices[i]); cudaMalloc(&all[i], 64); }
  for (int i = 0; i < count; i++) { k<<<1, 16>>>(all[i]); ${loop} }
  free(all);
}`);
  return findings.map(({ rule, severity }) => `${severity} ${rule}`);
};

const twice = 'cudaFree(all[i]); cudaFree(all[i]);';

it.each([
  'if (count == 0) report("there is no device");',
  'if (!count) { report("there is no device"); }',
  'if (count < 1) { report("there is no device"); }',
  'if (count <= 0) report("there is no device");',
])('what is done with so many is looked at behind %s', async (check) => {
  expect(await said(check, twice)).toEqual(['error malloc-double-free']);
  expect(await said(check, 'cudaFree(all[i]);')).toEqual([]);
});

it('where there is something to do otherwise, both are looked at', async () => {
  const check = 'if (count == 0) { cudaMemset(out, 0, 4); }';
  expect(await said(check, twice)).toEqual(['warning malloc-double-free']);
  expect(await said(check, 'cudaFree(all[i]);')).toEqual([]);
});
