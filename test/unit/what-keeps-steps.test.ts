/** What programs keep the steps of a capture in: objects that are assigned where they are made, maps and sets asked for their order. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
${memoryInAStream}
class Steps {
public:
  explicit Steps(cudaStream_t s) : s_(s) {}
  struct Step {
    Steps &owner;
    std::string_view name;
    template <typename F> void operator=(F &&body) && { body(owner.s_); ++owner.done_[std::string(name)]; }
  };
  Step step(std::string_view name) { return {*this, name}; }
  Step operator[](std::string_view name) { return {*this, name}; }
  int done(const char *name) const { auto at = done_.find(name); return at == done_.end() ? 0 : at->second; }

private:
  cudaStream_t s_;
  std::map<std::string, int> done_;
};
struct Priority { bool operator()(int a, int b) const { return a > b; } };
using Shape = std::tuple<int, char>;
`;

const kept: readonly string[] = ['steps.step("use")', 'steps["use"]', '(Steps::Step{steps, "use"})'];

const states = `struct Open { cudaStream_t s; };
struct Sealed { cudaGraphExec_t x; };
template <class State> class Session;
template <> class Session<Sealed> {
  Sealed state_;
public:
  explicit Session(Sealed s) : state_(s) {}
  void operator()(cudaStream_t s) const { cudaGraphLaunch(state_.x, s); }
};
template <> class Session<Open> {
  Open state_;
public:
  explicit Session(cudaStream_t s) : state_{s} { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); }
  template <class F> Session &&then(F f) && { f(state_.s); return std::move(*this); }
  Session<Sealed> seal() && {
    cudaGraph_t graph; cudaGraphExec_t x;
    cudaStreamEndCapture(state_.s, &graph); cudaGraphInstantiate(&x, graph, 0); cudaGraphDestroy(graph);
    return Session<Sealed>(Sealed{x});
  }
};
`;

const sealed =
  'cudaStream_t c; cudaStreamCreate(&c); float *p; auto run = Session<Open>(c).then([&](cudaStream_t s) { cudaMallocAsync(&p, 4, s); }).seal(); run(c);';

describeRows('what steps are kept in', head, [
  [
    'a class for each state, of a template that is only declared',
    'relaunch-with-live-allocation',
    states,
    `${sealed} run(c); cudaFreeAsync(p, c);`,
    `${sealed} cudaFreeAsync(p, c); run(c); cudaFreeAsync(p, c);`,
  ],
  ...kept.map(
    (target): Row => [
      `a lambda assigned to what has just been made: ${target}`,
      'async-use-after-free',
      '',
      `float *p; Steps steps(0); cudaMallocAsync(&p, 4, 0); cudaFreeAsync(p, 0); ${target} = [&](cudaStream_t s) { k<<<1, 1, 0, s>>>(p); };`,
      `float *p; Steps steps(0); cudaMallocAsync(&p, 4, 0); ${target} = [&](cudaStream_t s) { k<<<1, 1, 0, s>>>(p); }; cudaFreeAsync(p, 0);`,
    ],
  ),
  whenKnown(
    'what the assignment does beside',
    'Steps steps(0); steps.step("a") = [](cudaStream_t) {}; steps.step("a") = [](cudaStream_t) {};',
    'steps.done("a") == 2 && steps.done("b") == 0',
  ),
  whenKnown(
    'the order of tuples',
    `std::map<Shape, int> made; made[Shape{5, 'f'}] = 1;`,
    `!made.key_comp()(Shape{5, 'f'}, made.begin()->first) && made.key_comp()(Shape{4, 'z'}, made.begin()->first)`,
  ),
  whenKnown(
    'the order of a class of the program',
    'std::map<int, int, Priority> jobs; jobs[1] = 2; auto before = jobs.key_comp();',
    'before(3, 1) && !before(1, 3)',
  ),
  whenKnown(
    'the order of a set',
    'std::set<int, Priority> jobs; jobs.insert(1);',
    'jobs.key_comp()(3, 1) && !jobs.value_comp()(1, 3)',
  ),
]);
