/**
 * How much of C++ is read: each construct in a program with one mistake, which is found because the construct was read
 * rightly, and in the same program without it, of which nothing is said.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
static void run(float *p) { k<<<1, 1, 0, s>>>(p); }
/** Owns memory. */
struct B { float *p = nullptr; B() { cudaMallocAsync((void **)&p, 4, s); } explicit B(float *q) : p(q) {}
  B(B &&o) noexcept : p(std::exchange(o.p, nullptr)) {} ~B() { if (p) cudaFreeAsync(p, s); }
  B(const B &) = delete; float *release() { return std::exchange(p, nullptr); } float *get() const { return p; } };
`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';
const twice = 'async-double-free';
const leak = 'async-leak';

const temporaries: readonly Row[] = [
  [
    'used where it is made',
    free,
    '',
    'float *p = B().p; run(p);',
    'run(B().p); run(B{}.get()); k<<<1, 1, 0, s>>>(B().p); B();',
  ],
  ['that gives away what it owns', leak, '', 'B().release();', 'drop(B().release());'],
  [
    'for a reference parameter',
    free,
    'static float *seen(const B &b) { run(b.p); return b.p; } static void sink(B &&b) { B c(std::move(b)); run(c.p); }',
    'float *p = seen(B()); run(p);',
    'seen(B()); sink(B{}); sink(B(make())); B b; run(seen(b));',
  ],
  [
    'that a reference keeps',
    twice,
    'static B fresh() { B b; return b; }',
    'const B &b = B(); auto &&c = fresh(); run(b.p); drop(c.p);',
    'const B &b = B(); auto &&c = fresh(); run(b.p); run(c.p);',
  ],
  [
    'that a function returns',
    free,
    'static B fresh() { B b; return std::move(b); } struct H { B b; explicit H(B &&x) : b(std::move(x)) {} };',
    'float *p = fresh().p; run(p);',
    'run(fresh().p); fresh(); H h(fresh()); run(h.b.p); B c = fresh(); run(c.p);',
  ],
  [
    'in a condition',
    leak,
    'struct T { float *p = make(); bool keep; T(bool b) : keep(b) {} ~T() { if (!keep) drop(p); } explicit operator bool() const { return !keep; } };',
    'if (!T(true)) run(B().p);',
    'if (T(false)) run(B().p); T t(false); if (!t) drop(make());',
  ],
];

const groups: readonly (readonly [what: string, rows: readonly Row[]])[] = [['a temporary', temporaries]];

/** The rules of what is said with conviction. */
async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const end = 'cudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }';
  const { findings } = await analyseText(`${head}${before}\nint main() { cudaStreamCreate(&s); ${body}\n${end}`);
  const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
  return [...new Set(said.map(({ rule }) => rule))].sort();
}

for (const [group, rows] of groups)
  describe(group, () => {
    for (const [what, rule, before, bad, good] of rows) {
      it(`${what}: the mistake`, async () => {
        expect(await rulesOf(before, bad)).toEqual([rule]);
      });
      it(`${what}: nothing to say`, async () => {
        expect(await rulesOf(before, good)).toEqual([]);
      });
    }
  });
