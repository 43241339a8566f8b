// Stream-ordered pipeline on the driver API; entry points are resolved at run time, as in a plugin that links against nothing.
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DRIVER_API(X)                                  \
    X(cuStreamCreate)                                  \
    X(cuStreamDestroy)                                 \
    X(cuStreamSynchronize)                             \
    X(cuStreamWaitEvent)                               \
    X(cuEventCreate)                                   \
    X(cuEventRecord)                                   \
    X(cuEventDestroy)                                  \
    X(cuMemAllocAsync)                                 \
    X(cuMemFreeAsync)                                  \
    X(cuMemAlloc)                                      \
    X(cuMemFree)                                       \
    X(cuMemsetD8)                                      \
    X(cuMemcpyDtoH)                                    \
    X(cuMemAllocHost)                                  \
    X(cuMemFreeHost)                                   \
    X(cuLaunchKernel)                                  \
    X(cuCtxSynchronize)

struct driver_table {
#define X(name) decltype(&::name) name;
    DRIVER_API(X)
#undef X
};

static int driver_load(struct driver_table *t)
{
    struct { const char *name; void **slot; } rows[] = {
#define X(name) { #name, (void **)&t->name },
        DRIVER_API(X)
#undef X
    };
    for (auto &row : rows) {
        cudaDriverEntryPointQueryResult found;
        if (cudaGetDriverEntryPointByVersion(row.name, row.slot, CUDA_VERSION, cudaEnableDefault, &found) != cudaSuccess || found != cudaDriverEntryPointSuccess) {
            fprintf(stderr, "%s is missing\n", row.name);
            return -1;
        }
    }
    return 0;
}

enum { kSize = 1 << 12, kHead = kSize >> 4, kThreads = 64 };

__global__ void sobelFilter(const float *src, float *dst, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dst[i] = alpha * src[i]; }
__global__ void toGray(const float *src, float *dst, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dst[i] = src[i] + src[i]; }
__global__ void drawPattern(float *data, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = alpha; }
__global__ void histogram(const float *src, float *dst, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dst[i] = src[i]; }

static struct driver_table cu;

static void *const kernels[] = { (void *)drawPattern, (void *)sobelFilter, (void *)toGray, (void *)histogram };
enum kernel_id { K_DRAW, K_SOBEL, K_GRAY, K_HIST, K_COUNT };
static CUfunction functions[K_COUNT];

static CUresult launch(enum kernel_id id, CUstream stream, int n, void **args)
{
    return cu.cuLaunchKernel(functions[id], (n + kThreads - 1) / kThreads, 1, 1, kThreads, 1, 1, 0, stream, args, NULL);
}
#define ARGS(...) ((void *[]){ __VA_ARGS__ })

static CUresult fork_to(CUstream to, CUstream from, CUevent through)
{
    CUresult r = cu.cuEventRecord(through, from);
    return r != CUDA_SUCCESS ? r : cu.cuStreamWaitEvent(to, through, 0);
}

int main(void)
{
    if (driver_load(&cu)) return 1;
    cudaFree(0);
    for (int i = 0; i < K_COUNT; i++) cudaGetFuncBySymbol((cudaFunction_t *)&functions[i], kernels[i]);

    float *h_input, *h_result;
    CUdeviceptr d_output, d_partial, d_gradient, d_mask;
    CUstream s[3];
    CUevent ev[4];
    float half = 0.5f;
    int n = kSize, head = kHead;

    cu.cuMemAllocHost((void **)&h_input, sizeof(float) * kSize);
    for (int i = 0; i < kSize; ++i) h_input[i] = (float)(i % 72) * 0.5f;
    cu.cuMemAllocHost((void **)&h_result, sizeof(float) * kSize);
    cu.cuMemAlloc(&d_output, sizeof(float) * kSize);
    cu.cuMemAlloc(&d_partial, sizeof(float) * kHead);
    cu.cuMemsetD8(d_output, 0, sizeof(float) * kSize);
    cu.cuMemsetD8(d_partial, 0, sizeof(float) * kHead);
    cu.cuCtxSynchronize();
    for (CUstream *it = s; it != s + 3; ++it) cu.cuStreamCreate(it, CU_STREAM_NON_BLOCKING);
    for (CUevent *it = ev; it != ev + 4; ++it) cu.cuEventCreate(it, CU_EVENT_DISABLE_TIMING);

    cu.cuMemAllocAsync(&d_gradient, sizeof(float) * kSize, s[0]);
    cu.cuMemAllocAsync(&d_mask, sizeof(float) * kSize, s[0]); // found: async-leak
    launch(K_DRAW, s[0], n, ARGS(&d_gradient, &half, &n));
    launch(K_SOBEL, s[0], n, ARGS(&d_gradient, &d_mask, &half, &n));
    fork_to(s[1], s[0], ev[0]);
    launch(K_GRAY, s[1], n, ARGS(&d_mask, &d_output, &n));
    fork_to(s[2], s[0], ev[1]);
    launch(K_HIST, s[2], head, ARGS(&d_gradient, &d_partial, &head));
    fork_to(s[0], s[2], ev[2]);
    fork_to(s[0], s[1], ev[3]);
    cu.cuMemFreeAsync(d_gradient, s[0]);
    cu.cuMemFreeAsync(d_mask, s[0]); // only right
    cu.cuStreamSynchronize(s[0]);
    cu.cuStreamSynchronize(s[1]);

    cu.cuMemcpyDtoH(h_result, d_output, sizeof(float) * kSize);
    printf("h_result[0] = %f\n", h_result[0]);

    for (int i = 3; i--; ) cu.cuStreamDestroy(s[i]);
    for (int i = 4; i--; ) cu.cuEventDestroy(ev[i]);
    cu.cuMemFree(d_output);
    cu.cuMemFree(d_partial);
    cu.cuMemFreeHost(h_input);
    cu.cuMemFreeHost(h_result);
    return 0;
}
