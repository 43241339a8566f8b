/** Coroutines that drive streams: what their awaiters wait for orders the work, and where nobody sees who goes on, nothing is said. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <coroutine>
#include <exception>
#include <utility>
__global__ void k(float *p) { p[threadIdx.x] += 1; }
struct Task {
  struct promise_type {
    Task get_return_object() { return Task{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> own;
  explicit Task(std::coroutine_handle<promise_type> h) : own(h) {}
  Task(Task &&other) noexcept : own(std::exchange(other.own, {})) {}
  ~Task() { if (own) own.destroy(); }
};
struct StreamDone {
  cudaStream_t s;
  bool await_ready() const { return cudaStreamQuery(s) == cudaSuccess; }
  void await_suspend(std::coroutine_handle<> h) { cudaStreamSynchronize(s); h.resume(); }
  void await_resume() {}
};
struct Nothing {
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> h) { h(); }
  int await_resume() { return 3; }
};
struct Called {
  cudaStream_t s;
  static void go(void *p) { std::coroutine_handle<>::from_address(p).resume(); }
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> h) { cudaLaunchHostFunc(s, go, h.address()); }
  void await_resume() {}
};
cudaStream_t a, b; float *d;`;

const main = `int main() { cudaStreamCreate(&a); cudaStreamCreate(&b); cudaMalloc(&d, 1024);
{ Task t = work(); } cudaDeviceSynchronize(); cudaFree(d); cudaStreamDestroy(a); cudaStreamDestroy(b); return 0; }`;
const task = (body: string): string => `Task work() { ${body} co_return; }\n${main}`;
const between = (awaited: string): string =>
  task(`k<<<1, 256, 0, a>>>(d); ${awaited} k<<<1, 256, 0, b>>>(d); co_await StreamDone{b};`);
const race = 'stream-conflicting-access';

describeRows('coroutines', head, [
  ['an awaiter that waits', race, '', between('co_await StreamDone{b};'), between('co_await StreamDone{a};')],
  [
    'one that does not',
    race,
    '',
    between('co_await Nothing{};'),
    between('co_await Nothing{}; cudaStreamSynchronize(a);'),
  ],
  [
    'what it gives',
    'copy-out-of-range',
    '',
    task('int n = co_await Nothing{}; cudaMemset(d, 0, n * 342);'),
    task('int n = co_await Nothing{}; cudaMemset(d, 0, n * 341);'),
  ],
  ['one that a callback goes on for', '', '', '', between('co_await Called{a};')],
  [
    'another coroutine',
    race,
    '',
    `Task first() { k<<<1, 256, 0, a>>>(d); co_return; } ${between('first();')}`,
    `Task first() { k<<<1, 256, 0, a>>>(d); co_await StreamDone{a}; co_return; } ${between('first();')}`,
  ],
]);

describe('what nobody sees of a coroutine', () => {
  it.each([
    ['an awaiter', 'struct Library; Library &later(cudaStream_t);', 'co_await later(a);', 'co_await'],
    ['who asks for the next', '', 'co_yield d;', 'co_yield'],
  ])('%s is a gap, and may wait', async (_what, before, awaited, name) => {
    const { findings, gaps } = await analyseText(`${head}\n${before}\n${between(awaited)}`);
    expect(findings.filter(({ severity }) => severity !== 'hint')).toEqual([]);
    expect(gaps.map((gap) => gap.name)).toContain(name);
  });
});
