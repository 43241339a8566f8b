/** What a loop counts of which nobody knows how often it goes round is no number behind it, however few rounds were tried. */

import { expect, test } from 'vitest';
import { analyseText } from '../support/engine.ts';

const rest = 'float *p; cudaMalloc(&p, n); cudaMemset(p, 0, 64); cudaFree(p);';

async function said(body: string): Promise<string[]> {
  const text = `#include <cuda_runtime.h>\n#include <string>\nvoid run(int k) { ${body} }\n`;
  const { findings } = await analyseText(text);
  return findings.map(({ rule, certainty }) => `${rule} ${certainty}`);
}

test.each([
  'int n = 0; while (next()) ++n;',
  'int n = 0; do { n++; } while (more());',
  'int n = 0; for (int c; (c = get()) != -1;) n++;',
  'int n = 0; for (std::string line; std::getline(file(), line);) n++;',
  'size_t n = 0; for (std::string line; std::getline(open("x"), line); n++);',
  'int n = 0; for (int i = 0; i < k; i++) if (isWanted(i)) n++;',
  'size_t n = 0; for (int i = 0; i < k; i++) n += sizeOf(i);',
  'int n = 0; float *q; cudaMalloc(&q, 4096); while (next()) { cudaMemset(q, 0, 16); n++; } cudaFree(q);',
])('%s', async (loop) => {
  expect(await said(`${loop} ${rest}`)).toEqual([]);
});

test('what is counted in rounds that are known is known', async () => {
  expect(await said(`int n = 0; for (int i = 0; i < 4; i++) n += 4; ${rest}`)).toEqual(['copy-out-of-range always']);
});

test('what was allocated in such a loop is freed as often', async () => {
  const loop = 'float *all[64]; int n = 0; for (int i = 0; i < k; i++) cudaMalloc(&all[n++], 64);';
  expect(await said(`${loop} for (int i = 0; i < n; i++) cudaFree(all[i]);`)).toEqual([]);
});
