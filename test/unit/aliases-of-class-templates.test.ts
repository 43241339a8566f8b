/** `using H = Heap<N>;` in a class template: what the number of the template makes of the other. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
template <unsigned Leaves> struct Heap {
  static constexpr unsigned size = 2 * Leaves - 1;
  static constexpr unsigned firstLeaf = Leaves - 1;
  static constexpr bool isLeaf(unsigned i) { return i >= firstLeaf; }
};
`;

/** Frees as often as a condition on the alias holds; once is right. */
function freedBy(what: string, alias: string, times: string): Row {
  const tree = (count: string): string => `template <unsigned N> class Tree {
  using H = ${alias};
public:
  explicit Tree(cudaStream_t s) {
    float *p; cudaMallocAsync(&p, 64, s);
    ${count}
  }
};`;
  const main = (order: string): string => `${tree(order)}
int main() { cudaStream_t s; cudaStreamCreate(&s); Tree<2> t(s); cudaStreamSynchronize(s); }`;
  return [
    what,
    'async-double-free',
    '',
    main(`for (unsigned i = 0; i < ${times}; ++i) cudaFreeAsync(p, s);`),
    main(`for (unsigned i = 0; i + 1 < ${times}; ++i) cudaFreeAsync(p, s);`),
  ];
}

describeRows('another name for a template with a number', head, [
  freedBy('the number itself', 'Heap<N>', 'H::size - 1'),
  freedBy('what is calculated with it', 'Heap<2 * N - 2>', 'H::size - 1'),
  freedBy('constants that need constants', 'Heap<N + 1>', 'H::firstLeaf + H::isLeaf(3) - H::isLeaf(2)'),
]);
