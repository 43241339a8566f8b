/** Which names of a header lead to a call of CUDA. */

import { expect, it } from 'vitest';
import { addNamesThatCall } from '../../../src/relevance/names-that-call.ts';

it.each([
  ['a function', 'inline void *take(size_t n) { void *p; cudaMalloc(&p, n); return p; }', ['take']],
  ['a launch', 'template <int N = (3)> void run(float *p) { if (p) { add<<<1, N>>>(p); } }', ['run']],
  [
    'a class, by what its methods do',
    'class EXPORT Pool final : public Base { public: ~Pool() { cudaFree(p); } };',
    ['Pool'],
  ],
  ['a method behind its class', 'inline void Pool::clear() { cudaFree(p); }', ['Pool']],
  [
    'a method behind its class template',
    'template <class T, int N> void Pool<T, N>::clear() { cudaFree(p); }\ntemplate <class A> Pool<Own<A>>::~Pool() { cudaFree(p); }',
    ['Pool'],
  ],
  ['what is in namespaces', 'namespace a::b { extern "C" { void f() { cudaGraphLaunch(e, s); } } void g() {} }', ['f']],
  ['a macro', '#define TAKE(p, n) \\\n  check(cudaMalloc(p, n))\n#define CHECK(x) cudaGetErrorString(x)', ['TAKE']],
  ['a macro that makes the name', '#define CU(name, ...) check(cuda##name(__VA_ARGS__))', ['CU']],
  ['what calls it in turn', 'void f() { cudaFree(p); }\nvoid g() { f(); }\nvoid h() { g2(); }', ['f', 'g']],
  [
    'a name for it',
    'struct A { void f() { cudaFree(p); } };\nusing B = A;\ntypedef A C;\nstatic A d;',
    ['A', 'B', 'C', 'd'],
  ],
  ['a class that derives from it', 'struct A { ~A() { cudaFree(p); } }; struct D : A { int x; };', ['A', 'D']],
  [
    'functions of CUDA that somebody else is given to call',
    'void f() { CALL(cudaStreamCreate, &s); }\nvoid g() { call<cudaFree>(p); }\nvoid h() { take(cudaMemcpyHostToDevice, p); }',
    ['f', 'g'],
  ],
  [
    'objects of a class that is defined with them',
    'inline constexpr struct BeginFn { void operator()() const { cudaFree(p); } } begin{};\nstruct { void f() { g(); } } other;\nvoid h() { cudaFree(p); }\nint x;',
    ['BeginFn', 'begin', 'h'],
  ],
  ['nothing in declarations', 'void f(cudaStream_t s); struct S { cudaEvent_t e; int cudaFree; };', []],
  ['nothing in comments and texts', '/* { cudaFree(p) */ void f() { say("cudaFree(p)"); } // cudaFree(p)', []],
])('%s', (_, header, expected) => {
  const names = new Set<string>();
  addNamesThatCall(header, names);
  expect([...names].sort()).toEqual(expected);
});
