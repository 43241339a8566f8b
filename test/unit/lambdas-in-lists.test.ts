/** Lambdas in braced objects and lists: they run from there, and what they own goes with the place that they are put into. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
static cudaStream_t s;
static void use(float *p) { k<<<1, 1, 0, s>>>(p); }
struct B { float *p; B() { cudaMallocAsync((void **)&p, 4, s); } ~B() { cudaFreeAsync(p, s); } B(const B &) = delete; };
using F = std::function<void()>;
struct Stage { const char *name; F run; };
struct Task { int id; F run; Task(int i, F f) : id(i), run(f) {} };
struct Pipe { std::vector<Stage> stages; void add(const char *name, F f) { stages.push_back({name, std::move(f)}); } void run() { for (auto &stage : stages) stage.run(); } };
`;

const lambda = '[b] { use(b->p); }';

/** What it is, and what makes it of a lambda. */
const owners: readonly (readonly [what: string, make: string, call: string])[] = [
  ['a braced object', `Stage x{"a", ${lambda}};`, 'x.run();'],
  ['an object with the names of its members', `Stage x = {.name = "a", .run = ${lambda}};`, 'x.run();'],
  [
    'a list of objects',
    `std::vector<Stage> x = {{"a", ${lambda}}, {"b", ${lambda}}};`,
    'for (auto &each : x) each.run();',
  ],
  ['a list of functions', `std::vector<F> x{${lambda}, ${lambda}};`, 'for (auto &each : x) each();'],
  ['an array of functions', `F x[] = {${lambda}, ${lambda}};`, 'for (auto &each : x) each();'],
  [
    'a list of objects with a constructor',
    `std::vector<Task> x{Task(1, ${lambda}), {2, ${lambda}}};`,
    'for (auto &each : x) each.run();',
  ],
  ['a map', `std::map<std::string, F> x = {{"a", ${lambda}}};`, 'x["a"]();'],
  ['pairs', `std::vector<std::pair<std::string, F>> x = {{"a", ${lambda}}};`, 'for (auto &[name, run] : x) run();'],
  ['a pair', `std::pair<int, F> x{1, ${lambda}};`, 'x.second();'],
  [
    'what is added in braces',
    `std::vector<Stage> x; x.push_back({"a", ${lambda}}); x.emplace_back(Stage{"b", ${lambda}});`,
    'for (auto &each : x) each.run();',
  ],
  ['what a method adds', `Pipe x; x.add("a", ${lambda});`, 'x.run();'],
];

const rulesIn = async (body: string): Promise<readonly string[]> =>
  (await analyseText(`${head}int main() { cudaStreamCreate(&s); float *q; ${body} }`)).findings.map(({ rule }) => rule);

describe('lambdas in braces', () => {
  it.each(owners)('%s keeps what they own, and no longer', async (_what, make, call) => {
    const begin = 'auto b = std::make_shared<B>(); q = b->p;';
    expect(await rulesIn(`{ ${begin} ${make} b.reset(); ${call} } k<<<1, 1, 0, s>>>(q);`)).toContain(
      'async-use-after-free',
    );
    expect(await rulesIn(`{ ${begin} ${make} b.reset(); ${call} k<<<1, 1, 0, s>>>(q); }`)).toEqual([]);
  });

  it.each([
    ['a braced object', 'Stage x{"a", [&] { cudaFree(q); }}; x.run();'],
    [
      'a list',
      'std::vector<Stage> x = {{"a", [=] { use(q); }}, {"b", [&] { cudaFree(q); }}}; for (auto &each : x) each.run();',
    ],
    [
      'a table',
      'struct { const char *n; void (*f)(float *); } x[] = {{"a", [](float *p) { use(p); }}, {"b", [](float *p) { cudaFree(p); }}}; for (auto &each : x) each.f(q);',
    ],
  ])('%s runs them', async (_what, body) => {
    expect(await rulesIn(`cudaMalloc(&q, 4); ${body} cudaFree(q);`)).toContain('malloc-double-free');
    expect(await rulesIn(`cudaMalloc(&q, 4); ${body}`)).toEqual([]);
  });
});
