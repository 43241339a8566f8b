/** What kernels do to the memory that they are given, as their bodies say. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const before = (code: string): string =>
  `#include <cuda_runtime.h>\nnamespace cg = cooperative_groups;\n${code}\nint main() { float *a, *b, *c; int *i, *j; cudaMalloc(&a, 40960); cudaMalloc(&b, 40960); cudaMalloc(&c, 40960); cudaMalloc(&i, 4096); cudaMalloc(&j, 4096); cudaStream_t s, t; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);\n`;
const after =
  '\ncudaDeviceSynchronize(); cudaFree(a); cudaFree(b); cudaFree(c); cudaFree(i); cudaFree(j); cudaStreamDestroy(s); cudaStreamDestroy(t); return 0; }';

const words: Readonly<Record<string, string>> = { read: 'r', write: 'w', readwrite: 'rw', unknown: '?' };

async function usesOf(code: string, call: string): Promise<string> {
  const { facts } = await analyseText(`${before(code)}${call.replace('(', '<<<1, 32, 0, s>>>(')}${after}`);
  const trace = facts.get('main')?.trace;
  const uses = (trace?.events ?? []).flatMap((event) =>
    event.verb === 'stream.operation' && event.operation.kind === 'kernel'
      ? event.operation.accesses.map(
          ({ pointer, mode }) => `${trace?.allocations[pointer.allocation]?.name}=${words[mode]}`,
        )
      : [],
  );
  return uses.sort().join(' ');
}

/** The kernel and what it calls; how it is called; what it does to each pointer: `r`, `w`, both, or `?` for nobody knows. */
const kernels: readonly string[] = [
  '__global__ void K(float*a,float*b){a+=blockIdx.x*32; b+=blockIdx.x*32; a[threadIdx.x]=b[threadIdx.x];} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){float*p=a+8; float*q=p; const float*r=b; q[threadIdx.x]=r[threadIdx.x];} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b,float*c,bool f){c[threadIdx.x]=f?a[0]:b[1];} => K(a,b,c,true); => a=r b=r c=w',
  '__global__ void K(float*a,float*b,float*c){c[0]=fminf(a[0],b[0]);} => K(a,b,c); => a=r b=r c=w',
  '__global__ void K(float*a,float*b){atomicAdd(&a[0],b[threadIdx.x]);} => K(a,b); => a=rw b=r',
  '__global__ void K(float*a,float*b){atomicAdd(a+threadIdx.x,b[threadIdx.x]);} => K(a,b); => a=rw b=r',
  '__global__ void K(int*i,int*j){int old=atomicCAS(&i[0],0,1); if(old==0) j[0]=1;} => K(i,j); => i=rw j=w',
  '__global__ void K(int*i,int*j){j[threadIdx.x]=atomicExch(i,threadIdx.x);} => K(i,j); => i=rw j=w',
  '__global__ void K(int*i,int*j){cuda::atomic_ref<int,cuda::thread_scope_device> r(i[0]); r.fetch_add(j[threadIdx.x],cuda::memory_order_relaxed);} => K(i,j); => i=rw j=r',
  '__global__ void K(int*i,int*j){cuda::atomic_ref<int> r{i[threadIdx.x]}; r.store(j[0]);} => K(i,j); => i=w j=r',
  '__global__ void K(int*i,int*j){cuda::atomic_ref<int>(i[0]).fetch_max(j[0]);} => K(i,j); => i=rw j=r',
  '__global__ void K(int*i,int*j){auto r=cuda::atomic_ref<int>(i[0]); r+=j[0];} => K(i,j); => i=rw j=r',
  '__device__ void put(float*p,int i,float v){p[i]=v;} __global__ void K(float*a,float*b){put(a,threadIdx.x,b[threadIdx.x]);} => K(a,b); => a=w b=r',
  '__device__ void put(float&p,float v){p=v;} __global__ void K(float*a,float*b){put(a[threadIdx.x],b[threadIdx.x]);} => K(a,b); => a=w b=r',
  '__device__ float* at(float*p,int i){return p+i;} __global__ void K(float*a,float*b){*at(a,threadIdx.x)=*at(b,threadIdx.x);} => K(a,b); => a=w b=r',
  '__device__ float& at(float*p,int i){return p[i];} __global__ void K(float*a,float*b){at(a,threadIdx.x)=at(b,threadIdx.x);} => K(a,b); => a=w b=r',
  '__device__ float get(const float*p,int i); __global__ void K(float*a,float*b){a[threadIdx.x]=get(b,threadIdx.x);} => K(a,b); => a=w b=r',
  '__device__ float sq(float x){return x*x;} __global__ void K(float*a,float*b){a[threadIdx.x]=sq(b[threadIdx.x]);} => K(a,b); => a=w b=r',
  '__device__ float sq(const float& x){return x*x;} __global__ void K(float*a,float*b){a[threadIdx.x]=sq(b[threadIdx.x]);} => K(a,b); => a=w b=r',
  'template<class T> __device__ void sw(T&x,T&y){T t=x;x=y;y=t;} __global__ void K(float*a,float*b){sw(a[threadIdx.x],b[threadIdx.x]);} => K(a,b); => a=rw b=rw',
  'template<typename T,int N>  __global__ void K(T*a,const T*b){a[threadIdx.x]=b[threadIdx.x]*N;} => K<float,4>(a,b); => a=w b=r',
  'struct Put{__device__ void operator()(float*x,float y)const{*x=y;}};template<typename T,class F>  __global__ void K(T*a,T*b,F f){f(a+threadIdx.x,b[threadIdx.x]);} => K(a,b,Put{}); => a=w b=r',
  '__global__ void K(float*a,float*b){auto f=[&](int i){a[i]=b[i];}; f(threadIdx.x);} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){auto f=[](float*x,float y){*x=y;}; f(a+threadIdx.x,b[threadIdx.x]);} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){auto load=[=](int i){return b[i];}; a[threadIdx.x]=load(threadIdx.x);} => K(a,b); => a=w b=r',
  'struct V{float*x;const float*y;}; __global__ void K(V v){v.x[threadIdx.x]=v.y[threadIdx.x];} => K(V{a,b}); => a=w b=r',
  'struct V{float*x;float*y;}; __global__ void K(V v){v.x[threadIdx.x]=v.y[threadIdx.x];} => K(V{a,b}); => a=w b=r',
  'struct V{float*x;float*y;__device__ void run(int i){x[i]=y[i];}}; __global__ void K(V v){v.run(threadIdx.x);} => K(V{a,b}); => a=w b=r',
  'struct V{float*x;int n;__device__ float& operator[](int i)const{return x[i];}}; __global__ void K(V v,V w){v[threadIdx.x]=w[threadIdx.x];} => K(V{a,4},V{b,4}); => a=w b=r',
  'template<class T>struct M{T*x;int n;__device__ T& operator()(int i,int j)const{return x[i*n+j];}}; __global__ void K(M<float> v,M<const float> w){v(threadIdx.x,0)=w(threadIdx.x,1);} => K(M<float>{a,4},M<const float>{b,4}); => a=w b=r',
  'struct V{float*x;int n;__device__ float get(int i)const{return x[i];}__device__ void set(int i,float v){x[i]=v;}}; __global__ void K(V v,V w){v.set(threadIdx.x,w.get(threadIdx.x));} => K(V{a,4},V{b,4}); => a=w b=r',
  'struct V{float*x;int n;}; __global__ void K(V v,float*b){if(threadIdx.x<v.n) v.x[threadIdx.x]=b[threadIdx.x];} => K(V{a,4},b); => a=w b=r',
  'struct V{float*x;float*y;};__device__ void go(const V&v,int i){v.x[i]=v.y[i];} __global__ void K(V v){go(v,threadIdx.x);} => K(V{a,b}); => a=w b=r',
  'struct I{float*x;};struct V{I in;I out;}; __global__ void K(V v){v.out.x[threadIdx.x]=v.in.x[threadIdx.x];} => K(V{{a},{b}}); => a=r b=w',
  'struct V{float*x;float*y;}; __global__ void K(const __grid_constant__ V v){v.x[threadIdx.x]=v.y[threadIdx.x];} => K(V{a,b}); => a=w b=r',
  'struct E{float x,y;}; __global__ void K(E*a,E*b){a[threadIdx.x].x=b[threadIdx.x].y;} => K((E*)a,(E*)b); => a=w b=r',
  'struct E{float x,y;}; __global__ void K(E*a,E*b){E*e=a+threadIdx.x; e->x=b->y;} => K((E*)a,(E*)b); => a=w b=r',
  'struct E{float x,y;}; __global__ void K(E*a,E*b){E&e=a[threadIdx.x]; const E&f=b[threadIdx.x]; e.x=f.y;} => K((E*)a,(E*)b); => a=w b=r',
  'struct E{float x,y;__device__ void add(float v){x+=v;}__device__ float len()const{return x*y;}}; __global__ void K(E*a,E*b){a[threadIdx.x].add(b[threadIdx.x].len());} => K((E*)a,(E*)b); => a=rw b=r',
  '__global__ void K(float*a,float*b){__shared__ float t[32]; t[threadIdx.x]=b[threadIdx.x]; __syncthreads(); a[threadIdx.x]=t[31-threadIdx.x];} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b,int n){extern __shared__ float t[]; float s=0; for(int i=threadIdx.x;i<n;i+=blockDim.x)s+=b[i]; t[threadIdx.x]=s; __syncthreads(); for(int k=16;k;k>>=1){if(threadIdx.x<k)t[threadIdx.x]+=t[threadIdx.x+k];__syncthreads();} if(!threadIdx.x)a[blockIdx.x]=t[0];} => K(a,b,4); => a=w b=r',
  '__global__ void K(float*a,float*b){{float a[4]; a[0]=b[0]; b[1]=a[0];} float x=a[0]; b[2]=x;} => K(a,b); => a=r b=rw',
  'namespace cg=cooperative_groups; __global__ void K(float*a,float*b){auto g=cg::this_thread_block(); auto w=cg::tiled_partition<32>(g); float v=b[g.thread_rank()]; for(int o=16;o;o/=2)v+=w.shfl_down(v,o); if(w.thread_rank()==0) a[0]=v;} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){float v=b[threadIdx.x]; v+=__shfl_down_sync(0xffffffff,v,16); a[threadIdx.x]=v;} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){__shared__ float t[32]; __pipeline_memcpy_async(&t[threadIdx.x],&b[threadIdx.x],sizeof(float)); __pipeline_commit(); __pipeline_wait_prior(0); a[threadIdx.x]=t[threadIdx.x];} => K(a,b); => a=w b=r',
  'namespace cg=cooperative_groups; __global__ void K(float*a,float*b){__shared__ float t[32]; auto g=cg::this_thread_block(); cg::memcpy_async(g,t,b,sizeof(float)*32); cg::wait(g); a[threadIdx.x]=t[threadIdx.x];} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){__shared__ float t[32]; auto p=cuda::make_pipeline(); p.producer_acquire(); cuda::memcpy_async(&t[threadIdx.x],b+threadIdx.x,sizeof(float),p); p.producer_commit(); p.consumer_wait(); a[threadIdx.x]=t[threadIdx.x]; p.consumer_release();} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){memcpy(a,b,32);} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){memset(a,0,32); b[0]=a[0];} => K(a,b); => a=rw b=w',
  '__global__ void K(float*a,float*b){a[threadIdx.x]=__ldg(b+threadIdx.x);} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){__stcs(a+threadIdx.x,__ldcs(b+threadIdx.x));} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){__stwt(&a[threadIdx.x],__ldcg(&b[threadIdx.x])); } => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){reinterpret_cast<float4*>(a)[threadIdx.x]=reinterpret_cast<const float4*>(b)[threadIdx.x];} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){float4 v=((float4*)b)[threadIdx.x]; v.x+=1; ((float4*)a)[threadIdx.x]=v;} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){*reinterpret_cast<float4*>(&a[threadIdx.x*4])=*reinterpret_cast<float4*>(&b[threadIdx.x*4]);} => K(a,b); => a=w b=r',
  '#define FETCH4(p) (reinterpret_cast<float4*>(&(p))[0])\n__global__ void K(float*a,float*b){FETCH4(a[threadIdx.x*4])=FETCH4(b[threadIdx.x*4]);} => K(a,b); => a=w b=r',
  '__global__ void K(void*a,const void*b){static_cast<int*>(a)[threadIdx.x]=static_cast<const int*>(b)[threadIdx.x];} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b,int n){int i=blockIdx.x*blockDim.x+threadIdx.x; if(i>=n) return; a[i]=b[i];} => K(a,b,5); => a=w b=r',
  '__global__ void K(float*a,float*b,int n){for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=gridDim.x*blockDim.x) a[i]=2*b[i]+a[i];} => K(a,b,5); => a=rw b=r',
  '__global__ void C(float*x){x[threadIdx.x]=1;} __global__ void K(float*a,float*b){C<<<1,32>>>(a); if(b[0]>0) C<<<1,32>>>(a+4);} => K(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){if(a!=nullptr) a[0]=1; if(!b) return; b[0]+=1;} => K(a,b); => a=w b=rw',
  '__global__ void K(float*a,float*b,float*c){a[0]=b[0]=c[0];} => K(a,b,c); => a=w b=w c=r',
  '__global__ void K(float*a,float*b,int m){switch(m){case 0:a[0]=b[0];break;default:a[1]=0;}} => K(a,b,0); => a=w b=r',
  'struct S{float*p;}; __global__ void K(float*a,float*b){S s{a}; s.p[0]=b[0];} => K(a,b); => a=w b=r',
  '__global__ void K(cuda::std::span<float> x, cuda::std::span<const float> y){x[threadIdx.x]=y[threadIdx.x];} => K(cuda::std::span<float>(a,4),cuda::std::span<const float>(b,4)); => a=w b=r',
  '__global__ void K(int*i,int*j){i[0]++; ++j[1];} => K(i,j); => i=rw j=rw',
  '__global__ void K(float*a,float*b){float*p=&a[threadIdx.x]; *p=b[0];} => K(a,b); => a=w b=r',
  '__global__ void K(float**a,float*b){a[0][threadIdx.x]=b[0];} => K((float**)a,b); => a=r b=r',
  'template<class T> class View{public: __host__ __device__ View(T*p,int n):p_(p),n_(n){} __device__ T& operator[](int i){return p_[i];} __device__ const T& operator[](int i)const{return p_[i];} __device__ int size()const{return n_;} private: T*p_;int n_;}; __global__ void K(View<float> v,const View<float> w){for(int i=0;i<v.size();i++) v[i]=w[i];} => K(View<float>(a,4),View<float>(b,4)); => a=w b=r',
  'struct A{float*in;float*out;int n;};__device__ void step(A&p,int i){p.out[i]=p.in[i];} __global__ void K(A p){step(p,threadIdx.x);} => K(A{a,b,4}); => a=r b=w',
  '__global__ void K(curandState*st,float*a){curandState l=st[threadIdx.x]; a[threadIdx.x]=curand_uniform(&l); st[threadIdx.x]=l;} => K((curandState*)b,a); => a=w b=rw',
  '__device__ void go(float*p,int n){if(n==0) return; p[n]=1; go(p,n-1);} __global__ void K(float*a,float*b){go(a,4); b[0]=1;} => K(a,b); => a=w b=w',
  'namespace d{__device__ void put(float*p,float v){*p=v;}} __global__ void K(float*a,float*b){d::put(a,*b);} => K(a,b); => a=w b=r',
  '__device__ void put(float*p,float v){*p=v;}\n__device__ void put(int*p,int v){v+=*p;} __global__ void K(float*a,int*j){put(a,1.f); put(j,1);} => K(a,j); => a=w j=r',
  '__device__ float op(const float*p){return *p;}\n__device__ void op(float*p,float v){*p=v;} __global__ void K(float*a,float*b){op(a,op(b));} => K(a,b); => a=w b=r',
  '__device__ void put(float*p,float v,int k=0){p[k]=v;} __global__ void K(float*a,float*b){put(a,b[0]);} => K(a,b); => a=w b=r',
  'struct T{static __device__ void put(float*p,float v){*p=v;}}; __global__ void K(float*a,float*b){T::put(a,b[0]);} => K(a,b); => a=w b=r',
  'struct T{static __device__ void put(float*p,float v){*p=v;}};\ntemplate<class Q>  __global__ void K(float*a,float*b){Q::put(a,b[0]);} => K<T>(a,b); => a=w b=r',
  '__global__ void K(float*a,float*b){auto&x=a[threadIdx.x]; auto y=b[threadIdx.x]; x=y;} => K(a,b); => a=w b=r',
  '__device__ float dot(const float*x,const float*y,int n){float s=0; while(n-->0) s+=*x++**y++; return s;} __global__ void K(float*a,float*b,float*c){c[0]=dot(a,b,4);} => K(a,b,c); => a=r b=r c=w',
  '__global__ void K(float*a,float*b){float*x=(float*)__builtin_assume_aligned(a,16); x[0]=b[0];} => K(a,b); => a=w b=r',
  'template<class T>struct Acc{T*p;int s;__device__ T*row(int r)const{return p+r*s;}}; __global__ void K(Acc<float> x,Acc<float> y){x.row(threadIdx.x)[0]=y.row(threadIdx.x)[1];} => K(Acc<float>{a,4},Acc<float>{b,4}); => a=w b=r',
  '__global__ void K(cuda::std::pair<float*,float*> pr){pr.first[0]=pr.second[0];} => K(cuda::std::make_pair(a,b)); => a=w b=r',
  'struct V{float*x;float*y;}; __global__ void K(V v){auto [o,in]=v; o[threadIdx.x]=in[threadIdx.x];} => K(V{a,b}); => a=w b=r',
  'template<class F>  __global__ void K(int n,F f){int i=threadIdx.x; if(i<n) f(i);} => K(4,[a,b]__device__(int i){a[i]+=b[i];}); => a=rw b=r',
  'struct Ax{float*y;float*x;float s;__device__ void operator()(int i)const{y[i]=s*x[i];}};template<class F>  __global__ void K(int n,F f){int i=threadIdx.x; if(i<n) f(i);} => K(4,Ax{a,b,2}); => a=w b=r',
  'struct P{float*x,*y,*vx,*vy;};__global__ void K(P p,float dt){int i=threadIdx.x; p.x[i]+=p.vx[i]*dt; p.y[i]+=p.vy[i]*dt;} => K(P{a,b,c,c},0.1f); => a=rw b=rw c=r c=r',
  '__device__ float rmax(float v){for(int o=16;o>0;o>>=1) v=fmaxf(v,__shfl_xor_sync(~0u,v,o)); return v;}__global__ void K(const float*b,float*a,int n){extern __shared__ float sm[]; const float*row=b+blockIdx.x*n; float*out=a+blockIdx.x*n; float m=-1e30f; for(int i=threadIdx.x;i<n;i+=blockDim.x)m=fmaxf(m,row[i]); m=rmax(m); sm[threadIdx.x]=m; __syncthreads(); for(int i=threadIdx.x;i<n;i+=blockDim.x) out[i]=expf(row[i]-sm[0]);} => K(b,a,4); => a=w b=r',
  '__global__ void K(float*o,float*in,int n){__shared__ float t[32][33]; int x=threadIdx.x,y=threadIdx.y; t[y][x]=in[y*n+x]; __syncthreads(); o[x*n+y]=t[x][y];} => K(a,b,32); => a=w b=r',
  '__global__ void K(int M,int N,int Q,float al,const float*A,const float*B,float be,float*C){int x=threadIdx.x,y=threadIdx.y; float t=0; for(int i=0;i<Q;++i) t+=A[x*Q+i]*B[i*N+y]; C[x*N+y]=al*t+be*C[x*N+y];} => K(1,1,1,1.f,a,b,0.f,c); => a=r b=r c=rw',
  '__global__ void K(int N,const float*A,float*B,float*C){__shared__ float As[4];  A+=blockIdx.x*N; B+=blockIdx.y; C+=blockIdx.x*N; for(int k=0;k<N;k+=4){As[threadIdx.x]=A[threadIdx.x]; __syncthreads(); A+=4; B+=4*N; C[0]+=As[0]*B[0];}} => K(1,a,b,c); => a=r b=r c=rw',
  '__global__ void K(float*d,int n){extern __shared__ float t[]; int i=threadIdx.x; t[i]=d[i]; for(int s=1;s<n;s<<=1){__syncthreads(); float v=i>=s?t[i-s]:0; __syncthreads(); t[i]+=v;} d[i]=t[i];} => K(a,4); => a=rw',
  '__global__ void K(float*in,float*out){__shared__ float s[2][32]; int p=0; s[p][threadIdx.x]=in[threadIdx.x]; for(int i=0;i<3;i++){p^=1; s[p][threadIdx.x]=s[p^1][threadIdx.x];} out[threadIdx.x]=s[p][threadIdx.x];} => K(b,a); => a=w b=r',
  'template<class T> __device__ T tmin(const T&x,const T&y){return x<y?x:y;}__global__ void K(float*a,float*b){a[0]=tmin(a[1],b[1]);} => K(a,b); => a=rw b=r',
  '__global__ void K(float*x,float*y){auto*p=x+3; const auto*q=y; *p=*q;} => K(a,b); => a=w b=r',
  '__global__ void K(unsigned long long*x,float*y){atomicMax(x,(unsigned long long)__float_as_uint(y[0]));} => K((unsigned long long*)a,b); => a=rw b=r',
  '__device__ void lock(int*m){while(atomicCAS(m,0,1)!=0);}__device__ void unlock(int*m){atomicExch(m,0);}__global__ void K(int*m,int*v){lock(m); v[0]+=1; unlock(m);} => K(i,j); => i=rw j=rw',
  '__global__ void K(int*i,int*j){volatile int*v=i; while(v[0]==0){} j[0]=v[1];} => K(i,j); => i=r j=w',
  '__global__ void K(int*i,unsigned*c){i[threadIdx.x]=1; __threadfence(); if(atomicInc(c,32)==31) i[0]=2;} => K(i,(unsigned*)j); => i=w j=rw',
  'struct C{float re,im;__device__ C operator+(const C&o)const{return C{re+o.re,im+o.im};}};__global__ void K(C*x,C*y){x[0]=x[1]+y[0];} => K((C*)a,(C*)b); => a=rw b=r',
  'struct C{float re;__device__ C&operator+=(const C&o){re+=o.re;return *this;}};__global__ void K(C*x,C*y){x[0]+=y[0];} => K((C*)a,(C*)b); => a=rw b=r',
  'struct C{float re;__device__ C&operator=(float v){re=v;return *this;}};__global__ void K(C*x,float*y){x[0]=y[0];} => K((C*)a,b); => a=w b=r',
  '__global__ void K(float*x,float*y,int n){for(float*p=x,*e=x+n;p!=e;++p,++y)*p=*y;} => K(a,b,4); => a=w b=r',
  '__device__ void f(float(&t)[4],const float*s){for(int i=0;i<4;i++)t[i]=s[i];}__global__ void K(float*x,float*y){float t[4]; f(t,y); x[0]=t[0];} => K(a,b); => a=w b=r',
  '__device__ void f(const float*s,float*o){*o=*s;}__global__ void K(float*x,float*y){float t; f(y,&t); x[0]=t;} => K(a,b); => a=w b=r',
  'struct R{float*p;int n;};__device__ R mk(float*p,int n){R r; r.p=p; r.n=n; return r;}__global__ void K(float*x,float*y){R r=mk(x,4); r.p[0]=y[0];} => K(a,b); => a=w b=r',
  'template<class T,int N>struct Tens{T*d; int st[N]; __device__ T*ptr(int i){return d+i*st[0];} template<class...I> __device__ T&at(I...i){return d[0];}};__global__ void K(Tens<float,2> x,Tens<float,2> y){*x.ptr(1)=y.at(1,2);} => K(Tens<float,2>{a,{1,2}},Tens<float,2>{b,{1,2}}); => a=w b=r',
  'enum Op{Add,Mul};template<Op O> __device__ void ap(float&x,float y){if constexpr(O==Add)x+=y;else x*=y;}__global__ void K(float*x,float*y){ap<Add>(x[0],y[0]);} => K(a,b); => a=rw b=r',
  '__global__ void K(float*x,float*y){auto at=[&](int i)->float&{return x[i];}; at(0)=y[0];} => K(a,b); => a=w b=r',
  '__global__ void K(float*x,float*y){auto st=[](auto*p,auto v){*p=v;}; st(x,y[0]);} => K(a,b); => a=w b=r',
  '__global__ void K(float*x,float*y){int v=__float_as_int(y[0]); reinterpret_cast<int*>(x)[0]=v;} => K(a,b); => a=w b=r',
  '__global__ void K(float*x,float*y){float4 v; v.x=y[0]; v.y=y[1]; *(float4*)(x)=v;} => K(a,b); => a=w b=r',
  '__global__ void K(float4*x,const float4*y){float4 v=y[0]; x[0]=make_float4(v.x,v.y,x[1].z,0);} => K((float4*)a,(float4*)b); => a=rw b=r',
  '__global__ void K(__half2*x,__half2*y){x[0]=__hmul2(y[0],y[1]);} => K((__half2*)a,(__half2*)b); => a=w b=r',
  '__global__ void K(float*x,float*y,int n){int i=0; do{x[i]=y[i];}while(++i<n);} => K(a,b,3); => a=w b=r',
  '__global__ void K(float*x,float*y){int i=0; again: x[i]=y[i]; if(++i<3) goto again;} => K(a,b); => a=w b=r',
  '__device__ float g[32];__global__ void K(float*x){x[threadIdx.x]=g[threadIdx.x]; g[0]=1;} => K(a); => a=w g=rw',
  '__constant__ float cm[4];__global__ void K(float*x,float*y){x[0]=cm[0]*y[0];} => K(a,b); => a=w b=r cm=r',
  'template<class T>using Ptr=T*;__global__ void K(Ptr<float> x,Ptr<const float> y){x[0]=y[0];} => K(a,b); => a=w b=r',
  'typedef float*fp;__global__ void K(fp x,const float*y){x[0]=y[0];} => K(a,b); => a=w b=r',
  '#define BODY(o,i) o[threadIdx.x]=i[threadIdx.x]\n__global__ void K(float*x,float*y){BODY(x,y);} => K(a,b); => a=w b=r',
  '#define LOOP(i,n) for(int i=threadIdx.x;i<n;i+=blockDim.x)\n__global__ void K(float*x,float*y,int n){LOOP(i,n) x[i]=y[i];} => K(a,b,4); => a=w b=r',
  '__global__ void __launch_bounds__(256,2) K(float*x,float*y){x[0]=y[0];} => K(a,b); => a=w b=r',
  'static __global__ void K(float*x,float*y){x[0]=y[0];} => K(a,b); => a=w b=r',
  '__global__ void K(float*x,float*y){auto t=cg::tiled_partition<32>(cg::this_thread_block()); float v=cg::reduce(t,y[0],cg::plus<float>()); if(t.thread_rank()==0) atomicAdd(x,v);} => K(a,b); => a=rw b=r',
  '__global__ void K(float*x,float*y){auto g=cg::this_grid(); x[g.thread_rank()]=1; g.sync(); y[g.thread_rank()]=x[0];} => K(a,b); => a=rw b=w',
  '__device__ void cs(float&x,float&y){if(x>y){float t=x;x=y;y=t;}}__global__ void K(float*x){cs(x[0],x[1]);} => K(a); => a=rw',
  '__global__ void K(float*x,float*y){std::swap(x[0],y[0]);} => K(a,b); => a=rw b=rw',
  'struct Img{unsigned char*d;int w,h;size_t pitch;__device__ unsigned char*row(int y)const{return d+y*pitch;}__device__ unsigned char&px(int x,int y)const{return row(y)[x];}};__global__ void K(Img s,Img t){t.px(0,0)=s.px(1,1);} => K(Img{(unsigned char*)b,1,1,1},Img{(unsigned char*)a,1,1,1}); => a=w b=r',
  '__global__ void K(char*base,size_t pitch,float*o){float*row=(float*)(base+blockIdx.y*pitch); o[0]=row[threadIdx.x];} => K((char*)b,4,a); => a=w b=r',
];

describe('A kernel and each pointer it is given', () => {
  it.each(kernels)('%s', async (row) => {
    const [code = '', call = '', uses] = row.split(' => ');
    expect(await usesOf(code, call)).toBe(uses);
  });
});
