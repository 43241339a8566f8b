/** Coroutines of the program's own: they run from one suspension to the next, in the order in which somebody goes on with them. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <coroutine>
#include <exception>
#include <optional>
#include <queue>
#include <utility>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] += 1; }
template <class T> class Generator {
 public:
  struct promise_type {
    T value;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) noexcept { value = std::move(v); return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  struct sentinel {};
  struct iterator {
    std::coroutine_handle<promise_type> own;
    iterator &operator++() { own.resume(); return *this; }
    T &operator*() const { return own.promise().value; }
    bool operator==(sentinel) const { return own.done(); }
  };
  explicit Generator(std::coroutine_handle<promise_type> h) : own(h) {}
  Generator(Generator &&other) noexcept : own(std::exchange(other.own, {})) {}
  ~Generator() { if (own) own.destroy(); }
  iterator begin() { own.resume(); return iterator{own}; }
  sentinel end() { return {}; }
  bool next() { own.resume(); return !own.done(); }
  T value() const { return own.promise().value; }
 private:
  std::coroutine_handle<promise_type> own;
};
template <class T> struct Task {
  struct promise_type {
    std::optional<T> result; std::coroutine_handle<> waits;
    auto get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    auto initial_suspend() noexcept { return std::suspend_always{}; }
    auto final_suspend() noexcept {
      struct Awaiter {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept {
          if (auto w = h.promise().waits) return w;
          return std::noop_coroutine();
        }
        void await_resume() noexcept {}
      };
      return Awaiter{};
    }
    void return_value(T v) { result = std::move(v); }
    void unhandled_exception() { std::terminate(); }
  };
  explicit Task(std::coroutine_handle<promise_type> h) : own(h) {}
  Task(Task &&other) noexcept : own(std::exchange(other.own, nullptr)) {}
  ~Task() { if (own) own.destroy(); }
  auto operator co_await() {
    struct Awaiter {
      std::coroutine_handle<promise_type> own;
      bool await_ready() { return own.done(); }
      auto await_suspend(std::coroutine_handle<> w) { own.promise().waits = w; return own; }
      T await_resume() { return std::move(*own.promise().result); }
    };
    return Awaiter{own};
  }
  T get() { own.resume(); return *own.promise().result; }
  std::coroutine_handle<promise_type> own;
};
struct Job {
  struct promise_type {
    Job get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> own;
};
struct Scheduler {
  std::queue<std::coroutine_handle<>> ready;
  void spawn(Job job) { ready.push(job.own); }
  auto later() {
    struct Awaiter {
      Scheduler *of;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> h) { of->ready.push(h); }
      int await_resume() { return 3; }
    };
    return Awaiter{this};
  }
  void run() { while (!ready.empty()) { auto h = ready.front(); ready.pop(); h.resume(); if (h.done()) h.destroy(); } }
};
struct Guard { void *p; cudaStream_t s; ~Guard() { cudaFreeAsync(p, s); } };
static cudaStream_t s; static Scheduler all;
Generator<void *> lent(int n) { for (int i = 0; i < n; ++i) { void *p; cudaMallocAsync(&p, 128, s); co_yield p; cudaFreeAsync(p, s); } }
Generator<int> upTo(int n) { for (int i = 0; i < n; ++i) co_yield i; }
Generator<int> twice(std::vector<int> of) { for (int i : of) { co_yield i; for (int j : upTo(i)) co_yield j; } }
Generator<int> held() { void *p; cudaMallocAsync(&p, 128, s); Guard guard{p, s}; co_yield 1; co_yield 2; }
Task<float *> make(size_t bytes) { float *p; cudaMallocAsync((void **)&p, bytes, s); co_return p; }
`;

const main = (body: string): string =>
  `int main() { cudaStreamCreate(&s); ${body} cudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }`;
const row = (what: string, rule: string, before: string, bad: string, good: string): Row => [
  what,
  rule,
  before,
  main(bad),
  main(good),
];
const twoJobs = (
  then: string,
): string => `Job first(float *p) { k<<<1, 32, 0, s>>>(p); co_await all.later(); cudaFreeAsync(p, s); }
Job second(float *p) { k<<<1, 32, 0, s>>>(p); ${then} }
${main('float *p; cudaMallocAsync((void **)&p, 128, s); all.spawn(first(p)); all.spawn(second(p)); all.run();')}`;

describeRows('coroutines of the program', head, [
  row(
    'a generator goes on between the rounds of a loop',
    'async-double-free',
    '',
    'for (void *p : lent(3)) { cudaMemsetAsync(p, 0, 128, s); cudaFreeAsync(p, s); }',
    'for (void *p : lent(3)) cudaMemsetAsync(p, 0, 128, s);',
  ),
  row(
    'one that is asked step by step',
    'async-use-after-free',
    '',
    'auto g = lent(2); g.next(); void *p = g.value(); while (g.next()) cudaMemsetAsync(p, 0, 128, s);',
    'auto g = lent(2); while (g.next()) cudaMemsetAsync(g.value(), 0, 128, s);',
  ),
  row(
    'loops in it, and others that it goes through',
    'copy-out-of-range',
    '',
    'int n = 0; for (int i : twice({3, 2})) n += i; float *p; cudaMalloc(&p, 8); cudaMemset(p, 0, n); cudaFree(p);',
    'int n = 0; for (int i : twice({3, 2})) n += i; float *p; cudaMalloc(&p, 9); cudaMemset(p, 0, n); cudaFree(p);',
  ),
  row(
    'what it holds goes with it',
    'async-use-after-free',
    '',
    'float *q; { auto g = held(); g.next(); cudaMallocAsync((void **)&q, 128, s); } cudaFreeAsync(q, s); cudaMemsetAsync(q, 0, 128, s);',
    '{ auto g = held(); g.next(); }',
  ),
  [
    'tasks that begin when they are asked, and what these give',
    'copy-out-of-range',
    `Task<int> both(size_t bytes) { float *a = co_await make(256); float *b = co_await make(64);
cudaMemsetAsync(a, 0, 256, s); cudaMemsetAsync(b, 0, bytes, s); cudaFreeAsync(a, s); cudaFreeAsync(b, s); co_return 7; }`,
    main('auto t = both(65); if (t.get() != 7) cudaStreamDestroy(s);'),
    main('auto unused = both(65); auto t = both(64); if (t.get() != 7) cudaStreamDestroy(s);'),
  ],
  [
    'jobs that take turns',
    'async-use-after-free',
    '',
    twoJobs('co_await all.later(); k<<<1, 32, 0, s>>>(p);'),
    twoJobs('co_return;'),
  ],
  [
    'what is asked for behind a wait',
    'copy-out-of-range',
    '',
    twoJobs(
      'int n = co_await all.later(); void *q; cudaMallocAsync(&q, 2, s); cudaMemsetAsync(q, 0, n, s); cudaFreeAsync(q, s);',
    ),
    twoJobs(
      'int n = co_await all.later(); void *q; cudaMallocAsync(&q, 3, s); cudaMemsetAsync(q, 0, n, s); cudaFreeAsync(q, s);',
    ),
  ],
  [
    'one that is given to somebody who is not seen',
    'async-double-free',
    'void schedule(Task<int> t); Task<int> freed(float *p, int n) { for (int i = 0; i < n; ++i) cudaFreeAsync(p, s); co_return 1; }',
    main('float *p; cudaMallocAsync((void **)&p, 128, s); schedule(freed(p, 2));'),
    main('float *p; cudaMallocAsync((void **)&p, 128, s); schedule(freed(p, 1));'),
  ],
  [
    'one that nobody calls, which waits for another',
    'malloc-use-after-free',
    `Task<int> filled(float *p) { cudaMemsetAsync(p, 0, 128, s); co_return 1; }
Task<int> both(float *p) { co_await filled(p); cudaFreeAsync(p, s); k<<<1, 32, 0, s>>>(p); co_return 1; }`,
    main(''),
    '',
  ],
  [
    'one that nobody calls, and that is right',
    '',
    `Task<int> filled(float *p) { cudaMemsetAsync(p, 0, 128, s); co_return 1; }
Task<int> both(float *p) { co_await filled(p); cudaFreeAsync(p, s); co_return 1; }`,
    '',
    main(''),
  ],
]);
