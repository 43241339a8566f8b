/** Owners in vectors that get other room, in sets and lists that elements are put into, and owners that change hands. */

import { describe, expect, it } from 'vitest';
import { type ConditionRow, wrongOnes } from '../support/conditions.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>
static cudaStream_t s;
struct Copied { float *p; Copied() { cudaMallocAsync(&p, 64, s); } ~Copied() { cudaFreeAsync(p, s); } };
struct Shallow { float *p; Shallow() { cudaMallocAsync(&p, 64, s); } Shallow(const Shallow &o) : p(o.p) {} ~Shallow() { cudaFreeAsync(p, s); } };
struct Moved { float *p; Moved() { cudaMallocAsync(&p, 64, s); } Moved(Moved &&o) noexcept : p(std::exchange(o.p, nullptr)) {} ~Moved() { if (p) cudaFreeAsync(p, s); } };
struct Deep { float *p; Deep() { cudaMallocAsync(&p, 64, s); } Deep(const Deep &o) { cudaMallocAsync(&p, 64, s); cudaMemcpyAsync(p, o.p, 64, cudaMemcpyDeviceToDevice, s); } ~Deep() { cudaFreeAsync(p, s); } };
struct End { void operator()(float *p) const { cudaFreeAsync(p, s); } };
`;

describeRows('a vector that gets other room', head, [
  [
    'copies what can only be copied, and what it held before ends',
    'async-double-free',
    '',
    'cudaStreamCreate(&s); { std::vector<Copied> v; v.emplace_back(); v.emplace_back(); } cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); { std::vector<Copied> v; v.reserve(2); v.emplace_back(); v.emplace_back(); } cudaStreamDestroy(s);',
  ],
  [
    'copies as the class says',
    'async-use-after-free',
    '',
    'cudaStreamCreate(&s); { std::vector<Shallow> v; v.emplace_back(); float *p = v[0].p; v.emplace_back(); cudaMemsetAsync(p, 0, 64, s); } cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); { std::vector<Deep> v; for (int i = 0; i < 5; ++i) v.emplace_back(); cudaMemsetAsync(v[0].p, 0, 64, s); } cudaStreamDestroy(s);',
  ],
  [
    'takes over what can be moved',
    'async-use-after-free',
    '',
    'cudaStreamCreate(&s); float *p; { std::vector<Moved> v; v.emplace_back(); p = v[0].p; v.emplace_back(); } cudaMemsetAsync(p, 0, 64, s); cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); { std::vector<Moved> v; v.emplace_back(); float *p = v[0].p; v.emplace_back(); v.push_back(Moved()); cudaMemsetAsync(p, 0, 64, s); } cudaStreamDestroy(s);',
  ],
]);

describeRows('owners', head, [
  [
    'that change hands',
    'async-use-after-free',
    '',
    'cudaStreamCreate(&s); { float *p, *q; cudaMallocAsync(&p, 64, s); cudaMallocAsync(&q, 64, s); std::unique_ptr<float, End> a(p), b(q); a.swap(b); a.reset(); cudaMemsetAsync(q, 0, 64, s); } cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); { float *p, *q; cudaMallocAsync(&p, 64, s); cudaMallocAsync(&q, 64, s); std::unique_ptr<float, End> a(p), b(q); a.swap(b); a.reset(); cudaMemsetAsync(p, 0, 64, s); } cudaStreamDestroy(s);',
  ],
]);

const values: readonly ConditionRow[] = [
  [
    'elements put somewhere',
    '',
    `std::vector<int> a{2, 1}, b{0, 3}; std::copy(a.begin(), a.end(), std::inserter(b, b.begin() + 1));
  std::deque<int> c; std::copy(a.begin(), a.end(), std::front_inserter(c)); std::set<int> d{5}; std::copy(b.begin(), b.end(), std::inserter(d, d.end()));`,
    ['b[1] != 2', 'b[2] != 1', 'b[3] != 3', 'c.front() != 1', 'c.back() != 2', '*d.begin() != 0', 'd.size() != 5'],
  ],
  [
    'vectors in order',
    '',
    'std::vector<int> a{1, 2}, b{1, 2, 0}, c{1, 3}; std::array<int, 2> d{1, 2}, e{1, 3};',
    ['!(a < b)', 'b < a', '!(b < c)', '!(c > a)', 'a >= c', '!(a <= a)', '!(d < e)'],
  ],
  [
    'functions that are the same',
    'static int one() { return 1; } static int two() { return 2; }',
    'int (*f)() = two;',
    ['f == one', 'f != two', 'f != &two', '!f'],
  ],
  ['how many there are', '', 'std::vector<int> v{1, 2, 3};', ['std::ranges::distance(v) != 3']],
];

describe('what the library says of', () => {
  for (const row of values)
    it(row[0], async () => {
      expect(await wrongOnes(row)).toEqual([]);
    });
});
