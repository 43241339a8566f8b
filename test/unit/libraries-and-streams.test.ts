/** Libraries that work in the stream their handle or their policy has: wrapped, in pools, with workspaces and numbers they give. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <vector>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }
#include <cublas_v2.h>
#include <cufft.h>
#include <cusparse.h>
#include <cudnn.h>
#include <nccl.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
static cudaStream_t nb() { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); return s; }
static float *dev(size_t n) { float *p; cudaMalloc(&p, n); return p; }
static const float one = 1, zero = 0;`;

const owned =
  'struct Stream { cudaStream_t raw = nb(); ~Stream() { cudaStreamDestroy(raw); } operator cudaStream_t() const { return raw; } };';

const rows: readonly Row[] = [
  ...[
    'thrust::sort(thrust::cuda::par_nosync.on(STREAM), v, v + 16);',
    'thrust::sort(thrust::cuda::par.on(STREAM), v, v + 16);',
    'size_t n = 64; cub::DeviceReduce::Sum(room, n, v, sum, 16, STREAM);',
  ].map(
    (call): Row => [
      `an object that turns into a stream: ${call}`,
      'stream-conflicting-access',
      owned,
      `float *v = dev(64), *sum = dev(64), *room = dev(64); Stream s, t; k<<<1, 1, 0, s>>>(v); ${call.replace('STREAM', 't')} cudaDeviceSynchronize();`,
      `float *v = dev(64), *sum = dev(64), *room = dev(64); Stream s, t; k<<<1, 1, 0, s>>>(v); ${call.replace('STREAM', 's')} cudaDeviceSynchronize();`,
    ],
  ),
  [
    'wrapper class of a cublas handle',
    '',
    'class Blas { cublasHandle_t h; public: explicit Blas(cudaStream_t s) { cublasCreate(&h); cublasSetStream(h, s); } ~Blas() { cublasDestroy(h); } operator cublasHandle_t() const { return h; } };',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64); Blas b(s); cublasSaxpy(b, 16, &one, x, 1, y, 1); cudaMemsetAsync(y, 0, 64, t); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64); Blas b(s); cublasSaxpy(b, 16, &one, x, 1, y, 1); cudaMemsetAsync(y, 0, 64, s); cudaDeviceSynchronize();',
  ],
  [
    'handle pool',
    '',
    'struct Pool { std::vector<cublasHandle_t> v; std::vector<cudaStream_t> s; Pool(int n) { for (int i = 0; i < n; i++) { cublasHandle_t h; cublasCreate(&h); cudaStream_t t = nb(); cublasSetStream(h, t); v.push_back(h); s.push_back(t); } } };',
    'Pool p(2); float *x = dev(64), *y = dev(64); cublasSaxpy(p.v[0], 16, &one, x, 1, y, 1); cublasSaxpy(p.v[1], 16, &one, x, 1, y, 1); cudaDeviceSynchronize();',
    'Pool p(2); float *x = dev(64), *y = dev(64), *z = dev(64); cublasSaxpy(p.v[0], 16, &one, x, 1, y, 1); cublasSaxpy(p.v[1], 16, &one, x, 1, z, 1); cudaDeviceSynchronize();',
  ],
  [
    'per-thread handle',
    '',
    'static cublasHandle_t mine() { static thread_local cublasHandle_t h = [] { cublasHandle_t n; cublasCreate(&n); return n; }(); return h; }',
    'cudaStream_t s = nb(); float *x = dev(64), *y = dev(64); cublasSetStream(mine(), s); cublasSaxpy(mine(), 16, &one, x, 1, y, 1); float h[16]; cudaMemcpy(h, y, 64, cudaMemcpyDeviceToHost);',
    'cudaStream_t s = nb(); float *x = dev(64), *y = dev(64); cublasSetStream(mine(), s); cublasSaxpy(mine(), 16, &one, x, 1, y, 1); float h[16]; cudaStreamSynchronize(s); cudaMemcpy(h, y, 64, cudaMemcpyDeviceToHost);',
  ],
  [
    'workspace freed while gemm runs',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); void *w; cudaMallocAsync(&w, 4096, s); cublasSetWorkspace(h, w, 4096); float *a = dev(64), *b = dev(64), *c = dev(64); cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4); cudaFreeAsync(w, t); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); void *w; cudaMallocAsync(&w, 4096, s); cublasSetWorkspace(h, w, 4096); float *a = dev(64), *b = dev(64), *c = dev(64); cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4); cudaFreeAsync(w, s); cudaDeviceSynchronize();',
  ],
  [
    'workspace used after free',
    '',
    '',
    'cudaStream_t s = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); void *w; cudaMalloc(&w, 4096); cublasSetWorkspace(h, w, 4096); float *a = dev(64), *b = dev(64), *c = dev(64); cudaFree(w); cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); void *w; cudaMalloc(&w, 4096); cublasSetWorkspace(h, w, 4096); float *a = dev(64), *b = dev(64), *c = dev(64); cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, b, 4, &zero, c, 4); cudaDeviceSynchronize(); cudaFree(w);',
  ],
  [
    'cufft exec',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cufftHandle p; cufftPlan1d(&p, 16, CUFFT_C2C, 1); cufftSetStream(p, s); cufftComplex *d; cudaMallocAsync((void **)&d, 128, s); cufftExecC2C(p, d, d, CUFFT_FORWARD); cudaFreeAsync(d, t); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); cufftHandle p; cufftPlan1d(&p, 16, CUFFT_C2C, 1); cufftSetStream(p, s); cufftComplex *d; cudaMallocAsync((void **)&d, 128, s); cufftExecC2C(p, d, d, CUFFT_FORWARD); cudaFreeAsync(d, s); cudaDeviceSynchronize();',
  ],
  [
    'cusparse spmv with buffer',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cusparseHandle_t h; cusparseCreate(&h); cusparseSetStream(h, s); cusparseSpMatDescr_t A; cusparseDnVecDescr_t X, Y; void *buf; cudaMallocAsync(&buf, 4096, s); cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buf); cudaFreeAsync(buf, t); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); cusparseHandle_t h; cusparseCreate(&h); cusparseSetStream(h, s); cusparseSpMatDescr_t A; cusparseDnVecDescr_t X, Y; void *buf; cudaMallocAsync(&buf, 4096, s); cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, A, X, &zero, Y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buf); cudaFreeAsync(buf, s); cudaDeviceSynchronize();',
  ],
  [
    'cudnn conv workspace',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cudnnHandle_t h; cudnnCreate(&h); cudnnSetStream(h, s); cudnnTensorDescriptor_t xd, yd; cudnnFilterDescriptor_t wd; cudnnConvolutionDescriptor_t cd; float *x = dev(64), *w = dev(64), *y = dev(64); void *ws; cudaMallocAsync(&ws, 4096, s); cudnnConvolutionForward(h, &one, xd, x, wd, w, cd, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, ws, 4096, &zero, yd, y); cudaFreeAsync(ws, t);',
    'cudaStream_t s = nb(), t = nb(); cudnnHandle_t h; cudnnCreate(&h); cudnnSetStream(h, s); cudnnTensorDescriptor_t xd, yd; cudnnFilterDescriptor_t wd; cudnnConvolutionDescriptor_t cd; float *x = dev(64), *w = dev(64), *y = dev(64); void *ws; cudaMallocAsync(&ws, 4096, s); cudnnConvolutionForward(h, &one, xd, x, wd, w, cd, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, ws, 4096, &zero, yd, y); cudaFreeAsync(ws, s);',
  ],
  [
    'nccl allreduce',
    '',
    'static ncclComm_t comm;',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64); ncclAllReduce(x, y, 16, ncclFloat, ncclSum, comm, s); k<<<1,1,0,t>>>(y); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64); ncclAllReduce(x, y, 16, ncclFloat, ncclSum, comm, s); k<<<1,1,0,s>>>(y); cudaDeviceSynchronize();',
  ],
  [
    'cub two-phase temp freed in other stream',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64); void *tmp = nullptr; size_t n = 0; cub::DeviceReduce::Sum(tmp, n, x, y, 16, s); cudaMallocAsync(&tmp, n, s); cub::DeviceReduce::Sum(tmp, n, x, y, 16, s); cudaFreeAsync(tmp, t); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64); void *tmp = nullptr; size_t n = 0; cub::DeviceReduce::Sum(tmp, n, x, y, 16, s); cudaMallocAsync(&tmp, n, s); cub::DeviceReduce::Sum(tmp, n, x, y, 16, s); cudaFreeAsync(tmp, s); cudaDeviceSynchronize();',
  ],
  [
    'cub temp freed too early',
    '',
    '',
    'cudaStream_t s = nb(); int *a, *b; cudaMalloc(&a, 64); cudaMalloc(&b, 64); void *tmp = nullptr; size_t n = 0; cub::DeviceScan::ExclusiveSum(nullptr, n, a, b, 16, s); cudaMallocAsync(&tmp, n, s); cudaFreeAsync(tmp, s); cub::DeviceScan::ExclusiveSum(tmp, n, a, b, 16, s); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(); int *a, *b; cudaMalloc(&a, 64); cudaMalloc(&b, 64); void *tmp = nullptr; size_t n = 0; cub::DeviceScan::ExclusiveSum(nullptr, n, a, b, 16, s); cudaMallocAsync(&tmp, n, s); cub::DeviceScan::ExclusiveSum(tmp, n, a, b, 16, s); cudaFreeAsync(tmp, s); cudaDeviceSynchronize();',
  ],
  [
    'thrust par.on and other stream',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64); thrust::fill(thrust::cuda::par_nosync.on(s), x, x + 16, 1.0f); k<<<1,1,0,t>>>(x); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64); thrust::fill(thrust::cuda::par.on(s), x, x + 16, 1.0f); k<<<1,1,0,s>>>(x); cudaDeviceSynchronize();',
  ],
  [
    'cublas in capture with handle on other stream',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, t); float *x = dev(64), *y = dev(64); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(y); cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); cublasSaxpy(h, 16, &one, x, 1, y, 1); cudaStreamEndCapture(s, &g);',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, t); float *x = dev(64), *y = dev(64); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(y); cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); cublasSaxpy(h, 16, &one, x, 1, y, 1); cudaEventRecord(e, t); cudaStreamWaitEvent(s, e, 0); cudaStreamEndCapture(s, &g);',
  ],
  [
    'cublas on the default stream during capture of a blocking stream',
    'capture-legacy-stream-use',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); cublasHandle_t h; cublasCreate(&h); float *x = dev(64), *y = dev(64); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(y); cublasSaxpy(h, 16, &one, x, 1, y, 1); cudaStreamEndCapture(s, &g);',
    'cudaStream_t s; cudaStreamCreate(&s); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); float *x = dev(64), *y = dev(64); cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1,1,0,s>>>(y); cublasSaxpy(h, 16, &one, x, 1, y, 1); cudaStreamEndCapture(s, &g);',
  ],
  [
    'result of a dot read from the device pointer',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE); float *x = dev(64), *r = dev(4), *hr; cudaMallocHost(&hr, 4); cublasSdot(h, 16, x, 1, x, 1, r); cudaMemcpyAsync(hr, r, 4, cudaMemcpyDeviceToHost, t); cudaStreamSynchronize(t);',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE); float *x = dev(64), *r = dev(4), *hr; cudaMallocHost(&hr, 4); cublasSdot(h, 16, x, 1, x, 1, r); cudaMemcpyAsync(hr, r, 4, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s);',
  ],
  [
    'curand',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); curandSetStream(g, s); float *x = dev(64); curandGenerateUniform(g, x, 16); k<<<1,1,0,t>>>(x); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); curandSetStream(g, s); float *x = dev(64); curandGenerateUniform(g, x, 16); k<<<1,1,0,s>>>(x); cudaDeviceSynchronize();',
  ],
  [
    'cusolver',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cusolverDnHandle_t h; cusolverDnCreate(&h); cusolverDnSetStream(h, s); float *a = dev(64), *w = dev(256); int *info; cudaMallocAsync(&info, 4, s); cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, 4, a, 4, w, 64, info); cudaFreeAsync(info, t); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); cusolverDnHandle_t h; cusolverDnCreate(&h); cusolverDnSetStream(h, s); float *a = dev(64), *w = dev(256); int *info; cudaMallocAsync(&info, 4, s); cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, 4, a, 4, w, 64, info); cudaFreeAsync(info, s); cudaDeviceSynchronize();',
  ],
  [
    `handle's stream switched in between`,
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); float *x = dev(64), *y = dev(64); for (int i = 0; i < 2; i++) { cublasSetStream(h, i == 0 ? s : t); cublasSaxpy(h, 16, &one, x, 1, y, 1); } cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); float *x = dev(64), *y[2] = {dev(64), dev(64)}; for (int i = 0; i < 2; i++) { cublasSetStream(h, i == 0 ? s : t); cublasSaxpy(h, 16, &one, x, 1, y[i], 1); } cudaDeviceSynchronize();',
  ],
  [
    'cublasLt matmul with workspace and stream',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cublasLtHandle_t h; cublasLtCreate(&h); cublasLtMatmulDesc_t d; cublasLtMatrixLayout_t A; cublasLtMatmulAlgo_t algo; float *a = dev(64), *b = dev(64), *c = dev(64); void *w; cudaMallocAsync(&w, 4096, s); cublasLtMatmul(h, d, &one, a, A, b, A, &zero, c, A, c, A, &algo, w, 4096, s); cudaFreeAsync(w, t);',
    'cudaStream_t s = nb(), t = nb(); cublasLtHandle_t h; cublasLtCreate(&h); cublasLtMatmulDesc_t d; cublasLtMatrixLayout_t A; cublasLtMatmulAlgo_t algo; float *a = dev(64), *b = dev(64), *c = dev(64); void *w; cudaMallocAsync(&w, 4096, s); cublasLtMatmul(h, d, &one, a, A, b, A, &zero, c, A, c, A, &algo, w, 4096, s); cudaFreeAsync(w, s);',
  ],
  [
    'context struct with handle and unique_ptr',
    '',
    'struct Ctx { cudaStream_t s = nb(); std::unique_ptr<cublasContext, decltype(&cublasDestroy)> h{nullptr, &cublasDestroy}; Ctx() { cublasHandle_t raw; cublasCreate(&raw); cublasSetStream(raw, s); h.reset(raw); } };',
    'Ctx c; float *x = dev(64), *y; cudaMallocAsync(&y, 64, c.s); cublasSaxpy(c.h.get(), 16, &one, x, 1, y, 1); cudaStream_t t = nb(); cudaFreeAsync(y, t); cudaDeviceSynchronize();',
    'Ctx c; float *x = dev(64), *y; cudaMallocAsync(&y, 64, c.s); cublasSaxpy(c.h.get(), 16, &one, x, 1, y, 1); cudaFreeAsync(y, c.s); cudaDeviceSynchronize();',
  ],
  [
    'host result of a dot in device order',
    '',
    '',
    '',
    'cudaStream_t s = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); float *x = dev(64), r; cublasSdot(h, 16, x, 1, x, 1, &r); cudaFree(x); return (int)r;',
  ],
  [
    'thrust in the default stream, which waits for no stream that does not block',
    '',
    '',
    'cudaStream_t s = nb(); float *x = dev(64); cudaMemsetAsync(x, 0, 64, s); thrust::sort(thrust::device, x, x + 16); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(); float *x = dev(64); cudaMemsetAsync(x, 0, 64, s); cudaStreamSynchronize(s); thrust::sort(thrust::device, x, x + 16); k<<<1,1,0,s>>>(x); cudaDeviceSynchronize();',
  ],
  [
    'thrust that does not wait for what it does in the default stream',
    '',
    '',
    'cudaStream_t s = nb(); float *x = dev(64); thrust::fill(thrust::cuda::par_nosync, x, x + 16, 1.0f); k<<<1,1,0,s>>>(x); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(); float *x = dev(64); thrust::fill(thrust::cuda::par, x, x + 16, 1.0f); k<<<1,1,0,s>>>(x); cudaDeviceSynchronize();',
  ],
  [
    'thrust with a policy over a stream that reads and writes',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64); auto policy = thrust::cuda::par_nosync.on(s); thrust::transform(policy, x, x + 16, y, thrust::negate<float>()); k<<<1,1,0,t>>>(x); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64); auto policy = thrust::cuda::par_nosync.on(s); thrust::transform(policy, x, x + 16, y, thrust::negate<float>()); rd<<<1,1,0,t>>>(x, dev(4)); cudaDeviceSynchronize();',
  ],
  [
    'thrust over two inputs',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64), *z = dev(64); auto policy = thrust::cuda::par_nosync.on(s); thrust::transform(policy, x, x + 16, y, z, thrust::plus<float>()); k<<<1,1,0,t>>>(y); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64), *y = dev(64), *z = dev(64); auto policy = thrust::cuda::par_nosync.on(s); thrust::transform(policy, x, x + 16, y, z, thrust::plus<float>()); k<<<1,1,0,s>>>(y); cudaDeviceSynchronize();',
  ],
  [
    'thrust that waits',
    '',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); float *x = dev(64); thrust::sort(thrust::cuda::par.on(s), x, x + 16); k<<<1,1,0,t>>>(x); cudaDeviceSynchronize();',
  ],
  [
    'workspace that the stream took away',
    '',
    '',
    '',
    'cudaStream_t s = nb(); cublasHandle_t h; cublasCreate(&h); void *w; cudaMalloc(&w, 4096); cublasSetWorkspace(h, w, 4096); cublasSetStream(h, s); float *x = dev(64), *y = dev(64); cudaFree(w); cublasSaxpy(h, 16, &one, x, 1, y, 1); cudaDeviceSynchronize();',
  ],
  [
    'work area of a plan freed in another stream',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cufftHandle p; cufftCreate(&p); cufftSetStream(p, s); cufftSetAutoAllocation(p, 0); size_t n; cufftMakePlan1d(p, 16, CUFFT_C2C, 1, &n); void *w; cudaMallocAsync(&w, 4096, s); cudaStreamSynchronize(s); cufftSetWorkArea(p, w); cufftComplex *d; cudaMalloc((void **)&d, 128); cufftExecC2C(p, d, d, CUFFT_FORWARD); cudaFreeAsync(w, t); cudaDeviceSynchronize();',
    'cudaStream_t s = nb(), t = nb(); cufftHandle p; cufftCreate(&p); cufftSetStream(p, s); cufftSetAutoAllocation(p, 0); size_t n; cufftMakePlan1d(p, 16, CUFFT_C2C, 1, &n); void *w; cudaMallocAsync(&w, 4096, s); cudaStreamSynchronize(s); cufftSetWorkArea(p, w); cufftComplex *d; cudaMalloc((void **)&d, 128); cufftExecC2C(p, d, d, CUFFT_FORWARD); cudaFreeAsync(w, s); cudaDeviceSynchronize();',
  ],
  [
    'a norm that the host reads',
    '',
    '',
    '',
    'cudaStream_t s = nb(), t = nb(); cublasHandle_t h; cublasCreate(&h); cublasSetStream(h, s); float *x = dev(64), r; cublasSnrm2(h, 16, x, 1, &r); k<<<1,1,0,t>>>(x); cudaDeviceSynchronize(); return (int)r;',
  ],
];

/** The stream that a library says it works in is the one it was given, or the default stream. */
const streams: readonly Row[] = [
  [
    'that is waited for',
    'stream-conflicting-access',
    '',
    '',
    'cublasHandle_t h; cublasCreate(&h); float *x = dev(64), *y = dev(64); cudaStream_t s = nb(), t; cublasSaxpy(h, 16, &one, x, 1, y, 1); cublasGetStream_v2(h, &t); cudaStreamSynchronize(t); cudaMemsetAsync(y, 0, 64, s); cudaDeviceSynchronize();',
  ],
  [
    'that waits for an event',
    'stream-conflicting-access',
    '',
    'cublasHandle_t h; cublasCreate(&h); float *x = dev(64), *y = dev(64); cudaStream_t s = nb(), t; cublasSetStream(h, nb()); cudaEvent_t e; cudaEventCreate(&e); cudaMemsetAsync(y, 0, 64, s); cublasGetStream(h, &t); cudaEventRecord(e, s); cudaStreamWaitEvent(s, e, 0); cublasSaxpy(h, 16, &one, x, 1, y, 1); cudaDeviceSynchronize();',
    'cublasHandle_t h; cublasCreate(&h); float *x = dev(64), *y = dev(64); cudaStream_t s = nb(), t; cublasSetStream(h, nb()); cudaEvent_t e; cudaEventCreate(&e); cudaMemsetAsync(y, 0, 64, s); cublasGetStream(h, &t); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); cublasSaxpy(h, 16, &one, x, 1, y, 1); cudaDeviceSynchronize();',
  ],
  [
    'of a handle that came from elsewhere',
    '',
    'static void use(cublasHandle_t h, float *x, float *y) { cudaStream_t t; cublasGetStream(h, &t); cudaMemsetAsync(y, 0, 64, t); cublasSaxpy(h, 16, &one, x, 1, y, 1); }',
    '',
    'float *y = dev(64); cudaFree(y);',
  ],
];

