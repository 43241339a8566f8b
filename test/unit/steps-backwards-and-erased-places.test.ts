/** Iterators that step backwards, what algorithms over ranges leave, and elements taken out where nobody knows which. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <iterator>
#include <ranges>
#include <vector>
int somewhere();
static float *p, *other;
static void begin() { cudaMallocAsync((void **)&p, 128, 0); cudaMallocAsync((void **)&other, 128, 0); }
static void end(float *q) { cudaFreeAsync(p, 0); cudaFreeAsync(q, 0); cudaDeviceSynchronize(); }`;

const rule = 'async-double-free';
const bothWays = (what: string, pick: (first: string, second: string) => string): Row => [
  what,
  rule,
  '',
  `begin(); ${pick('p', 'other')} end(q);`,
  `begin(); ${pick('other', 'p')} end(q);`,
];

describeRows('steps backwards', head, [
  bothWays(
    'where they stand seen from the front',
    (a, b) => `std::vector<float *> v{${b}, ${b}, ${a}}; auto at = v.rbegin(); ++at; float *q = *at.base();`,
  ),
  bothWays(
    'what is found from the end is taken out',
    (a, b) => `std::vector<int> v{1, 2, 1}; auto at = std::find(v.rbegin(), v.rend(), 2);
v.erase(std::next(at).base()); float *q = v.size() == 2 && v[1] == 1 ? ${a} : ${b};`,
  ),
]);

describeRows('algorithms over ranges', head, [
  bothWays(
    'what stays is in front of what is left',
    (a, b) => `std::vector<float *> v{${b}, ${a}, ${b}}; auto rest = std::ranges::remove(v, ${b});
v.erase(rest.begin(), rest.end()); float *q = v.size() == 1 ? v[0] : ${b};`,
  ),
  bothWays(
    'what is left, by its two ends',
    (
      a,
      b,
    ) => `std::vector<int> v{1, 2, 1}; auto [first, last] = std::ranges::remove_if(v, [](int i) { return i == 1; });
v.erase(first, last); float *q = v.size() == 1 && v[0] == 2 ? ${a} : ${b};`,
  ),
  bothWays(
    'how much is left',
    (a, b) => `std::vector<int> v{1, 1, 2, 2, 2}; const auto rest = std::ranges::unique(v);
float *q = rest.size() == 3 && !rest.empty() ? ${a} : ${b};`,
  ),
  bothWays(
    'around a place',
    (a, b) => `std::vector<float *> v{${b}, ${b}, ${a}}; std::ranges::rotate(v, v.begin() + 2); float *q = v[0];`,
  ),
]);

describeRows('what is taken out somewhere', head, [
  [
    'leaves the length open',
    rule,
    '',
    'begin(); std::vector<int> v{1, 2}; v.erase(v.begin() + somewhere()); if (v.size() == 1) cudaFreeAsync(p, 0); end(other);',
    'begin(); cudaFreeAsync(other, 0); std::vector<int> v{1}; v.erase(v.begin() + somewhere()); if (v.size() == 1) return 0; cudaFreeAsync(p, 0);',
  ],
]);
