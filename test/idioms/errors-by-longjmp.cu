// Errors by longjmp, cleanup by a stack of deferred calls, the capture as a block.
#include <cuda_runtime.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define KIB(n) ((size_t)(n) << 10)
static const size_t kBytes = KIB(1024);
static const int kCount = kBytes / sizeof(float);
enum { kThreads = 128 };

struct scope {
    jmp_buf env;
    cudaError_t rc;
    int depth;
    struct { void (*run)(void *); void *arg; } deferred[16];
};

static void defer(struct scope *sc, void (*run)(void *), void *arg)
{
    sc->deferred[sc->depth].run = run;
    sc->deferred[sc->depth++].arg = arg;
}
static void unwind(struct scope *sc)
{
    while (sc->depth > 0) {
        --sc->depth;
        sc->deferred[sc->depth].run(sc->deferred[sc->depth].arg);
    }
}
static void throw_if(struct scope *sc, cudaError_t rc)
{
    if (rc == cudaSuccess) return;
    sc->rc = rc;
    longjmp(sc->env, 1);
}

#define DEFINE_DEFERRED(kind, type, destroy) \
    static void defer_##kind(void *arg) { destroy(*(type *)arg); }
DEFINE_DEFERRED(stream, cudaStream_t, cudaStreamDestroy)
DEFINE_DEFERRED(event, cudaEvent_t, cudaEventDestroy)
DEFINE_DEFERRED(device, void *, cudaFree)
DEFINE_DEFERRED(graph, cudaGraph_t, cudaGraphDestroy)
DEFINE_DEFERRED(exec, cudaGraphExec_t, cudaGraphExecDestroy)
DEFINE_DEFERRED(host, void *, free)

/* CAPTURED(sc, stream, &graph) { work; } */
#define CAPTURED(sc, stream, out)                                                                      \
    for (int once_ = (throw_if(sc, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal)), 1); once_; \
         throw_if(sc, cudaStreamEndCapture(stream, out)), once_ = 0)

__global__ void fill_array_kernel(float *data, float alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] = alpha; }
__global__ void square_array_kernel(const float *src, float *dst, float alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) dst[i] = alpha * src[i]; }

static inline int blocks_for(int n) { return (n + kThreads - 1) / kThreads; }

int main(void)
{
    static struct scope scope;
    struct scope *sc = &scope;
    static cudaStream_t compute, copy;
    static cudaEvent_t ready, done;
    static cudaGraph_t graph;
    static cudaGraphExec_t exec;
    static float *work, *output, *host;

    if (setjmp(sc->env)) {
        fprintf(stderr, "failed: %s\n", cudaGetErrorName(sc->rc));
        unwind(sc);
        return EXIT_FAILURE;
    }
    throw_if(sc, cudaMalloc((void **)&output, kBytes));
    defer(sc, defer_device, &output);
    host = (float *)malloc(kBytes);
    defer(sc, defer_host, &host);
    throw_if(sc, cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
    defer(sc, defer_stream, &compute);
    throw_if(sc, cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking));
    defer(sc, defer_stream, &copy);
    throw_if(sc, cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    defer(sc, defer_event, &ready);
    throw_if(sc, cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    defer(sc, defer_event, &done);

    CAPTURED(sc, compute, &graph) {
        throw_if(sc, cudaMallocAsync((void **)&work, kBytes, compute));
        fill_array_kernel<<<blocks_for(kCount), kThreads, 0, compute>>>(work, 2.0f, kCount);
        throw_if(sc, cudaGetLastError());
    }
    defer(sc, defer_graph, &graph);
    throw_if(sc, cudaGraphInstantiate(&exec, graph, 0));
    defer(sc, defer_exec, &exec);

    throw_if(sc, cudaEventRecord(ready, compute)); // only wrong
    throw_if(sc, cudaGraphLaunch(exec, compute));
    throw_if(sc, cudaEventRecord(ready, compute)); // only right
    throw_if(sc, cudaStreamWaitEvent(copy, ready, 0));
    square_array_kernel<<<blocks_for(kCount), kThreads, 0, copy>>>(work, output, 3.0f, kCount); // found: xgraph-use-unordered-with-alloc
    throw_if(sc, cudaGetLastError());
    throw_if(sc, cudaEventRecord(done, copy));
    throw_if(sc, cudaStreamWaitEvent(compute, done, 0));
    throw_if(sc, cudaFreeAsync(work, compute));
    throw_if(sc, cudaStreamSynchronize(compute));
    throw_if(sc, cudaMemcpy(host, output, kBytes, cudaMemcpyDeviceToHost));
    printf("host[0] = %f\n", host[0]);
    unwind(sc);
    return EXIT_SUCCESS;
}
