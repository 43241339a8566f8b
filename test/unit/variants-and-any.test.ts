/** `std::variant` and `std::any` as places of handles and pointers: what is put there is found there again. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <any>
#include <variant>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
`;

/** The second stream never waits for the first in the wrong ones. */
const use = (first: string, second: string) =>
  `cudaStreamCreate(&${first}); cudaStreamCreate(&${second}); float *p; cudaMallocAsync(&p, 128, ${first}); k<<<1, 32, 0, ${first}>>>(p);`;
const pair = (declared: string, first: string, second: string) =>
  [
    `${declared} ${use(first, second)} k<<<1, 32, 0, ${second}>>>(p);`,
    `${declared} ${use(first, second)} k<<<1, 32, 0, ${first}>>>(p); cudaFreeAsync(p, ${first});`,
  ] as const;

describeRows('handles in variants and any', head, [
  [
    'by type',
    'async-use-before-alloc',
    '',
    ...pair(
      'std::variant<cudaStream_t, int> a{cudaStream_t{}}, b{cudaStream_t{}};',
      'std::get<cudaStream_t>(a)',
      'std::get<cudaStream_t>(b)',
    ),
  ],
  [
    'by place, behind monostate',
    'async-use-before-alloc',
    '',
    ...pair(
      'std::variant<std::monostate, cudaStream_t> a{std::in_place_index<1>, nullptr}, b(std::in_place_type<cudaStream_t>, nullptr);',
      'std::get<1>(a)',
      'std::get<1>(b)',
    ),
  ],
  [
    'in any',
    'async-use-before-alloc',
    '',
    ...pair(
      'std::any a = cudaStream_t{}, b = cudaStream_t{};',
      'std::any_cast<cudaStream_t &>(a)',
      'std::any_cast<cudaStream_t &>(b)',
    ),
  ],
]);

/** A copy of more bytes than there are shows which place is read. */
const copyOf = (bytes: string, declared: string) =>
  `${declared} char *c; cudaMalloc(&c, 4); cudaMemset(c, 0, ${bytes}); cudaFree(c);`;

describeRows('which of a variant’s types it is', head, [
  [
    'a list that begins with the place',
    'copy-out-of-range',
    '',
    copyOf('4 + v.index()', 'std::variant<int, float> v{std::in_place_index<1>, 3};'),
    copyOf('4 + v.index()', 'std::variant<int, float> v{std::in_place_index<0>, 3};'),
  ],
  [
    'a type',
    'copy-out-of-range',
    '',
    copyOf('4 + v.index()', 'std::variant<int, float *> v(std::in_place_type<float *>, nullptr);'),
    copyOf('4 + v.index()', 'std::variant<int, float *> v(std::in_place_type<int>, 0);'),
  ],
  [
    'null may be a number or a pointer: nothing is said',
    '',
    '',
    '',
    copyOf('4 + v.index()', 'float *p = nullptr; std::variant<int, float *> v{p};'),
  ],
]);

/** What a function is told by the type of what it is given; freed a second time where it is told wrongly. */
const told = (call: (type: string) => string): readonly [string, string] => {
  const body = (type: string): string =>
    `cudaStream_t s; cudaStreamCreate(&s); cudaEvent_t event; cudaEventCreate(&event); float *p; cudaMallocAsync(&p, 128, s);
${call(type)}
cudaFreeAsync(p, s);`;
  return [body('cudaStream_t'), body('cudaEvent_t')];
};

describeRows('what asks for the type of what it is given', `${head}#include <type_traits>\n#include <vector>`, [
  [
    'the type that a variant holds',
    '',
    '',
    ...told(
      (type) => `std::variant<cudaEvent_t, cudaStream_t> v = s;
std::visit([&](auto &&x) { if constexpr (std::is_same_v<std::decay_t<decltype(x)>, ${type}>) cudaFreeAsync(p, s); }, v);`,
    ),
  ],
  [
    'a container that a variant holds',
    '',
    '',
    ...told(
      (type) => `std::variant<std::vector<cudaEvent_t>, std::vector<cudaStream_t>> v = std::vector<cudaStream_t>{s};
std::visit([&](auto &x) { if constexpr (std::is_same_v<std::decay_t<decltype(x)>, std::vector<${type}>>) cudaFreeAsync(p, s); }, v);`,
    ),
  ],
  [
    'a parameter `auto` that is given a handle',
    '',
    '',
    ...told(
      (type) => `auto f = [&](auto x) { if constexpr (std::is_same_v<decltype(x), ${type}>) cudaFreeAsync(p, s); };
f(s);`,
    ),
  ],
  [
    'a parameter `auto` that is given an address',
    '',
    '',
    ...told(
      (type) => `auto f = [&](auto x) { if constexpr (std::is_pointer_v<decltype(x)>) cudaFreeAsync(p, s); };
${type === 'cudaStream_t' ? 'f(p);' : 'f(sizeof(event));'}`,
    ),
  ],
  [
    'containers of one kind of other elements',
    '',
    '',
    ...told(
      (type) => `std::vector<cudaStream_t> all{s};
if constexpr (std::is_same_v<decltype(all), std::vector<${type}>>) cudaFreeAsync(p, s);`,
    ),
  ],
]);

describeRows('an any without anything in it', head, [
  [
    'has nothing of any type',
    'copy-out-of-range',
    '',
    copyOf('std::any_cast<int>(&a) ? 4 : 5', 'std::any a;'),
    copyOf('std::any_cast<int>(&a) ? 5 : 4', 'std::any a;'),
  ],
]);
