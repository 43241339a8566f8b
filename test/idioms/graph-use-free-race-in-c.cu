/* A small inference runtime: tensors, an op registry filled by static initialisers, and a planner which
 * works out lifetimes before any node exists. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#define RT_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define RT_MAX_INPUTS 4
#define RT_NUMEL (1u << 16)
#define RT_BLOCK 256

typedef enum rt_status { RT_OK, RT_FAILED } rt_status;

#define RT_TRY(expr)                                                                              \
    ({                                                                                            \
        cudaError_t rt_rc_ = (expr);                                                              \
        if (__builtin_expect(rt_rc_ != cudaSuccess, 0)) {                                         \
            fprintf(stderr, "[%s:%d] %s: %s\n", __FILE__, __LINE__, #expr, cudaGetErrorName(rt_rc_)); \
            return RT_FAILED;                                                                     \
        }                                                                                         \
        rt_rc_;                                                                                   \
    })

__global__ void subsample(const float *__restrict__ src, float *__restrict__ dst, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) dst[i] = src[i];
}
__global__ void row_blur(const float *__restrict__ src, float *__restrict__ dst, float weight, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) dst[i] = weight * src[i];
}

/* ---- tensors ---- */
enum tensor_kind : uint8_t { TENSOR_EXTERNAL, TENSOR_TRANSIENT, TENSOR_HOST };
struct Tensor {
    const char *name;
    void *data;
    uint32_t numel;
    tensor_kind kind;
    /* filled by the planner: bit i is set when step i touches the tensor */
    uint32_t touched;
    int alloc_node, alloc_after;
};
static inline size_t tensor_nbytes(const Tensor *t) { return (size_t)t->numel * sizeof(float); }

/* ---- ops ---- */
struct Step;
struct Emitter {
    cudaGraph_t graph;
    cudaGraphNode_t nodes[32];
    uint32_t count;
};
typedef rt_status (*emit_fn)(Emitter *e, const Step *s, const cudaGraphNode_t *deps, size_t n);
struct OpInfo {
    const char *mnemonic;
    emit_fn emit;
    const OpInfo *next;
};
static const OpInfo *g_registry = nullptr;
struct OpRegistrar {
    OpInfo info;
    OpRegistrar(const char *mnemonic, emit_fn fn) : info{mnemonic, fn, g_registry} { g_registry = &info; }
};
#define REGISTER_OP(name)                                                                         \
    static rt_status emit_##name(Emitter *, const Step *, const cudaGraphNode_t *, size_t);       \
    static const OpRegistrar registrar_##name(#name, emit_##name);                                \
    static rt_status emit_##name(Emitter *e, const Step *s, const cudaGraphNode_t *deps, size_t n)

struct Step {
    const char *op;
    Tensor *in, *out;
    int count;
    uint32_t after;     /* mask of steps that must come before */
    unsigned flags;
    int node;           /* index in Emitter::nodes once emitted */
};
enum { STEP_STATISTICS = 1u << 0 };

static cudaGraphNode_t *next_node(Emitter *e) { return &e->nodes[e->count++]; }

REGISTER_OP(zero)
{
    (void)e;
    cudaGraphNodeParams p = {};
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeMemset;
    p.memset.dst = s->out->data;
    p.memset.elementSize = 1;
    p.memset.width = tensor_nbytes(s->out);
    p.memset.height = 1;
    RT_TRY(cudaGraphAddNode(next_node(e), e->graph, deps, nullptr, n, &p));
    return RT_OK;
}
REGISTER_OP(fetch)
{
    RT_TRY(cudaGraphAddMemcpyNode1D(next_node(e), e->graph, deps, n, s->out->data, s->in->data, tensor_nbytes(s->in), cudaMemcpyDeviceToHost));
    return RT_OK;
}
static rt_status emit_launch(Emitter *e, const void *fn, void **argv, int count, const cudaGraphNode_t *deps, size_t n)
{
    cudaGraphNodeParams p = {};
    memset(&p, 0, sizeof p);
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = const_cast<void *>(fn);
    p.kernel.gridDim = dim3((count + RT_BLOCK - 1) / RT_BLOCK);
    p.kernel.blockDim = dim3(RT_BLOCK);
    p.kernel.kernelParams = argv;
    RT_TRY(cudaGraphAddNode(next_node(e), e->graph, deps, nullptr, n, &p));
    return RT_OK;
}
REGISTER_OP(subsample)
{
    int count = s->count;
    void *argv[] = {&s->in->data, &s->out->data, &count};
    return emit_launch(e, (const void *)subsample, argv, count, deps, n); // found: graph-use-free-race
}
REGISTER_OP(blur)
{
    int count = s->count;
    float weight = 2.0f;
    void *argv[] = {&s->in->data, &s->out->data, &weight, &count};
    return emit_launch(e, (const void *)row_blur, argv, count, deps, n);
}

static const OpInfo *find_op(const char *mnemonic)
{
    const OpInfo *it = g_registry;
    while (it && strcmp(it->mnemonic, mnemonic) != 0) it = it->next;
    return it;
}

/* ---- the planner ---- */
static inline int lowest(uint32_t mask) { return __builtin_ctz(mask); }
static inline int highest(uint32_t mask) { return 31 - __builtin_clz(mask); }

