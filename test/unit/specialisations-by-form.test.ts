/** Specialisations for types of one form, `const T`, `T &`, `T[N]`: each is chosen for what has that form. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../src/trace/size.ts';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
template <class T> struct Traits { static constexpr int id = 1; };
template <class T> struct Traits<const T> { static constexpr int id = 2 + 100 * sizeof(T); };
template <class T> struct Traits<T[]> { static constexpr int id = 3 + 100 * sizeof(T); };
template <class T, int N> struct Traits<T[N]> { static constexpr int id = 4 + 1000 * N + 100 * sizeof(T); };
template <class T> struct Traits<T &> { static constexpr int id = 5 + 100 * sizeof(T); };
template <class T> struct Traits<T &&> { static constexpr int id = 6 + 100 * sizeof(T); };
template <class T> struct Traits<const T *> { static constexpr int id = 7 + 100 * sizeof(T); };
template <class T> struct Traits<T *> { static constexpr int id = 8 + 100 * sizeof(T); };
template <class T> int id() { return Traits<T>::id; }
`;

/** As g++ 12 has them. */
describe('as compiled', () => {
  it.each([
    ['Traits<int>::id', 1],
    ['Traits<const int>::id', 402],
    ['Traits<double[]>::id', 803],
    ['Traits<double[3]>::id', 3804],
    ['Traits<int &>::id', 405],
    ['Traits<int &&>::id', 406],
    ['Traits<const double *>::id', 807],
    ['Traits<double *>::id', 808],
    ['Traits<double **>::id', 808],
    ['id<const char>()', 102],
    ['id<char[7]>()', 7104],
    ['id<const char *>()', 107],
  ])('%s', async (written, bytes) => {
    const { facts } = await analyseText(`${head}int main() { void *p; cudaMallocAsync(&p, ${written}, 0); }`);
    const size = facts.get('main')?.trace.allocations[0]?.bytes;
    expect(size && evaluateSize(size)).toBe(bytes);
  });
});
