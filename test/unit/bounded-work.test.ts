/** Programs that grow beyond all measure while they are read: the rest of them is read all the same. */

import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/base/finding.ts';
import type { Engine } from '../../src/pipeline.ts';
import { verifiedFixes } from '../../src/verify-fixes.ts';
import { testEngine } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <sstream>
#include <string>
struct C0 { float *p = nullptr; };
${Array.from({ length: 40 }, (_, index) => `struct C${index + 1} { C${index} a, b; };`).join('\n')}
`;
const twice = 'float *d; cudaMalloc(&d, 64); cudaFree(d); cudaFree(d);';
const once = 'float *d; cudaMalloc(&d, 64); cudaFree(d);';
const grown = (text: string) => ['malloc-double-free', '', `${text} ${twice}`, `${text} ${once}`] as const;

describeRows('what grows while a program is read', head, [
  ['texts put together', ...grown('std::string s = "x"; for (int i = 0; i < 60; i++) s += s;')],
  ['sums of texts', ...grown('std::string s = "x"; for (int i = 0; i < 60; i++) s = s + s;')],
  ['streams of texts', ...grown('std::ostringstream s; s << "x"; for (int i = 0; i < 60; i++) s << s.str();')],
  ['texts made longer', ...grown('std::string s; s.resize(2000000000);')],
  ['widths of fields', ...grown('char s[8]; snprintf(s, 8, "%2000000000d", 1);')],
  ['objects in objects', ...grown('C40 c; cudaMalloc(&c.a.b.a.p, 64); cudaFree(c.a.b.a.p);')],
]);

describe('one edit for many findings', () => {
  it('is analysed once', async () => {
    const text = `#include <cuda_runtime.h>
__global__ void write(float *a, float *b, float *c) { a[0] = 1; b[0] = 1; c[0] = 1; }
int main() {
  float *a, *b, *c; cudaMalloc(&a, 4); cudaMalloc(&b, 4); cudaMalloc(&c, 4);
  cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
  write<<<1, 1, 0, s>>>(a, b, c);
  /* here */ write<<<1, 1, 0, t>>>(a, b, c);
  cudaDeviceSynchronize();
  cudaFree(a); cudaFree(b); cudaFree(c);
}`;
    const input = { file: 'program.cu', text, language: 'cuda' as const };
    const engine = await testEngine();
    let analyses = 0;
    const counting: Engine = {
      ...engine,
      analyse: (each) => {
        analyses++;
        return engine.analyse(each);
      },
    };
    const before = engine.analyse(input);
    const start = text.indexOf('/* here */');
    const edit = { span: { file: 'program.cu', start, end: start }, newText: 'cudaStreamSynchronize(s); ' };
    const fix: Fix = { title: 'Wait', edits: [edit] };
    expect(before.findings).toHaveLength(3);
    for (const finding of before.findings)
      expect(verifiedFixes(counting, input, before, finding, [fix])).toEqual([fix]);
    expect(analyses).toBe(1);
  });
});
