/** Macros that no text defines, and those that are only part of something: what stands around them is read all the same. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const said = async (text: string) => {
  const { findings, gaps } = await analyseText(text);
  return {
    rules: findings.filter(({ severity }) => severity !== 'hint').map(({ rule }) => rule),
    unread: gaps.filter(({ kind }) => kind === 'syntax').map(({ name }) => name),
  };
};

const head = '#include <cuda_runtime.h>\n#include "somewhere.h"\n';

/** `FREE` stands where the memory is freed, `AGAIN` where it is freed once more. */
const programs: readonly (readonly [string, string])[] = [
  [
    'a word on its own line',
    'int main() { float *p; cudaMalloc(&p, 4);\n  BEGIN_THREADS\n  FREE\n  END_THREADS\n  AGAIN\n}',
  ],
  [
    'a word in front of a closing brace',
    'int main() { float *p; cudaMalloc(&p, 4);\n  if (p) { FREE\n  Py_END_THREADS\n  }\n  AGAIN\n}',
  ],
  [
    'a word in front of a loop',
    'int main() { float *p; cudaMalloc(&p, 4); FREE\n  NO_UNROLL\n  for (int i = 0; i < 1; i++) { AGAIN }\n}',
  ],
  ['a handler that is a macro', 'int main() { float *p; cudaMalloc(&p, 4); try { FREE }\n  CATCH_ALL;\n  AGAIN }'],
  [
    'a handler that is given something',
    'struct S { float *p; S() { cudaMalloc(&p, 4); } ~S() { try { FREE } CATCH_IN(S) } };\nint main() { S s; float *p = s.p; AGAIN }',
  ],
  [
    'a handler that is defined here',
    '#define REST catch (...) { return 2; }\nint main() { float *p; cudaMalloc(&p, 4); try { FREE }\n  REST;\n  AGAIN }',
  ],
  [
    'a declaration with its value',
    'int main() { float *p; cudaMalloc(&p, 4); TIMED(cudaError_t error = cudaFree(p), KIND); if (error != cudaSuccess) return 1; AGAIN }',
  ],
  [
    'the same of a macro that is known',
    '#define TIMED(f, kind) f;\nint main() { float *p; cudaMalloc(&p, 4); TIMED(cudaError_t error = cudaFree(p), 3); if (error != cudaSuccess) return 1; AGAIN }',
  ],
  [
    'nothing where something is given',
    'void give(float *p) { CHECK_CALL(cudaFree(p), ); }\nint main() { float *p; cudaMalloc(&p, 4); give(p); AGAIN }',
  ],
  [
    'the same of a macro that is known',
    '#define OR(f, r) do { if ((f) != cudaSuccess) return r; } while (0)\nvoid give(float *p) { OR(cudaFree(p), ); }\nint main() { float *p; cudaMalloc(&p, 4); give(p); AGAIN }',
  ],
  [
    'a check among members',
    'struct Buffer {\n  STATIC_CHECK(MOST == 8, "there must be room for eight of them in all");\nprivate:\n  int n;\npublic:\n  float *p;\n  Buffer() { cudaMalloc(&p, 4); } };\nint main() { Buffer b; float *p = b.p; FREE AGAIN }',
  ],
  [
    'a specifier of a member',
    'struct View { float *p;\n  DI pair<size_t, size_t> at(size_t i) const { return {i / 2, i % 2}; }\n  HDI list<pair<int, int>> all() { return {}; }\n  View() { cudaMalloc(&p, 4); } };\nint main() { View v; float *p = v.p; FREE AGAIN }',
  ],
  [
    'a test that is given types',
    'TYPES_TEST_CASE("name", "", ((typename K, typename V), K, V), (int, pair<int, long>)) { float *p; cudaMalloc(&p, 4); FREE AGAIN }',
  ],
  [
    'a pragma',
    '#define DO(x) _Pragma(#x)\nint main() { float *p; cudaMalloc(&p, 4); FREE\n  DO(omp parallel for)\n  for (int i = 0; i < 1; i++) { AGAIN } }',
  ],
  ['half a call', '#define CALL(f) f(\nint main() { float *p; cudaMalloc(&p, 4); CALL(cudaFree) p); AGAIN }'],
  [
    'braces',
    '#define BEGIN {\n#define END }\nvoid give(float *p) BEGIN FREE END\nint main() BEGIN float *p; cudaMalloc(&p, 4); give(p); AGAIN END',
  ],
];

describe('what stands around a macro is read', () => {
  it.each(programs)('%s', async (_, program) => {
    const once = head + program.replace('FREE', 'cudaFree(p);');
    expect(await said(once.replace('AGAIN', 'cudaGetLastError();'))).toEqual({ rules: [], unread: [] });
    expect(await said(once.replace('AGAIN', 'cudaFree(p);'))).toEqual({ rules: ['malloc-double-free'], unread: [] });
  });
});

it('leaves a type on its own line what it is', async () => {
  const program = (twice: string) => `${head}
int main() {
  struct A_TYPE { float *p; };
  A_TYPE
    owner;
  cudaMalloc(&owner.p, 4);
  cudaFree(owner.p);
  ${twice}
}`;
  expect(await said(program('cudaFree(owner.p);'))).toEqual({ rules: ['malloc-double-free'], unread: [] });
  expect(await said(program(''))).toEqual({ rules: [], unread: [] });
});

it('takes a brace for one only where it has another', async () => {
  const program = `${head}
#define SKIP_BEGIN { bool skipped = false;
#define SKIP_END }
int main() { float *p; cudaMalloc(&p, 4);
  SKIP_BEGIN
  cudaFree(p);
  SKIP_END
  cudaFree(p); }`;
  expect(await said(program)).toEqual({ rules: ['malloc-double-free'], unread: [] });
});
