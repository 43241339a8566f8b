/** The host cannot reach memory of the device; its addresses it may use as it likes. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <thrust/device_ptr.h>
#include <vector>
struct Node { int n; float inner[4]; };
__global__ void k(float *p) { p[threadIdx.x] = 1; }
__global__ void shown(const Node &node, int n) { if (n > 2) printf("%d", node.n); }
template <int N> __global__ void filled(float (&values)[4], const Node &node) { values[N] = node.n; }
__global__ void given(Node node) { if (node.n > 2) printf("%d", node.n); }
struct Buffer {
  float *p;
  __host__ __device__ float &operator[](int i) { return p[i]; }
  float *at(int i) { return &p[i]; }
  float *row(int i) { return &(*this)[4 * i]; }
};
struct Owner { float *p; float **operator&() { return &p; } float &first() { return p[0]; } };
struct Freed { void operator()(float *p) const { cudaFree(p); } };
#ifdef __CUDA_ARCH__
__device__ void clearFirst(float *p) { p[0] = 0; }
#else
inline void clearFirst(float *p) { cudaMemset(p, 0, 4); }
#endif
#ifndef __CUDA_ARCH__
inline float valueOf(float *p, int i) { float f; cudaMemcpy(&f, p + i, 4, cudaMemcpyDeviceToHost); return f; }
#else
__device__ float valueOf(float *p, int i) { return p[i]; }
#endif
struct Copied {
  float *p;
  Copied &operator=(float v) { cudaMemcpy(p, &v, 4, cudaMemcpyHostToDevice); return *this; }
};
struct Twofold {
  float *p;
#ifdef __CUDA_ARCH__
  __device__ float &operator[](int i) { return p[i]; }
#else
  Copied operator[](int i) { return {p + i}; }
#endif
};
static void clear(float &first) { cudaMemset(&first, 0, 4); }
bool isOfHost(const void *p);
template <class F> void onDevice(int n, F f);
template <class F> void eachOf(int n, F f) { for (int i = 0; i < n; ++i) f(i); }
`;

const rule = 'host-dereferences-device';
const begin = 'float *p; cudaMalloc(&p, 128); float h[32]; k<<<1, 32>>>(p); cudaDeviceSynchronize();';
const end = 'cudaFree(p);';
const row = (what: string, bad: string, good: string): Row => [
  what,
  rule,
  '',
  bad === '' ? '' : `${begin} ${bad} ${end}`,
  good === '' ? '' : `${begin} ${good} ${end}`,
];

describeRows('memory of the device', head, [
  row('an element is read', 'h[0] = p[1];', 'cudaMemcpy(h, &p[1], 4, cudaMemcpyDeviceToHost);'),
  row('an element is written', 'p[0] = 2;', 'cudaMemset(p + 1, 0, 4);'),
  row('through a star', '*p += 1;', 'float &first = *p; cudaMemset(&first, 0, 4); clear(*p); clear(p[2]);'),
  row(
    'a member',
    'Node *n; cudaMalloc(&n, sizeof(Node)); n->n = 2; cudaFree(n);',
    'Node *n; cudaMalloc(&n, sizeof(Node)); cudaMemset(n->inner, 0, 16); cudaMemset(&n->n, 0, 4); cudaFree(n);',
  ),
  row(
    'an element of an array in an element',
    'Node *n; cudaMalloc(&n, 64); n[1].inner[2] = 1; cudaFree(n);',
    'Node *n; cudaMalloc(&n, 64); cudaMemset(n[1].inner, 0, 16); cudaMemset(&n[1].inner[2], 0, 4); cudaMemset((*n).inner, 0, 4); cudaFree(n);',
  ),
  row(
    'an element of a row',
    'float (*rows)[8] = reinterpret_cast<float (*)[8]>(p); rows[2][1] = 1;',
    'float (*rows)[8] = reinterpret_cast<float (*)[8]>(p); cudaMemset(rows[3], 0, sizeof(rows[3])); cudaMemset(*(rows + 1), 0, 4); cudaMemset(&rows[1][2], 0, 4);',
  ),
  row('an element of an array behind an arrow', 'Node *n; cudaMalloc(&n, 64); n->inner[2] = 1; cudaFree(n);', ''),
  row('versions of a function for host and device', '', 'clearFirst(p); h[0] = valueOf(p, 2); Twofold t{p}; t[1] = 2;'),
  row('by functions of C', 'memset(p, 0, 128);', 'cudaMemset(p, 0, sizeof(*p));'),
  row('by algorithms', 'std::fill(p, p + 32, 0.0f);', 'std::fill(h, h + 32, 0.0f);'),
  row('into a container', 'std::vector<float> v(p, p + 32);', 'std::vector<float *> v{p}; cudaMemset(v[0], 0, 4);'),
  row(
    'of a stream and of a graph',
    'float *q; cudaMallocAsync((void **)&q, 64, 0); cudaStreamSynchronize(0); q[0] = 1; cudaFreeAsync(q, 0);',
    'float *q; cudaMallocManaged(&q, 64); q[0] = 1; cudaFree(q); cudaMallocHost(&q, 64); q[0] = 1; cudaFreeHost(q);',
  ),
  row(
    'of a pool, which may be one of the host',
    '',
    'cudaMemPoolProps props{}; props.location.type = cudaMemLocationTypeHost; cudaMemPool_t pool; cudaMemPoolCreate(&pool, &props); float *q; cudaMallocFromPoolAsync((void **)&q, 64, pool, 0); cudaStreamSynchronize(0); q[0] = 1; cudaFreeAsync(q, 0); cudaStreamSynchronize(0); cudaMemPoolDestroy(pool);',
  ),
  [
    'streams that allocate from a pool which the program chose',
    rule,
    '',
    '',
    `cudaMemPoolProps props{}; props.allocType = cudaMemAllocationTypeManaged; cudaMemPool_t pool; cudaMemPoolCreate(&pool, &props); cudaDeviceSetMemPool(0, pool);
     float *q; cudaMallocAsync((void **)&q, 64, 0); cudaStreamSynchronize(0); q[0] = 1; cudaFreeAsync(q, 0); cudaStreamSynchronize(0); cudaMemPoolDestroy(pool);`,
  ],
  row(
    'methods that tell an address',
    '',
    'Buffer b{p}; cudaMemset(b.at(1), 0, 4); cudaMemset(b.row(1), 0, 4); cudaMemset(&b[2], 0, 4);',
  ),
  row(
    'addresses where a class says itself what its address is',
    '',
    'Owner o; cudaMalloc(&o, 4); float &r = o.first(); cudaMemset(&r, 0, 4); cudaFree(o.p);',
  ),
  row(
    'owners and references',
    '',
    'std::unique_ptr<float, Freed> own; float *q; cudaMalloc(&q, 4); own.reset(q); clear(*own); std::reference_wrapper<float> r(*p); cudaMemset(std::addressof(r.get()), 0, 4);',
  ),
  row(
    'pointers of Thrust read by a copy',
    '',
    'thrust::device_ptr<float> t(p); h[0] = t[1]; auto u = thrust::device_pointer_cast(p); *u = 2;',
  ),
  row(
    'pointers of Thrust in main itself',
    'p[0] = 1;',
    'thrust::device_ptr<float> t = thrust::device_pointer_cast(p); t[0] = 1; *t = 2;',
  ),
  row(
    'lambdas may be for the device',
    '',
    'onDevice(4, [=] __device__(int i) { p[i] = 1; }); eachOf(0, [=](int i) { p[i] = 1; });',
  ),
  row(
    'what asks whether the host can',
    '',
    'int can = 0; cudaDeviceGetAttribute(&can, cudaDevAttrPageableMemoryAccessUsesHostPageTables, 0); if (can) p[0] = 1;',
  ),
  row(
    'functions of somebody else that are called as those of the library are',
    'std::fill(p, p + 32, 0.0f);',
    'fill<float, 3>(p, 32, 0.0f); iota(p, 32, 1); cudaDeviceSynchronize();',
  ),
  row(
    'kernels that take references',
    'Node *n; cudaMalloc(&n, 64); given<<<1, 1>>>(*n); cudaFree(n);',
    'Node *n; cudaMalloc(&n, 64); shown<<<1, 1>>>(*n, 3); shown<<<1, 1>>>(n[1], 3); filled<2><<<1, 1>>>(n->inner, *n); cudaFree(n);',
  ),
  row(
    'members for kernels that take references',
    'struct Pair { Node first, second; }; Pair *t; cudaMalloc(&t, 64); given<<<1, 1>>>(t->second); cudaFree(t);',
    'struct Pair { Node first, second; }; Pair *t; cudaMalloc(&t, 64); shown<<<1, 1>>>(t->second, 3); shown<<<1, 1>>>((*t).first, 3); shown<<<1, 1>>>(t[0].first, 3); cudaFree(t);',
  ),
  row('names of which nothing is asked', 'h[0] = *p;', '*p; (void)p[2];'),
  row(
    'a function that tells of several places, several times, whether the host can',
    'float *all[]{h, p}; for (int i = 0; i < 2; i++) for (float *q : all) { cudaMemset(p, 0, 4); q[0] = 1; }',
    'float *all[]{h, p}; for (int i = 0; i < 2; i++) for (float *q : all) if (isOfHost(q)) memset(q, 0, 4); else cudaMemset(q, 0, 4);',
  ),
  [
    'an object that may have memory of the host instead',
    '',
    `enum class Kind { host, device };
     class Array { void *data_; size_t bytes_; Kind kind_; public:
       Array(size_t n, Kind kind) : bytes_(n), kind_(kind) { if (n == 0) return; if (kind == Kind::device) cudaMalloc(&data_, n); else data_ = malloc(n); }
       ~Array() { if (kind_ == Kind::device) cudaFree(data_); else free(data_); }
       void set(const void *from) { std::memcpy(data_, from, bytes_); } };`,
    '',
    'return 0;',
  ],
  row(
    'what is decided elsewhere',
    '',
    'extern bool isManaged; float *q; if (isManaged) cudaMallocManaged(&q, 4); else cudaMalloc(&q, 4); if (isManaged) q[0] = 1; cudaFree(q);',
  ),
]);
