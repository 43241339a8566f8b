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
}, 8000);
