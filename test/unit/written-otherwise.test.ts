/**
 * The same programs in another hand: variables constructed from what reads like parameters, numbers in sequences, classes on top
 * of CUDA's structures, functions made by lists of macros: each with one mistake, which is found because the construct was read
 * rightly, and without it.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
${memoryInAStream}`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';

async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const text = `${head}${before}\nint main() { cudaStreamCreate(&s); ${body} cudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }\n`;
  const analysis = await analyseText(text);
  expect(analysis.gaps).toEqual([]);
  return analysis.findings.map(({ severity, rule }) => `${severity} ${rule}`);
}

/** `Owner o(p, argument);` frees `p` at its end, if it was given a four. */
function constructed(what: string, argument: string): Row {
  const before = `static constexpr std::size_t one = 1, four = 4, all[2] = {1, 4};
enum Size { kFour = 4 };
template <typename T> constexpr std::size_t width = sizeof(T);
template <int N> constexpr std::size_t number() { return N; }
namespace sizes { template <typename T> constexpr std::size_t of = sizeof(T); struct Some { static constexpr int value = 4; }; }
struct Owner {
  float *p; std::size_t n;
  Owner(float *given, std::size_t count) : p(given), n(count) {}
  ~Owner() { if (n == 4) drop(p); }
};`;
  return [
    what,
    free,
    before,
    `float *p = make(); { Owner o(p, ${argument}); } run(p);`,
    `float *p = make(); { Owner o(p, ${argument}); run(p); }`,
  ];
}

const vexing: readonly Row[] = [
  constructed('static_cast', 'static_cast<int>(four)'),
  constructed('static_cast of a product', 'static_cast<std::size_t>(one * four)'),
  constructed('a conversion to a type of the language', 'int(four)'),
  constructed('a conversion of a product', 'size_t(one * four)'),
  constructed('a conversion of two words', 'unsigned(four)'),
  constructed('a conversion to a type of the library', 'std::size_t(four)'),
  constructed('a conversion of an element', 'int(all[1])'),
  constructed('sizeof a type', 'sizeof(float)'),
  constructed('sizeof a variable', 'sizeof(kFour)'),
  constructed('a call of a template', 'number<4>()'),
  constructed('a variable template', 'width<float>'),
  constructed('a variable template of a namespace', 'sizes::of<int>'),
  constructed('a constant of a class', 'sizes::Some::value'),
  [
    'a function that is declared in a function',
    free,
    'struct Owner { float *p; }; static float *last; float *kept(int) { return last; }',
    'float *kept(int); last = make(); drop(last); run(kept(1));',
    'float *kept(int); last = make(); run(kept(1)); drop(last);',
  ],
];

/** `all(list)` frees those that `list` counts up; the one named is used before or behind that. */
function counted(what: string, list: string, used: number): Row {
  const before = `template <std::size_t I> static void give(float **p) { drop(p[I]); }
template <std::size_t... I> static void all(float **p, std::index_sequence<I...>) { (give<I>(p), ...); }
template <int... I> static void ints(float **p, std::integer_sequence<int, I...>) { (give<I>(p), ...); }
template <std::size_t N> using Upto = std::make_index_sequence<N>;
using Three = Upto<3>;`;
  const makes = 'float *p[3]; for (float *&each : p) each = make();';
  return [what, free, before, `${makes} ${list} run(p[${used}]);`, `${makes} run(p[${used}]); ${list}`];
}

const sequences: readonly Row[] = [
  counted('an alias in a function', 'using Rest = std::make_index_sequence<3>; all(p, Rest{});', 2),
  counted('an alias of an alias', 'all(p, Three{});', 2),
  counted('an alias with a parameter', 'all(p, Upto<3>());', 2),
  counted('written out', 'all(p, std::index_sequence<2, 0, 1>{});', 1),
  counted('written out, like a call', 'all(p, std::index_sequence<2, 0, 1>());', 1),
  counted('of integers', 'ints(p, std::integer_sequence<int, 2, 0, 1>{});', 1),
  counted('of integers, counted', 'ints(p, std::make_integer_sequence<int, 3>());', 2),
];

