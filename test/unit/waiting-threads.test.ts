/** Threads that wait for work, and what they do when there is some. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <thread>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
using Job = std::function<void()>;
static void use(float *p) { k<<<1, 1>>>(p); cudaDeviceSynchronize(); }
struct Pool {
  std::vector<std::thread> threads; std::deque<Job> jobs; std::mutex m; std::condition_variable cv; bool stop = false;
  explicit Pool(int n) { for (int i = 0; i < n; i++) threads.emplace_back([this] { work(); }); }
  ~Pool() { { std::lock_guard<std::mutex> l(m); stop = true; } cv.notify_all(); for (auto &t : threads) t.join(); }
  void add(Job job) { { std::lock_guard<std::mutex> l(m); jobs.push_back(std::move(job)); } cv.notify_one(); }
  void work() {
    while (true) {
      Job job;
      { std::unique_lock<std::mutex> l(m); cv.wait(l, [this] { return stop || !jobs.empty(); });
        if (stop && jobs.empty()) return; job = std::move(jobs.front()); jobs.pop_front(); }
      job();
    }
  }
};
template <class T> struct Channel {
  std::queue<T> items; std::mutex m; std::condition_variable cv;
  void push(T item) { std::unique_lock<std::mutex> l(m); items.push(std::move(item)); cv.notify_one(); }
  T pop() { std::unique_lock<std::mutex> l(m); while (items.empty()) cv.wait(l); T item = std::move(items.front()); items.pop(); return item; }
};
template <class T> struct Closing {
  std::queue<T> items; std::mutex m; std::condition_variable cv; bool closed = false;
  void push(T item) { { std::unique_lock<std::mutex> l(m); items.push(item); } cv.notify_one(); }
  void close() { { std::unique_lock<std::mutex> l(m); closed = true; } cv.notify_all(); }
  bool pop(T &item) { std::unique_lock<std::mutex> l(m); cv.wait(l, [&] { return closed || !items.empty(); }); if (items.empty()) return false; item = items.front(); items.pop(); return true; }
};
struct Owned { float *p; Owned() { cudaMalloc(&p, 4); } ~Owned() { cudaFree(p); } };
struct Idle {
  std::queue<Job> jobs; int busy = 0; std::mutex m; std::condition_variable cv, idle; std::atomic<bool> stop{false}; std::thread t;
  Idle() { t = std::thread(&Idle::work, this); }
  ~Idle() { stop = true; cv.notify_all(); t.join(); }
  void add(Job job) { std::unique_lock<std::mutex> l(m); jobs.push(std::move(job)); busy++; cv.notify_one(); }
  void wait() { std::unique_lock<std::mutex> l(m); idle.wait(l, [&] { return busy == 0; }); }
  void work() {
    std::unique_lock<std::mutex> l(m);
    for (;;) {
      while (!stop.load() && jobs.empty()) cv.wait(l);
      if (stop.load() && jobs.empty()) break;
      Job job = std::move(jobs.front()); jobs.pop(); l.unlock(); job(); l.lock();
      if (--busy == 0) idle.notify_all();
    }
  }
};
struct Shared { pthread_mutex_t m; pthread_cond_t c; float *item; int done; };
static void *consume(void *given) {
  Shared *s = (Shared *)given;
  for (;;) {
    pthread_mutex_lock(&s->m);
    while (s->item == nullptr && !s->done) pthread_cond_wait(&s->c, &s->m);
    if (s->item == nullptr) { pthread_mutex_unlock(&s->m); return nullptr; }
    float *p = s->item; s->item = nullptr;
    pthread_mutex_unlock(&s->m);
    cudaFree(p);
  }
}
`;

const memory = 'float *p; cudaMalloc(&p, 4);';

/** What it is; where a job does what must not be done; where it does not. */
const rows: readonly (readonly [what: string, bad: string, good: string])[] = [
  [
    'a pool',
    `${memory} { Pool pool(1); pool.add([p] { cudaFree(p); }); } cudaFree(p);`,
    `${memory} { Pool pool(1); pool.add([p] { use(p); }); } cudaFree(p);`,
  ],
  [
    'several jobs of a pool',
    `${memory} { Pool pool(1); pool.add([p] { use(p); }); pool.add([p] { use(p); }); pool.add([p] { use(p); }); pool.add([p] { cudaFree(p); }); } cudaFree(p);`,
    `${memory} { Pool pool(1); for (int i = 0; i < 5; i++) pool.add([p] { use(p); }); pool.add([p] { cudaFree(p); }); }`,
  ],
  [
    'a pool of several threads',
    `${memory} { Pool pool(3); pool.add([p] { use(p); }); pool.add([p] { cudaFree(p); }); } cudaFree(p);`,
    `${memory} { Pool pool(3); pool.add([p] { use(p); }); } cudaFree(p);`,
  ],
  [
    'a result that is waited for',
    `${memory} Pool pool(1); auto t = std::make_shared<std::packaged_task<int()>>([p] { cudaFree(p); return 1; }); auto f = t->get_future(); pool.add([t] { (*t)(); }); f.get(); cudaFree(p);`,
    `${memory} Pool pool(1); auto t = std::make_shared<std::packaged_task<int()>>([p] { use(p); return 1; }); auto f = t->get_future(); pool.add([t] { (*t)(); }); f.get(); cudaFree(p);`,
  ],
  [
    'a queue that gives one after the other',
    `${memory} Channel<float *> c; std::thread t([&] { for (;;) { float *q = c.pop(); if (!q) break; cudaFree(q); } }); c.push(p); c.push(nullptr); t.join(); cudaFree(p);`,
    `${memory} Channel<float *> c; std::thread t([&] { for (;;) { float *q = c.pop(); if (!q) break; use(q); } }); c.push(p); c.push(nullptr); t.join(); cudaFree(p);`,
  ],
  [
    'a loop that asks a queue',
    `${memory} Closing<float *> c; std::thread t([&] { float *q; while (c.pop(q)) cudaFree(q); }); c.push(p); c.close(); t.join(); cudaFree(p);`,
    `${memory} Closing<float *> c; std::thread t([&] { float *q; while (c.pop(q)) use(q); }); c.push(p); c.push(p); c.close(); t.join(); cudaFree(p);`,
  ],
  [
    'what a thread has until it ends',
    `Closing<int> c; float *q; std::thread t([&] { Owned o; q = o.p; int n; while (c.pop(n)) use(o.p); }); c.push(1); c.close(); t.join(); use(q);`,
    `Closing<int> c; float *q; std::thread t([&] { Owned o; q = o.p; int n; while (c.pop(n)) use(o.p); }); c.push(1); use(q); c.close(); t.join();`,
  ],
  [
    'a wait until nobody is busy',
    `${memory} Idle idle; idle.add([p] { cudaFree(p); }); idle.wait(); cudaFree(p);`,
    `${memory} Idle idle; idle.add([p] { use(p); }); idle.wait(); cudaFree(p);`,
  ],
  [
    'threads of C',
    `${memory} Shared s = {}; pthread_t t; pthread_create(&t, nullptr, consume, &s); s.item = p; pthread_cond_signal(&s.c); s.done = 1; pthread_cond_broadcast(&s.c); pthread_join(t, nullptr); cudaFree(p);`,
    `${memory} Shared s = {}; pthread_t t; pthread_create(&t, nullptr, consume, &s); s.item = p; pthread_cond_signal(&s.c); s.done = 1; pthread_cond_broadcast(&s.c); pthread_join(t, nullptr);`,
  ],
  [
    'a thread that nobody waits for',
    `Closing<float *> c; ${memory} std::thread([&] { Owned o; float *q; while (c.pop(q)) cudaFree(q); }).detach(); c.push(p); cudaFree(p);`,
    `Closing<float *> c; ${memory} std::thread([&] { Owned o; float *q; while (c.pop(q)) use(q); }).detach(); c.push(p); cudaFree(p);`,
  ],
];

