/* A C library on top of CUDA graphs: 32 bit handles with generations, slots in pools, statuses in two layers. */
#include <cuda_runtime.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gr_result { GR_SUCCESS = 0, GR_BAD_HANDLE = 1, GR_POOL_FULL = 2, GR_DRIVER = 3 } gr_result;
typedef struct gr_graph_t { uint32_t bits; } gr_graph;
typedef struct gr_exec_t { uint32_t bits; } gr_exec;
typedef struct gr_device gr_device;

#define GR_NULL {0}
#define GR_INDEX(h) ((h).bits & 0xffffu)
#define GR_GENERATION(h) ((h).bits >> 16)

#ifdef __cplusplus
}
#endif

#define POOL(type, name, cap)                                                                     \
    typedef struct { type item; uint16_t generation; bool live; } name##_slot;                    \
    typedef struct { name##_slot slots[cap]; uint16_t free_list[cap]; int nfree; } name##_pool;   \
    static void name##_pool_init(name##_pool *p)                                                  \
    {                                                                                             \
        memset(p, 0, sizeof *p);                                                                  \
        for (int i = cap; i-- > 0;) p->free_list[p->nfree++] = (uint16_t)i;                       \
    }                                                                                             \
    static uint32_t name##_pool_put(name##_pool *p, type item)                                    \
    {                                                                                             \
        if (!p->nfree) return 0;                                                                  \
        const uint16_t i = p->free_list[--p->nfree];                                              \
        name##_slot *const s = &p->slots[i];                                                      \
        return s->item = item, s->live = true, (uint32_t)++s->generation << 16 | i;               \
    }                                                                                             \
    static type *name##_pool_at(name##_pool *p, uint32_t bits)                                    \
    {                                                                                             \
        name##_slot *const s = &p->slots[(bits & 0xffffu) % (cap)];                               \
        return s->live && s->generation == bits >> 16 ? &s->item : NULL;                          \
    }                                                                                             \
    static void name##_pool_drop(name##_pool *p, uint32_t bits)                                   \
    {                                                                                             \
        if (!name##_pool_at(p, bits)) return;                                                     \
        p->slots[bits & 0xffffu].live = false;                                                    \
        p->free_list[p->nfree++] = (uint16_t)(bits & 0xffffu);                                    \
    }

struct graph_record { cudaGraph_t graph; cudaGraphNode_t last; int nodes; };
POOL(struct graph_record, graph, 8)
POOL(cudaGraphExec_t, exec, 8)

struct gr_device {
    graph_pool graphs;
    exec_pool execs;
    cudaStream_t stream;
    cudaError_t last_error;
};

static gr_result gr_note(gr_device *dev, cudaError_t e)
{
    return (dev->last_error = e) == cudaSuccess ? GR_SUCCESS : GR_DRIVER;
}
#define GR_CALL(dev, call) do { gr_result r_ = gr_note((dev), (call)); if (r_ != GR_SUCCESS) return r_; } while (0)
#define GR_LOOKUP(dev, kind, var, handle) \
    auto *var = kind##_pool_at(&(dev)->kind##s, (handle).bits); if (!var) return GR_BAD_HANDLE

static gr_result gr_graph_create(gr_device *dev, gr_graph *out)
{
    struct graph_record r = {NULL, NULL, 0};
    GR_CALL(dev, cudaGraphCreate(&r.graph, 0));
    out->bits = graph_pool_put(&dev->graphs, r);
    return out->bits ? GR_SUCCESS : GR_POOL_FULL;
}
static gr_result gr_graph_clone(gr_device *dev, gr_graph from, gr_graph *out)
{
    GR_LOOKUP(dev, graph, src, from);
    struct graph_record copy = *src;
    copy.last = NULL;
    GR_CALL(dev, cudaGraphClone(&copy.graph, src->graph)); // found: mem-graph-clone
    out->bits = graph_pool_put(&dev->graphs, copy);
    return out->bits ? GR_SUCCESS : GR_POOL_FULL;
}
static gr_result gr_graph_destroy(gr_device *dev, gr_graph g)
{
    GR_LOOKUP(dev, graph, r, g);
    GR_CALL(dev, cudaGraphDestroy(r->graph));
    graph_pool_drop(&dev->graphs, g.bits);
    return GR_SUCCESS;
}
static gr_result gr_compile(gr_device *dev, gr_graph g, gr_exec *out)
{
    cudaGraphExec_t exec;
    GR_LOOKUP(dev, graph, r, g);
    GR_CALL(dev, cudaGraphInstantiateWithFlags(&exec, r->graph, 0));
    return (out->bits = exec_pool_put(&dev->execs, exec)) ? GR_SUCCESS : GR_POOL_FULL;
}
static gr_result gr_submit(gr_device *dev, gr_exec e)
{
    GR_LOOKUP(dev, exec, x, e);
    return gr_note(dev, cudaGraphLaunch(*x, dev->stream));
}
static gr_result gr_exec_destroy(gr_device *dev, gr_exec e)
{
    GR_LOOKUP(dev, exec, x, e);
    GR_CALL(dev, cudaGraphExecDestroy(*x));
    return exec_pool_drop(&dev->execs, e.bits), GR_SUCCESS;
}

/* Chained nodes: each new one stands behind the one before. */
static gr_result gr_chain_alloc(gr_device *dev, gr_graph g, size_t bytes, void **out)
{
    GR_LOOKUP(dev, graph, r, g);
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    GR_CALL(dev, cudaGraphAddMemAllocNode(&r->last, r->graph, &r->last, r->nodes ? 1 : 0, &p));
    return r->nodes++, *out = p.dptr, GR_SUCCESS;
}
static gr_result gr_chain_copy(gr_device *dev, gr_graph g, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind)
{
    GR_LOOKUP(dev, graph, r, g);
    const cudaGraphNode_t before = r->last;
    GR_CALL(dev, cudaGraphAddMemcpyNode1D(&r->last, r->graph, &before, r->nodes++ > 0, dst, src, bytes, kind));
    return GR_SUCCESS;
}
static gr_result gr_chain_kernel(gr_device *dev, gr_graph g, const void *fn, int n, int threads, void *argv[])
{
    GR_LOOKUP(dev, graph, r, g);
    cudaKernelNodeParams p = {(void *)fn, dim3((n + threads - 1) / threads), dim3(threads), 0, argv, NULL};
    cudaGraphNode_t node;
    GR_CALL(dev, cudaGraphAddKernelNode(&node, r->graph, r->nodes ? &r->last : NULL, r->nodes ? 1 : 0, &p));
    r->last = node, ++r->nodes;
    return GR_SUCCESS;
}
static gr_result gr_chain_free(gr_device *dev, gr_graph g, void *ptr)
{
    GR_LOOKUP(dev, graph, r, g);
    cudaGraphNode_t deps[1] = {r->last};
    return gr_note(dev, cudaGraphAddMemFreeNode(&r->last, r->graph, deps, sizeof deps / sizeof *deps, ptr));
}

/* ---- the application ---- */
__global__ void tile_sum(const float *in, float *out, int n) { for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i]; }
__global__ void clamp(float *v, float limit, int n) { for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) v[i] *= limit; }
__global__ void shift(const float *in, float *out, float by, int n) { for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) out[i] = by * in[i]; }
__global__ void init_state(float *v, float with, int n) { for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) v[i] = with; }
__global__ void advance(float *v, float by, int n) { for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) v[i] *= by; }

