/** Containers of C++23 and of other libraries that do what older ones do, views of neighbours, and weak owners in maps. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <flat_map>
#include <flat_set>
#include <inplace_vector>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <vector>
static float *p, *other;
static void begin() { cudaMallocAsync((void **)&p, 128, 0); cudaMallocAsync((void **)&other, 128, 0); }
static void end(float *q) { cudaFreeAsync(p, 0); cudaFreeAsync(q, 0); cudaDeviceSynchronize(); }`;

const rule = 'async-double-free';
const bothWays = (what: string, pick: (first: string, second: string) => string): Row => [
  what,
  rule,
  '',
  `begin(); float *q = nullptr; ${pick('p', 'other')} end(q);`,
  `begin(); float *q = nullptr; ${pick('other', 'p')} end(q);`,
];

describeRows('containers by other names', head, [
  bothWays(
    'a flat map',
    (a, b) =>
      `std::flat_map<std::string, float *> m; m["a"] = ${b}; m.insert_or_assign("b", ${a}); if (m.contains("b")) q = m.at("b");`,
  ),
  bothWays(
    'a flat map in its order',
    (a, b) => `std::flat_map<int, float *> m; m[2] = ${a}; m[1] = ${b}; for (auto [n, each] : m) q = each;`,
  ),
  bothWays(
    'a flat set',
    (a, b) => `std::flat_set<int> n{3, 1, 3}; q = n.size() == 2 && *n.begin() == 1 ? ${a} : ${b};`,
  ),
  bothWays(
    'a vector in place',
    (a, b) =>
      `std::inplace_vector<float *, 4> v; v.push_back(${b}); v.unchecked_push_back(${a}); v.unchecked_emplace_back(${b}); v.pop_back(); q = v.back();`,
  ),
  bothWays(
    'a small vector',
    (a, b) => `absl::InlinedVector<float *, 2> v{${b}, ${a}}; q = v.size() == 2 ? v[1] : nullptr;`,
  ),
  bothWays(
    'a hash map',
    (a, b) =>
      `absl::flat_hash_map<int, float *> m; m.emplace(1, ${a}); auto [at, isNew] = m.try_emplace(1, ${b}); q = at->second;`,
  ),
  [
    'what is in it stays in its place',
    'baked-host-pointer-dead',
    '',
    `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphExec_t x; std::vector<int> v{1}; begin();
     cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, p, &v[0], 4, cudaMemcpyHostToDevice); for (int i = 0; i < 9; ++i) v.push_back(i);
     cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, 0); cudaDeviceSynchronize(); cudaGraphExecDestroy(x); cudaGraphDestroy(g); end(other);`,
    `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphExec_t x; std::inplace_vector<int, 16> v{1}; begin();
     cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, p, &v[0], 4, cudaMemcpyHostToDevice); for (int i = 0; i < 9; ++i) v.push_back(i);
     cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, 0); cudaDeviceSynchronize(); cudaGraphExecDestroy(x); cudaGraphDestroy(g); end(other);`,
  ],
]);

describeRows('views of neighbours', head, [
  bothWays(
    'in pairs',
    (a, b) => `std::vector<float *> v{${b}, ${b}, ${a}}; for (auto [x, y] : v | std::views::pairwise) q = y;`,
  ),
  bothWays(
    'in threes',
    (a, b) =>
      `std::vector<float *> v{${b}, ${a}, ${b}}; int n = 0; for (auto w : v | std::views::adjacent<3>) { auto [x, y, z] = w; q = y; ++n; } if (n != 1) q = ${b};`,
  ),
  bothWays(
    'one part of each',
    (a, b) =>
      `std::vector<std::pair<int, float *>> v{{1, ${b}}, {2, ${a}}}; for (auto each : v | std::views::elements<1>) q = each;`,
  ),
  bothWays(
    'put together',
    (a, b) =>
      `std::vector<float *> v{${b}, ${a}}; std::vector<int> n{0, 1}; for (auto each : std::views::zip_transform([](float *x, int i) { return i == 1 ? x : nullptr; }, v, n)) q = each;`,
  ),
]);

describeRows('weak owners in a map', head, [
  [
    'keep nothing alive',
    'async-use-after-free',
    '',
    `std::map<int, std::weak_ptr<void>> m; void *raw; cudaMallocAsync(&raw, 64, 0);
     { std::shared_ptr<void> own(raw, [](void *q) { cudaFreeAsync(q, 0); }); m.insert_or_assign(1, own); }
     cudaMemsetAsync(raw, 0, 64, 0); cudaDeviceSynchronize();`,
    `std::map<int, std::weak_ptr<void>> m; void *raw; cudaMallocAsync(&raw, 64, 0);
     std::shared_ptr<void> own(raw, [](void *q) { cudaFreeAsync(q, 0); }); m.emplace(1, own);
     if (auto held = m[1].lock()) cudaMemsetAsync(held.get(), 0, 64, 0); own.reset(); if (m[1].lock()) cudaFreeAsync(raw, 0); cudaDeviceSynchronize();`,
  ],
]);