const rulesIn = async (body: string): Promise<readonly string[]> =>
  (await analyseText(`${head}int main() { ${body} }`)).findings.map(({ rule }) => rule);

describe('threads that wait', () => {
  it.each(rows)('%s: what a job does wrong is found', async (_what, bad) => {
    expect((await rulesIn(bad)).join()).toMatch(/malloc-(?:double-free|use-after-free)/);
  });

  it.each(rows)('%s: what is right is silent', async (_what, _bad, good) => {
    expect(await rulesIn(good)).toEqual([]);
  });
});

/** What one thread hands to another: the work on it must be over, or the other stream must wait for that. */
const handed = (producer: string, consumer: string, hand: string): string =>
  `cudaStream_t a, b; cudaStreamCreate(&a); cudaStreamCreate(&b); float *p; cudaMalloc(&p, 4); Channel<float *> c; std::promise<float *> promise; auto future = promise.get_future(); std::atomic<bool> ready{false};
std::thread first([&] { k<<<1, 1, 0, a>>>(p); ${hand} ${producer} });
std::thread second([&] { ${consumer} k<<<1, 1, 0, b>>>(p); cudaStreamSynchronize(b); });
first.join(); second.join(); cudaDeviceSynchronize(); cudaFree(p); cudaStreamDestroy(a); cudaStreamDestroy(b);`;

describe('memory that one thread hands to another', () => {
  it.each([
    ['through a queue', 'c.push(p);', 'float *q = c.pop();'],
    ['through a promise', 'promise.set_value(p);', 'float *q = future.get();'],
    ['by a flag', 'ready = true;', 'while (!ready) std::this_thread::yield();'],
  ])('%s', async (_what, producer, consumer) => {
    expect(await rulesIn(handed(producer, consumer, ''))).toContain('stream-conflicting-access');
    expect(await rulesIn(handed(producer, consumer, 'cudaStreamSynchronize(a);'))).toEqual([]);
  });
});

describe('a thread that waits between the elements of a container', () => {
  const turns = (then: string): string => `float *p; cudaMalloc(&p, 4); std::vector<float *> all(3);
for (auto &each : all) cudaMallocAsync(&each, 4, 0); std::binary_semaphore go(0), back(0);
std::thread t([&] { for (float *each : all) { go.acquire(); cudaFreeAsync(each, 0); back.release(); } });
for (int i = 0; i < 3; ++i) { go.release(); back.acquire(); } t.join(); ${then} cudaDeviceSynchronize(); cudaFree(p);`;

  it('goes on with the next one', async () => {
    expect(await rulesIn(turns(''))).toEqual([]);
    expect(await rulesIn(turns('k<<<1, 1>>>(all[2]);'))).toContain('async-use-after-free');
  });
});
