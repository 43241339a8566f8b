/** Class templates that name themselves, and constants of bases that are class templates for other arguments. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
template <int N> struct Constant {
  static constexpr int value = N; using type = Constant; static int twice() { return Constant::value * 2; }
};
template <class T> struct Asked { static int get() { return T::type::value; } };
template <int N> struct Next : Constant<N + 1> {};
template <int A, int B = A * 2, int C = A + B> struct Counted { static constexpr int sum = C; };
`;

/** What must hold, and what must not. */
function row(
  what: string,
  before: string,
  value: string,
  is: number,
): readonly [string, string, string, string, string] {
  const body = (other: number): string =>
    `int *d; cudaMalloc(&d, 4); cudaFree(d); ${before} if (${value} != ${other}) cudaFree(d);`;
  return [what, 'malloc-double-free', '', body(is + 1), body(is)];
}

describeRows('of a class template', head, [
  row('the name in it', '', 'Constant<4>::type::value', 4),
  row('another name for that', 'using Four = Constant<4>::type;', 'Four::value', 4),
  row('an object of that', 'Constant<4>::type four;', 'four.value', 4),
  row('the name asked of a parameter', '', 'Asked<Constant<6>>::get()', 6),
  row('its own constant by its own name', '', 'Constant<3>::twice()', 6),
  row('the constant of a base for another number', '', 'Next<3>::value', 4),
  row('the base by its own name', '', 'Next<3>::type::value', 4),
  row('an object with such a base', 'Next<7> next;', 'next.value', 8),
  row('arguments made of those before them', '', 'Counted<2>::sum', 6),
  row('one of them given', '', 'Counted<2, 1>::sum', 3),
]);
