/** Memory of functions that are called from elsewhere: lost where nobody has its address when they return. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
struct Free { void operator()(float *p) const { cudaFreeAsync(p, 0); } };
struct Context { float *p; std::vector<float *> all; std::map<int, float *> byNumber; void give(float *p); };
struct Unseen; void keep(float *p);
static float *last;
`;

const begin = 'float *p; cudaMallocAsync(&p, 4, s); k<<<1, 1, 0, s>>>(p);';

/** What it is; where nobody has it any more; where somebody may have it. */
const rows: readonly (readonly [what: string, bad: string, good: string])[] = [
  ['a local', `void f(cudaStream_t s) { ${begin} }`, `void f(cudaStream_t s) { ${begin} cudaFreeAsync(p, s); }`],
  [
    'what is returned',
    `int f(cudaStream_t s) { ${begin} return 0; }`,
    `float *f(cudaStream_t s) { ${begin} return p; }`,
  ],
  [
    'an object that is returned',
    `cudaError_t f(cudaStream_t s) { ${begin} return cudaGetLastError(); }`,
    `std::unique_ptr<float, Free> f(cudaStream_t s) { ${begin} return std::unique_ptr<float, Free>(p); }`,
  ],
  [
    'a parameter',
    `void f(cudaStream_t s, float *out) { ${begin} out = nullptr; }`,
    `void f(cudaStream_t s, float **out) { ${begin} *out = p; }`,
  ],
  [
    'an object of another',
    `void f(Context c, cudaStream_t s) { ${begin} }`,
    `void f(Context &c, cudaStream_t s) { ${begin} c.p = p; }`,
  ],
  [
    'a vector',
    `void f(cudaStream_t s) { std::vector<float *> v; ${begin} v.push_back(p); }`,
    `void f(Context &c, cudaStream_t s) { ${begin} c.all.push_back(p); }`,
  ],
  [
    'a map',
    `void f(cudaStream_t s) { std::map<int, float *> m; ${begin} m[1] = p; }`,
    `void f(Context *c, cudaStream_t s, int n) { ${begin} c->byNumber[n] = p; }`,
  ],
  ['a global', `void f(cudaStream_t s) { ${begin} last = nullptr; }`, `void f(cudaStream_t s) { ${begin} last = p; }`],
  [
    'a static',
    `void f(cudaStream_t s) { ${begin} }`,
    `void f(cudaStream_t s) { static float *kept; ${begin} kept = p; }`,
  ],
  [
    'somebody who is not seen',
    `void f(cudaStream_t s) { ${begin} }`,
    `void f(cudaStream_t s, Context &c) { ${begin} if (s) keep(p); else c.give(p); }`,
  ],
  [
    'a class that is not seen',
    `void f(cudaStream_t s) { ${begin} }`,
    `void f(cudaStream_t s) { ${begin} other::Holder h(p); }`,
  ],
  [
    'a return in the middle',
    `int f(cudaStream_t s, bool early) { ${begin} if (early) return 1; cudaFreeAsync(p, s); return 0; }`,
    `int f(cudaStream_t s, bool early) { ${begin} if (early) { cudaFreeAsync(p, s); return 1; } cudaFreeAsync(p, s); return 0; }`,
  ],
  [
    'a call that fails',
    `int f(cudaStream_t s) { ${begin} return cudaGetLastError() == cudaSuccess ? 0 : 1; }`,
    `int f(cudaStream_t s) { ${begin} if (cudaStreamSynchronize(s) != cudaSuccess) return 1; cudaFreeAsync(p, s); return 0; }`,
  ],
];

const leaks = async (text: string): Promise<readonly string[]> =>
  (await analyseText(head + text)).findings.map(({ rule, severity }) => `${severity} ${rule}`);

describe('memory of a function that is called from elsewhere', () => {
  it.each(rows)('%s: nobody has it any more', async (_what, bad) => {
    expect(await leaks(bad)).toEqual(['hint async-leak']);
  });

  it.each(rows)('%s: somebody may have it', async (_what, _bad, good) => {
    expect(await leaks(good)).toEqual([]);
  });
});

describe('what no bytes were asked for', () => {
  const buffer = (condition: string): string => `${head}
struct Buffer { void *p; size_t n; cudaStream_t s;
  Buffer(size_t size, cudaStream_t s) : n(size), s(s) { cudaMallocAsync(&p, size * 4, s); }
  ~Buffer() { if (${condition}) return; cudaFreeAsync(p, s); } };
void f(cudaStream_t s, size_t n) { Buffer b(n, s); }`;
  const said = async (text: string) => (await analyseText(text)).findings.map(({ rule }) => rule);

  it.each(['n == 0', '!n', '!(n > 0)'])('needs no free: %s', async (condition) => {
    expect(await said(buffer(condition))).toEqual([]);
  });

  it('is told from memory that is left where something else is 0', async () => {
    expect(await said(buffer('n == 8'))).toEqual(['async-leak']);
    expect(await said(`${head}void f(cudaStream_t s) { void *p; cudaMallocAsync(&p, 0, s); }`)).toEqual([]);
  });
});
