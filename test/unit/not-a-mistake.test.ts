/** Right programs, as people write them around CUDA, that were once said to be wrong; each beside one that is. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <vector>
static float *make() { float *p; cudaMalloc(&p, 4); return p; }
`;

/** What it is; what stands before `f`; the mistaken body of `f`; the right one. */
const rows: readonly (readonly [what: string, before: string, bad: string, good: string])[] = [
  [
    'an array of pointers from new',
    'struct box { float *memory; };',
    'float **all = new float *[4]; for (int i = 0; i < 4; i++) all[i] = make(); for (int i = 0; i < 4; i++) cudaFree(all[i]); cudaFree(all[3]); delete[] all;',
    'float **all = new float *[4]; for (int i = 0; i < 4; i++) all[i] = make(); for (int i = 0; i < 4; i++) cudaFree(all[i]); delete[] all;',
  ],
  [
    'an array of pointers to objects from new',
    'struct box { float *memory; box() { memory = make(); } ~box() { cudaFree(memory); } };',
    'box **all = new box *[2](); all[1] = new box; float *p = all[1]->memory; delete all[1]; cudaFree(p); delete[] all;',
    'box **all = new box *[2](); all[1] = new box; float *p = all[1]->memory; delete all[1]; p = make(); cudaFree(p); delete[] all;',
  ],
  [
    'an array of constant pointers, and one whose length is only known later',
    'int count();',
    'int n = count(); std::unique_ptr<const float *[]> all(new const float *[n]); for (int i = 0; i < n; i++) all[i] = make(); float *p = make(); cudaFree(p); for (int i = 0; i < n; i++) cudaFree((void *)all[i]); cudaFree(p);',
    'int n = count(); std::unique_ptr<const float *[]> all(new const float *[n]); for (int i = 0; i < n; i++) all[i] = make(); float *p = make(); for (int i = 0; i < n; i++) cudaFree((void *)all[i]); cudaFree(p);',
  ],
];

describe.each(rows)('%s', (_what, before, bad, good) => {
  it.each([
    [true, bad],
    [false, good],
  ])('mistaken: %s', async (isMistaken, body) => {
    const { findings } = await analyseText(`${head}${before}\nvoid f() { ${body} }\n`);
    expect(findings.map((finding) => finding.rule)).toEqual(isMistaken ? ['malloc-double-free'] : []);
  });
});
