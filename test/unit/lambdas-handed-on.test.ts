/** Lambdas that are handed on: what they own goes with the last place that has them, and not before. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <thread>
#include <utility>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
static cudaStream_t s;
static void use(float *p) { k<<<1, 1, 0, s>>>(p); }
struct B { float *p; B() { cudaMallocAsync((void **)&p, 4, s); } ~B() { cudaFreeAsync(p, s); } B(const B &) = delete; };
using F = std::function<void()>;
struct Registry { std::map<std::string, F> ops; void add(std::string n, F f) { ops[n] = std::move(f); } void call(const std::string &n) { ops[n](); } void clear() { ops.clear(); } };
struct Events { std::map<std::string, std::vector<F>> all; void on(const std::string &e, F f) { all[e].push_back(std::move(f)); } void emit(const std::string &e) { for (auto &f : all[e]) f(); } };
struct Task { F f; explicit Task(F g) : f(std::move(g)) {} };
struct Open { F f; };
static std::vector<F> &everything() { static std::vector<F> v; return v; }
struct Keeps { explicit Keeps(F f) { everything().push_back(f); } };
struct Threads { std::vector<std::thread> ts; template <class G> void go(G &&g) { ts.emplace_back(std::forward<G>(g)); } ~Threads() { for (auto &t : ts) t.join(); } };
template <class G> static void call(G g) { g(); }
static F made(float **q) { auto b = std::make_shared<B>(); *q = b->p; return [b] { use(b->p); }; }
`;

const begin = 'auto b = std::make_shared<B>(); float *q = b->p;';
const lambda = '[b] { use(b->p); }';

/** What it is; where the lambda has gone when the memory is used; where it is still there. */
const rows: readonly (readonly [what: string, bad: string, good: string])[] = [
  [
    'a table of a class',
    `Registry r; ${begin} r.add("a", ${lambda}); b.reset(); r.call("a"); r.clear(); use(q);`,
    `Registry r; ${begin} r.add("a", ${lambda}); b.reset(); r.call("a"); use(q); r.clear();`,
  ],
  [
    'a table of lists, whose scope ends',
    `${begin} { Events e; e.on("a", ${lambda}); b.reset(); e.emit("a"); } use(q);`,
    `${begin} { Events e; e.on("a", ${lambda}); b.reset(); e.emit("a"); use(q); }`,
  ],
  [
    'a vector',
    `std::vector<F> v; ${begin} v.push_back(${lambda}); b.reset(); v[0](); v.clear(); use(q);`,
    `std::vector<F> v; ${begin} v.push_back(${lambda}); b.reset(); v[0](); use(q); v.clear();`,
  ],
  [
    'a thread',
    `${begin} std::thread t(${lambda}); b.reset(); t.join(); use(q);`,
    `${begin} std::thread t(${lambda}); t.join(); use(q);`,
  ],
  [
    'a member that a constructor sets',
    `${begin} auto t = std::make_unique<Task>(${lambda}); b.reset(); t.reset(); use(q);`,
    `${begin} auto t = std::make_unique<Task>(${lambda}); b.reset(); use(q); t.reset();`,
  ],
  [
    'objects of a class in a vector',
    `std::vector<Task> v; ${begin} v.emplace_back(${lambda}); b.reset(); v.clear(); use(q);`,
    `std::vector<Task> v; ${begin} v.emplace_back(${lambda}); b.reset(); use(q); v.clear();`,
  ],
  [
    'an object that is given away',
    `std::vector<Open> v; ${begin} { Open t; t.f = ${lambda}; v.push_back(std::move(t)); } b.reset(); v.clear(); use(q);`,
    `std::vector<Open> v; ${begin} { Open t; t.f = ${lambda}; v.push_back(std::move(t)); } b.reset(); v[0].f(); use(q);`,
  ],
  [
    'a copy of the place',
    `float *q; { F f; { ${begin.replace('float *q', 'q')} f = ${lambda}; } F g = f; f = nullptr; g(); use(q); } use(q);`,
    `float *q; F h; { F f; { ${begin.replace('float *q', 'q')} f = ${lambda}; } h = f; f = nullptr; h(); } use(q);`,
  ],
  [
    'what a function returns',
    'float *q; { auto f = made(&q); f(); } use(q);',
    'float *q; auto f = made(&q); f(); use(q);',
  ],
  [
    'a parameter',
    `${begin} call([c = std::move(b)] { use(c->p); }); use(q);`,
    `${begin} call([c = b] { use(c->p); }); use(q);`,
  ],
  [
    'another lambda',
    `${begin} { auto f = ${lambda}; b.reset(); auto g = [f] { f(); }; g(); } use(q);`,
    `${begin} auto f = ${lambda}; b.reset(); auto g = [f] { f(); }; auto h = std::move(g); h(); use(q);`,
  ],
];

async function rulesIn(body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}int main() { ${body} }\n`);
  return findings.map(({ rule }) => rule);
}

describe('lambdas that are handed on', () => {
  it.each(rows)('%s', async (_what, bad, good) => {
    expect(await rulesIn(bad)).toContain('async-use-after-free');
    expect(await rulesIn(good)).toEqual([]);
  });

  it.each([
    [
      'taken out of a queue',
      `std::queue<F> v; ${begin} v.push(${lambda}); b.reset(); auto f = std::move(v.front()); v.pop(); f(); use(q);`,
    ],
    [
      'in a pair in a queue',
      `std::queue<std::pair<int, F>> v; ${begin} v.push({1, ${lambda}}); b.reset(); auto [i, f] = v.front(); v.pop(); f(); use(q);`,
    ],
    [
      'copied by an algorithm',
      `std::vector<F> v, x; ${begin} v.push_back(${lambda}); b.reset(); std::copy(v.begin(), v.end(), std::back_inserter(x)); v.clear(); x[0](); use(q);`,
    ],
    [
      'inserted from a range',
      `std::vector<F> v, x; ${begin} v.push_back(${lambda}); b.reset(); x.insert(x.end(), v.begin(), v.end()); v.clear(); x[0](); use(q);`,
    ],
    [
      'in a vector that is assigned',
      `std::vector<F> v, x; ${begin} v.push_back(${lambda}); b.reset(); x = v; v.clear(); x[0](); use(q);`,
    ],
    [
      'in a vector that is moved',
      `std::vector<F> v, x; ${begin} v.push_back(${lambda}); b.reset(); x = std::move(v); v.clear(); x[0](); use(q);`,
    ],
    [
      'copied in a loop',
      `std::vector<F> v, x; ${begin} v.push_back(${lambda}); b.reset(); for (auto f : v) x.push_back(f); v.clear(); x[0](); use(q);`,
    ],
    [
      'exchanged',
      `F f, g; ${begin} f = ${lambda}; b.reset(); std::swap(f, g); f = nullptr; g(); use(q); f = g; g = nullptr; f(); use(q);`,
    ],
    ['in an optional', `std::optional<F> o; ${begin} { F f = ${lambda}; o = f; } b.reset(); (*o)(); use(q);`],
    [
      'in a list that is there for good',
      `${begin} Keeps a(${lambda}); b.reset(); for (auto &f : everything()) f(); use(q);`,
    ],
    ['given to threads of a class', `${begin} { Threads t; t.go(${lambda}); } use(q);`],
  ])('still there: %s', async (_what, body) => {
    expect(await rulesIn(body)).toEqual([]);
  });
});
