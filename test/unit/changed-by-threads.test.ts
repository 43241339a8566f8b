/** Atomic variables and shared results, as the thread of the program finds them while others are there. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
__global__ void k(float *p) { p[0] += 1.0f; }
struct Delete { void operator()(float *p) const { cudaFree(p); } };
using Owned = std::unique_ptr<float, Delete>;
Owned make() { float *p; cudaMalloc(&p, 4); return Owned(p); }
struct Task { std::function<void()> work; std::vector<Task *> next; std::atomic<int> open{0};
  void after(Task &other) { other.next.push_back(this); open.fetch_add(1); } };
struct Scheduler {
  std::vector<std::unique_ptr<Task>> tasks; std::deque<Task *> ready; std::size_t left = 0; bool isOver = false;
  std::mutex m; std::condition_variable wake, finished; std::thread worker{[this] { loop(); }};
  ~Scheduler() { { std::lock_guard lock(m); isOver = true; } wake.notify_all(); worker.join(); }
  Task &add(std::function<void()> work) { return *tasks.emplace_back(new Task{std::move(work)}); }
  void run() { std::unique_lock lock(m); left = tasks.size();
    for (const auto &task : tasks) if (task->open.load() == 0) ready.push_back(task.get());
    wake.notify_one(); finished.wait(lock, [this] { return left == 0; }); }
  void loop() { for (;;) { Task *task; { std::unique_lock lock(m); wake.wait(lock, [this] { return isOver || !ready.empty(); });
      if (ready.empty()) return; task = ready.front(); ready.pop_front(); }
    task->work(); std::lock_guard lock(m);
    for (Task *next : task->next) if (next->open.fetch_sub(1) == 1) ready.push_back(next);
    if (--left == 0) finished.notify_all(); } }
};`;

const rows: readonly Row[] = [
  [
    'tasks that count what they wait for',
    'malloc-use-after-free',
    '',
    'float *p; cudaMalloc(&p, 4); Scheduler s; Task &a = s.add([&] { cudaFree(p); }); Task &b = s.add([&] { k<<<1, 1>>>(p); }); b.after(a); s.run();',
    'float *p; cudaMalloc(&p, 4); Scheduler s; Task &a = s.add([&] { cudaFree(p); }); Task &b = s.add([&] { k<<<1, 1>>>(p); }); a.after(b); s.run();',
  ],
  [
    'a ring with an index for each side, asked between two rounds',
    'malloc-double-free',
    `template <class T, std::size_t N> struct Ring { T slots[N]{}; std::atomic<std::size_t> head{0}, tail{0};
  bool push(T value) { const std::size_t at = tail.load(); if (at - head.load() == N) return false; slots[at % N] = value; tail.store(at + 1); tail.notify_one(); return true; }
  T pop() { const std::size_t at = head.load(); tail.wait(at); T value = slots[at % N]; head.store(at + 1); return value; } };
enum { STOP, MAKE, FREE };
struct Worker { Ring<int, 4> ring; float *p = nullptr; std::thread t{[this] { for (int next = ring.pop(); next != STOP; next = ring.pop()) { if (next == MAKE) cudaMalloc(&p, 4); else cudaFree(p); } }};
  void ask(int what) { while (!ring.push(what)) std::this_thread::yield(); } ~Worker() { ask(STOP); t.join(); } };`,
    'Worker w; w.ask(MAKE); w.ask(FREE); w.ask(FREE);',
    'Worker w; w.ask(MAKE); w.ask(FREE); w.ask(MAKE); w.ask(FREE);',
  ],
  [
    'a flag that only the program has set',
    'malloc-double-free',
    '',
    'std::atomic<bool> owns{false}; std::thread t([] {}); float *p; cudaMalloc(&p, 4); owns.store(true); if (owns.load()) cudaFree(p); cudaFree(p); t.join();',
    'std::atomic<bool> owns{false}; std::thread t([] {}); float *p; cudaMalloc(&p, 4); if (owns.load()) cudaFree(p); cudaFree(p); t.join();',
  ],
  [
    'a flag that a thread sets: it may be set, or not yet',
    'malloc-double-free',
    '',
    'std::atomic<bool> freed{false}; float *p; cudaMalloc(&p, 4); std::thread t([&] { cudaFree(p); freed = true; }); t.join(); if (!freed.load()) k<<<1, 1>>>(p); cudaFree(p);',
    '',
  ],
  [
    'a flag that is asked again and again',
    '',
    '',
    '',
    'std::atomic<int> left{1}; float *p; cudaMalloc(&p, 4); std::mutex m; std::condition_variable go; bool begins = false; std::thread t([&] { std::unique_lock l(m); go.wait(l, [&] { return begins; }); k<<<1, 1>>>(p); cudaDeviceSynchronize(); left.store(0); }); { std::lock_guard l(m); begins = true; } go.notify_one(); while (left.load() > 0) std::this_thread::yield(); t.join(); cudaFree(p);',
  ],
  [
    'what a shared future gives stays there',
    'malloc-use-after-free',
    '',
    'std::future<Owned> f = std::async(std::launch::async, make); { Owned own = f.get(); f = std::async(std::launch::async, make); k<<<1, 1>>>(own.get()); cudaFree(own.get()); k<<<1, 1>>>(own.get()); own.release(); } cudaDeviceSynchronize();',
    'std::shared_future<Owned> f = std::async(std::launch::async, make).share(); k<<<1, 1>>>(f.get().get()); k<<<2, 1>>>(f.get().get()); cudaDeviceSynchronize();',
  ],
  [
    'also where only its variable says that it is shared',
    '',
    '',
    '',
    'const std::shared_future<Owned> f = std::async(std::launch::async, make); auto use = [&f] { k<<<1, 1>>>(f.get().get()); }; use(); use(); cudaDeviceSynchronize();',
  ],
];

describeRows('atomic variables and shared results', head, rows);
