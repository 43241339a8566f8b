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
  [
    'a `switch` that is given to one in another',
    'int main(int a, char **b) { float *p; cudaMalloc(&p, 4); FREE switch (a) { EACH((x, (switch (*b[0]) { default: { } }))) default: { } }\n AGAIN }',
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
    'types that are given to one as values are',
    'int main() { float *p; cudaMalloc(&p, 4); auto d = LIB_MAKE(float, 4 * (2 + 1)), e = LIB_MAKE(unsigned int, d).get(); FREE LIB_COMPARE(uint8_t);\n AGAIN }',
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

/** `FREE` and `AGAIN` as above. */
const annotated: readonly (readonly [string, string])[] = [
  [
    'behind what a method is given',
    'struct O { void drop() LIB_REQUIRES(m_) LIB_EXCLUDES(n_) { FREE } void look() const LIB_NOEXCEPT { } float *p; };\nint main() { O o; cudaMalloc(&o.p, 4); o.drop(); float *p = o.p; AGAIN }',
  ],
  [
    'behind a member',
    'struct O { O() { cudaMalloc(&p, 4); } float *p LIB_GUARDED_BY(m); std::mutex m LIB_ORDER; };\nint main() { O o; float *p = o.p; FREE AGAIN }',
  ],
  [
    'beside a parameter',
    'void drop(LIB_IN float *p, LIB_OUT int *n LIB_UNUSED, float *LIB_RESTRICT q) { FREE }\nint main() { float *p; int n; cudaMalloc(&p, 4); drop(p, &n, p); AGAIN }',
  ],
  [
    'between a type and a name',
    'static LIB_INLINE void LIB_CDECL drop(float *p) { FREE }\nint main() { float *p; cudaMalloc(&p, 4); drop(p); AGAIN }',
  ],
  [
    'in the head of a class',
    'class [[nodiscard]] LIB_API O final : public Base { public: LIB_API O() { cudaMalloc(&p, 4); } LIB_API virtual ~O() { look(); } float *p; };\nint main() { O o; float *p = o.p; FREE AGAIN }',
  ],
  ['in front of a call', 'int main() { float *p; cudaMalloc(&p, 4); FREE LIB_CALL AGAIN }'],
  ['around a statement', 'int main() { float *p; cudaMalloc(&p, 4);\n  IF_DEBUG(FREE)\n  AGAIN }'],
  [
    'around the first statement',
    'void drop(float *p) {\n  IF_DEBUG(FREE) }\nint main() { float *p; cudaMalloc(&p, 4); drop(p); AGAIN }',
  ],
  [
    'around statements behind what they are compiled for',
    'template <typename T, typename U> __global__ void work(float *p) { p[0] = 1; }\nvoid drop(any::Tensor t, float *p, cudaStream_t s) {\n  DISPATCH_BOTH(t.type(), 0, "drop, then", using U = any::Of<T_0, true>; work<U, T_0><<<1, 1, 0, s>>>(p); if (t.n() > 0) { FREE } else { cudaFree(p); });\n}\nint main() { float *p; cudaMalloc(&p, 4); any::Tensor t; drop(t, p, 0); AGAIN }',
  ],
  [
    'around such a macro with statements of its own',
    'int main() { float *p; cudaMalloc(&p, 4); int t = 1;\n  DISPATCH_IN(t, T, DISPATCH_OUT(t, U, FREE););\n  AGAIN }',
  ],
  [
    'around statements, behind what else it is given',
    'int main() { float *p; cudaMalloc(&p, 4); DISPATCH(type(), 0, "of a type", using T = one<float, 2>; FREE) AGAIN }',
  ],
  [
    'around statements that end with a block',
    'int main() { float *p; cudaMalloc(&p, 4); DISPATCH(type(), "one", const int n = 3; if (n) { FREE }); AGAIN }',
  ],
  [
    'around another one around a statement',
    'int main() { float *p; cudaMalloc(&p, 4); DISPATCH(type(), "one", DISPATCH(type(), "other", FREE)) AGAIN }',
  ],
  ['at the beginning', 'void f(float *p) { DISPATCH(type(), "one", using T = float; FREE) AGAIN }'],
  [
    'in front of a template',
    'namespace lib { LIB_EXPORT template <typename T> struct S { void f(T *p) { FREE } }; }\nint main() { float *p; cudaMalloc(&p, 4); lib::S<float> s; s.f(p); AGAIN }',
  ],
  [
    'in place of what a lambda captures',
    'void f(float *p) { LIB::each("all", 4, LIB_LAMBDA(const int i) { p[i] = 0; }); FREE AGAIN }',
  ],
  ['in a lambda', 'void f(float *p) { auto free = [&] LIB_INLINE(int n) { FREE }; free(0); AGAIN }'],
  ['in a lambda of the device', 'void f(float *p) { LIB::each(4, [=] LIB_DEVICE(int i) { p[i] = 0; }); FREE AGAIN }'],
  [
    'a value that is assigned or returned',
    'int main() { float *p; cudaMalloc(&p, 4); LIB_ASSIGN_OR_RETURN(auto *q, get(p), "none"); FREE AGAIN }',
  ],
];

describe('a word that only says something of a declaration costs nothing', () => {
  it.each(annotated)('%s', async (_, program) => {
    const once = head + program.replace('FREE', 'cudaFree(p);');
    expect(await said(once.replace('AGAIN', 'cudaGetLastError();'))).toEqual({ rules: [], unread: [] });
    expect(await said(once.replace('AGAIN', 'cudaFree(p);'))).toEqual({ rules: ['malloc-double-free'], unread: [] });
  });
});

/** 44 bytes are set of what is allocated, or 64, which is one too many for a byte: nothing here is a macro. */
const plain: readonly (readonly [string, string])[] = [
  [
    'an object behind words about trying',
    'struct Owner { float *p; Owner() { cudaMalloc(&p, 44); } ~Owner() { cudaFree(p); } };\nint main(int n, char **texts) {\n  /* or\n    try { that } */\n  // we try {this}\n  Owner o;\n  float *p = o.p; SET }',
  ],
  [
    'a class in capitals that takes what it is made of',
    'class OWNER { public: OWNER() { cudaMalloc(&p, 44); } OWNER(OWNER &&other) : p(other.p) { other.p = nullptr; } ~OWNER() { cudaFree(p); } float *p; };\nint main() { OWNER a; OWNER b(static_cast<OWNER &&>(a)); float *p = b.p; SET }',
  ],
  [
    'the same with brackets in its types',
    'class OWNER { public:\n  OWNER(const std::vector<std::vector<int>> &v) { cudaMalloc(&p, 44); }\n  float *p; };\nint main() { std::vector<std::vector<int>> v; OWNER a(v); float *p = a.p; SET }',
  ],
  [
    'a variable of a structure that begins in braces',
    'struct MY_CONFIG { size_t bytes; int n; };\nint main() { struct MY_CONFIG config{44, 1}; float *p; cudaMalloc(&p, config.bytes); SET }',
  ],
  [
    'operators that are words',
    'enum { MY_MASK = 4 };\nint main() { float *p; int flags = 3; cudaMalloc(&p, (flags bitand MY_MASK) ? 400 : 44); SET }',
  ],
  [
    'a type in front of const',
    'typedef float *MY_POINTER;\nstruct Pool { void set(MY_POINTER const &p) { SET } };\nint main() { MY_POINTER p; cudaMalloc(&p, 44); Pool pool; pool.set(p); }',
  ],
  [
    'a type on the line above the method',
    'typedef unsigned char MY_SIZE;\nstruct Pool {\n  int n;\n  MY_SIZE\n  get(int n) { return n; } };\nint main() { Pool pool; float *p; cudaMalloc(&p, pool.get(300)); SET }',
  ],
  [
    'a type behind a word of the compiler',
    'typedef unsigned char MY_SIZE;\n__host__ MY_SIZE sizeOf(int n) { return n; }\nint main() { float *p; cudaMalloc(&p, sizeOf(300)); SET }',
  ],
];

describe('what only looks like a macro is what it is', () => {
  it.each(plain)('%s', async (_, program) => {
    const setting = (bytes: number): string => head + program.replace('SET', `cudaMemset(p, 0, ${bytes});`);
    expect(await said(setting(44))).toEqual({ rules: [], unread: [] });
    expect(await said(setting(64))).toEqual({ rules: ['copy-out-of-range'], unread: [] });
  });
});

it('takes no time over white space', async () => {
  const program = `${head}class A {\n${'  int n = A_B;\n'.repeat(20)}};\nint main() {\n${' '.repeat(50_000)}${'\n'.repeat(50_000)}  f(A_B && x);\n}`;
  const started = performance.now();
  await said(program);
  expect(performance.now() - started).toBeLessThan(2_000);
});

it('runs what an unknown macro assigns', async () => {
  const program = `${head}int main() { float *p; cudaMalloc(&p, 4); LIB_ASSIGN_OR_RETURN(auto e, check(cudaFree(p)), 3); cudaFree(p); }`;
  expect(await said(program)).toEqual({ rules: ['malloc-double-free'], unread: [] });
});

it.each([
  'if (p) CHECK_CALL(cudaFree(p));',
  'for (int i = 0; i < 1; i++) CHECK_CALL(cudaFree(p));',
  'while (p) { CHECK_CALL(cudaFree(p)); p = nullptr; }',
])('leaves a call behind a bracket alone: %s', async (statement) => {
  const program = `${head}int main() { float *p; cudaMalloc(&p, 4); float *q = p; ${statement} cudaFree(q); }`;
  expect((await said(program)).rules).toEqual(['malloc-double-free']);
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

it.each(['see what it frees', 'see drop(p)', 'p is a pointer *', 'int drop'])(
  'leaves a call under a comment alone: %s',
  async (words) => {
    const program = `${head}int main() { float *p; cudaMalloc(&p, 4); // ${words}\n  CHECK_CALL(cudaFree(p)); // ${words}\n  CHECK_CALL(cudaFree(p)); }`;
    expect((await said(program)).rules).toEqual(['malloc-double-free']);
  },
);

it('takes no time over long words', async () => {
  const long = 'A_B_C_D_E_F_G_H_I_J_K_L_M_N_O_P_Q_R_S_T_U_V_W_X_Y_Z_A_B_C_D_E_F_G_H';
  const program = `${head}void f(int n) ${long} ${long} ${long};\nint g() { return n(1) ${long} ${long}( + 1; }`;
  const started = performance.now();
  await said(program);
  expect(performance.now() - started).toBeLessThan(2_000);
});

it('a launch that an unseen macro is given behind a text is run', async () => {
  const program = (again: string) => `#include <cuda_runtime.h>
template <typename T> __global__ void work(float *p) { p[0] = 1; }
int main() { float *p; int t = 1; cudaMalloc(&p, 4); cudaStream_t s; cudaStreamCreate(&s);
  ${again} DISPATCH_ONE(t, 0, "work", work<T_0><<<1, 1, 0, s>>>(p);); cudaStreamSynchronize(s); }`;
  expect(await said(program(''))).toEqual({ rules: [], unread: [] });
  expect(await said(program('cudaFree(p);'))).toEqual({ rules: ['malloc-use-after-free'], unread: [] });
});
