/** `one<0, Element<0, std::tuple<Ts...>>>(x)`: three brackets behind a pack are read as a call. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <tuple>
#include <utility>
struct End { static void end(void *p, int) { cudaFree(p); } };
template <size_t I, class T> void one(void *p) { T::end(p, 0); }
template <class... Ts> void first(void *p) { one<0, std::tuple_element_t<0, std::tuple<Ts...>>>(p); }
template <class... Ts> struct Line {
  void run(void *p) { all(p, std::index_sequence_for<Ts...>{}); }
  template <size_t... I> void all(void *p, std::index_sequence<I...>) { (step<I, std::tuple_element_t<I, std::tuple<Ts...>>>(p, 1), ...); }
  template <size_t I, class T> void step(void *p, int by) { T::end(p, by); }
};
struct Nothing { static void end(void *, int) {} };`;

const begin = 'void *p; cudaMalloc(&p, 4);';

describeRows('packs in closing brackets', head, [
  ['a function', 'malloc-double-free', '', `${begin} first<End>(p); cudaFree(p);`, `${begin} first<End>(p);`],
  [
    'a method in a fold',
    'malloc-double-free',
    '',
    `${begin} Line<End, Nothing, End>().run(p);`,
    `${begin} Line<Nothing, End, Nothing>().run(p);`,
  ],
]);
