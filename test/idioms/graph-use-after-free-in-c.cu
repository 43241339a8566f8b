/* Node descriptions live in one arena and refer to each other by offsets; parameter blocks are made from templates by memcpy. */
#include <cuda_runtime.h>
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIB(n) ((size_t)(n) << 10)
static const size_t buffer_bytes = KIB(64), part_bytes = KIB(64) / 4;
enum { THREADS = 256 };

#define TRY(call) do { if ((err = (call)) != cudaSuccess) { where = #call; goto fail; } } while (0)

__global__ void gather_head(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }
__global__ void clamp_array(int *data, int factor, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] *= factor; }
__global__ void partial_sums(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }

/* ---- the arena ---- */
typedef uint32_t ref; /* an offset; 0 is none */
struct arena { unsigned char *base; uint32_t used, size; };
#define AT(arena, type, r) ((type *)((arena)->base + (r)))

static ref take(struct arena *a, size_t bytes)
{
    const ref r = (a->used + 15u) & ~15u;
    assert(r + bytes <= a->size);
    a->used = r + (uint32_t)bytes;
    return r;
}

enum kind { KIND_ZERO, KIND_ALLOC, KIND_KERNEL, KIND_FETCH, KIND_FREE };
struct desc {
    enum kind kind;
    cudaGraphNode_t node;
    ref next;           /* in order of creation */
    ref deps;           /* struct deps */
    ref payload;        /* by kind */
};
struct deps { uint32_t count; ref of[]; };
struct buffer { int *ptr; size_t bytes; };
struct kernel_payload { cudaKernelNodeParams params; ref in, out; int factor, count; void *argv[4]; };
struct plan { struct arena mem; ref first, last; };

static ref describe(struct plan *p, enum kind kind, ref payload, const ref *deps, uint32_t ndeps)
{
    const ref r = take(&p->mem, sizeof(struct desc));
    struct desc *d = AT(&p->mem, struct desc, r);
    memset(d, 0, sizeof *d);
    d->kind = kind, d->payload = payload;
    if (ndeps) {
        d->deps = take(&p->mem, sizeof(struct deps) + ndeps * sizeof(ref));
        struct deps *list = AT(&p->mem, struct deps, d->deps);
        list->count = ndeps;
        memcpy(list->of, deps, ndeps * sizeof *deps);
    }
    if (p->last) AT(&p->mem, struct desc, p->last)->next = r;
    else p->first = r;
    return p->last = r;
}
#define DESCRIBE(kind, payload, ...) \
    ({ const ref deps_[] = {0 __VA_OPT__(,) __VA_ARGS__}; describe(p, kind, payload, deps_ + 1, sizeof deps_ / sizeof *deps_ - 1); })

static ref buffer_ref(struct plan *p, int *ptr, size_t bytes)
{
    const ref r = take(&p->mem, sizeof(struct buffer));
    const struct buffer b = {ptr, bytes};
    memcpy(p->mem.base + r, &b, sizeof b);
    return r;
}
static ref kernel_ref(struct plan *p, const void *fn, size_t bytes, ref in, ref out, int factor)
{
    static const cudaKernelNodeParams blank = {};
    const ref r = take(&p->mem, sizeof(struct kernel_payload));
    struct kernel_payload *k = AT(&p->mem, struct kernel_payload, r);
    memcpy(&k->params, &blank, sizeof blank);
    k->in = in, k->out = out, k->factor = factor, k->count = (int)(bytes / sizeof(int));
    k->params.func = (void *)fn;
    k->params.gridDim = dim3((k->count + THREADS - 1) / THREADS);
    k->params.blockDim = dim3(THREADS);
    return r;
}