/** Where the condition is known to hold, the first body frees before the use and the second behind it; both say more where it is not. */
function whenKnown(what: string, before: string, condition: string): Row {
  return [
    what,
    free,
    before,
    `float *p = make(); if (${condition}) drop(p); run(p);`,
    `float *p = make(); if (!(${condition})) drop(p); run(p); drop(p);`,
  ];
}

const conversions: readonly Row[] = [
  whenKnown('to a type of the library', 'constexpr double four = 4.5;', 'std::size_t(four) * 2 == 8'),
  whenKnown('to few bits', '', 'std::uint8_t(260) == 4 && std::int16_t(65540) == 4'),
  whenKnown('from nothing', 'using Count = unsigned;', 'std::size_t() == 0 && Count() == 0'),
  whenKnown(
    'to a parameter',
    'template <typename T> T as() { return T(); }',
    'as<int>() == 0 && as<float *>() == nullptr',
  ),
];

/** `makes` makes an owner `o` of what `p` points to. */
function named(what: string, method: string, makes: string): Row {
  const before = `struct Owner {
  float *p;
  ${method}
  explicit Owner(float *given) : p(given) {}
  Owner(Owner &&other) : p(other.p) { other.p = nullptr; }
  ~Owner() { if (p) drop(p); }
};
template <typename T> struct Holder {
  T *p;
  static Holder of(T *given) { return Holder(given); }
  explicit Holder(T *given) : p(given) {}
  Holder(Holder &&other) : p(other.p) { other.p = nullptr; }
  ~Holder() { if (p) drop(p); }
};`;
  return [what, free, before, `float *p = make(); { ${makes} } run(p);`, `float *p = make(); { ${makes} run(p); }`];
}

const namedConstructors: readonly Row[] = [
  named('in a static method', 'static Owner of(float *p) { return Owner(p); }', 'Owner o = Owner::of(p);'),
  named(
    'in an optional',
    'static std::optional<Owner> of(float *p) { if (!p) return std::nullopt; return Owner(p); }',
    'std::optional<Owner> o = Owner::of(p);',
  ),
  named(
    'in a class inside',
    'struct Maker { float *p; Owner one() { return Owner(p); } };',
    'Owner::Maker maker{p}; Owner o = maker.one();',
  ),
  named('in a template', '', 'auto o = Holder<float>::of(p);'),
];

const constants: readonly Row[] = [
  whenKnown('an integral constant', '', 'std::integral_constant<int, 4>::value == 4'),
  whenKnown(
    'by another name',
    'using Four = std::integral_constant<int, 4>;',
    'Four::value == 4 && Four{} == 4 && Four() == 4',
  ),
  whenKnown(
    'of an alias that calculates',
    'template <unsigned N> using Power = std::integral_constant<int, (1 << N)>; using Eight = Power<3>;',
    'Power<4>::value == 16 && Eight::value == 8',
  ),
  whenKnown(
    'an array of an alias that calculates',
    'template <typename T, int N> using Block = std::array<T, N * sizeof(T)>;',
    'sizeof(Block<double, 3>) == 192',
  ),
];

/** A graph with an allocation and one free, or two. */
function described(what: string, before: string, parameters: string, pointer: string, method: string): Row {
  const begin = `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t a, b, c; ${parameters} ${method}`;
  const first = `cudaGraphAddMemFreeNode(&b, g, &a, 1, ${pointer});`;
  const second = `cudaGraphAddMemFreeNode(&c, g, &b, 1, ${pointer});`;
  const end = 'cudaGraphDestroy(g);';
  return [what, 'graph-double-free-node', before, `${begin} ${first} ${second} ${end}`, `${begin} ${first} ${end}`];
}

