/** From what lies in an object back to the object, deleters that only a function has, and `->*` before objects. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstddef>
#include <cstdlib>
#include <memory>
__global__ void work(float *p) { p[0] += 1; }
static cudaStream_t s;
static void run(float *p) { work<<<1, 1, 0, s>>>(p); }`;

const nodes = `struct Node { float *dev; alignas(16) unsigned char payload[8]; };
static Node *of(void *p) { return reinterpret_cast<Node *>(static_cast<char *>(p) - offsetof(Node, payload)); }
static void *take(Node *n) { cudaMallocAsync(&n->dev, 64, s); return n->payload; }`;

const steps = `struct Kernel { float *p; }; template <class T> struct Free { T *p; };
struct Queue { Queue &operator->*(Kernel k) { run(k.p); return *this; } Queue &operator->*(Free<float> f) { cudaFreeAsync(f.p, s); return *this; } };`;

describeRows('back to what is around', head, [
  [
    'the object before its payload',
    'async-use-after-free',
    nodes,
    'Node a{}, b{}; void *pa = take(&a), *pb = take(&b); cudaFreeAsync(of(pa)->dev, s); run(of(pb)->dev); run(of(pa)->dev); cudaFreeAsync(of(pb)->dev, s);',
    'Node a{}, b{}; void *pa = take(&a), *pb = take(&b); cudaFreeAsync(of(pa)->dev, s); run(of(pb)->dev); cudaFreeAsync(of(pb)->dev, s);',
  ],
  [
    'a copy has its own payload',
    'async-use-after-free',
    nodes,
    'Node a{}; take(&a); Node b = a; b.dev = nullptr; take(&b); run(of(a.payload)->dev); cudaFreeAsync(of(b.payload)->dev, s); run(b.dev); cudaFreeAsync(a.dev, s);',
    'Node a{}; take(&a); Node b = a; b.dev = nullptr; take(&b); cudaFreeAsync(of(b.payload)->dev, s); run(a.dev); cudaFreeAsync(of(a.payload)->dev, s);',
  ],
  [
    'an owner that is filled later has the deleter of its type',
    'malloc-use-after-free',
    '',
    `auto release = [](float **p) { cudaFree(*p); delete p; };
    std::unique_ptr<float *, decltype(release)> owner; owner.reset(new float *); cudaMalloc(owner.get(), 64);
    float *raw = *owner; owner.reset(); run(raw);`,
    `auto release = [](float **p) { cudaFree(*p); delete p; };
    std::unique_ptr<float *, decltype(release)> owner; owner.reset(new float *); cudaMalloc(owner.get(), 64);
    run(*owner); cudaStreamSynchronize(s); owner.reset();`,
  ],
  [
    'objects behind ->*',
    'async-use-after-free',
    steps,
    'float *p; cudaMallocAsync(&p, 64, s); Queue q; q ->* Kernel{p} ->* Kernel{p}; q->*Free<float>{p}; q ->* Kernel{p};',
    'float *p; cudaMallocAsync(&p, 64, s); Queue q; q ->* Kernel{p} ->* Kernel{p}; q->*Free<float>{p};',
  ],
]);
