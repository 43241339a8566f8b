/** Iterators that step backwards, and elements taken out where nobody knows which. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <iterator>
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

describeRows('what is taken out somewhere', head, [
  [
    'leaves the length open',
    rule,
    '',
    'begin(); std::vector<int> v{1, 2}; v.erase(v.begin() + somewhere()); if (v.size() == 1) cudaFreeAsync(p, 0); end(other);',
    'begin(); cudaFreeAsync(other, 0); std::vector<int> v{1}; v.erase(v.begin() + somewhere()); if (v.size() == 1) return 0; cudaFreeAsync(p, 0);',
  ],
]);
