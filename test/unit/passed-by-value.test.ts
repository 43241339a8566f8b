/** Objects that are passed by value are made by their class's constructor, whether anything happens at their end or not. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <utility>
template <class T> struct Swapped {
  T v{}; Swapped() = default; explicit Swapped(T t) : v(t) {}
  Swapped(Swapped &&o) noexcept { swap(o); }
  Swapped &operator=(Swapped o) noexcept { swap(o); return *this; }
  T taken(Swapped o) { return o.v; }
  void swap(Swapped &o) noexcept { std::swap(v, o.v); }
};
struct Counted {
  int v{}; Counted() = default; explicit Counted(int t) : v(t) {}
  Counted(const Counted &o) : v(o.v + 1) {} Counted(Counted &&o) noexcept : v(std::exchange(o.v, 0)) {}
  Counted &operator=(Counted o) noexcept { std::swap(v, o.v); return *this; }
};
static int taken(Swapped<int> o) { return o.v; }
static int taken(Counted o) { return o.v; }
`;

const rows: readonly (readonly [what: string, first: string, condition: string])[] = [
  ['an assignment that swaps', 'Swapped<int> a(3), b; b = std::move(a);', 'b.v == 3 && a.v == 0'],
  ['a move into a function', 'Swapped<int> a(3); int n = taken(std::move(a));', 'n == 3 && a.v == 0'],
  ['a move into a method', 'Swapped<int> a(3), b; int n = b.taken(std::move(a));', 'n == 3 && a.v == 0'],
  ['a copy', 'Counted a(3), b; b = a; int n = taken(a);', 'a.v == 3 && b.v == 4 && n == 4'],
  ['what is made for it', 'Counted a; a = Counted(7); int n = taken(Counted(5));', 'a.v == 7 && n == 5'],
];

describe('by value:', () => {
  for (const [what, first, condition] of rows)
    it(what, async () => {
      const program = (asked: string): string => `${head}
int main() { float *f; cudaMalloc(&f, 4); cudaFree(f); ${first} if (${asked}) cudaFree(f); return 0; }`;
      const { findings } = await analyseText(program(condition));
      expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error malloc-double-free']);
      expect((await analyseText(program(`!(${condition})`))).findings).toEqual([]);
    });
});
