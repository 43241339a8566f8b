/**
 * Things of one name in several namespaces and classes: each in a program in which the name has to mean the right one for a
 * mistake to be found, and in the same program without it, of which nothing is said.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
${memoryInAStream}`;

/** Where the condition is known to hold, the first body frees before the use and the second behind it; both say more where it is not. */
const rows: readonly (readonly [what: string, before: string, condition: string])[] = [
  [
    'functions of two namespaces',
    'namespace a { int n() { return 1; } } namespace b { int n() { return 2; } }',
    'a::n() == 1 && b::n() == 2',
  ],
  [
    'a function outside of all, and one in a namespace',
    'namespace a { int n() { return 1; } int m() { return n(); } } int n() { return 2; }',
    'a::m() == 1 && n() == 2',
  ],
  [
    'a namespace inside of another',
    'namespace a { namespace b { int n() { return 1; } } int n() { return 2; } int m() { return b::n() * 10 + n(); } }',
    'a::m() == 12',
  ],
  [
    'functions that are declared in a namespace and defined outside',
    'namespace a { int n(); } namespace b { int n(); } int a::n() { return 1; } int b::n() { return 2; }',
    'a::n() == 1 && b::n() == 2',
  ],
  [
    'function templates',
    'namespace a { template <class T> int n() { return sizeof(T); } } namespace b { template <class T> int n() { return 2 * sizeof(T); } }',
    'a::n<float>() == 4 && b::n<float>() == 8',
  ],
  [
    'variables',
    'namespace a { constexpr int n = 1; int m() { return n; } } namespace b { static int n = 2; int m() { return n; } }',
    'a::n == 1 && b::n == 2 && a::m() == 1 && b::m() == 2',
  ],
  [
    'enumerators',
    'namespace a { enum Mode { slow, fast }; enum class Kind { x = 3 }; } namespace b { enum Mode { fast, slow }; enum class Kind { x = 4 }; }',
    'a::fast == 1 && b::Mode::fast == 0 && (int)a::Kind::x == 3 && (int)b::Kind::x == 4',
  ],
  [
    'classes',
    'namespace a { struct S { int n = 1; int get() const { return n; } }; } namespace b { struct S { int n = 2; int get() const; }; }\n' +
      'int b::S::get() const { return n; }',
    'a::S().get() == 1 && b::S().get() == 2',
  ],
  [
    'classes inside of classes',
    'struct A { struct S { int v[1]; }; int get() { return sizeof(S); } }; struct B { struct S { int v[2]; }; int get() { return sizeof(S); } };',
    'A().get() == 4 && B().get() == 8 && sizeof(A::S) == 4 && sizeof(B::S) == 8',
  ],
  [
    'a class inside of a base',
    'struct A { struct S { int v[1]; }; }; struct B { struct S { int v[2]; }; }; struct D : B { int get() { return sizeof(S); } };',
    'D().get() == 8',
  ],
  [
    'classes of policies',
    'struct A { struct S { int n = 1; }; }; struct B { struct S { int n = 2; }; };\n' +
      'template <class P> int get() { typename P::S s; return s.n; }',
    'get<A>() == 1 && get<B>() == 2',
  ],
  [
    'static members of two classes of one name',
    'namespace a { struct S { static int n; }; int S::n = 1; } namespace b { struct S { static int n; }; int S::n = 2; }',
    'a::S::n == 1 && b::S::n == 2',
  ],
  [
    'a namespace that is used in a function',
    'namespace a { int n() { return 1; } } namespace b { int n() { return 2; } } int get() { using namespace b; return n(); }',
    'get() == 2',
  ],
  [
    'a function that is used in a file',
    'namespace a { int n() { return 1; } } namespace b { int n() { return 2; } } using b::n;',
    'n() == 2 && a::n() == 1',
  ],
  [
    'another name for a namespace',
    'namespace a { int n() { return 1; } } namespace b { namespace c { int n() { return 2; } } } namespace d = b::c;',
    'd::n() == 2',
  ],
  [
    'a namespace whose names are those of what is around it',
    'namespace a { inline namespace v1 { int n() { return 1; } } } namespace b { int n() { return 2; } }',
    'a::n() == 1',
  ],
  [
    'a variable of a function that is called as functions are',
    'namespace a { int n() { return 1; } } namespace b { int n() { return 2; } int get() { int n = 3; return n; } }',
    'b::get() == 3',
  ],
];

async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const end = 'cudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }';
  const { findings } = await analyseText(`${head}${before}\nint main() { cudaStreamCreate(&s); ${body}\n${end}`);
  return [...new Set(findings.map(({ rule, severity }) => `${severity} ${rule}`))].sort();
}

describe('one name for several things', () => {
  for (const [what, before, condition] of rows) {
    it(`${what}: the mistake`, async () => {
      expect(await rulesOf(before, `float *p = make(); if (${condition}) drop(p); run(p);`)).toContain(
        'error async-use-after-free',
      );
    });
    it(`${what}: nothing to say`, async () => {
      expect(await rulesOf(before, `float *p = make(); run(p); if (${condition}) drop(p);`)).toEqual([]);
    });
  }

  it('owners of one name free what is theirs', async () => {
    const owners = `namespace a { struct Owner { float *p; Owner() : p(make()) {} ~Owner() { drop(p); } }; }
namespace b { struct Owner { float *p; explicit Owner(float *q) : p(q) {} }; }`;
    expect(await rulesOf(owners, '{ a::Owner o; b::Owner view(o.p); run(view.p); }')).toEqual([]);
    expect(await rulesOf(owners, 'float *p; { a::Owner o; b::Owner view(o.p); p = view.p; } run(p);')).toEqual([
      'error async-use-after-free',
    ]);
  });

  it('is written in full where people read it', async () => {
    const { entries, functions, gaps } = await analyseText(`#include <cuda_runtime.h>
namespace a { namespace b {
struct Set {
  void build(cudaStream_t s) { cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, g, nullptr, 0); void *p; cudaMallocAsync(&p, 4, s); lost(p); }
  void lost(void *p);
};
} }
namespace c { struct Set { void lost(); }; }
`);
    expect(entries).toEqual(['a::b::Set::build']);
    expect(functions.map(({ name }) => name)).toEqual(['a::b::Set::build']);
    expect(gaps.map(({ kind, name }) => `${kind}: ${name}`)).toEqual(['unknown method: a::b::Set::lost']);
  });
});
