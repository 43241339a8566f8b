/** Lists of which nobody knows how long they are: an element is the last one, or it is not, and the loop goes by that. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <iterator>
#include <list>
#include <vector>
void zero(void *p, cudaStream_t s) { cudaMemsetAsync(p, 0, 64, s); }`;

const after = 'async-use-after-free';

/** What was allocated in front of the loop is freed in its last round, or in each that is not. */
const freedAt = (list: string, loop: string, isLast: string, isNot: string): readonly [string, string] => {
  const program = (condition: string): string => `void run(${list} &all, cudaStream_t s) {
  if (all.empty()) return;
  float *tmp; cudaMallocAsync(&tmp, 64, s);
  ${loop} { zero(tmp, s); if (${condition}) cudaFreeAsync(tmp, s); }
}
int main() { return 0; }`;
  return [program(isNot), program(isLast)];
};

const pointers = 'std::list<float *>';
const byIterator = 'for (auto it = all.begin(); it != all.end(); ++it)';
const byIndex = 'for (size_t i = 0; i < all.size(); ++i)';

describeRows('the last of a list', head, [
  ['by its address', after, '', ...freedAt(pointers, 'for (auto &x : all)', '&x == &all.back()', '&x != &all.back()')],
  [
    'by the next',
    after,
    '',
    ...freedAt(pointers, byIterator, 'std::next(it) == all.end()', 'std::next(it) != all.end()'),
  ],
  [
    'by the one before the end',
    after,
    '',
    ...freedAt(pointers, byIterator, 'it == std::prev(all.end())', 'it != std::prev(all.end())'),
  ],
  [
    'by the one before the end of a vector',
    after,
    '',
    ...freedAt('std::vector<float *>', byIterator, 'it + 1 == all.end()', 'it != all.end() - 1'),
  ],
  ['by its index', after, '', ...freedAt('std::vector<float *>', byIndex, 'i + 1 == all.size()', 'i + 1 < all.size()')],
  [
    'by its index and the size less one',
    after,
    '',
    ...freedAt('std::vector<float *>', byIndex, 'i == all.size() - 1', 'i < all.size() - 1'),
  ],
  [
    'what is done for all but the last',
    after,
    '',
    `void run(${pointers} &all, cudaStream_t s) {
  for (auto &x : all) { float *tmp; cudaMallocAsync(&tmp, 64, s);
    if (&x != &all.back()) cudaFreeAsync(tmp, s);
    zero(tmp, s); if (&x == &all.back()) cudaFreeAsync(tmp, s); }
}
int main() { return 0; }`,
    `void run(${pointers} &all, cudaStream_t s) {
  for (auto &x : all) { float *tmp; cudaMallocAsync(&tmp, 64, s);
    if (&x != &all.back()) zero(tmp, s);
    cudaFreeAsync(tmp, s); }
}
int main() { return 0; }`,
  ],
  [
    'lists that have become longer in between',
    after,
    '',
    '',
    `void run(${pointers} &all, cudaStream_t s) {
  float *tmp; cudaMallocAsync(&tmp, 64, s);
  for (auto it = all.begin(); it != all.end(); ++it) zero(*it, s);
  all.push_back(tmp);
  for (auto it = all.begin(); it != all.end(); ++it) zero(*it, s);
  for (auto it = all.begin(); it != all.end(); ++it) if (std::next(it) == all.end()) cudaFreeAsync(tmp, s);
}
int main() { return 0; }`,
  ],
]);
