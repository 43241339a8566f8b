/** Words of C++, CUDA and compilers that are seldom written, and what they mean for what is freed twice, or runs over its end. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const said = async (text: string) => {
  const { findings, gaps } = await analyseText(`#include <cuda_runtime.h>\n${text}`);
  return {
    rules: findings.filter(({ severity }) => severity !== 'hint').map(({ rule }) => rule),
    unread: gaps.map(({ kind, name }) => `${kind} ${name}`),
  };
};

const made = 'int main() { float *p; cudaMalloc(&p, 4);';

describe('what is written seldom is read', () => {
  it.each([
    ['__typeof__', `${made} __typeof__(p) q = p; cudaFree(q); AGAIN }`],
    ['typeof of a value', `${made} typeof(p) q = p; cudaFree(q); AGAIN }`],
    ['if consteval', `void give(float *p) { if consteval { } else { cudaFree(p); } }\n${made} give(p); AGAIN }`],
    ['if !consteval', `void give(float *p) { if !consteval { cudaFree(p); } }\n${made} give(p); AGAIN }`],
    [
      'decltype as what makes a value',
      `struct H { float *p; H() : p(decltype(p){}) { cudaMalloc(&p, 4); } };\nint main() { H h; auto p = decltype(h.p){h.p}; cudaFree(h.p); AGAIN }`,
    ],
    [
      'an attribute behind a name',
      `int main() { float *p __attribute__((aligned(16))) = nullptr; cudaMalloc(&p, 4); cudaFree(p); AGAIN }`,
    ],
    [
      'an attribute behind an array',
      `${made} float *a[2] __attribute__((aligned(16))); a[1] = p; cudaFree(a[1]); AGAIN }`,
    ],
    [
      'an attribute between two arrays',
      `${made} float *a[2] __attribute__((aligned(16))), *b[2]; a[1] = b[0] = p; cudaFree(b[0]); AGAIN }`,
    ],
    ['a capture that is begun in braces', `${made} auto drop = [q{p}, n = 1] { cudaFree(q); }; drop(); AGAIN }`],
    [
      'the same of what is moved, where a lambda is given',
      `#include <utility>\nstatic void run(auto work) { work(1); }\n${made} run([q{std::move(p)}, &p](int) { cudaFree(q); }); AGAIN }`,
    ],
    ['a macro for a type', `#define REAL double\n${made} REAL x = (REAL)3; cudaFree(p); AGAIN }`],
    [
      'a text and what a macro is given behind it',
      `#include <cstdio>\n#define SAY(text, ...) printf("[1] " text, __VA_ARGS__)\n${made} SAY("%d", 3); cudaFree(p); AGAIN }`,
    ],
    ['an index in front', 'int main() { float *a[2]; cudaMalloc(&a[1], 4); float *p = a[1]; cudaFree(1[a]); AGAIN }'],
    [
      'typeid of types',
      `${made} if (typeid(int) != typeid(const char *)) look(typeid(unsigned long long)); cudaFree(p); AGAIN }`,
    ],
    [
      'texts of a library behind literals',
      `extern "C" LIB_API void other(); ${made} printf("%" LibInt_FMT " of " LIB_NAME, 1); cudaFree(p); AGAIN }`,
    ],
    [
      '#elifdef',
      `#define B\n#ifdef A\n#elifdef B\n#define GIVE(p) cudaFree(p)\n#else\n#define GIVE(p)\n#endif\n${made} GIVE(p); AGAIN }`,
    ],
    [
      '#elifndef',
      `#ifdef A\n#elifndef B\n#define GIVE(p) cudaFree(p)\n#else\n#define GIVE(p)\n#endif\n${made} GIVE(p); AGAIN }`,
    ],
    [
      'defined(__has_include)',
      `#if defined(__has_include) && __has_include(<vector>)\n#define GIVE(p) cudaFree(p)\n#else\n#define GIVE(p)\n#endif\n${made} GIVE(p); AGAIN }`,
    ],
    [
      'operators as words in a condition',
      `#define N 3\n#if not defined(M) and (N == 2 or N == 3)\n#define GIVE(p) cudaFree(p)\n#else\n#define GIVE(p)\n#endif\n${made} GIVE(p); AGAIN }`,
    ],
  ])('%s', async (_, program) => {
    expect(await said(program.replace('AGAIN', ''))).toEqual({ rules: [], unread: [] });
    expect(await said(program.replace('AGAIN', 'cudaFree(p);'))).toEqual({ rules: ['malloc-double-free'], unread: [] });
  });

  it.each(['__cluster_dims__(2, 1, 1)', '__maxnreg__(64)', '__launch_bounds__(64) __cluster_dims__(2)'])(
    'a kernel with %s',
    async (word) => {
      const program = (blocks: number) =>
        `__global__ void ${word} fill(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main() { float *p; cudaMalloc(&p, 4 * 64); fill<<<${blocks}, 32>>>(p); cudaDeviceSynchronize(); cudaFree(p); }`;
      expect(await said(program(2))).toEqual({ rules: [], unread: [] });
      expect(await said(program(4))).toEqual({ rules: ['copy-out-of-range'], unread: [] });
    },
  );
});

describe('what is said to hold, holds', () => {
  it.each([
    ['assert', '#include <cassert>', 'assert(argc > 0);'],
    ['assert with a text', '#include <cassert>', 'assert(argc > 0 && "there is one");'],
    ['[[assume]]', '', '[[assume(argc > 0)]];'],
    ['__builtin_assume', '', '__builtin_assume(argc > 0);'],
    ['a macro from elsewhere', '#include "checks.h"', 'LIB_EXPECTS(argc > 0, "too few");'],
  ])('%s', async (_, include, statement) => {
    const program = (condition: string) =>
      `${include}\nint main(int argc, char **) { float *p; cudaMalloc(&p, 4); ${statement} if (${condition}) cudaFree(p); cudaFree(p); }`;
    expect((await said(program('argc <= 0'))).rules).toEqual([]);
    expect((await said(program('argc > 0'))).rules).toEqual(['malloc-double-free']);
    expect((await said(program('argc > 3'))).rules).toEqual(['malloc-double-free']);
  });

  it.each(['assert(false)', 'assert(!"not here")', 'assert(0 && "not here")', '__assume(0)'])(
    'nothing goes on behind %s',
    async (statement) => {
      const program = `int main(int argc, char **) { float *p; cudaMalloc(&p, 4); switch (argc) { case 1: break; case 2: break; default: cudaFree(p); ${statement}; } cudaFree(p); }`;
      expect((await said(program)).rules).toEqual([]);
    },
  );
});

it.each(['sizeof(cudaFree(p))', 'sizeof cudaFree(p)', 'noexcept(cudaFree(p))'])(
  'calls nothing in %s',
  async (value) => {
    const program = `${made} auto n = ${value}; (void)n; cudaFree(p); }`;
    expect((await said(program)).rules).toEqual([]);
  },
);

describe('threads that end in a kernel touch nothing behind that', () => {
  const program = (check: string) => `#include <cassert>
__global__ void fill(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; ${check} p[i] = 1; }
int main() { float *p; cudaMalloc(&p, 4 * 60); fill<<<2, 32>>>(p, 60); cudaDeviceSynchronize(); cudaFree(p); }`;

  it.each([
    'if (i >= n) __trap();',
    'if (i >= n) { __builtin_unreachable(); }',
    'assert(i < n);',
    '__builtin_assume(i < n);',
    'if (i >= n) [[unlikely]] return;',
  ])('%s', async (check) => {
    expect((await said(program(check))).rules).toEqual([]);
  });

  it.each(['if (i > n) __trap();', 'assert(i <= n);', 'assert(n > 0);'])('but not of %s', async (check) => {
    expect((await said(program(check))).rules).toEqual(['copy-out-of-range']);
  });
});

it('takes what stands behind a trap for what all threads do', async () => {
  const program = (
    order: string,
  ) => `__global__ void fill(const float *in, float *out) { if (in[0] < 0) __trap(); out[0] = 1; }
int main() { float *a, *b; cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaMalloc(&a, 4); cudaMalloc(&b, 4);
  fill<<<1, 1, 0, s>>>(a, b); ${order} fill<<<1, 1, 0, t>>>(a, b); cudaDeviceSynchronize(); cudaFree(a); cudaFree(b); }`;
  expect((await said(program('cudaStreamSynchronize(s);'))).rules).toEqual([]);
  expect((await said(program(''))).rules).toEqual(['stream-conflicting-access']);
});
