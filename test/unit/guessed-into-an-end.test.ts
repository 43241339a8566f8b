/** A choice that leads into a check that certainly fails is not what an ordinary run makes: what comes behind is certain. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }
#include <stdexcept>
enum Mode { plain, blocked, odd };
struct Tensor { Mode mode() const; int rank() const; };
static void need(bool holds) { if (!holds) throw std::runtime_error("no"); }`;

/** What it is; the rule that the mistake breaks, where it is one certain rule; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const rows: readonly Row[] = [
  [
    'a check that a guess fails',
    'error async-double-free',
    '',
    `void f(const Tensor &t, cudaStream_t s) { float *p; Mode m = plain; cudaMallocAsync(&p, 4, s); if (t.mode() == blocked) m = odd; need(m == plain); cudaFreeAsync(p, s); cudaFreeAsync(p, s); }
int main() { return 0; }`,
    `void f(const Tensor &t, cudaStream_t s) { float *p; Mode m = plain; cudaMallocAsync(&p, 4, s); if (t.mode() == blocked) m = odd; need(m == plain); k<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, s); }
int main() { return 0; }`,
  ],
  [
    'a check inside a helper',
    'error async-use-after-free',
    'static int rows(const Tensor &t) { int n = 128; if (t.rank() > 2) { n = 1; need(n % 128 == 0); } return n; }',
    `void f(const Tensor &t, cudaStream_t s) { float *p; cudaMallocAsync(&p, 4, s); rows(t); k<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, s); k<<<1, 1, 0, s>>>(p); }
int main() { return 0; }`,
    `void f(const Tensor &t, cudaStream_t s) { float *p; cudaMallocAsync(&p, 4, s); rows(t); k<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, s); }
int main() { return 0; }`,
  ],
  [
    'a check inside the arm of a guess, with a later one that does not matter',
    'error malloc-double-free',
    '',
    'int n = 1; Tensor t; float *p; cudaMalloc(&p, 4); if (t.mode() == blocked) { if (t.rank() > 2) k<<<1, 1>>>(p); need(n % 128 == 0); } cudaFree(p); cudaFree(p);',
    'int n = 1; Tensor t; float *p; cudaMalloc(&p, 4); if (t.mode() == blocked) { if (t.rank() > 2) k<<<1, 1>>>(p); need(n % 128 == 0); } cudaFree(p);',
  ],
  [
    'one such check behind the other',
    'error malloc-double-free',
    '',
    'int n = 1; Tensor t, u; float *p; cudaMalloc(&p, 4); if (t.mode() == blocked) { if (t.rank() > 2) k<<<1, 1>>>(p); need(n % 128 == 0); } k<<<1, 1>>>(p); if (u.mode() == odd) { if (u.rank() > 3) k<<<1, 1>>>(p); need(n > 1); } cudaFree(p); cudaFree(p);',
    'int n = 1; Tensor t, u; float *p; cudaMalloc(&p, 4); if (t.mode() == blocked) { if (t.rank() > 2) k<<<1, 1>>>(p); need(n % 128 == 0); } k<<<1, 1>>>(p); if (u.mode() == odd) { if (u.rank() > 3) k<<<1, 1>>>(p); need(n > 1); } cudaFree(p);',
  ],
  [
    'a check whose failure a handler of main reports',
    'error malloc-double-free',
    '',
    `int main() { try { Tensor t; float *p; Mode m = plain; cudaMalloc(&p, 4); if (t.mode() == blocked) m = odd; need(m == plain); cudaFree(p); cudaFree(p); } catch (const std::exception &) { return 1; } }`,
    `int main() { try { Tensor t; float *p; Mode m = plain; cudaMalloc(&p, 4); if (t.mode() == blocked) m = odd; need(m == plain); k<<<1, 1>>>(p); cudaFree(p); } catch (const std::exception &) { exit(1); } }`,
  ],
  [
    'a method of an object that is null where it is called',
    'warning async-use-before-alloc',
    `struct Lane { cudaStream_t get() const; };
struct Frame { Lane lanes[2]; float *own; void *(*take)(size_t); bool takes() const;
  void room(float **p, size_t n, Lane *lane, bool isTaken) { if (isTaken) *p = (float *)take(n); else cudaMallocAsync(p, n, lane->get()); }`,
    `void f(const float *from, size_t n) { room(&own, n, &lanes[1], takes()); cudaMemcpyAsync(own, from, n, cudaMemcpyHostToDevice, lanes[0].get()); } };
void f(Frame &frame, Lane &lane, const float *from) { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); if (frame.takes()) { float *p; cudaMallocAsync(&p, 64, s); cudaMemcpyAsync(p, from, 64, cudaMemcpyHostToDevice, lane.get()); } frame.f(from, 12); }
int main() { return 0; }`,
    `void f(const float *from, size_t n) { room(&own, n, nullptr, takes()); cudaMemcpyAsync(own, from, n, cudaMemcpyHostToDevice, lanes[0].get()); } };
void f(Frame &frame, const float *from) { frame.f(from, 12); }
int main() { return 0; }`,
  ],
  [
    'a program that ends with exit',
    'error malloc-double-free',
    '',
    'int mode = std::atoi("3"); float *p; cudaMalloc(&p, 4); if (mode == 2) k<<<1, 1>>>(p); cudaFree(p); cudaFree(p); std::exit(0);',
    'int mode = std::atoi("3"); float *p; cudaMalloc(&p, 4); if (mode == 2) k<<<1, 1>>>(p); cudaFree(p); std::exit(0);',
  ],
];

async function found(before: string, body: string): Promise<readonly string[]> {
  const text = body.includes('int main(')
    ? `${head}\n${before}\n${body}\n`
    : `${head}\n${before}\nint main() {\n${body}\nreturn 0; }\n`;
  const { findings } = await analyseText(text);
  return [
    ...new Set(
      findings.filter(({ severity }) => severity !== 'hint').map(({ severity, rule }) => `${severity} ${rule}`),
    ),
  ];
}

describe('a run that guesses its way into a check', () => {
  it.each(rows)('%s', async (_what, rule, before, bad, good) => {
    const rules = bad === '' ? [] : await found(before, bad);
    if (rule !== '') expect(rules).toContain(rule);
    else expect(rules.length > 0).toBe(bad !== '');
    if (good !== '') expect(await found(before, good)).toEqual([]);
  });
});
