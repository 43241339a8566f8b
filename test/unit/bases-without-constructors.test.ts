/** Classes whose bases have no constructor of their own: plain structures that are given their members, or copied. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <utility>
__global__ void k(float *p) { p[0] = 1; }
struct Place { cudaStream_t stream; float *p; };
struct Work : Place {
  int count;
  Work(cudaStream_t s, float *q) : Place{s, q}, count(1) {}
  Work(const Work &other) : Place(other), count(other.count + 1) {}
  void run() const { k<<<1, 1, 0, stream>>>(p); }
  void drop() const { cudaFreeAsync(p, stream); }
};
struct Listed : Place {
  Listed(cudaStream_t s, float *q) : Place({s, q}) {}
};
struct Taken : Place {
  explicit Taken(Place &&other) : Place(std::move(other)) {}
};
struct Plain : Place { int count; };
template <class Derived> struct Step {
  cudaStream_t stream;
  void enqueue() { static_cast<Derived &>(*this).give(); }
};
struct Use : Step<Use> {
  float *p;
  Use(cudaStream_t s, float *q) : Step{s}, p(q) {}
  void give() { k<<<1, 1, 0, stream>>>(p); }
};`;

const begin = 'cudaStream_t s; cudaStreamCreate(&s); float *a; cudaMallocAsync(&a, 64, s);';

describeRows('bases without constructors', head, [
  [
    'given member by member',
    'async-use-after-free',
    '',
    `${begin} Work w(s, a); w.drop(); w.run();`,
    `${begin} Work w(s, a); w.run(); w.drop();`,
  ],
  [
    'copied from the whole object',
    'async-double-free',
    '',
    `${begin} Work w(s, a); Work copy(w); copy.run(); copy.drop(); w.drop();`,
    `${begin} Work w(s, a); Work copy(w); if (copy.count == 2) { copy.run(); w.drop(); } else w.drop();`,
  ],
  [
    'given a list in parentheses, and moved',
    'async-use-after-free',
    '',
    `${begin} Taken t(Listed(s, a)); cudaFreeAsync(t.p, t.stream); k<<<1, 1, 0, t.stream>>>(a);`,
    `${begin} Taken t(Listed(s, a)); k<<<1, 1, 0, t.stream>>>(a); cudaFreeAsync(t.p, t.stream);`,
  ],
  [
    'given in braces of its own',
    'async-use-after-free',
    '',
    `${begin} Plain x{{s, a}, 3}; cudaFreeAsync(x.p, x.stream); if (x.count == 3) k<<<1, 1, 0, s>>>(x.p);`,
    `${begin} Plain x{{s, a}, 3}; if (x.count == 3) k<<<1, 1, 0, s>>>(x.p); cudaFreeAsync(x.p, x.stream);`,
  ],
  [
    'given as an object',
    'async-use-after-free',
    '',
    `${begin} Place place{s, a}; Plain x{place, 3}; cudaFreeAsync(x.p, x.stream); if (x.count == 3) k<<<1, 1, 0, s>>>(a);`,
    `${begin} Place place{s, a}; Plain x{place, 3}; if (x.count == 3) k<<<1, 1, 0, s>>>(a); cudaFreeAsync(x.p, x.stream);`,
  ],
  [
    'given without braces of its own',
    'async-use-after-free',
    '',
    `${begin} Plain x{s, a, 3}; cudaFreeAsync(x.p, x.stream); if (x.count == 3) k<<<1, 1, 0, s>>>(x.p);`,
    `${begin} Plain x{s, a, 3}; if (x.count == 3) k<<<1, 1, 0, s>>>(x.p); cudaFreeAsync(x.p, x.stream);`,
  ],
  [
    'a base that is given the class itself',
    'async-use-after-free',
    '',
    `${begin} Use u(s, a); cudaFreeAsync(a, s); u.enqueue();`,
    `${begin} Use u(s, a); u.enqueue(); cudaFreeAsync(a, s);`,
  ],
]);
