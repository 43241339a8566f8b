/**
 * Small things that decide much: objects made from lists, casts that read like types, sizes that read like parameters, shifts that read like templates,
 * texts in arrays of characters, bits, types as keys, what a library's base class calls. Each with one mistake, which is
 * found because the construct was read rightly, and without it.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <bitset>
#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <initializer_list>
#include <map>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <tuple>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>
${memoryInAStream}`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';
const twice = 'async-double-free';
const large = 'copy-out-of-range';

async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const text = `${head}${before}\nint main() { cudaStreamCreate(&s); { ${body} } cudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }\n`;
  const analysis = await analyseText(text);
  expect(analysis.gaps).toEqual([]);
  return analysis.findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

const all = `struct All { std::vector<float *> v; All(std::initializer_list<float *> list) { for (float *p : list) v.push_back(p); } };
static void end(const All &all) { for (float *p : all.v) drop(p); }`;

const lists: readonly Row[] = [
  [
    'a variable',
    twice,
    all,
    'float *a = make(), *b = make(); All x{a, b}; end(x); drop(b);',
    'float *a = make(), *b = make(); All x{a, b}, y = {a}; end(x);',
  ],
  [
    'a temporary, and what is held in no variable',
    twice,
    all,
    'float *a = make(), *b = make(); end(All{a, b}); drop(a);',
    'float *a = make(), *b = make(); end(All{a, b});',
  ],
  [
    'an argument',
    twice,
    all,
    'float *a = make(), *b = make(); end({a, b}); drop(b);',
    'float *a = make(), *b = make(); end({a, b});',
  ],
  [
    'what a function returns',
    twice,
    `${all} static All both(float *a, float *b) { return {a, b}; }`,
    'float *a = make(), *b = make(); end(both(a, b)); drop(b);',
    'float *a = make(), *b = make(); end(both(a, b));',
  ],
  [
    'a member of an aggregate',
    twice,
    `${all} struct Two { All all; int n; };`,
    'float *a = make(), *b = make(); Two t{{a, b}, 2}; end(t.all); drop(b);',
    'float *a = make(), *b = make(); Two t{{a, b}, 2}; end(t.all);',
  ],
  [
    'objects that become what the list holds',
    twice,
    `${all} struct Own { float *p = make(); operator float *() const { return p; } };`,
    'Own a, b; All x{a, b}; end(x); drop(b.p);',
    'Own a, b; All x{a, b}; end(x);',
  ],
];

const held =
  'struct Held { float *p; explicit Held(std::size_t n) { cudaMallocAsync(&p, n, s); } ~Held() { drop(p); } };';
const pair =
  'struct Pair { float *p; Pair(cudaStream_t t, std::size_t n) { cudaMallocAsync(&p, n, t); } ~Pair() { drop(p); } };';
const sized = `constexpr int count = 100, four = 4; static int twoOf(int n) { return 2 * n; } ${held} ${pair}`;

const products: readonly Row[] = [
  [
    'a number of things',
    large,
    sized,
    'Held h(count * sizeof(float)); cudaMemsetAsync(h.p, 0, 401, s);',
    'Held h(count * sizeof(float)); cudaMemsetAsync(h.p, 0, 400, s);',
  ],
  [
    'what a function gives',
    large,
    sized,
    'Held h(count * twoOf(four)); cudaMemsetAsync(h.p, 0, 801, s);',
    'Held h(count * twoOf(four)); cudaMemsetAsync(h.p, 0, 800, s);',
  ],
  [
    'behind another argument',
    large,
    sized,
    'Pair h(s, count * sizeof(double)); cudaMemsetAsync(h.p, 0, 801, s);',
    'Pair h(s, count * sizeof(double)); cudaMemsetAsync(h.p, 0, 800, s);',
  ],
];

const shifts: readonly Row[] = (
  [
    ['a variable', 'i < eight >> 2'],
    ['a member', 'o.one < eight >> 2'],
    ['a sum', 'i + 0 < eight >> 2'],
    ['a product that is shifted', 'i < 2 * eight >> 3'],
    ['a conversion that is shifted', 'i < int(eight) >> 2'],
    ['beside another condition', 'i < eight >> 2 && eight > 2'],
  ] as const
).map(
  ([what, condition]): Row => [
    what,
    twice,
    'constexpr int eight = 8; struct Has { int one = 1; };',
    `float *p = make(); Has o; int i = 1; if (${condition}) drop(p); drop(p);`,
    `float *p = make(); Has o; int i = 1; if (${condition}) drop(p); else drop(p);`,
  ],
);

const conditions: readonly Row[] = [
  'i < n && m > (0)',
  'i < n || m > (5)',
  'o.m < n && m > (0)',
  '(n) && (m) > 0',
  'i < (n) && (m) > 0',
  'i < n and not (m < 0)',
  'i < std::get<1>(t)',
  'i < (int)std::get<1>(t) && n > 0',
  'i < twice<1>',
  'i < o.at<2>()',
  'i < ns::of<2>() && i < 5',
  'i < n && get<2>() > i',
  'i < std::tuple_size_v<decltype(t)>',
].map(
  (condition): Row => [
    condition,
    twice,
    'template <int N> constexpr int twice = 2 * N; template <int N> int get() { return N; } namespace ns { template <int N> int of() { return N; } } struct Has { int m = 0; template <int N> int at() const { return N; } };',
    `float *p = make(); auto t = std::make_tuple(p, 2); Has o; int i = 0, n = 2, m = 1; if (${condition}) drop(p); drop(p);`,
    `float *p = make(); auto t = std::make_tuple(p, 2); Has o; int i = 0, n = 2, m = 1; if (${condition}) drop(p); else { drop(p); drop(p); }`,
  ],
);

const uses =
  'struct Uses { static constexpr int ends = 0; static int go(float *p) { run(p); return 0; } }; struct Ends { static constexpr int ends = 1; static int go(float *p) { drop(p); return 1; } };';

const packs: readonly Row[] = [
  [
    'in front of a function of its class',
    twice,
    `${uses} template <class... Ops> void all(float *p) { (Ops::go(p), ...); }`,
    'float *p = make(); all<Uses, Ends, Ends>(p);',
    'float *p = make(); all<Uses, Uses, Ends>(p);',
  ],
  [
    'in front of a constant, in a list',
    twice,
    `${uses} template <class... Ops> void all(float *p) { for (int ends : {Ops::ends...}) if (ends) drop(p); else run(p); }`,
    'float *p = make(); all<Uses, Ends, Ends>(p);',
    'float *p = make(); all<Uses, Uses, Ends>(p);',
  ],
  [
    'in front of a constant, as arguments',
    twice,
    `${uses} static void end(float *p, int a, int b) { if (a) drop(p); if (b) drop(p); } template <class... Ops> void all(float *p) { end(p, Ops::ends...); }`,
    'float *p = make(); all<Ends, Ends>(p);',
    'float *p = make(); all<Uses, Ends>(p);',
  ],
  [
    'of bases',
    twice,
    'template <class... Bs> struct Both : Bs... { void go() { (Bs::go(), ...); } }; struct Owner { float *p = make(); void go() { drop(p); } }; struct Other { void go() {} };',
    'Both<Other, Owner> b; b.go(); b.go();',
    'Both<Other, Owner> b; b.go();',
  ],
  [
    'of classes that are given functions',
    twice,
    'template <void (*F)(float *)> struct Op { static void go(float *p) { F(p); } }; template <class... Ops> void all(float *p) { (Ops::go(p), ...); }',
    'float *p = make(); all<Op<run>, Op<drop>, Op<drop>>(p);',
    'float *p = make(); all<Op<run>, Op<run>, Op<drop>>(p);',
  ],
];

const places: readonly Row[] = [
  [
    'a reference to what is assigned',
    twice,
    'struct List { float *items[4] = {}; int size = 0; float *&add() { return items[size++] = nullptr; } };',
    'List list; cudaMallocAsync((void **)&list.add(), 4, s); drop(list.items[0]); drop(list.items[0]);',
    'List list; cudaMallocAsync((void **)&list.add(), 4, s); drop(list.items[0]); if (list.size != 1) drop(list.items[0]);',
  ],
  [
    'what runs elsewhere, by reference',
    twice,
    'struct Ends { int operator()(float *p) const { drop(p); return 1; } };',
    'Ends ends; float *p = make(); auto done = std::async(std::launch::async, std::ref(ends), p); if (done.get() == 1) drop(p);',
    'Ends ends; float *p = make(); auto done = std::async(std::launch::async, std::ref(ends), p); if (done.get() != 1) drop(p);',
  ],
  [
    'an object that an optional makes',
    twice,
    'struct Owner { float *p; explicit Owner(float *q) : p(q) {} ~Owner() { drop(p); } };',
    'float *p = make(); { std::optional<Owner> o(p); run(o->p); } drop(p);',
    'float *p = make(); { std::optional<Owner> o(p); run(o->p); }',
  ],
  [
    'the size of a variable among arguments',
    twice,
    'struct Owner { float *p; Owner(float *q, std::size_t n) : p(n == sizeof(int) ? q : nullptr) {} };',
    'float *p = make(); int n = 1; Owner o(p, sizeof n); drop(o.p); drop(p);',
    'float *p = make(); int n = 1; Owner o(p, sizeof n); drop(o.p);',
  ],
];

const stages = `float *p = make(); int stage = 0; for (int stride = 1; stride < size >> 1; stride <<= 1, ++stage) `;

const castsAndTypes: readonly Row[] = [
  [
    'a loop up to what is shifted',
    twice,
    'constexpr int size = 1 << 4;',
    `${stages}if (stage == 2) drop(p); drop(p);`,
    `${stages}if (stage == 2) drop(p);`,
  ],
  [
    'what is no shift: a template that is compared',
    twice,
    'template <class T> constexpr int bytes = sizeof(T);',
    'float *p = make(); if (bytes<double> > 4) drop(p); drop(p);',
    'float *p = make(); if (bytes<float> > 4) drop(p); drop(p);',
  ],
  ...['static_cast<int>(Lane::Last)', 'int(Lane::Last)', 'static_cast<std::size_t>(Lane::Last)'].map(
    (length): Row => [
      `the length of an array, ${length}`,
      twice,
      `enum class Lane { Copy, Math, Last }; struct Lanes { std::array<float *, ${length}> lane{}; Lanes() { for (auto &p : lane) p = make(); } ~Lanes() { for (auto p : lane) drop(p); } };`,
      'Lanes l; drop(l.lane[1]);',
      'Lanes l; run(l.lane[1]);',
    ],
  ),
  [
    'a type of a class that says which function is meant',
    twice,
    'struct Used {}; struct Ended {}; struct Last { using how = Ended; }; struct First { using how = Used; }; template <class T> void go(float *p, Used) { run(p); } template <class T> void go(float *p, Ended) { drop(p); } template <class T> void each(float *p) { go<T>(p, typename T::how{}); }',
    'float *p = make(); each<Last>(p); each<Last>(p);',
    'float *p = make(); each<First>(p); each<Last>(p);',
  ],
  [
    'a constant of a template for one number, made from another of it',
    large,
    `${held} template <int N> struct Level { static constexpr int size = Level<N - 1>::size / 2; static constexpr std::size_t bytes = size * sizeof(float); }; template <> struct Level<0> { static constexpr int size = 64; static constexpr std::size_t bytes = size * sizeof(float); };`,
    'Held h(Level<0>::bytes); cudaMemsetAsync(h.p, 0, 257, s);',
    'Held h(Level<0>::bytes); cudaMemsetAsync(h.p, 0, Level<0>::bytes, s); Held i(Level<1>::bytes); cudaMemsetAsync(i.p, 0, 128, s);',
  ],
  [
    'the pitch that an allocation gives',
    large,
    held,
    'Held h(0); cudaMemsetAsync(h.p, 0, 1000, s);',
    'std::size_t pitch = 0; float *q = nullptr; cudaMallocPitch(&q, &pitch, 100, 10); { Held h(pitch * 10); cudaMemsetAsync(h.p, 0, 1000, s); } cudaFree(q);',
  ],
];

const named = 'static std::map<std::string, float *> named; static std::string last;';

const words =
  'static void follow(char *plan, float *p) { char *rest = nullptr; for (char *w = strtok_r(plan, " ;", &rest); w; w = strtok_r(nullptr, " ;", &rest)) { if (strcmp(w, "drop") == 0) drop(p); else run(p); } }';

const texts: readonly Row[] = [
  [
    'a key that is printed into characters',
    twice,
    named,
    'for (int i = 0; i < 2; ++i) { char key[16]; snprintf(key, sizeof key, "b%d", i); named[key] = make(); } drop(named["b0"]); drop(named.at("b1")); drop(named["b0"]);',
    'for (int i = 0; i < 2; ++i) { char key[16]; snprintf(key, sizeof key, "b%d", i); named[key] = make(); } drop(named["b0"]); drop(named.at("b1"));',
  ],
  [
    'a text made of characters',
    twice,
    named,
    'float *p = make(); char line[8]; strcpy(line, "abc"); std::string text(line), other = line; if (text == "abc" && other == text) drop(p); drop(p);',
    'float *p = make(); char line[8]; strcpy(line, "abc"); std::string text(line), other = line; if (text != "abc" || other != text) drop(p); drop(p);',
  ],
  [
    'words one by one, by a place that the program keeps',
    twice,
    words,
    'float *p = make(); char plan[32]; strncpy(plan, "run;drop;drop", sizeof plan - 1); follow(plan, p);',
    'float *p = make(); char plan[32]; strncpy(plan, "run;run;drop", sizeof plan - 1); follow(plan, p);',
  ],
  [
    'words one by one, of an array that begins as a text',
    twice,
    '',
    'float *p = make(); char plan[] = "run drop drop"; for (char *w = strtok(plan, " "); w != NULL; w = strtok(NULL, " ")) { if (strcmp(w, "drop") == 0) drop(p); else run(p); }',
    'float *p = make(); char plan[] = "run run drop"; for (char *w = strtok(plan, " "); w != NULL; w = strtok(NULL, " ")) { if (strcmp(w, "drop") == 0) drop(p); else run(p); }',
  ],
];

const bits = 'constexpr std::size_t nodes = 3; using Mask = std::bitset<nodes>;';
const each =
  'float *a[3] = {make(), make(), make()}; for (std::size_t i = 0; i < m.size(); ++i) if (m.test(i)) drop(a[i]);';

const library: readonly Row[] = [
  [
    'how many bits there are',
    twice,
    bits,
    `Mask m; m.set(1); ${each} drop(a[0]); drop(a[1]); drop(a[2]);`,
    `Mask m; m.set(1); ${each} drop(a[0]); drop(a[2]);`,
  ],
  [
    'bits of a temporary',
    twice,
    bits,
    `Mask m = Mask(1) | Mask().set(2); ${each} drop(a[2]); drop(a[1]);`,
    `Mask m = Mask(1) | Mask().set(2); ${each} drop(a[1]);`,
  ],
  [
    'types as keys',
    twice,
    'struct A {}; struct B {}; struct Kept { std::map<std::type_index, float *> kept; template <class T> void add() { kept.emplace(typeid(T), make()); } template <class T> float *get() { return kept.at(std::type_index(typeid(T))); } };',
    'Kept k; k.add<A>(); k.add<B>(); drop(k.get<A>()); drop(k.get<B>()); drop(k.get<A>());',
    'Kept k; k.add<A>(); k.add<B>(); drop(k.get<A>()); drop(k.get<B>());',
  ],
  [
    'the method that a base of the library calls',
    twice,
    'struct Device : std::pmr::memory_resource { void *do_allocate(std::size_t n, std::size_t) override { void *p = nullptr; cudaMallocAsync(&p, n, s); return p; } void do_deallocate(void *p, std::size_t, std::size_t) override { cudaFreeAsync(p, s); } bool do_is_equal(const std::pmr::memory_resource &o) const noexcept override { return this == &o; } };',
    'Device device; std::pmr::memory_resource *const up = &device; void *p = up->allocate(64); up->deallocate(p, 64); up->deallocate(p, 64);',
    'Device device; std::pmr::memory_resource *const up = &device; void *p = up->allocate(64); up->deallocate(p, 64);',
  ],
  [
    'pointers in a list that do not hold',
    free,
    'struct Owner { float *p = make(); ~Owner() { drop(p); } };',
    'std::vector<std::weak_ptr<Owner>> seen; float *p; { auto o = std::make_shared<Owner>(); seen.push_back(o); p = o->p; } run(p);',
    'std::vector<std::weak_ptr<Owner>> seen; float *p; { auto o = std::make_shared<Owner>(); seen.push_back(o); p = o->p; run(p); } if (!seen[0].expired()) run(p);',
  ],
];

for (const [group, rows] of [
  ['objects made from lists', lists],
  ['a size in brackets', products],
  ['a comparison with what is shifted', shifts],
  ['conditions', conditions],
  ['packs', packs],
  ['places', places],
  ['casts and types', castsAndTypes],
  ['texts', texts],
  ['the library', library],
] as const)
  describe(group, () => {
    for (const [what, rule, before, bad, good] of rows) {
      it(`${what}: found`, async () => {
        expect(await rulesOf(before, bad)).toEqual([`error ${rule}`]);
      });
      it(`${what}: not found where it is right`, async () => {
        expect(await rulesOf(before, good)).toEqual([]);
      });
    }
  });

describe('a capture into a graph of the program', () => {
  const program = (relaunch: string): string => `${head}int main() {
  cudaStreamCreate(&s);
  cudaGraph_t graph, same; cudaGraphExec_t exec; float *p = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaStreamBeginCaptureToGraph(s, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
  cudaMallocAsync((void **)&p, 64, s);
  k<<<1, 1, 0, s>>>(p);
  cudaStreamEndCapture(s, &same);
  if (same != graph) return 1;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  run(p); drop(p);
  ${relaunch}
  cudaStreamSynchronize(s); cudaGraphExecDestroy(exec); cudaGraphDestroy(graph); cudaStreamDestroy(s);
  return 0;
}
`;
  const said = async (relaunch: string): Promise<readonly string[]> =>
    (await analyseText(program(relaunch))).findings.map(({ rule }) => rule);

  it('ends with that graph', async () => {
    expect(await said('cudaGraphLaunch(exec, s); drop(p);')).toEqual([]);
    expect(await said('drop(p);')).toEqual(['xgraph-double-free']);
  });
});
