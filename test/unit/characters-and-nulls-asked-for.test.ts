/** What small answers of the library hang on: characters that are looked for in texts, and nulls in an `any`. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <any>
#include <array>
#include <map>
#include <new>
#include <string>
#include <string_view>
${memoryInAStream}
template <class T> T &entry(std::map<std::string, std::any> &all, const std::string &key, T value) {
  all[key] = std::any(value);
  return *std::any_cast<T>(&all[key]);
}
`;

const inStream = ([what, rule, before, bad, good]: Row): Row => [
  what,
  rule,
  before,
  `cudaStreamCreate(&s); ${bad}`,
  `cudaStreamCreate(&s); ${good}`,
];

describeRows('characters in texts', head, [
  inStream(
    whenKnown('a text begins with one', 'std::string_view t = " a";', "t.starts_with(' ') && !t.starts_with('a')"),
  ),
  inStream(whenKnown('a text ends with one', 'std::string t = "a,";', "t.ends_with(',') && !t.ends_with('a')")),
  inStream(
    whenKnown(
      'what stands in front is taken away',
      'std::string_view t = "  a"; while (t.starts_with(\' \')) t.remove_prefix(1);',
      't == "a"',
    ),
  ),
  inStream(whenKnown('a part that is all of it', 'std::string t = "ab";', 't.substr() == "ab"')),
]);

describeRows('nulls in an any', head, [
  [
    'a pointer is put in the place of one',
    'async-use-after-free',
    '',
    `cudaStreamCreate(&s); std::any a = (float *)nullptr; *std::any_cast<float *>(&a) = make();
     float *p = std::any_cast<float *>(a); drop(p); run(p);`,
    `cudaStreamCreate(&s); std::any a = (float *)nullptr; *std::any_cast<float *>(&a) = make();
     float *p = std::any_cast<float *>(a); run(p); drop(p);`,
  ],
  [
    'a handle in a map',
    'async-use-after-free',
    '',
    `cudaStreamCreate(&s); std::map<std::string, std::any> all; entry<float *>(all, "p", nullptr) = make();
     float *p = std::any_cast<float *>(all["p"]); drop(p); run(p);`,
    `cudaStreamCreate(&s); std::map<std::string, std::any> all; entry<float *>(all, "p", nullptr) = make();
     float *p = std::any_cast<float *>(all["p"]); run(p); drop(p);`,
  ],
]);

/** `args` are the arguments of a launch. */
const launched = (what: string, args: string): Row => [
  what,
  'async-use-after-free',
  '',
  `cudaStreamCreate(&s); float *p = make(); alignas(16) unsigned char room[64]; ${args} drop(p);
   cudaLaunchKernel((void *)k, dim3(1), dim3(1), args, 0, s);`,
  `cudaStreamCreate(&s); float *p = make(); alignas(16) unsigned char room[64]; ${args}
   cudaLaunchKernel((void *)k, dim3(1), dim3(1), args, 0, s); drop(p);`,
];

describeRows('arrays seen as their elements', head, [
  launched('one in bytes', 'auto *a = ::new (room) std::array<void *, 1>{&p}; void **args = (void **)a;'),
  launched(
    'by way of an address of anything',
    `auto *a = ::new (static_cast<void *>(room)) std::array<void *, 1>{&p};
     void **args = static_cast<void **>(static_cast<void *>(a));`,
  ),
  launched('one of its own', 'auto *a = new std::array<void *, 1>{&p}; void **args = reinterpret_cast<void **>(a);'),
]);
