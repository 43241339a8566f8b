/* image.cu - one frame of the edge detector as a graph; nodes are declared once, in PIPELINE(). */
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_LOG2 = 12, FRAME = 1 << FRAME_LOG2, BLOCK = 512 };

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define STR_(x) #x
#define STR(x) STR_(x)

#define TRY(call)                                                                          \
    ({                                                                                     \
        cudaError_t CONCAT(rc_, __LINE__) = (call);                                        \
        if (__builtin_expect(CONCAT(rc_, __LINE__) != cudaSuccess, 0)) {                   \
            fprintf(stderr, __FILE__ ":" STR(__LINE__) ": " #call ": %s\n",                \
                    cudaGetErrorName(CONCAT(rc_, __LINE__)));                              \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
        CONCAT(rc_, __LINE__);                                                             \
    })

__global__ void clear_image(float *__restrict__ data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

__global__ void to_gray(const float *__restrict__ x, float *__restrict__ y, float alpha, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}

__global__ void blur_rows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

/*        kind    name          what / buffer   after         arguments                                    */
#define PIPELINE(X)                                                                                          \
    X(ALLOC,  OUTPUT_ALLOC, output, NONE)                                                                    \
    X(KERNEL, CLEAR,        clear_image, OUTPUT_ALLOC, &buffers.output, &size)                               \
    X(ALLOC,  EDGES_ALLOC,  edges, CLEAR)                                                                    \
    X(KERNEL, GRAY,         to_gray, EDGES_ALLOC, &buffers.output, &buffers.edges, &alpha, &size)            \
    X(KERNEL, BLUR,         blur_rows, GRAY, &buffers.edges, &buffers.output, &size)                         \
    X(FREE,   EDGES_FREE,   edges, BLUR)

enum node_id {
#define X(kind, name, what, after, ...) NODE_##name,
    PIPELINE(X)
#undef X
    NODE_COUNT,
    NODE_NONE = NODE_COUNT
};

static const char *const node_names[] = {
#define X(kind, name, ...) [NODE_##name] = #kind " " #name,
    PIPELINE(X)
#undef X
};
static_assert(ARRAY_LEN(node_names) == NODE_COUNT, "a name for every node");

struct frame_buffers {
#define DECLARE_ALLOC(what) float *what;
#define DECLARE_KERNEL(what)
#define DECLARE_FREE(what)
#define X(kind, name, what, ...) DECLARE_##kind(what)
    PIPELINE(X)
#undef X
};

#define DEPS_OF(id) ((id) == NODE_NONE ? NULL : &nodes[(id)]), ((id) == NODE_NONE ? 0u : 1u)

#define EMIT_ALLOC(id, what, after, ...)                                                   \
    do {                                                                                   \
        cudaMemAllocNodeParams p = { };                                                    \
        p.poolProps.allocType = cudaMemAllocationTypePinned;                               \
        p.poolProps.location = (cudaMemLocation){ cudaMemLocationTypeDevice, 0 };          \
        p.bytesize = FRAME * sizeof *buffers.what;                                         \
        TRY(cudaGraphAddMemAllocNode(&nodes[id], graph, DEPS_OF(after), &p));              \
        buffers.what = (float *)p.dptr;                                                    \
    } while (0)

#define EMIT_KERNEL(id, what, after, ...)                                                  \
    do {                                                                                   \
        void *args[] = { __VA_ARGS__ };                                                    \
        cudaKernelNodeParams p;                                                            \
        memset(&p, 0, sizeof p);                                                           \
        p.func = (void *)what;                                                             \
        p.gridDim = dim3((FRAME + BLOCK - 1) / BLOCK);                                     \
        p.blockDim = dim3(BLOCK);                                                          \
        p.kernelParams = args;                                                             \
        TRY(cudaGraphAddKernelNode(&nodes[id], graph, DEPS_OF(after), &p));                \
    } while (0)

#define EMIT_FREE(id, what, after, ...) \
    TRY(cudaGraphAddMemFreeNode(&nodes[id], graph, DEPS_OF(after), buffers.what))

int main(void)
{
    cudaGraphNode_t nodes[NODE_COUNT];
    struct frame_buffers buffers = { };
    float *luma = NULL;
    float *host = (float *)calloc(FRAME, sizeof *host);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int size = FRAME;
    float alpha = 3.0f;
    const size_t bytes = FRAME * sizeof *luma;

    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&luma, bytes));
    TRY(cudaMemset(luma, 0, bytes));
    TRY(cudaDeviceSynchronize());

    TRY(cudaGraphCreate(&graph, 0));
#define X(kind, name, what, after, ...) EMIT_##kind(NODE_##name, what, NODE_##after __VA_OPT__(,) __VA_ARGS__);
    PIPELINE(X)
#undef X
    for (size_t i = 0; i < ARRAY_LEN(node_names); i++)
        printf("node %zu: %s\n", i, node_names[i]);
    TRY(cudaGraphInstantiate(&exec, graph, 0)); // only wrong
    TRY(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch)); // only right
    TRY(cudaGraphDestroy(graph));

    int left = 4;
    do {
        TRY(cudaGraphLaunch(exec, stream)); // found: relaunch-with-live-allocation
        to_gray<<<(FRAME + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(buffers.output, luma, 3.0f, FRAME);
    } while (--left);
    TRY(cudaFreeAsync(buffers.output, stream));
    TRY(cudaStreamSynchronize(stream));

    TRY(cudaMemcpy(host, luma, bytes, cudaMemcpyDeviceToHost));
    printf("host[0] = %f\n", host[0]);
    TRY(cudaGraphExecDestroy(exec));
    TRY(cudaStreamDestroy(stream));
    TRY(cudaFree(luma));
    free(host);
    return 0;
}
