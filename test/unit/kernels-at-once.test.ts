/** Two kernels in two streams, and whether what they are given, and their bodies, say that they surely touch one place. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const before = (code: string): string =>
  `#include <cuda_runtime.h>\n${code}\nint main() { float *a, *b, *c; int *i, *j; cudaMalloc(&a, 40960); cudaMalloc(&b, 40960); cudaMalloc(&c, 40960); cudaMalloc(&i, 4096); cudaMalloc(&j, 4096); cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);\n`;
const after =
  '\ncudaDeviceSynchronize(); cudaFree(a); cudaFree(b); cudaFree(c); cudaFree(i); cudaFree(j); cudaStreamDestroy(s); cudaStreamDestroy(t); return 0; }';

/** What it is; the kernel; two calls in two streams; whether they surely touch one place. */
const pairs: readonly (readonly [what: string, code: string, calls: string, isRace: boolean])[] = [
  [
    'an element of both by its address',
    '__global__ void K(float *p) { p[threadIdx.x] = 1; }',
    'K<<<1, 32, 0, s>>>(&a[64]); K<<<1, 32, 0, t>>>(a + 64);',
    true,
  ],
  [
    'two elements by their addresses',
    '__global__ void K(float *p) { p[threadIdx.x] = 1; }',
    'K<<<1, 32, 0, s>>>(&a[64]); K<<<1, 32, 0, t>>>(&a[128]);',
    false,
  ],
  [
    'an atomic that one looks at and the other changes',
    '__global__ void K(cuda::atomic<int> *x, int how) { if (how == 0) { while (x->load()) {} } }\n__global__ void L(cuda::atomic<int> *x) { x->fetch_add(1); }',
    'K<<<1, 1, 0, s>>>((cuda::atomic<int> *)i, 0); L<<<1, 1, 0, t>>>((cuda::atomic<int> *)i);',
    false,
  ],
  [
    'structsame',
    'struct V{float*x;int n;};__global__ void K(V v){int i=threadIdx.x; if(i<v.n) v.x[i]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,4}); K<<<1, 32, 0, t>>>(V{a,4});',
    true,
  ],
  [
    'structfirst',
    'struct V{float*x;int first;int n;};__global__ void K(V v){int i=threadIdx.x; if(i<v.n) v.x[v.first+i]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,0,32}); K<<<1, 32, 0, t>>>(V{a,32,32});',
    false,
  ],
  [
    'structfirst2',
    'struct V{float*x;int first;int n;};__global__ void K(V v){int i=threadIdx.x+v.first; if(i<v.n) v.x[i]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,0,32}); K<<<1, 32, 0, t>>>(V{a,32,32});',
    false,
  ],
  [
    'structfirstsame',
    'struct V{float*x;int first;int n;};__global__ void K(V v){int i=threadIdx.x+v.first; v.x[i]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,32,32}); K<<<1, 32, 0, t>>>(V{a,32,32});',
    true,
  ],
  [
    'structguard',
    'struct V{float*x;float*y;int which;};__global__ void K(V v){int i=threadIdx.x; if(v.which==0) v.x[i]=1; else v.y[i]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,b,0}); K<<<1, 32, 0, t>>>(V{a,b,1});',
    false,
  ],
  [
    'view',
    'struct V{float*x;int n;__device__ float&operator[](int i)const{return x[i];}};__global__ void K(V v){v[threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,4}); K<<<1, 32, 0, t>>>(V{a,4});',
    true,
  ],
  [
    'viewoff',
    'struct V{float*x;int off;__device__ float&operator[](int i)const{return x[off+i];}};__global__ void K(V v){v[threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'viewoff2',
    'struct V{float*x;int n;__device__ float&operator[](int i)const{return x[i];}};__global__ void K(V v,int first){v[first+threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,4},0); K<<<1, 32, 0, t>>>(V{a,4},64);',
    false,
  ],
  [
    'viewcall',
    'template<class T>struct M{T*x;int ld;__device__ T&operator()(int i,int j)const{return x[i*ld+j];}};__global__ void K(M<float> v,int row){v(row,threadIdx.x)=1;}',
    'K<<<1, 32, 0, s>>>(M<float>{a,32},0); K<<<1, 32, 0, t>>>(M<float>{a,32},1);',
    false,
  ],
  [
    'viewcallsame',
    'template<class T>struct M{T*x;int ld;__device__ T&operator()(int i,int j)const{return x[i*ld+j];}};__global__ void K(M<float> v){v(blockIdx.x,threadIdx.x)=1;}',
    'K<<<1, 32, 0, s>>>(M<float>{a,32}); K<<<1, 32, 0, t>>>(M<float>{a,32});',
    true,
  ],
  [
    'lam',
    'template<class F> __global__ void K(F f){f(threadIdx.x);}',
    'K<<<1, 32, 0, s>>>([=] __device__ (int i){a[i]=1;}); K<<<1, 32, 0, t>>>([=] __device__ (int i){a[i]=1;});',
    true,
  ],
  [
    'lamoff',
    'template<class F> __global__ void K(F f){f(threadIdx.x);}',
    'K<<<1, 32, 0, s>>>([=] __device__ (int i){a[i]=1;}); K<<<1, 32, 0, t>>>([=] __device__ (int i){a[i+128]=1;});',
    false,
  ],
  [
    'lamoff2',
    'template<class F> __global__ void K(int first,F f){f(first+threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(0,[=] __device__ (int i){a[i]=1;}); K<<<1, 32, 0, t>>>(128,[=] __device__ (int i){a[i]=1;});',
    false,
  ],
  [
    'functoroff',
    'struct F{float*p;int o;__device__ void operator()(int i)const{p[o+i]=1;}};template<class G> __global__ void K(G f){f(threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(F{a,0}); K<<<1, 32, 0, t>>>(F{a,64});',
    false,
  ],
  [
    'functoroff2',
    'struct F{float*p;__device__ void operator()(int i)const{p[i]=1;}};template<class G> __global__ void K(int first,G f){f(first+threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(0,F{a}); K<<<1, 32, 0, t>>>(64,F{a});',
    false,
  ],
  [
    'functorsame',
    'struct F{float*p;__device__ void operator()(int i)const{p[i]=1;}};template<class G> __global__ void K(G f){f(threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(F{a}); K<<<1, 32, 0, t>>>(F{a});',
    true,
  ],
  [
    'methodoff',
    'struct V{float*x;__device__ void run(int i){x[i]=1;}};__global__ void K(V v,int f){v.run(f+threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(V{a},0); K<<<1, 32, 0, t>>>(V{a},64);',
    false,
  ],
  [
    'methodoff3',
    'struct V{float*x;int f;__device__ void run(int i){x[f+i]=1;}};__global__ void K(V v){v.run(threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'devfnoff',
    'struct V{float*x;int f;};__device__ void run(V v,int i){v.x[v.f+i]=1;}__global__ void K(V v){run(v,threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'devfnoff2',
    '__device__ void run(float*x,int i){x[i]=1;}__global__ void K(float*x,int f){run(x,f+threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(a,0); K<<<1, 32, 0, t>>>(a,64);',
    false,
  ],
  [
    'devfnref',
    'struct V{float*x;int f;};__device__ void run(const V&v,int i){v.x[i]=1;}__global__ void K(V v){run(v,v.f+threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'steps',
    '__global__ void K(float*x,int f){x+=f; x[threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(a,0); K<<<1, 32, 0, t>>>(a,64);',
    false,
  ],
  [
    'steps2',
    '__global__ void K(float*x,int f){x+=blockIdx.x*blockDim.x; x[threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(a,0); K<<<1, 32, 0, t>>>(a,64);',
    true,
  ],
  [
    'steps3',
    'struct V{float*x;int f;};__global__ void K(V v){v.x+=v.f; v.x[threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'nest',
    'struct I{float*p;int o;};struct V{I in;};__global__ void K(V v){v.in.p[v.in.o+threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{{a,0}}); K<<<1, 32, 0, t>>>(V{{a,64}});',
    false,
  ],
  [
    'nestsame',
    'struct I{float*p;int o;};struct V{I in;};__global__ void K(V v){v.in.p[v.in.o+threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{{a,64}}); K<<<1, 32, 0, t>>>(V{{a,64}});',
    true,
  ],
  [
    'localcopy',
    'struct V{float*x;int f;};__global__ void K(V v){float*p=v.x; int o=v.f; p[o+threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'localcopy2',
    'struct V{float*x;int f;};__global__ void K(V v){float*p=v.x+v.f; p[threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'bind',
    'struct V{float*x;int f;};__global__ void K(V v){auto [p,o]=v; p[o+threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'copyst',
    'struct V{float*x;int f;};__global__ void K(V v){V w=v; w.x[w.f+threadIdx.x]=1;}',
    'K<<<1, 32, 0, s>>>(V{a,0}); K<<<1, 32, 0, t>>>(V{a,64});',
    false,
  ],
  [
    'ctor',
    'struct W{float*x;__device__ W(float*p,int o):x(p+o){} __device__ void put(int i){x[i]=1;}};__global__ void K(float*p,int o){W w(p,o); w.put(threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(a,0); K<<<1, 32, 0, t>>>(a,64);',
    false,
  ],
  [
    'ctorsame',
    'struct W{float*x;__device__ W(float*p,int o):x(p+o){} __device__ void put(int i){x[i]=1;}};__global__ void K(float*p){W w(p,0); w.put(threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(a); K<<<1, 32, 0, t>>>(a);',
    true,
  ],
  [
    'helperat',
    '__device__ float&at(float*p,int i){return p[i];}__global__ void K(float*p,int o){at(p,o+threadIdx.x)=1;}',
    'K<<<1, 32, 0, s>>>(a,0); K<<<1, 32, 0, t>>>(a,64);',
    false,
  ],
  [
    'lambdain',
    '__global__ void K(float*p,int o){auto put=[&](int i){p[o+i]=1;}; put(threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(a,0); K<<<1, 32, 0, t>>>(a,64);',
    false,
  ],
  [
    'lambdain2',
    '__global__ void K(float*p,int o){auto put=[&](int i){p[i]=1;}; put(o+threadIdx.x);}',
    'K<<<1, 32, 0, s>>>(a,0); K<<<1, 32, 0, t>>>(a,64);',
    false,
  ],
  [
    'macro',
    '#define AT(p,i) (p)[i]\n__global__ void K(float*p,int o){AT(p,o+threadIdx.x)=1;}',
    'K<<<1, 32, 0, s>>>(a,0); K<<<1, 32, 0, t>>>(a,64);',
    false,
  ],
  [
    'cooprow',
    '__global__ void K(float*p,int row,int ld){float*r=p+row*ld; for(int i=threadIdx.x;i<ld;i+=32) r[i]=1;}',
    'K<<<1, 32, 0, s>>>(a,0,32); K<<<1, 32, 0, t>>>(a,1,32);',
    false,
  ],
  [
    'refwrite',
    '__global__ void K(float*x){auto&y=x[threadIdx.x]; y=1;}',
    'K<<<1, 32, 0, s>>>(a); K<<<1, 32, 0, t>>>(a);',
    true,
  ],
];

describe('Two kernels at once', () => {
  it.each(pairs)('%s', async (_what, code, calls, isRace) => {
    const { findings } = await analyseText(`${before(code)}${calls}${after}`);
    expect(findings.filter(({ severity }) => severity !== 'hint').map(({ rule }) => rule)).toEqual(
      isRace ? ['stream-conflicting-access'] : [],
    );
  });
});
