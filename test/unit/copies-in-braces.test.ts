/** Objects that are named in braces and say themselves how they are copied: members, elements, arguments, results. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>
cudaStream_t s;
struct Lease {
  float *p;
  Lease() { cudaMallocAsync(&p, 64, s); }
  Lease(const Lease &) : p(nullptr) { cudaMallocAsync(&p, 64, s); }
  ~Lease() { cudaFreeAsync(p, s); }
};
struct Storage { int references = 0; float *data; Storage() { cudaMallocAsync(&data, 64, s); } ~Storage() { cudaFreeAsync(data, s); } };
class Ref {
public:
  Ref() = default;
  explicit Ref(Storage *p) : p_(p) { ++p_->references; }
  Ref(const Ref &o) : p_(o.p_) { if (p_) ++p_->references; }
  Ref(Ref &&o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Ref &operator=(Ref o) noexcept { std::swap(p_, o.p_); return *this; }
  ~Ref() { if (p_ && --p_->references == 0) delete p_; }
  float *data() const { return p_->data; }
private:
  Storage *p_ = nullptr;
};
struct Shared { std::shared_ptr<Lease> lease; Shared() = default; Shared(const Shared &o) : lease(o.lease) {} ~Shared() {} };
template <class T> struct Part { T held; int n; };
__global__ void use(float *p) { p[0] = 1; }
`;

/** Used while the copy lives; \`bad\`: by an address that outlives it. */
function copied(what: string, made: string, held: string): Row {
  const begin = 'cudaStreamCreate(&s); float *late;';
  const run = (address: string): string => `use<<<1, 1, 0, s>>>(${address});`;
  return [
    what,
    'async-use-after-free',
    '',
    `${begin} { Lease x; ${made} late = ${held}; } ${run('late')} cudaStreamSynchronize(s);`,
    `${begin} { Lease x; ${made} ${run(held)} } cudaStreamSynchronize(s);`,
  ];
}

describeRows('a copy of its own', head, [
  copied('as a member', 'Part<Lease> y{x, 3};', 'y.held.p'),
  copied('as a member by its name', 'Part<Lease> y = {.held = x, .n = 3};', 'y.held.p'),
  copied('as an element of an array', 'Lease v[2] = {x, x};', 'v[1].p'),
  copied('as an element of a vector', 'std::vector<Lease> v{x, x};', 'v[1].p'),
  copied('in what is put into a vector', 'std::vector<Part<Lease>> v; v.push_back({x, 3});', 'v[0].held.p'),
  copied('in a result', 'auto f = [&]() { return Part<Lease>{x, 2}; }; Part<Lease> y = f();', 'y.held.p'),
  copied(
    'in an argument',
    'float *q; auto f = [&](Part<Lease> a) { q = a.held.p; use<<<1, 1, 0, s>>>(q); }; f({x, 2});',
    'x.p',
  ),
]);

const kept = (scope: string): string =>
  `cudaStreamCreate(&s); std::vector<Part<Ref>> list; ${scope} cudaStreamSynchronize(s);`;
describeRows('a count of references', head, [
  [
    'goes up with what is put into a list',
    'async-use-after-free',
    '',
    kept('float *p; { Ref x(new Storage); p = x.data(); list.push_back({Ref(), 1}); } use<<<1, 1, 0, s>>>(p);'),
    kept('float *p; { Ref x(new Storage); p = x.data(); list.push_back({x, 1}); } use<<<1, 1, 0, s>>>(p);'),
  ],
  [
    'is counted once by a constructor that copies a shared pointer',
    'async-leak',
    '',
    'cudaStreamCreate(&s); { auto *x = new Shared; x->lease = std::make_shared<Lease>(); Part<Shared> y{*x, 1}; } cudaStreamSynchronize(s);',
    'cudaStreamCreate(&s); { Shared x; x.lease = std::make_shared<Lease>(); Part<Shared> y{x, 1}; std::vector<Shared> v{x, x}; } cudaStreamSynchronize(s);',
  ],
]);