const derivedStructures: readonly Row[] = [
  described(
    'without a constructor',
    'struct Wanted : cudaMemAllocNodeParams {};',
    'Wanted w = {}; w.poolProps.allocType = cudaMemAllocationTypePinned; w.poolProps.location.type = cudaMemLocationTypeDevice; w.bytesize = 4096;',
    'w.dptr',
    'cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &w);',
  ),
  described(
    'with a constructor that sets its members',
    `struct Wanted : cudaMemAllocNodeParams {
  explicit Wanted(size_t n) : cudaMemAllocNodeParams{} { poolProps.allocType = cudaMemAllocationTypePinned; poolProps.location.type = cudaMemLocationTypeDevice; this->bytesize = n; }
};`,
    'Wanted w(4096);',
    'w.dptr',
    'cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &w);',
  ),
  described(
    'of one of many kinds, made by static methods',
    `struct Params : cudaGraphNodeParams {
  explicit Params(cudaGraphNodeType kind) : cudaGraphNodeParams{} { type = kind; }
  static Params allocation(size_t n) {
    Params p(cudaGraphNodeTypeMemAlloc);
    p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    p.alloc.bytesize = n;
    return p;
  }
};`,
    'auto w = Params::allocation(4096);',
    'w.alloc.dptr',
    'cudaGraphAddNode(&a, g, nullptr, nullptr, 0, &w);',
  ),
];

const listed: readonly Row[] = [
  [
    'whole functions, of their parameters and what they call',
    free,
    `#define CALLS(X) \\
  X(Drop, (float *p), cudaFreeAsync(p, s)) \\
  X(Clear, (float *p, size_t n), cudaMemsetAsync(p, 0, n, s)) \\
  X(Wait, (), cudaStreamSynchronize(s))
#define MAKE(name, parameters, call) static bool my##name parameters { const cudaError_t status = call; return status == cudaSuccess; }
CALLS(MAKE)
#undef MAKE`,
    'float *p = make(); myDrop(p); myClear(p, 4); myWait();',
    'float *p = make(); myClear(p, 4); myDrop(p); myWait();',
  ],
];

const mixins: readonly Row[] = [
  [
    'a pack of templates that are given the class',
    free,
    `template <class L> struct Releases { void give(float *p) { drop(p); } };
template <class L> struct Launches { template <class K, class... A> L &launch(K f, A... a) { f<<<1, 1, 0, s>>>(a...); return static_cast<L &>(*this); } };
template <template <class> class... Skills> struct Basic : Skills<Basic<Skills...>>... { int count = 0; };
using Lane = Basic<Releases, Launches>;`,
    'float *p = make(); Lane lane; lane.give(p); lane.launch(k, p);',
    'float *p = make(); Lane lane; lane.launch(k, p); lane.give(p);',
  ],
];

const members: readonly Row[] = [
  [
    'a member that is called main',
    free,
    `struct Lanes { cudaStream_t main, side; };
struct Runner { cudaStream_t Lanes::*lane; void on(const Lanes &lanes, float *p) const { k<<<1, 1, 0, lanes.*lane>>>(p); } };`,
    'Lanes lanes{s, nullptr}; Runner runner{&Lanes::main}; float *p = make(); drop(p); runner.on(lanes, p);',
    'Lanes lanes{s, nullptr}; Runner runner{&Lanes::main}; float *p = make(); runner.on(lanes, p); drop(p);',
  ],
];

it('main is where a program begins, whatever else is called so', async () => {
  const { entries } = await analyseText(`#include <cuda_runtime.h>
struct Lanes { cudaStream_t main; };
static void close(Lanes &lanes) { cudaStreamDestroy(lanes.main); }
int main() { Lanes lanes; cudaStreamCreate(&lanes.main); cudaStream_t Lanes::*one = &Lanes::main; cudaStreamSynchronize(lanes.*one); close(lanes); }
`);
  expect(entries).toEqual(['main']);
});

for (const [group, rows] of [
  ['mixins', mixins],
  ['members', members],
  ['lists of macros', listed],
  ['named constructors', namedConstructors],
  ['constants that are types', constants],
  ["classes on top of CUDA's structures", derivedStructures],
  ['conversions that read like calls', conversions],
  ['what reads like parameters', vexing],
  ['sequences of numbers', sequences],
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
