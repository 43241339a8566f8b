/** `std::unique_ptr<T, D> p{q, {stream}}`: the deleter is made of what the braces hold. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
template <class T> struct Give { cudaStream_t s; void operator()(T *p) const { cudaFreeAsync(p, s); } };
template <class T> using Own = std::unique_ptr<T[], Give<T>>;
__global__ void put(int *p) { *p = 1; }
static cudaStream_t s;
template <class T> static Own<T> make() { T *p; cudaMallocAsync(&p, 4, s); return {p, {s}}; }
`;

const use = (text: string): string =>
  `cudaStreamCreate(&s); { ${text} } cudaStreamSynchronize(s); cudaStreamDestroy(s);`;

describeRows('deleters in braces', head, [
  [
    'of what a function gives back',
    'async-use-after-free',
    '',
    use('auto x = make<int>(); int *p = x.get(); x.reset(); put<<<1, 1, 0, s>>>(p);'),
    use('auto x = make<int>(); put<<<1, 1, 0, s>>>(x.get());'),
  ],
  [
    'of a variable',
    'async-use-after-free',
    '',
    use('int *p; cudaMallocAsync(&p, 4, s); Own<int> x{p, {s}}; x.reset(); put<<<1, 1, 0, s>>>(p);'),
    use('int *p; cudaMallocAsync(&p, 4, s); Own<int> x(p, {s}); put<<<1, 1, 0, s>>>(p);'),
  ],
]);
