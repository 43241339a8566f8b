/**
 * How libraries and services are laid out: lists in braces that become members and arguments, macros that dispatch on a type,
 * counters that threads share. Each condition is false when the program runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

const braces: readonly Row[] = [
  [
    'hold the elements of a member that is a container',
    `struct A { std::vector<int> v; explicit A(int n) : v{n} {} };
struct B { std::vector<int> v; explicit B(int n) : v{n, n} {} };
struct C { std::vector<int> v; explicit C(int n) : v(n, 7) {} };
struct D { std::vector<int> v; explicit D(const std::vector<int> &o) : v{o} {} };
struct E { std::vector<cudaStream_t> v; explicit E(cudaStream_t s) : v{s} {} };
template <class T> struct F { std::vector<T> v; template <class... As> explicit F(As... as) : v{as...} {} };`,
    'cudaStream_t s; cudaStreamCreate(&s); A a(3); B b(3); C c(3); D d(b.v); E e(s); F<int> f(1, 2, 9);',
    [
      'a.v.size() != 1',
      'a.v[0] != 3',
      'b.v.size() != 2',
      'c.v.size() != 3',
      'd.v.size() != 2',
      'd.v[1] != 3',
      'e.v.size() != 1',
      'e.v[0] != s',
      'f.v[2] != 9',
    ],
  ],
  [
    'are objects of a container that a function refers to',
    `struct Spec { int batch; size_t low; };
int count(const std::vector<Spec> &list) { int n = 0; for (const auto &each : list) n += each.batch; return n; }
int named(const std::map<std::string, int> &list) { return list.at("a") * 10 + list.at("b"); }
int nested(const std::vector<std::vector<int>> &rows) { int n = 0; for (auto &row : rows) for (int each : row) n += each; return n; }`,
    '',
    [
      'count({{1, 1}, {4, 2}, {16, 5}}) != 21',
      'count({})',
      'named({{"a", 1}, {"b", 2}}) != 12',
      'nested({{1, 2}, {3}}) != 6',
    ],
  ],
];

const macros: readonly Row[] = [
  [
    'name a type for what they are given',
    `enum class Type { half, real, wide };
#define CASE(value, type, ...) case value: { using scalar_t = type; return __VA_ARGS__(); }
#define DISPATCH(which, name, ...) [&] { switch (which) { CASE(Type::wide, double, __VA_ARGS__) CASE(Type::real, float, __VA_ARGS__) default: throw name; } }()
#define ONLY(which, ...) switch (which) { case Type::wide: { using scalar_t = double; __VA_ARGS__(); break; } default: break; }
size_t sizeOf(Type type) { size_t n = 0; DISPATCH(type, "sizeOf", [&] { n = sizeof(scalar_t); }); return n; }
size_t sizeOnly(Type type) { size_t n = 0; ONLY(type, [&] { n = sizeof(scalar_t); }); return n; }`,
    '',
    [
      'sizeOf(Type::wide) != 8',
      'sizeOf(Type::real) != 4',
      'sizeOf(Type::wide) != 8',
      'sizeOnly(Type::wide) != 8',
      'sizeOnly(Type::real)',
    ],
  ],
];

const shared: readonly Row[] = [
  [
    'are read and set as what they hold',
    'enum class State { idle, busy }; static std::atomic<unsigned long long> next{1}; struct Job { std::atomic<State> state{State::idle}; std::atomic<int *> at{nullptr}; };',
    `unsigned long long id = next++; int had = 0, want = 7; std::atomic<int> n{0}; int before = n.fetch_add(2); bool isSet = n.compare_exchange_strong(want, 5);
bool isSetNow = n.compare_exchange_strong(want, 5); had = n.exchange(9); std::atomic_flag lock = ATOMIC_FLAG_INIT; Job job; job.state.store(State::busy); job.at = &had;`,
    [
      'id != 1',
      'next != 2',
      'before',
      'isSet',
      'want != 2',
      '!isSetNow',
      'had != 5',
      'n.load() != 9',
      'job.state.load() != State::busy',
      'job.at.load() != &had',
    ],
  ],
];

const types: readonly Row[] = [
  [
    'make an object where they are called',
    'struct Fill { double *x; double value; }; template <class F> double of(const F &f) { return f.value; } template <class F> double copied(F &&f) { return of(std::decay_t<F>(f)); } template <class F> int called(F &&f) { return std::decay_t<F>(f)(3); }',
    'Fill fill{nullptr, 2.0}; int k = 4; auto plus = [=](int x) { return x + k; };',
    ['copied(fill) != 2.0', 'copied(Fill{nullptr, 3.0}) != 3.0', 'called(plus) != 7'],
  ],
];

const operands: readonly Row[] = [
  [
    'that a class turns into pointers, handles and numbers',
    `template <typename H> class Owner { public: Owner(H h = nullptr) : h_(h) {} operator H() const { return h_; } H h_; }; class Exec : public Owner<cudaGraphExec_t> {};
struct Index { int v; operator int() const { return v; } }; struct Buffer { float *p; operator float *() const { return p; } };`,
    'Exec none; Index index{4}; float list[8]; Buffer buffer{list};',
    [
      'none != nullptr',
      'nullptr != none',
      'index + 1 != 5',
      'index == 5',
      'index * 2 > 8',
      'buffer == nullptr',
      'buffer + 2 != list + 2',
    ],
  ],
];

const sizes: readonly Row[] = [
  [
    'of what a parameter stands for',
    `struct Pool { template <class T> static size_t take(size_t n) { return n * sizeof(T); } template <class T> size_t more(size_t n) { return n * sizeof(T); } };
template <class T, class A> struct Scratch { size_t bytes; explicit Scratch(size_t n) : bytes(A::template take<T>(n)) {} }; template <class A> size_t of(A &a, size_t n) { return a.template more<float>(n); }
template <class T> struct List { size_t count; T *p = nullptr; }; template <class D> size_t all(D *d) { auto &s = *d; return s.count * sizeof(*s.p); } size_t first(List<double> &s) { return sizeof(s.p[0]); }`,
    'Pool pool; List<double> list{4};',
    ['Scratch<float, Pool>(2).bytes != 8', 'of(pool, 2) != 8', 'all(&list) != 32', 'first(list) != 8'],
  ],
];

const removed: readonly Row[] = [
  [
    'are found by what they own, or by their own comparison',
    'struct Page { int n; }; struct Key { int a; int b; bool operator==(const Key &o) const { return a == o.a; } };',
    `auto a = std::make_shared<Page>(Page{1}), b = std::make_shared<Page>(Page{2}); std::list<std::shared_ptr<Page>> pages{a, b, a}; pages.remove(a);
std::vector<std::shared_ptr<Page>> both{a, b}; auto at = std::find(both.begin(), both.end(), b); std::list<Key> keys{{1, 2}, {3, 4}}; keys.remove(Key{1, 9});`,
    [
      'pages.size() != 1',
      'pages.front()->n != 2',
      'at == both.end()',
      '(*at)->n != 2',
      'keys.size() != 1',
      'keys.front().b != 4',
    ],
  ],
];

const captures: readonly Row[] = [
  [
    'become graphs that an executable can be updated with',
    '',
    `cudaGraph_t g, h; cudaGraphExec_t e; cudaGraphCreate(&g, 0); cudaGraphCreate(&h, 0); cudaGraphInstantiate(&e, g, 0);
cudaGraphExecUpdateResultInfo info; cudaError_t rc = cudaGraphExecUpdate(e, h, &info);`,
    [
      'rc != cudaSuccess',
      'info.result != cudaGraphExecUpdateSuccess',
      'info.result == cudaGraphExecUpdateErrorTopologyChanged',
    ],
  ],
  [
    'have a number of their own',
    'unsigned long long idOf(cudaStream_t s) { cudaStreamCaptureStatus status; unsigned long long id = 0; cudaStreamGetCaptureInfo(s, &status, &id); return status == cudaStreamCaptureStatusActive ? id : 0; }',
    `cudaStream_t s, t; cudaGraph_t g; cudaStreamCreate(&s); cudaStreamCreate(&t); unsigned long long none = idOf(s);
cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); unsigned long long first = idOf(s), again = idOf(s), other = idOf(t); cudaStreamEndCapture(s, &g); unsigned long long after = idOf(s);
cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); unsigned long long second = idOf(s); cudaStreamEndCapture(s, &g);`,
    ['none', '!first', 'first != again', 'other', 'after', 'first == second'],
  ],
];

describe.each([
  ['lists in braces', braces],
  ['macros', macros],
  ['variables that threads share', shared],
  ['types that the library makes', types],
  ['elements', removed],
  ['operands', operands],
  ['sizes', sizes],
  ['captures', captures],
] as const)('%s', (_, rows) => {
  it.each(rows.map((row) => [row[0], row] as const))('%s', async (_, row) => expect(await wrongOnes(row)).toEqual([]));
});
