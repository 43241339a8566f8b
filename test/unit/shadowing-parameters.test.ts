/** Template parameters that are called like a class of the program: inside, the name is the parameter's. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
template <typename T, int N>
struct Traits { using value_type = T; static constexpr int count = N; static constexpr size_t bytes = N * sizeof(T); static int twice(int n) { return 2 * n + N; } };
struct Config { static constexpr int count = 3; static int of() { return 3; } };
struct Other { static constexpr int count = 5; static int of() { return 5; } };
`;

/** What it is; what stands before `main`; what is true then. */
const rows: readonly (readonly [what: string, before: string, condition: string])[] = [
  [
    'constants and types of a class, in a class',
    'template <typename Traits> struct X { using T = typename Traits::value_type; bool ok() { return Traits::bytes == 800 && sizeof(T) == 8; } };',
    'X<Traits<double, 100>>().ok()',
  ],
  [
    'constants of a class, in a function',
    'template <typename Traits> bool ok() { return Traits::count == 100 && Traits::bytes == 200; }',
    'ok<Traits<short, 100>>()',
  ],
  [
    'another class, in a function',
    'template <typename Config> bool ok() { return Config::count == 5 && Config::of() == 5; }',
    'ok<Other>() && Config::count == 3 && Config::of() == 3',
  ],
  [
    'another class, in a class',
    'template <typename Config> struct X { bool ok() { return Config::count == 5 && Config::of() == 5; } };',
    'X<Other>().ok() && !X<Config>().ok()',
  ],
  [
    'functions of a class template',
    'template <typename Traits> int doubled() { return Traits::twice(1); }',
    'doubled<Traits<double, 100>>() == 102',
  ],
];

describe('a parameter hides', () => {
  for (const [what, before, condition] of rows)
    it(what, async () => {
      const program = (asked: string): string => `${head}${before}
int main() { float *f; cudaMalloc(&f, 4); cudaFree(f); if (${asked}) cudaFree(f); return 0; }`;
      const { findings } = await analyseText(program(condition));
      expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error malloc-double-free']);
      expect((await analyseText(program(`!(${condition})`))).findings).toEqual([]);
    });
});