enum { N = 4096, TILES = N / 16, THREADS = 512 };

static void fatal(const gr_device *dev, const char *what, int line, gr_result r)
{
    static const char *const names[] = {"success", "bad handle", "pool full", "driver"};
    fprintf(stderr, "line %d: %s: %s (%s)\n", line, what, names[r], r == GR_DRIVER ? cudaGetErrorString(dev->last_error) : "-");
    exit(1);
}
#define MUST(call) do { gr_result m_ = (call); if (m_) fatal(dev, #call, __LINE__, m_); } while (0)
#define CU(call) MUST(gr_note(dev, (call)))

int main(void)
{
    gr_device *dev = (gr_device *)calloc(1, sizeof(gr_device));
    gr_graph work = GR_NULL, post = GR_NULL, copy = GR_NULL;
    gr_exec work_x = GR_NULL, copy_x = GR_NULL;
    float *input, *result, *output, *partial, *state;
    void *square = NULL;
    int n = N, tiles = TILES;
    float half = 0.5f, two = 2.0f;

    graph_pool_init(&dev->graphs), exec_pool_init(&dev->execs);
    CU(cudaMallocHost((void **)&input, N * sizeof *input));
    for (int i = 0; i < N; ++i) input[i] = (float)(i % 84);
    CU(cudaMallocHost((void **)&result, N * sizeof *result));
    CU(cudaMalloc((void **)&output, N * sizeof *output));
    CU(cudaMalloc((void **)&partial, TILES * sizeof *partial));
    CU(cudaMalloc((void **)&state, N * sizeof *state));
    CU(cudaMemset(output, 0, N * sizeof *output));
    CU(cudaMemset(partial, 0, TILES * sizeof *partial));
    CU(cudaMemset(state, 0, N * sizeof *state));
    CU(cudaDeviceSynchronize());
    CU(cudaStreamCreateWithFlags(&dev->stream, cudaStreamNonBlocking));

    MUST(gr_graph_create(dev, &work));
    MUST(gr_chain_alloc(dev, work, N * sizeof(float), &square));
    MUST(gr_chain_copy(dev, work, square, input, N * sizeof(float), cudaMemcpyHostToDevice));
    { void *a[] = {&square, &partial, &tiles}; MUST(gr_chain_kernel(dev, work, (const void *)tile_sum, TILES, THREADS, a)); }
    { void *a[] = {&square, &half, &n}; MUST(gr_chain_kernel(dev, work, (const void *)clamp, N, THREADS, a)); }
    { void *a[] = {&square, &output, &half, &n}; MUST(gr_chain_kernel(dev, work, (const void *)shift, N, THREADS, a)); }
    MUST(gr_chain_free(dev, work, square));
    MUST(gr_compile(dev, work, &work_x));

    MUST(gr_graph_create(dev, &post));
    { void *a[] = {&state, &two, &n}; MUST(gr_chain_kernel(dev, post, (const void *)init_state, N, THREADS, a)); }
    { void *a[] = {&state, &two, &n}; MUST(gr_chain_kernel(dev, post, (const void *)advance, N, THREADS, a)); }

    MUST(gr_graph_clone(dev, work, &copy)); // only wrong
    MUST(gr_graph_clone(dev, post, &copy)); // only right
    MUST(gr_compile(dev, copy, &copy_x));

    MUST(gr_submit(dev, work_x));
    MUST(gr_submit(dev, copy_x));
    CU(cudaStreamSynchronize(dev->stream));
    CU(cudaMemcpy(result, output, N * sizeof *result, cudaMemcpyDeviceToHost));
    printf("result[0] = %f\n", result[0]);

    MUST(gr_exec_destroy(dev, work_x));
    MUST(gr_exec_destroy(dev, copy_x));
    MUST(gr_graph_destroy(dev, work));
    MUST(gr_graph_destroy(dev, post));
    MUST(gr_graph_destroy(dev, copy));
    CU(cudaDeviceGraphMemTrim(0));
    CU(cudaStreamDestroy(dev->stream));
    CU(cudaFree(output));
    CU(cudaFree(partial));
    CU(cudaFree(state));
    CU(cudaFreeHost(input));
    CU(cudaFreeHost(result));
    free(dev);
    return 0;
}