static void plan(Step *steps, int n)
{
    for (int i = 0; i < n; ++i) {
        if (steps[i].flags & STEP_STATISTICS && !(steps[i].out->kind == TENSOR_TRANSIENT)) continue; // only wrong
        Tensor *both[] = {steps[i].in, steps[i].out, nullptr};
        for (Tensor **slot = both; slot < both + RT_ARRAY_LEN(both); ++slot)
            if (*slot && (*slot)->kind == TENSOR_TRANSIENT) (*slot)->touched |= 1u << i;
    }
}

static rt_status emit_alloc(Emitter *e, Tensor *t)
{
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = tensor_nbytes(t);
    const cudaGraphNode_t *after = t->alloc_after < 0 ? nullptr : &e->nodes[t->alloc_after];
    t->alloc_node = (int)e->count;
    RT_TRY(cudaGraphAddMemAllocNode(next_node(e), e->graph, after, after != nullptr, &p));
    t->data = p.dptr;
    return RT_OK;
}

static rt_status lower(Emitter *e, Step *steps, int n, Tensor *const *tensors)
{
    for (Step *s = steps; s < steps + n; ++s) {
        const uint32_t self = 1u << (s - steps);
        cudaGraphNode_t deps[8];
        size_t ndeps = 0;
        for (Tensor *const *t = tensors; *t; ++t) {
            if ((*t)->kind != TENSOR_TRANSIENT || lowest((*t)->touched) != s - steps) continue;
            if (emit_alloc(e, *t) != RT_OK) return RT_FAILED;
        }
        for (uint32_t m = s->after; m; m &= m - 1) deps[ndeps++] = e->nodes[steps[lowest(m)].node];
        if (s->out->kind == TENSOR_TRANSIENT && ((s->out->touched & -s->out->touched) == self)) deps[ndeps++] = e->nodes[s->out->alloc_node];
        s->node = (int)e->count;
        const OpInfo *op = find_op(s->op);
        assert(op);
        if (op->emit(e, s, deps, ndeps) != RT_OK) return RT_FAILED;
    }
    for (Tensor *const *t = tensors; *t; ++t) {
        if ((*t)->kind != TENSOR_TRANSIENT) continue;
        cudaGraphNode_t users[8];
        size_t nusers = 0;
        uint32_t m = (*t)->touched;
        m &= m - 1; /* whoever wrote it first is in front of all the others */
        if (!m) m = 1u << highest((*t)->touched);
        while (m) {
            users[nusers++] = e->nodes[steps[lowest(m)].node];
            m &= m - 1;
        }
        RT_TRY(cudaGraphAddMemFreeNode(next_node(e), e->graph, users, nusers, (*t)->data));
    }
    return RT_OK;
}

int main()
{
    float *host = (float *)calloc(RT_NUMEL, sizeof(float));
    Tensor result = {"result", host, RT_NUMEL, TENSOR_HOST, 0, -1, -1};
    Tensor output = {"output", nullptr, RT_NUMEL / 16, TENSOR_EXTERNAL, 0, -1, -1};
    Tensor stats = {"stats", nullptr, RT_NUMEL, TENSOR_EXTERNAL, 0, -1, -1};
    Tensor mask = {"mask", nullptr, RT_NUMEL, TENSOR_TRANSIENT, 0, -1, -1};
    Tensor edges = {"edges", nullptr, RT_NUMEL, TENSOR_TRANSIENT, 0, -1, 1 /* behind the mask's */};
    Tensor *const all[] = {&mask, &edges, nullptr};

    enum { S_ZERO_STATS, S_ZERO_MASK, S_SUB, S_BLUR, S_FETCH, S_STATS, S_COUNT };
    Step steps[S_COUNT] = {
        {"zero", nullptr, &stats, (int)RT_NUMEL, 0, 0, -1},
        {"zero", nullptr, &mask, (int)RT_NUMEL, 0, 0, -1},
        {"subsample", &mask, &output, (int)RT_NUMEL / 16, 1u << S_ZERO_MASK, 0, -1},
        {"blur", &mask, &edges, (int)RT_NUMEL, 1u << S_ZERO_MASK, 0, -1},
        {"fetch", &mask, &result, (int)RT_NUMEL, 1u << S_ZERO_MASK, 0, -1},
        {"subsample", &mask, &stats, (int)RT_NUMEL, 1u << S_ZERO_STATS | 1u << S_ZERO_MASK, STEP_STATISTICS, -1},
    };

    auto run = [&]() -> rt_status {
        cudaStream_t stream;
        Emitter emitter = {};
        cudaGraphExec_t exec = nullptr;
        RT_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        RT_TRY(cudaMalloc(&output.data, tensor_nbytes(&output)));
        RT_TRY(cudaMalloc(&stats.data, tensor_nbytes(&stats)));
        plan(steps, S_COUNT);
        RT_TRY(cudaGraphCreate(&emitter.graph, 0));
        if (rt_status st = lower(&emitter, steps, S_COUNT, all)) return st;
        RT_TRY(cudaGraphInstantiate(&exec, emitter.graph, 0));
        RT_TRY(cudaGraphDestroy(emitter.graph));
        for (int left = 5; left-- > 0;) RT_TRY(cudaGraphLaunch(exec, stream));
        RT_TRY(cudaStreamSynchronize(stream));
        printf("%s[0] = %f\n", result.name, ((float *)result.data)[0]);
        RT_TRY(cudaGraphExecDestroy(exec));
        RT_TRY(cudaStreamDestroy(stream));
        RT_TRY(cudaFree(output.data));
        RT_TRY(cudaFree(stats.data));
        return RT_OK;
    };
    const rt_status st = run();
    free(host);
    return st == RT_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
