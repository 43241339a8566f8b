/** Objects that can be called, held by `std::function` in all the ways it comes by them: it has a copy of its own, which goes with it. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>
using Shared = std::shared_ptr<float>;
static Shared made() { float *q; cudaMalloc(&q, 100); return Shared(q, [](float *p) { cudaFree(p); }); }
struct Job { Shared s; void operator()(int) const {} };
using Fn = std::function<void(int)>;
static void take(Fn f) { f(1); }
template <class F> static void hand(std::vector<Fn> &v, F &&f) { v.emplace_back(std::forward<F>(f)); }
struct Held { Fn f; Held(Fn g) : f(std::move(g)) {} };
struct Plain { Fn f; };
`;

/** What it is; what is done; how many there are then, with the first. */
const rows: readonly (readonly [what: string, done: string, count: number])[] = [
  ['a variable', 'Fn f = job; Fn g(job); Fn h{job}; auto i = Fn(job);', 6],
  ['an assignment', 'Fn f; { Job other{first}; f = other; }', 3],
  ['nothing any more', 'Fn f = job; f = nullptr; Fn g; g = job; g = [](int) {};', 2],
  ['another one', 'Fn f = job; Job other{made()}; f = other;', 2],
  ['a move', 'Fn f = std::move(job);', 2],
  ['a parameter', 'take(job); take(Job{first}); take(Fn(job));', 2],
  ['a vector', 'std::vector<Fn> v; v.push_back(job); v.emplace_back(job); v.push_back(Job{first}); auto w = v;', 8],
  ['a vector that is emptied', 'std::vector<Fn> v{job, job}; v.clear();', 2],
  ['what is handed on', 'std::vector<Fn> v; hand(v, Job{first}); hand(v, job);', 4],
  ['a map', 'std::map<int, Fn> m; m[1] = job; m.emplace(2, job); m.insert({3, job});', 5],
  ['a member', 'Held a(job), b(Job{first}); Plain c{job}; Plain d = c;', 6],
  ['an optional', 'std::optional<Fn> o = job; o = Fn(job);', 3],
];

describe('what can be called is held by', () => {
  for (const [what, done, count] of rows) {
    const program = (asked: string): string => `${head}
int main() { Shared first = made(); { Job job{first}; ${done} ${asked} } if (first.use_count() != 1) cudaFree(first.get()); return 0; }`;
    it(`${what}: the right number`, async () => {
      const { findings } = await analyseText(program(`if (first.use_count() != ${count}) cudaFree(first.get());`));
      expect(findings).toEqual([]);
    });
    it(`${what}: a mistake`, async () => {
      const { findings } = await analyseText(program(`if (first.use_count() == ${count}) cudaFree(first.get());`));
      expect([...new Set(findings.map(({ rule }) => rule))]).toEqual(['malloc-double-free']);
    });
  }
});
