/** Ways to hold handles, put together with ways to begin, return and convert what holds them. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>
struct Stream {
  cudaStream_t s = nullptr;
  Stream() { cudaStreamCreate(&s); }
  Stream(const Stream &) = delete;
  ~Stream() { reset(); }
  void reset() { if (s) cudaStreamDestroy(s); s = nullptr; }
  operator cudaStream_t() const { return s; }
};
struct Memory { float *p = nullptr; ~Memory() { if (p) cudaFree(p); } operator float *() const { return p; } };
using Numbered = std::pair<cudaStream_t, int>;
static float *make(cudaStream_t s) { float *p; cudaMallocAsync(&p, 64, s); return p; }
`;

const twice = 'cudaFreeAsync(p, s); cudaFreeAsync(p, s);';
const once = 'cudaFreeAsync(p, s);';

describeRows('references that are held', head, [
  [
    'a member that begins as a reference to another',
    'async-double-free',
    'struct C { cudaStream_t v = nullptr; std::reference_wrapper<cudaStream_t> s{v}; float *q = nullptr; std::reference_wrapper<float *> p{q}; };',
    'C c; cudaStreamCreate(&c.s.get()); cudaMallocAsync(&c.p.get(), 64, c.v); cudaFreeAsync(c.q, c.s.get()); cudaFreeAsync(c.p.get(), c.v);',
    'C c; cudaStreamCreate(&c.s.get()); cudaMallocAsync(&c.p.get(), 64, c.v); cudaFreeAsync(c.q, c.s.get());',
  ],
  [
    'one made by std::ref in braces, one by a constructor',
    'async-double-free',
    'struct C { float *q = nullptr; std::reference_wrapper<float *> p{std::ref(q)}; }; struct D { C &c; std::reference_wrapper<float *> p; D(C &c) : c(c), p(c.q) {} };',
    'Stream s; C c; D d(c); d.p.get() = make(s); cudaFreeAsync(c.p.get(), s); cudaFreeAsync(c.q, s);',
    'Stream s; C c; D d(c); d.p.get() = make(s); cudaFreeAsync(c.p.get(), s);',
  ],
  [
    'a variable in braces, by another name',
    'async-double-free',
    'using Slot = std::reference_wrapper<float *>;',
    'Stream s; float *q = nullptr; Slot p{q}; cudaMallocAsync(&p.get(), 64, s); cudaFreeAsync(q, s); cudaFreeAsync(p.get(), s);',
    'Stream s; float *q = nullptr; Slot p{q}; cudaMallocAsync(&p.get(), 64, s); cudaFreeAsync(q, s);',
  ],
  [
    'a member that watches another',
    'async-double-free',
    'struct C { std::shared_ptr<std::vector<float *>> all = std::make_shared<std::vector<float *>>(1); std::weak_ptr<std::vector<float *>> seen = all; };',
    'Stream s; C c; (*c.seen.lock())[0] = make(s); cudaFreeAsync(c.all->at(0), s); cudaFreeAsync((*c.seen.lock())[0], s);',
    'Stream s; C c; (*c.seen.lock())[0] = make(s); cudaFreeAsync(c.all->at(0), s);',
  ],
]);

describeRows('elements and lists', head, [
  [
    'one element in braces that is inserted',
    'async-double-free',
    `static float *&named(std::vector<std::pair<std::string_view, float *>> &all, std::string_view name) {
      auto it = std::find_if(all.begin(), all.end(), [&](const auto &each) { return each.first == name; });
      if (it == all.end()) it = all.insert(all.end(), {name, nullptr});
      return it->second; }`,
    'Stream s; std::vector<std::pair<std::string_view, float *>> all; named(all, "a") = make(s); named(all, "b") = make(s); cudaFreeAsync(named(all, "a"), s); cudaFreeAsync(named(all, "a"), s); cudaFreeAsync(named(all, "b"), s);',
    'Stream s; std::vector<std::pair<std::string_view, float *>> all; named(all, "a") = make(s); named(all, "b") = make(s); cudaFreeAsync(named(all, "a"), s); cudaFreeAsync(named(all, "b"), s);',
  ],
]);

describeRows('owners and ends', head, [
  [
    'a shared_ptr that is given a pointer with its deleter',
    'malloc-double-free',
    '',
    'float *q; cudaMalloc(&q, 64); std::shared_ptr<float> p; p.reset(q, [](float *x) { cudaFree(x); }); cudaFree(p.get());',
    'float *q; cudaMalloc(&q, 64); std::shared_ptr<float> p; p.reset(q, [](float *x) { cudaFree(x); }); std::shared_ptr<float> other = p; p.reset();',
  ],
  [
    'a unique_ptr that is told the type of a lambda alone',
    'malloc-double-free',
    'inline constexpr auto release = [](float *x) { cudaFree(x); };',
    'float *q; cudaMalloc(&q, 64); std::unique_ptr<float, decltype(release)> p; p.reset(q); cudaFree(p.get());',
    'float *q; cudaMalloc(&q, 64); std::unique_ptr<float, decltype(release)> p; p.reset(q); cudaFree(p.release());',
  ],
  [
    'an object of the program that a function returns by reference',
    'malloc-double-free',
    'static Memory memory; static Memory &theMemory() { return memory; }',
    'cudaMalloc(&theMemory().p, 64); cudaFree(theMemory().p);',
    'cudaMalloc(&theMemory().p, 64); cudaFree(theMemory().p); theMemory().p = nullptr;',
  ],
  [
    'an object that a function keeps',
    'malloc-double-free',
    'static Memory &theMemory() { static Memory memory; return memory; }',
    'cudaMalloc(&theMemory().p, 64); cudaFree(theMemory().p);',
    'cudaMalloc(&theMemory().p, 64); cudaFree(theMemory().p); theMemory().p = nullptr;',
  ],
  [
    'a local that a lambda returns by reference',
    'malloc-double-free',
    '',
    'Memory m; cudaMalloc(&m.p, 64); auto get = [&]() -> Memory & { return m; }; cudaFree(get().p);',
    'Memory m; cudaMalloc(&m.p, 64); auto get = [&]() -> Memory & { return m; }; cudaFree(get().p); get().p = nullptr;',
  ],
  [
    'what a lambda has that is called where it stands',
    'malloc-double-free',
    '',
    'auto m = std::make_shared<Memory>(); cudaMalloc(&m->p, 64); const int n = [m] { return 3; }(); cudaFree(m->p);',
    'auto m = std::make_shared<Memory>(); cudaMalloc(&m->p, 64); const int n = [m] { return 3; }(); cudaMemset(m->p, 0, 64);',
  ],
  [
    'members of a class that a lambda names for somebody else',
    'async-double-free',
    `template <typename F> static void often(F &&f, int n = 1) { while (n-- > 0) f(); }
    struct Engine {
      static inline float *p = nullptr; static inline cudaStream_t s = nullptr;
      static void begin() { cudaStreamCreate(&s); float *q = make(s); often([&] { p = q; }); }
      static void end() { often([] { cudaFreeAsync(p, s); }); } };
    static float *theirs() { return Engine::p; }`,
    'Engine::begin(); Engine::end(); cudaFreeAsync(theirs(), Engine::s);',
    'Engine::begin(); cudaFreeAsync(theirs(), Engine::s);',
  ],
]);

describeRows('what objects become', head, [
  ...(
    [
      ['a list that one is put into', 'std::vector<cudaStream_t> v; v.push_back(a); v.emplace_back(a); auto s = v[1];'],
      ['an optional in braces', 'std::optional<cudaStream_t> o{a}; auto s = *o;'],
      ['an optional that is assigned', 'std::optional<cudaStream_t> o; o = a; auto s = o.value();'],
      ['a pair by another name', 'Numbered q{a, 1}; auto s = q.first;'],
      ['a pair that goes', '{ Numbered q{a, 1}; } auto s = a.s;'],
    ] as const
  ).map(
    ([what, begin]) =>
      [
        what,
        'async-double-free',
        '',
        `Stream a; ${begin} float *p = make(s); ${twice}`,
        `Stream a; ${begin} float *p = make(s); ${once}`,
      ] as const,
  ),
  [
    'an object that is given a pointer',
    'async-double-free',
    'template <typename T> struct Maybe { Maybe() = default; Maybe(T v) : value(v), is(true) {} T &operator*() { return value; } T value{}; bool is = false; };',
    'Stream s; Maybe<float *> held; float *q = make(s); held = q; cudaFreeAsync(*held, s); cudaFreeAsync(*held, s);',
    'Stream s; Maybe<float *> held; float *q = make(s); held = q; cudaFreeAsync(*held, s);',
  ],
  [
    'a constant that a base declares',
    'copy-out-of-range',
    'struct Shape { static constexpr int rows = 64; }; struct Sizes : Shape { static constexpr int columns = rows; enum : std::size_t { bytes = rows * columns }; };',
    'Stream s; float *p; int n = Sizes::rows; cudaMallocAsync(&p, Sizes::bytes, s); cudaMemsetAsync(p, 0, n * 65, s); cudaFreeAsync(p, s);',
    'Stream s; float *p; int n = Sizes::rows; cudaMallocAsync(&p, Sizes::bytes, s); cudaMemsetAsync(p, 0, n * 64, s); cudaFreeAsync(p, s);',
  ],
]);

const instance = `class Registry {
 public:
  static Registry &instance() { static Registry registry; return registry; }
  float values[4096];
  Memory memory;
};`;

/** What is run, and understood in all parts. */
const understood: readonly (readonly [what: string, before: string, body: string])[] = [
  [
    'a long loop over what an object has that ends with the program',
    instance,
    'for (int i = 0; i < 4096; ++i) Registry::instance().values[i] = i * 0.5f;',
  ],
  [
    "the container's own operator, in a class that has one",
    `enum class Id { A, B };
    template <typename E, typename T, std::size_t N> struct Table : std::array<T, N> {
      using Base = std::array<T, N>;
      T &operator[](E e) { return Base::operator[](static_cast<std::size_t>(e)); } };`,
    'Table<Id, cudaStream_t, 2> t{}; Table<Id, cudaGraph_t, 2> g{}; cudaStreamCreate(&t[Id::B]); float *p = make(t[Id::B]); cudaFreeAsync(p, t[Id::B]); cudaGraphCreate(&g[Id::B], 0); cudaGraphDestroy(g[Id::B]); cudaStreamDestroy(t[Id::B]);',
  ],
  [
    'an empty list that an object is made of',
    `struct Deps {
      cudaGraphNode_t nodes[4]; std::size_t count;
      Deps(std::initializer_list<cudaGraphNode_t> list) : count(list.size()) { std::copy(list.begin(), list.end(), nodes); }
      operator const cudaGraphNode_t *() const { return nodes; } };`,
    'cudaGraph_t g; cudaGraphNode_t a, b; cudaGraphCreate(&g, 0); { const Deps d{}; cudaGraphAddEmptyNode(&a, g, d, d.count); } { const Deps d{a}; cudaGraphAddEmptyNode(&b, g, d, d.count); } cudaGraphDestroy(g);',
  ],
];

