/** Templates that name types of each other again and again: what has no end is left, and the rest of the program is read. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

it('types that ask for several others each time are left', async () => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
template <class A, class B> struct P { using L = A; };
template <class T> struct N {
  using L = typename P<typename N<typename N<T>::L>::L, typename N<typename T::L>::L>::L;
  using type = typename N<L>::type;
};
int main() {
  N<int>::L a;
  N<N<int>>::type b;
  float *p;
  cudaMalloc(&p, sizeof(N<int>::L) + sizeof(b) + sizeof(a));
  cudaFree(p);
  cudaFree(p);
}
`);
  expect(findings.map(({ rule }) => rule)).toEqual(['malloc-double-free']);
});

const templates = `#include <cuda_runtime.h>
#include <type_traits>
template <class T> int g() { return sizeof(std::decay_t<T>); }
template <class T> int f() { return g<std::decay_t<T>>(); }
template <class T> int g2() { return sizeof(T); }
template <class T> int f2() { return g2<std::remove_pointer_t<T>>(); }
template <class T> int f3(T &&v) { return g2<std::remove_cvref_t<T>>(); }
template <class T> struct S { T v; };
template <class T> int f4() { return g2<S<T>>(); }
template <class T, class U = std::decay_t<T>> int f5() { return g2<U>(); }
template <class T> struct Half { T x; };
template <class T> Half<T> operator*(const Half<T> &l, const T &r) { cudaMalloc(&lost, 8); return l; }
struct Signal { float v; };
auto unseen(Signal s);`;

it.each([
  ['what strips it', 'f<double &>() == 8'],
  ['what it points at', 'f2<double *>() == 8'],
  ['what it is without a reference', 'f3(d) == 8'],
  ['a class made for it', 'f4<double>() == 8'],
  ['a default made of it', 'f5<double &>() == 8'],
])('a template hands on its parameter to one that calls its own so: %s', async (_what, holds) => {
  const { findings, gaps } = await analyseText(`${templates}
int main() { double d = 0; float *p; cudaMalloc(&p, 64); cudaFree(p); if (${holds}) cudaFree(p); }`);
  expect(gaps).toEqual([]);
  expect(findings.map(({ rule, certainty }) => [rule, certainty])).toEqual([['malloc-double-free', 'always']]);
});

it('an operator for a class template is not taken on a guess', async () => {
  const { findings } =
    await analyseText(`${templates.replace('template <class T> Half', 'float *lost;\ntemplate <class T> Half')}
int main() {
  cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; Signal a{1.0f};
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  unseen(a) * a;
  cudaStreamEndCapture(s, &g); cudaGraphDestroy(g); cudaStreamDestroy(s);
}`);
  expect(findings).toEqual([]);
});

it('one that has no end is followed once, however often it is named', async () => {
  const named = 'take(N<T>::L::first); take(N<T>::type::second);'.repeat(80);
  const { findings } = await analyseText(`#include <cuda_runtime.h>
template <class A, class B> struct P { using L = A; };
template <class T> struct N {
  using L = typename P<typename N<typename N<T>::L>::L, typename N<typename T::L>::L>::L;
  using type = typename N<L>::type;
};
int take(int);
template <class T> void rounds(float *p) { for (int i = 0; i < 40; i++) { ${named} cudaMemset(p, i, 64); } }
int main() {
  float *p;
  cudaMalloc(&p, 64);
  rounds<int>(p);
  cudaFree(p);
  cudaFree(p);
}
`);
  expect(findings.map(({ rule }) => rule)).toEqual(['malloc-double-free']);
});
