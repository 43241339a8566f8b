/** What frameworks for machine learning write between their code and CUDA: owners, streams, sizes and tables of their own. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <atomic>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
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

/** A result or why there is none, as abseil has it. */
const results = `struct Status { Status() = default; Status(int c, const char *m) : why(c ? std::make_shared<std::string>(m) : nullptr) {}
  bool ok() const { return why == nullptr; } std::shared_ptr<const std::string> why; };
template <typename T> class StatusOr {
 public:
  StatusOr(Status status) : status_(std::move(status)) {}
  template <typename U = T, std::enable_if_t<std::is_constructible_v<T, U &&> && !std::is_same_v<std::decay_t<U>, Status>, int> = 0>
  StatusOr(U &&value) : data_(std::forward<U>(value)) {}
  bool ok() const { return status_.ok(); }
  T &&value() && { return std::move(*data_); }
 private:
  Status status_; std::optional<T> data_; };
struct Memory { float *p = make(); ~Memory() { drop(p); } };
static StatusOr<std::unique_ptr<Memory>> owner() { return std::make_unique<Memory>(); }
static StatusOr<float *> address() { return make(); }
static StatusOr<std::unique_ptr<Memory>> used() { auto made = owner(); if (!made.ok()) return Status(1, "no");
  auto memory = std::move(made).value(); run(memory->p); return memory; }`;

describeRows('Results or why there are none', head, [
  [
    'an owner is a result and no status, and given away by a function that returns T &&',
    'async-use-after-free',
    results,
    `float *q; { auto memory = used().value(); q = memory->p; run(q); } run(q);`,
    `auto found = used(); if (!found.ok()) return 1; std::unique_ptr<Memory> memory = std::move(found).value(); run(memory->p);`,
  ],
  [
    'so is an address',
    'async-double-free',
    results,
    `auto found = address(); if (!found.ok()) return 1; float *p = std::move(found).value(); drop(p); drop(p);`,
    `auto found = address(); if (!found.ok()) return 1; float *p = std::move(found).value(); run(p); drop(p);`,
  ],
]);

const related = `struct Base { int n; }; struct Derived : Base {}; struct Other { Other(const Base &b) : n(b.n) {} int n; };
template <class T> struct Kind { template <class U> static int of(const U &u) { if constexpr (std::is_base_of_v<Base, T>) return u.n; else return T(u) + 1; } };
template <class... A> static int sum(const A &...a) { int n = 0; ((n += Kind<A>::of(a)), ...); return n; }
template <class T> static int twice(const T &t) { return T(t) * 2; }
template <class T> static int handedOn(const T &t) { return twice(t); }
template <class... A> static int all(const A &...a) { return (handedOn(a) + ...); }
using Owner = std::unique_ptr<Base>;`;

describeRows(
  'What is said of types, and what templates stand for that are called by templates',
  `${head}${related}`,
  [
    'std::is_base_of_v<Base, Derived> && !std::is_base_of_v<Derived, Base> && !std::is_base_of_v<Base, int>',
    'std::is_constructible_v<Other, Derived> && !std::is_constructible_v<Base, Other> && std::is_constructible<int, float>::value',
    'std::is_constructible_v<Owner, Owner &&> && !std::is_constructible_v<Owner, Owner &> && !std::is_convertible_v<Owner, Base>',
    'std::is_convertible_v<Derived *, Base *> && !std::is_convertible_v<Base *, Derived *> && std::is_convertible_v<Base *, void *>',
    'sum(Base{2}, 3) == 6 && all(1, 2.6f) == 7',
  ].map((each) => whenKnown(each, '', each)),
);

const spans = `template <class T> using Span = std::span<T>;
using Nodes = std::span<const int>;
static size_t count(Nodes nodes) { return nodes.size(); }
static int last(Span<const int> nodes) { return nodes.data()[nodes.size() - 1]; }
struct Has { std::array<int, 4> all{1, 2, 3, 4}; size_t n = 3; Span<const int> seen() const { return {all.data(), n}; } };`;

describeRows(
  'Spans by other names',
  `${head}${spans}`,
  [
    'count({}) == 0 && count({has.all.data(), 2}) == 2 && count(has.all) == 4',
    'last({has.all.data(), 2}) == 2 && last(has.seen()) == 3',
    'variable.size() == 2 && variable[1] == 4',
  ].map((each) => whenKnown(each, 'Has has; Span<const int> variable{&has.all[2], 2};', each)),
);