describe('nothing is left open', () => {
  it.each(understood)('%s', async (_what, before, body) => {
    const { gaps, findings } = await analyseText(`${head}\n${before}\nint main() { ${body} }\n`);
    expect(gaps).toEqual([]);
    expect(findings.filter(({ severity }) => severity !== 'hint')).toEqual([]);
  });
});

const chain = (end: string): string => `${head}
struct Slots { float *a = nullptr, *b = nullptr; };
class Engine {
 public:
  void last() { cudaFreeAsync(slots.b, s); cudaFreeAsync(slots.a, s); }
  void second() { cudaMallocAsync(&slots.b, 64, s); last(); }
  void build() { cudaMallocAsync(&slots.a, 64, s); second(); ${end} }
  void begin() { cudaStreamCreate(&s); }
 private:
  cudaStream_t s = nullptr;
  Slots slots;
};
int main() { Engine e; e.begin(); e.build(); }
`;

describe('methods that only go on with another one', () => {
  it('had their turn with it', async () => {
    const { findings } = await analyseText(chain(''));
    expect(findings.filter(({ severity }) => severity !== 'hint')).toEqual([]);
  });
  it('may do it twice', async () => {
    const { findings } = await analyseText(chain('last();'));
    expect(findings.map(({ rule }) => rule)).toContain('async-double-free');
  });
});
