/** Types that functions name for themselves are what they are there, also in templates that use the same names for others. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <type_traits>
template <class T, int N, unsigned Bits> struct Counts { T values[N]; unsigned bins[Bits]; };
template <class T> T *made(size_t n) { void *p; cudaMalloc(&p, n * sizeof(T)); return static_cast<T *>(p); }
template <class T> void *room(size_t n) {
  using Element = typename std::remove_extent<T>::type;
  void *p;
  cudaMalloc(&p, n * sizeof(Element));
  return p;
}
`;

/** With so many bytes too many. */
const counted = (more: number): string =>
  `template <class T> void count() {
     using Mine = Counts<T, 100, 8 * sizeof(T)>;
     Mine *all = made<Mine>(1);
     cudaMemset(all, 0, 100 * sizeof(T) + 4 * 8 * sizeof(T) + ${more});
     cudaFree(all);
   }`;

describeRows('a type that a function names', head, [
  ['by what its own parameter is', 'copy-out-of-range', counted(1), 'count<short>();', ''],
  ['by what its own parameter is, rightly used', 'copy-out-of-range', counted(0), '', 'count<short>();'],
  [
    'by the elements of an array',
    'copy-out-of-range',
    '',
    'void *p = room<short[]>(10); cudaMemset(p, 0, 21); cudaFree(p);',
    'void *p = room<short[]>(10); cudaMemset(p, 0, 20); cudaFree(p); p = room<int[3]>(10); cudaMemset(p, 0, 40); cudaFree(p);',
  ],
]);
