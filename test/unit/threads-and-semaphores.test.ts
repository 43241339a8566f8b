/** Threads that are asked to stop, numbers and flags that threads wait for, and semaphores that order streams. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }
#include <latch>
#include <barrier>
#include <semaphore>
#include <stop_token>
#include <future>
#include <condition_variable>`;

const rows: readonly Row[] = [
  [
    'external semaphore orders',
    '',
    '',
    'cudaExternalSemaphore_t sem; cudaExternalSemaphoreHandleDesc desc = {}; cudaImportExternalSemaphore(&sem, &desc); float *p; cudaMalloc(&p, 4); cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); k<<<1,1,0,s>>>(p); cudaExternalSemaphoreSignalParams sp = {}; cudaSignalExternalSemaphoresAsync(&sem, &sp, 1, s); k<<<1,1,0,t>>>(p); cudaDeviceSynchronize();',
    'cudaExternalSemaphore_t sem; cudaExternalSemaphoreHandleDesc desc = {}; cudaImportExternalSemaphore(&sem, &desc); float *p; cudaMalloc(&p, 4); cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); k<<<1,1,0,s>>>(p); cudaExternalSemaphoreSignalParams sp = {}; sp.params.fence.value = 1; cudaSignalExternalSemaphoresAsync(&sem, &sp, 1, s); cudaExternalSemaphoreWaitParams wp = {}; wp.params.fence.value = 1; cudaWaitExternalSemaphoresAsync(&sem, &wp, 1, t); k<<<1,1,0,t>>>(p); cudaDeviceSynchronize();',
  ],
  [
    'external semaphore signalled before the work',
    '',
    '',
    'cudaExternalSemaphore_t sem; cudaExternalSemaphoreHandleDesc desc = {}; cudaImportExternalSemaphore(&sem, &desc); float *p; cudaMalloc(&p, 4); cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaExternalSemaphoreSignalParams sp = {}; sp.params.fence.value = 1; cudaSignalExternalSemaphoresAsync(&sem, &sp, 1, s); k<<<1,1,0,s>>>(p); cudaExternalSemaphoreWaitParams wp = {}; wp.params.fence.value = 1; cudaWaitExternalSemaphoresAsync(&sem, &wp, 1, t); k<<<1,1,0,t>>>(p); cudaDeviceSynchronize();',
    '',
  ],
  [
    'cuStreamWriteValue/WaitValue pair',
    '',
    '',
    'CUdeviceptr flag; cuMemAlloc(&flag, 4); float *p; cudaMalloc(&p, 4); CUstream s, t; cuStreamCreate(&s, CU_STREAM_NON_BLOCKING); cuStreamCreate(&t, CU_STREAM_NON_BLOCKING); k<<<1,1,0,s>>>(p); cuStreamWriteValue32(s, flag, 1, 0); k<<<1,1,0,t>>>(p); cuCtxSynchronize();',
    'CUdeviceptr flag; cuMemAlloc(&flag, 4); float *p; cudaMalloc(&p, 4); CUstream s, t; cuStreamCreate(&s, CU_STREAM_NON_BLOCKING); cuStreamCreate(&t, CU_STREAM_NON_BLOCKING); k<<<1,1,0,s>>>(p); cuStreamWriteValue32(s, flag, 1, 0); cuStreamWaitValue32(t, flag, 1, CU_STREAM_WAIT_VALUE_EQ); k<<<1,1,0,t>>>(p); cuCtxSynchronize();',
  ],
  [
    'jthread joins at scope end',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); { std::jthread t([&] { cudaFree(p); }); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); { std::jthread t([&] { k<<<1,1>>>(p); cudaDeviceSynchronize(); }); } cudaFree(p);',
  ],
  [
    'jthread with stop token loop',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); { std::jthread t([&](std::stop_token st) { while (!st.stop_requested()) { k<<<1,1>>>(p); cudaDeviceSynchronize(); } cudaFree(p); }); t.request_stop(); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); { std::jthread t([&](std::stop_token st) { while (!st.stop_requested()) { k<<<1,1>>>(p); cudaDeviceSynchronize(); } }); t.request_stop(); } cudaFree(p);',
  ],
  [
    'jthread with stop token and argument',
    '',
    'static void body(std::stop_token st, float *p) { while (!st.stop_requested()) { k<<<1,1>>>(p); cudaDeviceSynchronize(); } cudaFree(p); }',
    'float *p; cudaMalloc(&p, 4); { std::jthread t(body, p); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); { std::jthread t(body, p); }',
  ],
  [
    'condition_variable_any with stop token',
    '',
    'struct W { std::mutex m; std::condition_variable_any cv; std::vector<std::function<void()>> jobs; std::jthread t; W() : t([this](std::stop_token st) { run(st); }) {} void add(std::function<void()> f) { { std::lock_guard l(m); jobs.push_back(std::move(f)); } cv.notify_one(); } void run(std::stop_token st) { while (true) { std::function<void()> f; { std::unique_lock l(m); if (!cv.wait(l, st, [this] { return !jobs.empty(); })) return; f = std::move(jobs.back()); jobs.pop_back(); } f(); } } };',
    'float *p; cudaMalloc(&p, 4); { W w; w.add([p] { cudaFree(p); }); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); { W w; w.add([p] { k<<<1,1>>>(p); cudaDeviceSynchronize(); }); } cudaFree(p);',
  ],
  [
    'counting_semaphore handoff',
    '',
    '',
    'float *p = nullptr; std::counting_semaphore<4> full(0); std::thread t([&] { full.acquire(); cudaFree(p); }); cudaMalloc(&p, 4); full.release(); t.join(); cudaFree(p);',
    'float *p = nullptr; std::counting_semaphore<4> full(0); std::thread t([&] { full.acquire(); k<<<1,1>>>(p); cudaDeviceSynchronize(); }); cudaMalloc(&p, 4); full.release(); t.join(); cudaFree(p);',
  ],
  [
    'binary_semaphore ping-pong',
    '',
    '',
    'float *p = nullptr; std::binary_semaphore a{0}, b{0}; std::thread t([&] { a.acquire(); cudaMalloc(&p, 4); b.release(); a.acquire(); cudaFree(p); }); a.release(); b.acquire(); k<<<1,1>>>(p); cudaDeviceSynchronize(); cudaFree(p); a.release(); t.join();',
    'float *p = nullptr; std::binary_semaphore a{0}, b{0}; std::thread t([&] { a.acquire(); cudaMalloc(&p, 4); b.release(); a.acquire(); cudaFree(p); }); a.release(); b.acquire(); k<<<1,1>>>(p); cudaDeviceSynchronize(); a.release(); t.join();',
  ],
  [
    'semaphore use after handed over',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); std::binary_semaphore a{0}, b{0}; std::thread t([&] { a.acquire(); cudaFree(p); b.release(); }); a.release(); b.acquire(); k<<<1,1>>>(p); t.join();',
    'float *p; cudaMalloc(&p, 4); std::binary_semaphore a{0}, b{0}; std::thread t([&] { a.acquire(); cudaFree(p); b.release(); }); k<<<1,1>>>(p); cudaDeviceSynchronize(); a.release(); b.acquire(); t.join();',
  ],
  [
    'latch',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); std::latch ready{1}; std::thread t([&] { ready.wait(); cudaFree(p); }); k<<<1,1>>>(p); cudaDeviceSynchronize(); ready.count_down(); t.join(); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); std::latch ready{1}; std::thread t([&] { ready.wait(); cudaFree(p); }); k<<<1,1>>>(p); cudaDeviceSynchronize(); ready.count_down(); t.join();',
  ],
  [
    'latch workers',
    '',
    '',
    'float *p[2]; std::latch done(2); std::vector<std::thread> ts; for (int i = 0; i < 2; i++) ts.emplace_back([&, i] { cudaMalloc(&p[i], 4); done.count_down(); }); done.wait(); for (auto &t : ts) t.join(); cudaFree(p[0]); cudaFree(p[1]); cudaFree(p[1]);',
    'float *p[2]; std::latch done(2); std::vector<std::thread> ts; for (int i = 0; i < 2; i++) ts.emplace_back([&, i] { cudaMalloc(&p[i], 4); done.count_down(); }); done.wait(); for (auto &t : ts) t.join(); cudaFree(p[0]); cudaFree(p[1]);',
  ],
  [
    'latch arrive_and_wait',
    '',
    '',
    'float *p = nullptr; std::latch l(2); std::thread t([&] { l.arrive_and_wait(); cudaFree(p); }); cudaMalloc(&p, 4); l.arrive_and_wait(); t.join(); cudaFree(p);',
    'float *p = nullptr; std::latch l(2); std::thread t([&] { l.arrive_and_wait(); cudaFree(p); }); cudaMalloc(&p, 4); l.arrive_and_wait(); t.join();',
  ],
  [
    'barrier',
    '',
    '',
    'float *p = nullptr; std::barrier sync(2); std::thread t([&] { sync.arrive_and_wait(); k<<<1,1>>>(p); cudaDeviceSynchronize(); sync.arrive_and_wait(); cudaFree(p); }); cudaMalloc(&p, 4); sync.arrive_and_wait(); sync.arrive_and_wait(); t.join(); cudaFree(p);',
    'float *p = nullptr; std::barrier sync(2); std::thread t([&] { sync.arrive_and_wait(); k<<<1,1>>>(p); cudaDeviceSynchronize(); sync.arrive_and_wait(); }); cudaMalloc(&p, 4); sync.arrive_and_wait(); sync.arrive_and_wait(); t.join(); cudaFree(p);',
  ],
  [
    'barrier with completion',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); auto done = [&]() noexcept { cudaFree(p); }; std::barrier<decltype(done)> sync(2, done); std::thread t([&] { sync.arrive_and_wait(); }); sync.arrive_and_wait(); t.join(); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); auto done = [&]() noexcept { cudaFree(p); }; std::barrier<decltype(done)> sync(2, done); std::thread t([&] { sync.arrive_and_wait(); }); sync.arrive_and_wait(); t.join();',
  ],
  [
    'promise handed',
    '',
    '',
    'std::promise<float *> pr; auto fu = pr.get_future(); std::jthread t([&] { float *q; cudaMalloc(&q, 4); pr.set_value(q); }); float *p = fu.get(); cudaFree(p); cudaFree(p);',
    'std::promise<float *> pr; auto fu = pr.get_future(); std::jthread t([&] { float *q; cudaMalloc(&q, 4); pr.set_value(q); }); float *p = fu.get(); cudaFree(p);',
  ],
  [
    'atomic wait/notify',
    '',
    '',
    'std::atomic<int> st{0}; float *p = nullptr; std::thread t([&] { st.wait(0); cudaFree(p); }); cudaMalloc(&p, 4); st.store(1); st.notify_one(); t.join(); cudaFree(p);',
    'std::atomic<int> st{0}; float *p = nullptr; std::thread t([&] { st.wait(0); cudaFree(p); }); cudaMalloc(&p, 4); st.store(1); st.notify_one(); t.join();',
  ],
  [
    'packaged_task',
    '',
    '',
    'std::packaged_task<float *()> task([] { float *q; cudaMalloc(&q, 4); return q; }); auto f = task.get_future(); std::thread t(std::move(task)); float *p = f.get(); t.join(); cudaFree(p); cudaFree(p);',
    'std::packaged_task<float *()> task([] { float *q; cudaMalloc(&q, 4); return q; }); auto f = task.get_future(); std::thread t(std::move(task)); float *p = f.get(); t.join(); cudaFree(p);',
  ],
  [
    'stop_callback',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); std::stop_source src; { std::stop_callback cb(src.get_token(), [&] { cudaFree(p); }); src.request_stop(); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); std::stop_source src; { std::stop_callback cb(src.get_token(), [&] { cudaFree(p); }); } cudaFree(p);',
  ],
  [
    'try_acquire',
    '',
    '',
    'std::counting_semaphore<2> sem(1); float *p; cudaMalloc(&p, 4); if (sem.try_acquire()) cudaFree(p); cudaFree(p);',
    'std::counting_semaphore<2> sem(1); float *p; cudaMalloc(&p, 4); sem.acquire(); if (sem.try_acquire()) cudaFree(p); cudaFree(p);',
  ],
  [
    'free in thread unordered with kernel',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); std::latch go{1}; std::thread t([&] { go.wait(); cudaFreeHost(nullptr); cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); k<<<1,1,0,s>>>(p); }); k<<<1,1>>>(p); go.count_down(); t.join(); cudaDeviceSynchronize();',
    'float *p; cudaMalloc(&p, 4); std::latch go{1}; std::thread t([&] { go.wait(); cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); k<<<1,1,0,s>>>(p); }); k<<<1,1>>>(p); cudaDeviceSynchronize(); go.count_down(); t.join(); cudaDeviceSynchronize();',
  ],
  [
    'thread member initialised',
    '',
    'struct W { std::mutex m; std::condition_variable cv; std::vector<std::function<void()>> jobs; bool stop = false; std::thread t; W() : t([this] { run(); }) {} ~W() { { std::lock_guard l(m); stop = true; } cv.notify_all(); t.join(); } void add(std::function<void()> f) { { std::lock_guard l(m); jobs.push_back(std::move(f)); } cv.notify_one(); } void run() { while (true) { std::function<void()> f; { std::unique_lock l(m); cv.wait(l, [this] { return stop || !jobs.empty(); }); if (jobs.empty()) return; f = std::move(jobs.back()); jobs.pop_back(); } f(); } } };',
    'float *p; cudaMalloc(&p, 4); { W w; w.add([p] { cudaFree(p); }); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); { W w; w.add([p] { k<<<1,1>>>(p); cudaDeviceSynchronize(); }); } cudaFree(p);',
  ],
  [
    'thread member default initialised with semaphore queue',
    '',
    `struct Q { std::counting_semaphore<> items{0}; std::mutex m; std::vector<float *> v; void push(float *p) { { std::scoped_lock l(m); v.push_back(p); } items.release(); } float *pop() { items.acquire(); std::scoped_lock l(m); float *p = v.back(); v.pop_back(); return p; } };
struct C { Q q; std::thread t{[this] { while (float *p = q.pop()) cudaFree(p); }}; ~C() { q.push(nullptr); t.join(); } };`,
    'float *p; cudaMalloc(&p, 4); { C c; c.q.push(p); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); { C c; c.q.push(p); }',
  ],
  [
    'latch as pointer shared',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); auto l = std::make_shared<std::latch>(1); std::jthread t([l, p] { l->wait(); cudaFree(p); }); k<<<1,1>>>(p); cudaDeviceSynchronize(); l->count_down(); t.join(); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); auto l = std::make_shared<std::latch>(1); std::jthread t([l, p] { l->wait(); cudaFree(p); }); k<<<1,1>>>(p); cudaDeviceSynchronize(); l->count_down(); t.join();',
  ],
  [
    'jthreads in vector cleared',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); std::vector<std::jthread> v; for (int i = 0; i < 2; i++) v.emplace_back([p, i](std::stop_token st) { std::mutex m; std::condition_variable_any cv; std::unique_lock l(m); cv.wait(l, st, [] { return false; }); if (i == 1) cudaFree(p); }); v.clear(); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); std::vector<std::jthread> v; for (int i = 0; i < 2; i++) v.emplace_back([p, i](std::stop_token st) { std::mutex m; std::condition_variable_any cv; std::unique_lock l(m); cv.wait(l, st, [] { return false; }); if (i == 1) cudaFree(p); }); k<<<1,1>>>(p); cudaDeviceSynchronize(); v.clear();',
  ],
  [
    'jthread assigned',
    '',
    '',
    'float *p; cudaMalloc(&p, 4); std::jthread t; t = std::jthread([p](std::stop_token st) { std::mutex m; std::condition_variable_any cv; std::unique_lock l(m); cv.wait(l, st, [] { return false; }); cudaFree(p); }); t.request_stop(); t.join(); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); std::jthread t; t = std::jthread([p](std::stop_token st) { std::mutex m; std::condition_variable_any cv; std::unique_lock l(m); cv.wait(l, st, [] { return false; }); cudaFree(p); }); k<<<1,1>>>(p); cudaDeviceSynchronize(); t.request_stop(); t.join();',
  ],
  [
    'jthread moved into a member',
    '',
    'struct Own { std::jthread t; Own(std::jthread x) : t(std::move(x)) {} };',
    'float *p; cudaMalloc(&p, 4); std::jthread x([p](std::stop_token st) { std::mutex m; std::condition_variable_any cv; std::unique_lock l(m); cv.wait(l, st, [] { return false; }); cudaFree(p); }); { Own o(std::move(x)); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); std::jthread x([p](std::stop_token st) { std::mutex m; std::condition_variable_any cv; std::unique_lock l(m); cv.wait(l, st, [] { return false; }); cudaFree(p); }); Own o(std::move(x)); k<<<1,1>>>(p); cudaDeviceSynchronize();',
  ],
  [
    'spin on flag in a thread',
    '',
    '',
    'std::atomic<bool> ready{false}; float *p = nullptr; std::thread t([&] { while (!ready.load()) std::this_thread::yield(); cudaFree(p); }); cudaMalloc(&p, 4); ready = true; t.join(); cudaFree(p);',
    'std::atomic<bool> ready{false}; float *p = nullptr; std::thread t([&] { while (!ready.load()) std::this_thread::yield(); cudaFree(p); }); cudaMalloc(&p, 4); k<<<1,1>>>(p); cudaDeviceSynchronize(); ready = true; t.join();',
  ],
  [
    'callback releases semaphore',
    '',
    'static std::binary_semaphore fin{0}; static void CUDART_CB sig(void *) { fin.release(); }',
    'float *d, *h; cudaMalloc(&d, 4); cudaMallocHost(&h, 4); cudaStream_t s; cudaStreamCreate(&s); cudaLaunchHostFunc(s, sig, nullptr); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); fin.acquire(); float x = h[0]; return (int)x;',
    'float *d, *h; cudaMalloc(&d, 4); cudaMallocHost(&h, 4); cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(s, sig, nullptr); fin.acquire(); float x = h[0]; return (int)x;',
  ],
  [
    'callback releases semaphore of a waiting thread',
    '',
    'static std::binary_semaphore fin{0}; static void CUDART_CB sig(void *) { fin.release(); }',
    'float *d, *h; cudaMalloc(&d, 4); cudaMallocHost(&h, 4); cudaStream_t s; cudaStreamCreate(&s); float x = 0; std::thread t([&] { fin.acquire(); x = h[0]; }); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); fin.release(); t.join(); return (int)x;',
    'float *d, *h; cudaMalloc(&d, 4); cudaMallocHost(&h, 4); cudaStream_t s; cudaStreamCreate(&s); float x = 0; std::thread t([&] { fin.acquire(); x = h[0]; }); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(s, sig, nullptr); t.join(); return (int)x;',
  ],
  [
    'batches of memory operations',
    '',
    '',
    'CUdeviceptr flag, other; cuMemAlloc(&flag, 4); cuMemAlloc(&other, 4); float *p; cudaMalloc(&p, 4); CUstream s, t; cuStreamCreate(&s, CU_STREAM_NON_BLOCKING); cuStreamCreate(&t, CU_STREAM_NON_BLOCKING); k<<<1,1,0,s>>>(p); CUstreamBatchMemOpParams w[2] = {}, r[1] = {}; w[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32; w[0].writeValue.address = flag; w[0].writeValue.value = 1; cuStreamBatchMemOp(s, 1, w, 0); r[0].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32; r[0].waitValue.address = flag; r[0].waitValue.value = 1; k<<<1,1,0,t>>>(p); cuCtxSynchronize();',
    'CUdeviceptr flag, other; cuMemAlloc(&flag, 4); cuMemAlloc(&other, 4); float *p; cudaMalloc(&p, 4); CUstream s, t; cuStreamCreate(&s, CU_STREAM_NON_BLOCKING); cuStreamCreate(&t, CU_STREAM_NON_BLOCKING); k<<<1,1,0,s>>>(p); CUstreamBatchMemOpParams w[2] = {}, r[1] = {}; w[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_32; w[0].writeValue.address = flag; w[0].writeValue.value = 1; cuStreamBatchMemOp(s, 1, w, 0); r[0].operation = CU_STREAM_MEM_OP_WAIT_VALUE_32; r[0].waitValue.address = flag; r[0].waitValue.value = 1; cuStreamBatchMemOp(t, 1, r, 0); k<<<1,1,0,t>>>(p); cuCtxSynchronize();',
  ],
];

describeRows('threads and streams that wait for each other', head, rows);
