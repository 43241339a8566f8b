/** What earlier choices, ends and questions leave: the last value of an enumeration, the end of a thread, what a number was made from. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <pthread.h>
enum class Where { host, both, device };
enum Mode { off, slow, fast };
Where where();
int mode();
void log_value(int n);
template <class T> struct Store {
  T *p = nullptr;
  Where where;
  Store(int n);
  void make(size_t n) {
    if (where == Where::both) cudaMallocManaged(&p, n);
    else if (where == Where::device) cudaMalloc(&p, n);
    else cudaMallocHost(&p, n);
  }
  void clear() { if (where == Where::host) cudaFreeHost(p); else cudaFree(p); p = nullptr; }
};
`;

const all = 'Where w = where(); float *p; if (w == Where::both) cudaMallocManaged(&p, 4); else if (w == Where::device)';

describeRows('what is left', head, [
  [
    'the last value of an enumeration',
    'malloc-mismatched-free',
    '',
    `${all} cudaMallocHost(&p, 4); else cudaMalloc(&p, 4); if (w == Where::host) cudaFreeHost(p); else cudaFree(p);`,
    `${all} cudaMalloc(&p, 4); else cudaMallocHost(&p, 4); if (w == Where::host) cudaFreeHost(p); else cudaFree(p);`,
  ],
  [
    'what is open, where an enumeration has more',
    'malloc-mismatched-free',
    '',
    'int m = mode(); float *p; if (m == slow) cudaMallocHost(&p, 4); else cudaMalloc(&p, 4); if (m == fast || m == slow) cudaFree(p); else cudaFree(p);',
    'int m = mode(); float *p; if (m == slow) cudaMallocHost(&p, 4); else if (m == fast) cudaMalloc(&p, 4); else cudaMallocManaged(&p, 4); if (m == slow) cudaFreeHost(p); else cudaFree(p);',
  ],
  [
    'a member of which only a number was told',
    'malloc-mismatched-free',
    '',
    'Store<float> s(3); s.make(4); log_value(static_cast<int>(s.where)); if (s.where == Where::host) cudaFree(s.p); else cudaFree(s.p);',
    'Store<float> s(3); for (int i = 0; i < 3; i++) { s.make(4); log_value(static_cast<int>(s.where)); s.clear(); }',
  ],
  [
    'a member that was checked',
    'malloc-mismatched-free',
    '',
    'Store<float> s(3); s.make(4); CHECK_NE(s.where, Where::both) << "not here"; if (s.where == Where::host) cudaFree(s.p); else cudaFreeHost(s.p);',
    'Store<float> s(3); for (int i = 0; i < 3; i++) { s.make(4); CHECK_NE(s.where, Where::both) << "not here"; s.clear(); }',
  ],
  [
    'a thread that goes on',
    'handle-use-after-destroy',
    `cudaStream_t s; float *p;
     static void *again(void *) { for (int i = 0; i < 3; i++) { cudaMemsetAsync(p, 0, 4, s); if (mode() > 3) { cudaStreamDestroy(s); } } return nullptr; }`,
    'cudaStreamCreate(&s); cudaMalloc(&p, 4); again(nullptr);',
    '',
  ],
  [
    'a thread that has ended itself',
    'handle-use-after-destroy',
    `cudaStream_t s; float *p;
     static void *again(void *) { for (int i = 0; i < 3; i++) { cudaMemsetAsync(p, 0, 4, s); if (mode() > 3) { cudaStreamDestroy(s); pthread_exit(nullptr); } } return nullptr; }`,
    '',
    'cudaStreamCreate(&s); cudaMalloc(&p, 4); again(nullptr);',
  ],
  [
    'the others, when one thread ends itself',
    'malloc-double-free',
    'static float *q; static void *work(void *) { cudaFree(q); pthread_exit(nullptr); cudaFree(q); return nullptr; }',
    'cudaMalloc(&q, 4); pthread_t t; pthread_create(&t, nullptr, work, nullptr); pthread_join(t, nullptr); cudaFree(q);',
    'cudaMalloc(&q, 4); pthread_t t; pthread_create(&t, nullptr, work, nullptr); pthread_join(t, nullptr);',
  ],
  [
    'which call frees, where a function that nobody sees tells it',
    'malloc-mismatched-free',
    'bool isOfHost(const void *p); static void give(float *p) { if (isOfHost(p)) cudaFreeHost(p); else cudaFree(p); }',
    'float *p; cudaMalloc(&p, 4); if (isOfHost(p)) return 1; cudaFreeHost(p);',
    'float *p; cudaMalloc(&p, 4); give(p); cudaMallocHost(&p, 4); give(p);',
  ],
  [
    'which call frees, where the attributes tell it, also as they were called before',
    'malloc-mismatched-free',
    `static int deviceOf(const void *p) {
       cudaPointerAttributes a;
       if (cudaPointerGetAttributes(&a, p) == cudaErrorInvalidValue) return -1;
       return a.memoryType == cudaMemoryTypeHost ? -1 : a.device;
     }
     static void give(float *p) { if (deviceOf(p) >= 0) cudaFree(p); else cudaFreeHost(p); }`,
    'float *p; cudaMalloc(&p, 4); if (deviceOf(p) >= 0) cudaFreeHost(p);',
    'float *p; cudaMalloc(&p, 4); give(p); cudaMallocHost(&p, 4); give(p);',
  ],
  [
    'what a reset has ended, for those who ask first',
    'use-after-device-reset',
    `static void give(float *p) { cudaPointerAttributes a{}; if (cudaPointerGetAttributes(&a, p) == cudaSuccess && a.type == cudaMemoryTypeDevice) cudaFree(p); }`,
    'float *p; cudaMalloc(&p, 4); cudaDeviceReset(); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); cudaDeviceReset(); give(p); cudaMalloc(&p, 4); give(p);',
  ],
]);
