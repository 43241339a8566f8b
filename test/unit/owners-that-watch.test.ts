/** `weak_ptr` as part of other things, and memory that lambdas share: what ends when the last owner goes, and what never does. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <memory>
#include <vector>
__global__ void work(float *p) { p[0] += 1; }
static cudaStream_t s;
struct Buffer { float *p; Buffer() { cudaMallocAsync(&p, 64, s); } ~Buffer() { cudaFreeAsync(p, s); } };
struct Step { std::weak_ptr<Buffer> in; int n; };
struct Two { Step first; std::weak_ptr<Buffer> out; };
struct State { float *p = nullptr; };
static void run(float *p) { work<<<1, 1, 0, s>>>(p); }`;

/** What watches `a`, which goes then. */
function watched(what: string, watcher: string): Row {
  const begin = 'cudaStreamCreate(&s); { auto a = std::make_shared<Buffer>(); float *raw = a->p;';
  return [
    what,
    'async-use-after-free',
    '',
    `${begin} ${watcher} a.reset(); run(raw); } cudaStreamSynchronize(s);`,
    `${begin} ${watcher} run(raw); a.reset(); } cudaStreamSynchronize(s);`,
  ];
}

describeRows('parts that watch', head, [
  watched('a structure', 'Step step{a, 3};'),
  watched(
    'structures in a vector',
    'std::vector<Step> v{{a, 3}, Step{a, 4}}; v.push_back({a, 5}); v.emplace_back(a, 6);',
  ),
  watched('a structure in a structure', 'Two t{{a, 1}, a}; auto u = std::make_unique<Two>(Step{.in = a, .n = 2}, a);'),
  watched(
    'pairs',
    'std::vector<std::pair<int, std::weak_ptr<Buffer>>> v{{1, a}}; v.emplace_back(2, a); v.push_back({3, a});',
  ),
  watched('a tuple', 'std::tuple<std::weak_ptr<Buffer>, int> t{a, 1}; std::tuple<std::weak_ptr<Buffer>, int> u(a, 1);'),
  watched('a map', 'std::map<int, std::weak_ptr<Buffer>> m{{1, a}}; m[2] = a; m.insert({3, a}); m.emplace(4, a);'),
]);

/** A lambda shares what nobody frees; what frees it. */
function shared(what: string, body: string): Row {
  const begin = 'cudaStreamCreate(&s); auto state = std::make_shared<State>(); cudaMallocAsync(&state->p, 64, s);';
  return [
    what,
    'async-leak',
    '',
    `${begin} ${body} cudaStreamSynchronize(s);`,
    `${begin} ${body} cudaFreeAsync(state->p, s); cudaStreamSynchronize(s);`,
  ];
}

describeRows('memory that lambdas share', head, [
  shared('one that is called', 'auto go = [state] { run(state->p); }; go();'),
  shared(
    'some in a vector',
    'std::vector<std::function<void()>> v; v.push_back([state] { run(state->p); }); for (auto &f : v) f();',
  ),
  shared(
    'one that is given away',
    'auto go = [kept = state] { run(kept->p); }; std::function<void()> f = std::move(go); f();',
  ),
  [
    'one that is given to code that nobody sees',
    '',
    'void submit(std::function<void()> f);',
    '',
    'cudaStreamCreate(&s); auto state = std::make_shared<Buffer>(); submit([state] { run(state->p); });',
  ],
]);