static cudaError_t emit(struct plan *p, cudaGraph_t graph, struct desc *d, int *host)
{
    cudaGraphNode_t deps[4];
    uint32_t n = 0;
    struct buffer *b = AT(&p->mem, struct buffer, d->payload);
    if (d->deps) {
        const struct deps *list = AT(&p->mem, struct deps, d->deps);
        for (const ref *r = list->of; n < list->count; ++r) deps[n++] = AT(&p->mem, struct desc, *r)->node;
    }
    switch (d->kind) {
    case KIND_ZERO: {
        cudaMemsetParams m = {};
        m.dst = b->ptr, m.elementSize = 1, m.width = b->bytes, m.height = 1;
        return cudaGraphAddMemsetNode(&d->node, graph, deps, n, &m);
    }
    case KIND_ALLOC: {
        cudaMemAllocNodeParams a = {};
        a.poolProps.allocType = cudaMemAllocationTypePinned;
        a.poolProps.location.type = cudaMemLocationTypeDevice;
        a.bytesize = b->bytes;
        cudaError_t rc = cudaGraphAddMemAllocNode(&d->node, graph, deps, n, &a);
        return b->ptr = (int *)a.dptr, rc;
    }
    case KIND_KERNEL: {
        struct kernel_payload *k = AT(&p->mem, struct kernel_payload, d->payload);
        void **arg = k->argv;
        *arg++ = &AT(&p->mem, struct buffer, k->in)->ptr;
        if (k->out) *arg++ = &AT(&p->mem, struct buffer, k->out)->ptr;
        else *arg++ = &k->factor;
        *arg++ = &k->count;
        k->params.kernelParams = k->argv;
        return cudaGraphAddKernelNode(&d->node, graph, deps, n, &k->params); // found: graph-use-after-free // found: graph-conflicting-access
    }
    case KIND_FETCH: return cudaGraphAddMemcpyNode1D(&d->node, graph, deps, n, host, b->ptr, b->bytes, cudaMemcpyDeviceToHost);
    case KIND_FREE: return cudaGraphAddMemFreeNode(&d->node, graph, deps, n, b->ptr);
    }
    return cudaErrorInvalidValue;
}

int main(void)
{
    struct plan plan = {{(unsigned char *)calloc(1, KIB(8)), 16, (uint32_t)KIB(8)}, 0, 0}, *p = &plan;
    int *host = (int *)malloc(buffer_bytes), *output, *stats;
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaError_t err = cudaSuccess;
    const char *where = "";
    ref b_out, b_stats, b_scaled, zero_stats, alloc, zero, gather, clamp, fetch, release, sums;

    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(cudaMalloc((void **)&output, part_bytes));
    TRY(cudaMalloc((void **)&stats, buffer_bytes));
    b_out = buffer_ref(p, output, part_bytes);
    b_stats = buffer_ref(p, stats, buffer_bytes);
    b_scaled = buffer_ref(p, NULL, buffer_bytes);

    zero_stats = DESCRIBE(KIND_ZERO, b_stats);
    alloc = DESCRIBE(KIND_ALLOC, b_scaled);
    zero = DESCRIBE(KIND_ZERO, b_scaled, alloc);
    gather = DESCRIBE(KIND_KERNEL, kernel_ref(p, (const void *)gather_head, part_bytes, b_scaled, b_out, 0), zero);
    clamp = DESCRIBE(KIND_KERNEL, kernel_ref(p, (const void *)clamp_array, buffer_bytes, b_scaled, 0, 2), gather);
    fetch = DESCRIBE(KIND_FETCH, b_scaled, clamp);
    release = DESCRIBE(KIND_FREE, b_scaled, fetch); // only wrong
    sums = DESCRIBE(KIND_KERNEL, kernel_ref(p, (const void *)partial_sums, buffer_bytes, b_scaled, b_stats, 0), release); // only wrong
    sums = DESCRIBE(KIND_KERNEL, kernel_ref(p, (const void *)partial_sums, buffer_bytes, b_scaled, b_stats, 0), clamp, zero_stats); // only right
    release = DESCRIBE(KIND_FREE, b_scaled, fetch, sums); // only right
    (void)sums, (void)release, (void)zero_stats;

    TRY(cudaGraphCreate(&graph, 0));
    for (ref r = p->first; r; r = AT(&p->mem, struct desc, r)->next) TRY(emit(p, graph, AT(&p->mem, struct desc, r), host));
    TRY(cudaGraphInstantiate(&exec, graph, 0));
    TRY(cudaGraphDestroy(graph));
    TRY(cudaGraphLaunch(exec, stream));
    TRY(cudaStreamSynchronize(stream));
    printf("host[0] = %d, %u bytes of plan\n", host[0], p->mem.used);
    TRY(cudaGraphExecDestroy(exec));
    TRY(cudaStreamDestroy(stream));
    TRY(cudaFree(output));
    TRY(cudaFree(stats));
    free(host), free(p->mem.base);
    return EXIT_SUCCESS;
fail:
    fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(err));
    return EXIT_FAILURE;
}
