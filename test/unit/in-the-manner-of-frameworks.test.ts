/** What frameworks for machine learning write between their code and CUDA: owners, streams, sizes and tables of their own. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>
${memoryInAStream}`;

/** Counts its owners itself. */
const counted = `struct Storage { std::atomic<int> count{0}; float *p = make(); ~Storage() { drop(p); } };
template <class T> class Counted { T *target = nullptr;
 public:
  explicit Counted(T *t) : target(t) { ++target->count; }
  Counted(Counted &&o) noexcept : target(o.target) { o.target = nullptr; }
  ~Counted() { if (target != nullptr && target->count.fetch_sub(1) == 1) delete target; }
  T *operator->() const { return target; } };
using Shared = Counted<Storage>;
struct Tensor { Shared storage; explicit Tensor(Shared given) : storage(std::move(given)) {} };
static Tensor empty() { auto made = Shared(new Storage); return Tensor(std::move(made)); }`;

describeRows('Owners that count', head, [
  [
    'a parameter whose type is another name of an instance is an object of its own',
    'async-use-after-free',
    counted,
    'float *q; { auto t = empty(); q = t.storage->p; run(q); } run(q);',
    'auto t = empty(); run(t.storage->p);',
  ],
]);

const kernels = `template <typename T> __global__ void fill(T *data, int n) { if (threadIdx.x < n) data[threadIdx.x] = 1; }`;

describeRows(
  'What kernels are launched for',
  `${head}${kernels}`,
  [
    ['float', 'float'],
    ['double', 'double'],
    ['half', 'half'],
  ].map(([what, type]) =>
    whenKnown(
      `${what}: the size of the type is known behind it`,
      `fill<${type}><<<1, 1, 0, s>>>(nullptr, 0);`,
      `4096 * sizeof(${type}) == ${{ float: 16384, double: 32768, half: 8192 }[type as 'float']}`,
    ),
  ),
);
