/** A class template that is named without arguments is made for what its constructor is given. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../src/trace/size.ts';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
struct Pair { double x, y; static constexpr int rank() { return 3; } };
template <class T, class Op> struct Two {
  T held; Op op;
  Two(T &a, const Op b) : held(a), op(b) {}
  static int rank() { return T::rank(); }
  int both() { return sizeof(T) * 10 + sizeof(Op); }
};
template <class T> struct One { T held; One(T value) : held(value) {} int size() { return sizeof(T); } };
template <class T, int N> struct Many { Many(T (&list)[N]) {} int size() { return N * sizeof(T); } };
template <class T, int N = 5> struct Fixed { Fixed(T *first) {} int size() { return N * sizeof(T); } };
`;

/** As g++ 12 has them. */
describe('as compiled', () => {
  it.each([
    ['Two a(pair, number);', 'a.both()', 164],
    ['auto a = Two(pair, number);', 'a.rank()', 3],
    ['auto a = Two{pair, number};', 'a.both()', 164],
    ['', 'Two(pair, number).rank()', 3],
    ['One a(pair);', 'a.size()', 16],
    ['auto a = One{number};', 'a.size()', 4],
    ['const double fixed = 1; One a(fixed);', 'a.size()', 8],
    ['float list[6]; Many a(list);', 'a.size()', 24],
    ['Fixed a(&pair);', 'a.size()', 80],
    ['Two<Pair, short> a(pair, 1);', 'a.both()', 162],
  ])('%s %s', async (before, written, bytes) => {
    const { facts } = await analyseText(
      `${head}int main() { Pair pair; int number = 1; ${before} void *p; cudaMallocAsync(&p, ${written}, 0); }`,
    );
    const size = facts.get('main')?.trace.allocations[0]?.bytes;
    expect(size && evaluateSize(size)).toBe(bytes);
  });
});
