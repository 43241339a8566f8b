/** Tables that constant functions make, asked for in loops, numbers of enumerations by their type, and what the library counts and fills. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <cstdint>
#include <memory>
#include <ranges>
#include <type_traits>
#include <vector>`;

const table = (edges: string): string => `enum Task : std::size_t { Sense, Filter, Plan, Limit, Act, Count };
using Matrix = std::array<std::array<bool, Count>, Count>;
constexpr Matrix order() { Matrix m{}; ${edges} return m; }
constexpr Matrix reduced(Matrix m) {
  Matrix r = m;
  for (std::size_t a = 0; a < Count; ++a)
    for (std::size_t b = 0; b < Count; ++b)
      for (std::size_t c = 0; c < Count; ++c)
        if (a != c && m[a][b] && m[b][c]) r[a][c] = false;
  return r;
}
static constexpr Matrix kOrder = reduced(order());`;

const build = `cudaGraph_t g; cudaGraphCreate(&g, 0);
std::array<cudaGraphNode_t, Count> nodes{};
for (std::size_t t = 0; t < Count; ++t) cudaGraphAddEmptyNode(&nodes[t], g, nullptr, 0);
std::vector<cudaGraphNode_t> from, to;
for (std::size_t a = 0; a < Count; ++a)
  for (std::size_t b = 0; b < Count; ++b)
    if (kOrder[a][b]) from.push_back(nodes[a]), to.push_back(nodes[b]);
cudaGraphAddDependencies(g, from.data(), to.data(), nullptr, from.size());
cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0);`;

const flags = `enum class Stage : std::uint16_t { None = 0, Fill = 1, Carve = 2 };
template <class E> using Bits = std::enable_if_t<std::is_same_v<E, Stage>, std::underlying_type_t<E>>;
constexpr Stage operator|(Stage a, Stage b) { return Stage(Bits<Stage>(a) | Bits<Stage>(b)); }
float *p;
void perhaps(Stage s) { if (Bits<Stage>(s) == 3) cudaFree(p); }`;

describeRows('constants and counted ranges', head, [
  [
    'a table that takes more steps than the loop that asks for it first',
    'graph-cycle',
    '',
    `${table('m[Sense][Filter] = m[Filter][Plan] = m[Plan][Limit] = m[Limit][Act] = m[Act][Filter] = true;')}
int main() { ${build} return 0; }`,
    `${table('m[Sense][Filter] = m[Filter][Plan] = m[Plan][Limit] = m[Limit][Act] = true;')}
int main() { ${build} return 0; }`,
  ],
  [
    'the numbers of an enumeration, by std::underlying_type_t behind another name',
    'malloc-double-free',
    flags,
    'cudaMalloc(&p, 64); perhaps(Stage::Fill | Stage::Carve); cudaFree(p);',
    'cudaMalloc(&p, 64); perhaps(Stage::Carve); cudaFree(p);',
  ],
  [
    'counting without end, of which so many are taken',
    'malloc-double-free',
    '',
    `float *p[4]; for (int i : std::views::iota(0) | std::views::take(4)) cudaMalloc(&p[i], 64);
for (int i : std::views::iota(0) | std::views::transform([](int n) { return n + 1; }) | std::views::take(3)) cudaFree(p[i]);
cudaFree(p[0]); cudaFree(p[3]);`,
    `float *p[4]; for (int i : std::views::iota(0) | std::views::take(4)) cudaMalloc(&p[i], 64);
for (int i : std::views::iota(0) | std::views::transform([](int n) { return n + 1; }) | std::views::take(3)) cudaFree(p[i]);
cudaFree(p[0]);`,
  ],
  [
    'counting without end beside a list',
    'malloc-double-free',
    '',
    `std::vector<float *> p(2); for (auto [i, at] : std::views::zip(std::views::iota(0), p)) cudaMalloc(&p[i], 64);
for (auto [i, at] : std::views::zip(std::views::iota(0), p)) cudaFree(p[i]);
cudaFree(p[1]);`,
    `std::vector<float *> p(2); for (auto [i, at] : std::views::zip(std::views::iota(0), p)) cudaMalloc(&p[i], 64);
for (auto [i, at] : std::views::zip(std::views::iota(0), p)) cudaFree(p[i]);`,
  ],
  [
    'memory without objects that is filled',
    'malloc-double-free',
    'float *q; int flags[3];',
    'std::uninitialized_fill_n(flags, 3, 1); cudaMalloc(&q, 64); if (flags[1]) cudaFree(q); cudaFree(q);',
    'std::uninitialized_fill_n(flags, 3, 0); cudaMalloc(&q, 64); if (flags[1]) cudaFree(q); cudaFree(q);',
  ],
]);
