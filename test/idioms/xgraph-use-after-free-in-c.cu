/* Nodes are named by ids (index + generation) from a fixed pool; dependencies come as variable arguments. */
#include <cuda_runtime.h>
#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N (1 << 14)
#define TPB 256
#define GRID ((N + TPB - 1) / TPB)
#define BYTES (N * sizeof(float))

__global__ void clearImageKernel(float *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = i; }
__global__ void blurRowsKernel(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] * x[i]; }
__global__ void sobelFilterKernel(const float *x, float *y, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }
__global__ void thresholdKernel(const float *x, float *y, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }

typedef uint32_t ng_id;
#define NG_NULL ((ng_id)0)
#define NG_INDEX_BITS 8
#define NG_INDEX(id) ((id) & ((1u << NG_INDEX_BITS) - 1))
#define NG_GEN(id) ((id) >> NG_INDEX_BITS)

typedef struct ng_slot {
    cudaGraphNode_t node;
    uint32_t gen;
    int next_free;
} ng_slot;

typedef struct ng_builder {
    cudaGraph_t graph;
    int device;
    ng_slot slots[16];
    int free_head;
    unsigned added;
} ng_builder;

static void ng_init(ng_builder *b, cudaGraph_t graph, int device)
{
    memset(b, 0, sizeof *b);
    b->graph = graph;
    b->device = device;
    const int count = (int)(sizeof b->slots / sizeof b->slots[0]);
    for (int i = 0; i < count; i++) {
        b->slots[i].gen = 1;
        b->slots[i].next_free = i + 1 < count ? i + 1 : -1;
    }
    b->free_head = 0;
}

static ng_slot *ng_lookup(ng_builder *b, ng_id id)
{
    ng_slot *s = &b->slots[NG_INDEX(id)];
    return s->gen == NG_GEN(id) ? s : NULL;
}

static ng_id ng_take(ng_builder *b)
{
    int at = b->free_head;
    assert(at >= 0);
    b->free_head = b->slots[at].next_free;
    return (b->slots[at].gen << NG_INDEX_BITS) | (ng_id)at;
}

static ng_id ng_add(ng_builder *b, cudaGraphNodeParams *params, va_list deps)
{
    cudaGraphNode_t from[8];
    size_t n = 0;
    for (ng_id id; (id = va_arg(deps, ng_id)) != NG_NULL;) {
        const ng_slot *s = ng_lookup(b, id);
        assert(s && n < 8);
        from[n++] = s->node;
    }
    ng_id id = ng_take(b);
    if (cudaGraphAddNode(&ng_lookup(b, id)->node, b->graph, n ? from : NULL, NULL, n, params) == cudaSuccess) b->added++;
    return id;
}

static ng_id ng_alloc(ng_builder *b, void **out, size_t bytes, ...)
{
    cudaGraphNodeParams p = {};
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeMemAlloc;
    p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    p.alloc.poolProps.location.id = b->device;
    p.alloc.bytesize = bytes;
    va_list ap;
    va_start(ap, bytes);
    ng_id id = ng_add(b, &p, ap);
    va_end(ap);
    *out = p.alloc.dptr;
    return id;
}

static ng_id ng_free(ng_builder *b, void *memory, ...)
{
    cudaGraphNodeParams p = { .type = cudaGraphNodeTypeMemFree };
    p.free.dptr = memory;
    va_list ap;
    va_start(ap, memory);
    ng_id id = ng_add(b, &p, ap);
    va_end(ap);
    return id;
}

static ng_id ng_kernel(ng_builder *b, const void *func, void **args, ...)
{
    cudaGraphNodeParams p = { .type = cudaGraphNodeTypeKernel };
    p.kernel.func = (void *)func;
    p.kernel.gridDim = dim3(GRID);
    p.kernel.blockDim = dim3(TPB);
    p.kernel.kernelParams = args;
    va_list ap;
    va_start(ap, args);
    ng_id id = ng_add(b, &p, ap);
    va_end(ap);
    return id;
}
#define AFTER(...) __VA_ARGS__ __VA_OPT__(,) NG_NULL

int main(void)
{
    float *host_input, *dev_output, *host_result, *gradient, *image;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    ng_builder b;
    int n = N;
    float factor = 0.5f;

    cudaMallocHost((void **)&host_input, BYTES);
    for (int i = 0; i < N; ++i) host_input[i] = (float)(i % 81) * 0.5f;
    cudaMalloc((void **)&dev_output, BYTES);
    cudaMallocHost((void **)&host_result, BYTES);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    cudaGraphCreate(&graph, 0);
    ng_init(&b, graph, 0);
    ng_id a0 = ng_alloc(&b, (void **)&gradient, BYTES, AFTER());
    void *clear_args[] = { &gradient, &n };
    ng_id clear = ng_kernel(&b, (const void *)clearImageKernel, clear_args, AFTER(a0));
    ng_id a1 = ng_alloc(&b, (void **)&image, BYTES, AFTER());
    void *blur_args[] = { &gradient, &image, &n };
    ng_id blur = ng_kernel(&b, (const void *)blurRowsKernel, blur_args, AFTER(clear, a1));
    void *sobel_args[] = { &image, &gradient, &factor, &n };
    ng_id sobel = ng_kernel(&b, (const void *)sobelFilterKernel, sobel_args, AFTER(blur));
    ng_free(&b, image, AFTER(sobel));
    printf("%u nodes\n", b.added);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);

    for (int iter = 0; iter < 3; iter++) {
        cudaGraphLaunch(exec, stream);
        cudaFreeAsync(gradient, stream); // only wrong
        thresholdKernel<<<GRID, TPB, 0, stream>>>(gradient, dev_output, 3.0f, N); // found: xgraph-use-after-free
        cudaFreeAsync(gradient, stream); // only right
    }
    cudaStreamSynchronize(stream);
    cudaMemcpy(host_result, dev_output, BYTES, cudaMemcpyDeviceToHost);
    printf("host_result[0] = %f\n", host_result[0]);

    cudaGraphExecDestroy(exec);
    cudaDeviceGraphMemTrim(0);
    cudaStreamDestroy(stream);
    cudaFree(dev_output);
    cudaFreeHost(host_input);
    cudaFreeHost(host_result);
    return 0;
}