/** What a library says through a pointer is not what stood there before: the program goes on behind `if (size == 0) return`. */
const answers: readonly Row[] = [
  [
    'how much room it wants',
    'malloc-double-free',
    '',
    'cusolverDnHandle_t h; cusolverDnCreate(&h); float *x = dev(64); int lwork = 0; cusolverDnSpotrf_bufferSize(h, CUBLAS_FILL_MODE_LOWER, 4, x, 4, &lwork); if (lwork == 0) return 1; cudaFree(x); cudaFree(x);',
    'cusolverDnHandle_t h; cusolverDnCreate(&h); float *x = dev(64); int lwork = 0; cusolverDnSpotrf_bufferSize(h, CUBLAS_FILL_MODE_LOWER, 4, x, 4, &lwork); float *work = nullptr; if (lwork > 0) cudaMalloc(&work, lwork * sizeof(float)); cudaFree(work); cudaFree(x);',
  ],
  [
    'how much room it wants, of memory that another stream allocates',
    'async-use-before-alloc',
    '',
    'cusolverDnHandle_t h; cusolverDnCreate(&h); cudaStream_t s = nb(); float *x; cudaMallocAsync(&x, 64, s); int lwork = 0; cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, 4, x, 4, x, 0, &lwork); cudaDeviceSynchronize(); cudaFree(x);',
    'cusolverDnHandle_t h; cusolverDnCreate(&h); cudaStream_t s = nb(); float *x; cudaMallocAsync(&x, 64, s); int lwork = 0; cusolverDnSpotrf_bufferSize(h, CUBLAS_FILL_MODE_LOWER, 4, x, 4, &lwork); cudaDeviceSynchronize(); cudaFree(x);',
  ],
  [
    'how many algorithms it has found',
    'malloc-double-free',
    '#include <cublasLt.h>',
    'cublasLtHandle_t h; cublasLtCreate(&h); cublasLtMatmulDesc_t d; cublasLtMatrixLayout_t a; cublasLtMatmulPreference_t how; int found = 0; cublasLtMatmulHeuristicResult_t best{}; cublasLtMatmulAlgoGetHeuristic(h, d, a, a, a, a, how, 1, &best, &found); if (found == 0) exit(1); float *x = dev(64); cudaFree(x); cudaFree(x);',
    '',
  ],
  [
    'what it was asked for by name',
    'malloc-double-free',
    '',
    'cudnnHandle_t h; cudnnCreate(&h); cudnnTensorDescriptor_t t = nullptr; cudnnCreateTensorDescriptor(&t); size_t n = 0; cudnnGetConvolutionForwardWorkspaceSize(h, t, t, t, t, 1, &n); if (!t || n == 0) return 1; float *x = dev(64); cudaFree(x); cudaFree(x);',
    '',
  ],
  [
    'a number that it works out',
    'malloc-double-free',
    '',
    'cublasHandle_t h; cublasCreate(&h); float *x = dev(64), r = 0; cublasSnrm2(h, 16, x, 1, &r); if (r == 0) return 1; cudaFree(x); cudaFree(x);',
    'cublasHandle_t h; cublasCreate(&h); float *x = dev(64), r = 0; cublasSnrm2(h, 16, x, 1, &r); if (r == 0) cudaMemset(x, 0, 64); cudaFree(x);',
  ],
];

describeRows('the stream of a library', head, streams);
describeRows('the answer of a library', head, answers);
describeRows('a library and another stream', head, rows);