describeRows('Functions that a macro defines', head, [
  [
    'handlers with the linkage of C, kept in a table',
    'async-use-after-free',
    `using Handler = int (*)(float *);
#define DEFINE_HANDLER(name, impl, ...) extern "C" int name(float *p) { static auto *handler = (__VA_ARGS__); return impl(p) + *handler; }
static int uses(float *p) { run(p); return 0; }
static int ends(float *p) { drop(p); return 0; }
DEFINE_HANDLER(UseFfi, uses, new int(0))
DEFINE_HANDLER(EndFfi, ends, new int(0))
static const Handler handlers[] = {&UseFfi, &EndFfi};`,
    'float *p = make(); handlers[1](p); handlers[0](p);',
    'float *p = make(); handlers[0](p); handlers[1](p);',
  ],
]);

const carved = `struct Carver { void *base; void *at; size_t left; Carver(void *p, size_t n) : base(p), at(p), left(n) {}
  template <typename T> T *aligned_alloc(size_t n, size_t alignment) { if (std::align(alignment, n, at, left)) { T *found = reinterpret_cast<T *>(at);
      at = (char *)at + n; left -= n; return found; } throw std::bad_alloc(); }
  size_t offset(size_t n, size_t alignment) { return (char *)aligned_alloc<char>(n, alignment) - (char *)base; } };`;

describeRows('Workspaces that are carved up', `${head}${carved}`, [
  whenKnown(
    'offsets in memory of the host',
    'std::vector<uint8_t> room(1024); Carver c(room.data(), room.size()); size_t one = c.offset(100, 16), two = c.offset(8, 8);',
    'one == 0 && two == 104 && c.left == 912',
  ),
  [
    'memory of the device, and what is behind it',
    'copy-out-of-range',
    '',
    `char *raw; cudaMalloc(&raw, 1000); Carver c(raw, 2000); c.aligned_alloc<int>(100, 256); int *p = c.aligned_alloc<int>(800, 256);
cudaMemset(p, 0, 800); cudaFree(raw);`,
    `char *raw; cudaMalloc(&raw, 1000); Carver c(raw, 1000); c.aligned_alloc<int>(100, 256); int *p = c.aligned_alloc<int>(700, 256);
cudaMemset(p, 0, 700); cudaFree(raw);`,
  ],
]);

/** What CUTLASS has: operators that name what they are given, and a class for all of them. */
const operators = `template <class T> struct Two { struct Args { int n; const T *c; T *d; }; struct Params { const T *c; T *d; Params() = default; Params(const Args &a) : c(a.c), d(a.d) {} }; };
template <class T> struct One { struct Args { int n; T *d; }; struct Params { int k = 0; T *e = nullptr; Params() {} Params(const Args &a) : k(a.n), e(a.d) {} }; };
template <class K> struct Universal { using Op = K; using Args = typename Op::Args; using Params = typename K::Params; Params params;
  void init(const Args &args) { params = Params(args); } static int count(const Args &args) { return args.n; } };
using First = Universal<One<float>>;
using Second = Universal<Two<float>>;`;

describeRows(
  'Types of instances by other names',
  `${head}${operators}`,
  [
    'args.d == &x && First::Args{4, &x}.n == 4',
    'one.params.k == 3 && one.params.e == &x',
    'two.params.d == &x',
    'First::count({5, &x}) == 5',
  ].map((each) =>
    whenKnown(
      each,
      'float x; First::Args args{3, &x}; First one; one.init(args); Second two; two.init({1, nullptr, &x});',
      each,
    ),
  ),
);

describeRows(
  'What is used from the library without its namespace',
  `${head}using std::vector; using namespace std;
struct Item { float *p; explicit Item(float *p) : p(p) {} ~Item() { drop(p); } };
static float *of(const vector<Item *> &items) { return items.back()->p; }`,
  [
    [
      'containers and owners that are made where they are used',
      'async-use-after-free',
      '',
      'float *q; { auto owner = unique_ptr<Item>(new Item(make())); q = of(vector<Item *>(2, owner.get())); run(q); } run(q);',
      'auto owner = shared_ptr<Item>(new Item(make())); float *q = of(vector<Item *>(2, owner.get())); run(q);',
    ],
    whenKnown(
      'pairs and vectors',
      '',
      'pair<int, int>(3, 4).second == 4 && vector<int>(3, 7)[2] == 7 && vector<int>(5).size() == 5',
    ),
  ],
);

