/** `cudaStreamPerThread`: each thread has a stream of its own, and who waits for one waits for no other. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <future>
#include <thread>
__global__ void put(int *p) { *p = 1; }
__global__ void get(const int *p, int *q) { *q = *p; }
static int *d, *q, *h;
static void open() { cudaMalloc(&d, 4); cudaMalloc(&q, 4); cudaMallocHost(&h, 4); }
static void close() { cudaDeviceSynchronize(); cudaFree(d); cudaFree(q); cudaFreeHost(h); }
static void work() { put<<<1, 1, 0, cudaStreamPerThread>>>(d); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, cudaStreamPerThread); }
static void wait() { cudaStreamSynchronize(cudaStreamPerThread); }
`;

const read = 'int v = *h; close(); return v;';

const row = (what: string, bad: string, good: string): Row => [
  what,
  'host-buffer-used-before-sync',
  '',
  `open(); ${bad} ${read}`,
  `open(); ${good} ${read}`,
];

describeRows("the threads' own streams", head, [
  row(
    'are waited for in their threads',
    'std::thread t(work); t.join(); wait();',
    'std::thread t([] { work(); wait(); }); t.join();',
  ),
  row(
    'are the same for all that one thread does',
    'auto f = std::async(std::launch::async, work); f.get(); wait();',
    'work(); std::thread t([] { cudaStreamSynchronize(cudaStreamPerThread); }); t.join(); wait();',
  ),
  [
    'are not ordered with one another',
    'stream-conflicting-access',
    '',
    'open(); std::thread t([] { put<<<1, 1, 0, cudaStreamPerThread>>>(d); }); t.join(); get<<<1, 1, 0, cudaStreamPerThread>>>(d, q); close();',
    'open(); std::thread t([] { put<<<1, 1, 0, cudaStreamPerThread>>>(d); wait(); }); t.join(); get<<<1, 1, 0, cudaStreamPerThread>>>(d, q); close();',
  ],
]);
