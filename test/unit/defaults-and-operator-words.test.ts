/**
 * What a default argument means, operators written as words, and launches that a macro completes: each with one mistake, which is
 * found because the construct was read rightly, and without it.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <cstddef>
#include <cstdlib>
${memoryInAStream}`;

/** What it is; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, before: string, bad: string, good: string];

async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const analysis = await analyseText(
    `${head}${before}\nint main() { cudaStreamCreate(&s);\n${body}\ncudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }\n`,
  );
  expect(analysis.gaps).toEqual([]);
  return analysis.findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

const three = 'float *b[3]; for (auto &p : b) p = make();';
const dropped = (call: string): readonly [string, string] => [
  `${three} ${call} run(b[2]);`,
  `${three} run(b[2]); ${call}`,
];

const defaults: readonly Row[] = [
  [
    'the length of an array that is deduced',
    'template <std::size_t N> void end(float *const (&all)[N], std::size_t n = N) { for (std::size_t i = 0; i < n; ++i) drop(all[i]); }',
    ...dropped('end(b);'),
  ],
  [
    'a parameter of the template',
    'template <int N = 3> void end(float *const *all, int n = N) { for (int i = 0; i < n; ++i) drop(all[i]); }',
    ...dropped('end(b);'),
  ],
  [
    'a parameter of the template that is given',
    'template <int N = 1> void end(float *const *all, int n = N) { for (int i = 0; i < n; ++i) drop(all[i]); }',
    ...dropped('end<3>(b);'),
  ],
  [
    'a variable of the program that the caller has one of too',
    'static int count = 3; static void end(float *const *all, int n = count) { for (int i = 0; i < n; ++i) drop(all[i]); }',
    ...dropped('{ int count = 0; end(b); (void)count; }'),
  ],
  [
    'a static member',
    'struct All { static inline int count = 3; void end(float *const *all, int n = count) { for (int i = 0; i < n; ++i) drop(all[i]); } };',
    ...dropped('All{}.end(b);'),
  ],
  [
    'what another function gives',
    'static int three() { return 3; } static void end(float *const *all, int n = three()) { for (int i = 0; i < n; ++i) drop(all[i]); }',
    ...dropped('end(b);'),
  ],
];

const condition = (what: string, wrong: string, right: string): Row => [
  what,
  'static bool yes = true, no = false; static unsigned mask = 6;',
  `float *p = make(); if (${wrong}) drop(p); run(p);`,
  `float *p = make(); if (${right}) drop(p); else { run(p); drop(p); }`,
];

const words: readonly Row[] = [
  condition('and', 'yes and not no', 'yes and no'),
  condition('or', 'no or yes', 'no or no'),
  condition('not', 'not no', 'not yes'),
  condition('not_eq', 'mask not_eq 5', 'mask not_eq 6'),
  condition('bitand', '(mask bitand 2) not_eq 0', '(mask bitand 1) not_eq 0'),
  condition('bitor and xor', '((mask bitor 1) xor 3) == 4', '((mask bitor 1) xor 3) == 3'),
  condition('compl', '(compl mask) not_eq compl 5u', '(compl mask) == compl 5u'),
  [
    'with an equals sign',
    '',
    'unsigned m = 6; m and_eq 3; m or_eq 8; m xor_eq 1; float *p = make(); if (m == 11) drop(p); run(p);',
    'unsigned m = 6; m and_eq 3; m or_eq 8; m xor_eq 1; float *p = make(); if (m == 10) drop(p); run(p); drop(p);',
  ],
];

const launched = (what: string, macro: string, launch: string): Row => [
  what,
  macro,
  `float *p = make(); drop(p); ${launch}`,
  `float *p = make(); ${launch} drop(p);`,
];

const completed: readonly Row[] = [
  launched(
    'a configuration',
    '#define ARGS2(grid, block) <<<grid, block>>>',
    'cudaStreamSynchronize(s); k ARGS2(1, 32)(p); cudaDeviceSynchronize();',
  ),
  launched(
    'a configuration with a stream',
    '#define ARGS4(grid, block, bytes, stream) <<< grid, block, bytes, stream >>>',
    'k ARGS4(dim3(1), dim3(32), 0, s) (p);',
  ),
  launched('a configuration without arguments', '#define HERE <<<1, 32, 0, s>>>', 'k HERE (p);'),
  launched(
    'a configuration that editors do not see',
    '#ifdef __INTELLISENSE__\n#define ON(stream)\n#else\n#define ON(stream) <<<1, 32, 0, stream>>>\n#endif',
    'k ON(s)(p);',
  ),
  launched(
    'what is to be done otherwise',
    '#define OR_EXIT || (exit(1), false)',
    'cudaMemsetAsync(p, 0, 4, s) == cudaSuccess OR_EXIT;',
  ),
  launched(
    'what it is to equal',
    '#define IS_FINE == cudaSuccess',
    'if (!(cudaMemsetAsync(p, 0, 4, s) IS_FINE)) return 1;',
  ),
  launched('a list that becomes an array', '', 'auto all = std::to_array({p, p}); for (float *each : all) run(each);'),
];

for (const [name, rows] of Object.entries({ defaults, words, completed }))
  describe(name, () => {
    it.each(rows)('%s', async (_, before, bad, good) => {
      expect((await rulesOf(before, bad)).filter((rule) => rule.startsWith('error'))).not.toEqual([]);
      expect((await rulesOf(before, good)).filter((rule) => !rule.includes('leak'))).toEqual([]);
    });
  });