/** What OneFlow has: a value or an error, told apart by what is asked of the type. */
const maybe = `struct Error { std::string text; };
struct Memory { float *p = nullptr; size_t bytes = 0; };
template <typename T, typename Enabled = void> class Maybe;
template <typename T> class Maybe<T, std::enable_if_t<!std::is_same<T, void>::value && !std::is_scalar<T>::value>> final {
 public: Maybe(const T &data) : v(std::make_shared<T>(data)) {} Maybe(const Error &e) : v(e) {}
  bool ok() const { return std::holds_alternative<std::shared_ptr<T>>(v); } std::shared_ptr<T> data() const { return std::get<0>(v); }
  const Error &error() const { return std::get<Error>(v); }
 private: std::variant<std::shared_ptr<T>, Error> v; };
template <typename T> class Maybe<T, std::enable_if_t<std::is_scalar<T>::value>> final {
 public: Maybe(T data) : v(data) {} Maybe(const Error &e) : v(e) {}
  bool ok() const { return v.index() == 0; } T data() const { return std::get<0>(v); } const Error &error() const { return std::get<1>(v); }
 private: std::variant<T, Error> v; };
template <typename T> class Maybe<T, std::enable_if_t<std::is_same<T, void>::value>> final {
 public: Maybe(const Error &e) : error_(std::make_shared<Error>(e)) {} static Maybe<void> Ok() { return Maybe<void>(); }
  bool ok() const { return !error_; } int data() const { return 0; } const Error &error() const { return *error_; }
 private: Maybe() = default; std::shared_ptr<Error> error_; };
#define JUST(...) ({ auto &&checked = (__VA_ARGS__); if (!checked.ok()) return checked.error(); std::move(checked); }).data()
static Maybe<void> result(cudaError_t e) { if (e != cudaSuccess) return Error{"no"}; return Maybe<void>::Ok(); }
static Maybe<Memory> allocate(size_t n) { Memory m{nullptr, n}; JUST(result(cudaMallocAsync(&m.p, n, s))); return m; }
static Maybe<int> count(int n) { return n; }
static Maybe<float *> address(const Memory &m) { return m.p; }
static Maybe<void> release(const Memory &m) { JUST(result(cudaFreeAsync(m.p, s))); return Maybe<void>::Ok(); }`;

describeRows('Specialisations that are told apart by what is asked of a type', `${head}#include <variant>\n${maybe}`, [
  [
    'a value or an error, of objects, of numbers and of nothing',
    'async-use-after-free',
    '',
    `static Maybe<int> go() { auto m = JUST(allocate(64)); run(JUST(address(*m))); JUST(release(*m)); run(m->p); return JUST(count(3)); }
int main() { return go().data(); }`,
    `static Maybe<int> go() { auto m = JUST(allocate(64)); run(JUST(address(*m))); run(m->p); JUST(release(*m)); return JUST(count(3)); }
int main() { float *p = make(); auto three = go(); if (three.data() == 3 && three.ok()) drop(p); return 0; }`,
  ],
]);

describe('What a class leaves to others', () => {
  const device = (others: string, member: string) => `${head}
struct Device { virtual ~Device() {} virtual float *alloc(size_t n) = 0; virtual float *workspace(size_t n) { return alloc(n); } ${member} };
struct Cuda : Device { float *alloc(size_t n) override { return make(); } float *workspace(size_t n) override { float *p; cudaMallocAsync(&p, n, s); return p; } };
${others}
int main() { Device *api = new Cuda; float *p = api->workspace(4); run(p); drop(p); delete api; return 0; }`;

  it.each([
    ['one class says what it does', '', ''],
    [
      'one of several may',
      'struct Other : Device { float *alloc(size_t n) override { return nullptr; } };',
      'int id = 0;',
    ],
  ])('is no gap where %s', async (_what, others, member) => {
    const { gaps, findings } = await analyseText(device(others, member));
    expect([gaps, findings]).toEqual([[], []]);
  });
});
