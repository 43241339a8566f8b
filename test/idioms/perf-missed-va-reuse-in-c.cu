/* Everything about the graph stands in one list: enumerators, names, handles, and one function a node pasted together. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG2_N 14
#define N (1 << LOG2_N)
#define THREADS 128

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define STRING_(x) #x
#define STRING(x) STRING_(x)
#define HERE __FILE__ ":" STRING(__LINE__)

static int report(cudaError_t rc, const char *where, const char *call)
{
    return rc == cudaSuccess ? 0 : (fprintf(stderr, "%s: %s failed (%s)\n", where, call, cudaGetErrorName(rc)), 1);
}
#define GUARD(call) do if (report(call, HERE, #call)) exit(EXIT_FAILURE); while (0)

__global__ void dropout(int *v, int n) { const int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) v[i] = v[i] * 2; }
__global__ void zero_grad(int *v, int with, int n) { const int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) v[i] = with; }

/* NODE(name, kind, buffer, dependencies as a mask) in the order of creation */
#define ON(x) (1u << CONCAT(n_, x))
#define NODES(NODE)                                                     \
    NODE(take_logits, ALLOC, logits, 0)                                 \
    NODE(put_input, UPLOAD, logits, ON(take_logits))                    \
    NODE(step0, DROPOUT, logits, ON(put_input))                         \
    NODE(step1, DROPOUT, logits, ON(step0))                             \
    NODE(step2, DROPOUT, logits, ON(step1))                             \
    NODE(step3, DROPOUT, logits, ON(step2))                             \
    NODE(get_result, FETCH, logits, ON(step3))                          \
    NODE(drop_logits, FREE, logits, ON(get_result))                     \
    NODE(take_act, ALLOC, act, ACT_AFTER)                               \
    NODE(clear_act, CLEAR, act, ON(take_act) | ON(drop_logits))         \
    NODE(step4, DROPOUT, act, ON(clear_act))                            \
    NODE(get_second, FETCH, act, ON(step4))                             \
    NODE(drop_act, FREE, act, ON(get_second))
#define BUFFERS(B) B(logits, result) B(act, second)

#define ACT_AFTER 0 // only wrong
#define ACT_AFTER ON(drop_logits) // only right

typedef enum {
#define NODE(name, kind, buffer, after) CONCAT(n_, name),
    NODES(NODE)
#undef NODE
    node_count
} node_id;
static_assert(node_count <= 32, "a mask has 32 bits");

#define B(name, host) b_##name,
enum { BUFFERS(B) buffer_count };
#undef B

struct plan;
typedef cudaError_t emit_fn(struct plan *, cudaGraphNode_t *, const cudaGraphNode_t *, size_t);
struct plan {
    cudaGraph_t graph;
    cudaGraphNode_t node[node_count];
    struct { int *device, *host; const char *label; } buffer[buffer_count];
    int *input;
};

#define EMIT_ALLOC(b)                                                                             \
    {                                                                                             \
        cudaMemAllocNodeParams a;                                                                 \
        memset(&a, 0, sizeof a);                                                                  \
        a.poolProps.allocType = cudaMemAllocationTypePinned;                                      \
        a.poolProps.location.type = cudaMemLocationTypeDevice;                                    \
        a.bytesize = N * sizeof(int);                                                             \
        const cudaError_t rc = cudaGraphAddMemAllocNode(out, p->graph, deps, n, &a);              \
        p->buffer[b_##b].device = (int *)a.dptr;                                                  \
        return rc;                                                                                \
    }
#define EMIT_FREE(b) { return cudaGraphAddMemFreeNode(out, p->graph, deps, n, p->buffer[b_##b].device); }
#define EMIT_UPLOAD(b) { return cudaGraphAddMemcpyNode1D(out, p->graph, deps, n, p->buffer[b_##b].device, p->input, N * sizeof(int), cudaMemcpyHostToDevice); }
#define EMIT_FETCH(b) { return cudaGraphAddMemcpyNode1D(out, p->graph, deps, n, p->buffer[b_##b].host, p->buffer[b_##b].device, N * sizeof(int), cudaMemcpyDeviceToHost); }
#define EMIT_DROPOUT(b)                                                                           \
    {                                                                                             \
        int count = N;                                                                            \
        void *argv[] = {&p->buffer[b_##b].device, &count};                                        \
        cudaKernelNodeParams k = {(void *)dropout, {N / THREADS, 1, 1}, {THREADS, 1, 1}, 0, argv, NULL}; \
        return cudaGraphAddKernelNode(out, p->graph, deps, n, &k);                                \
    }
#define EMIT_CLEAR(b)                                                                             \
    {                                                                                             \
        int count = N, with = 3;                                                                  \
        void *argv[] = {&p->buffer[b_##b].device, &with, &count};                                 \
        cudaKernelNodeParams k = {(void *)zero_grad, {N / THREADS, 1, 1}, {THREADS, 1, 1}, 0, argv, NULL}; \
        return cudaGraphAddKernelNode(out, p->graph, deps, n, &k);                                \
    }

#define NODE(name, kind, buffer, after) \
    static cudaError_t emit_##name(struct plan *p, cudaGraphNode_t *out, const cudaGraphNode_t *deps, size_t n) EMIT_##kind(buffer)
NODES(NODE) // found: perf-missed-va-reuse
#undef NODE

static const struct { emit_fn *emit; uint32_t after; const char *name; } table[] = {
#define NODE(name, kind, buffer, after) {emit_##name, (after), #name},
    NODES(NODE)
#undef NODE
};

static void compile(struct plan *p, cudaGraphExec_t *exec)
{
    GUARD(cudaGraphCreate(&p->graph, 0));
    for (unsigned i = 0; i < sizeof table / sizeof *table; ++i) {
        cudaGraphNode_t deps[node_count], *end = deps;
        for (unsigned bit = 0; bit < i; ++bit)
            if (table[i].after >> bit & 1) *end++ = p->node[bit];
        if (report(table[i].emit(p, &p->node[i], deps, (size_t)(end - deps)), table[i].name, "emit")) abort();
    }
    GUARD(cudaGraphInstantiate(exec, p->graph, 0));
    GUARD(cudaGraphDestroy(p->graph));
    p->graph = NULL;
}

int main(void)
{
    struct plan plan = {};
    cudaGraphExec_t exec;
    cudaStream_t stream;
    int *output, *stats;

    plan.input = (int *)malloc(N * sizeof(int));
    for (int i = N; i--;) plan.input[i] = i % 94;
#define B(name, host_name) plan.buffer[b_##name].label = #host_name, plan.buffer[b_##name].host = (int *)malloc(N * sizeof(int));
    BUFFERS(B)
#undef B
    GUARD(cudaMalloc((void **)&output, N / 16 * sizeof(int)));
    GUARD(cudaMalloc((void **)&stats, N * sizeof(int)));
    GUARD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    compile(&plan, &exec);
    GUARD(cudaGraphLaunch(exec, stream));
    GUARD(cudaStreamSynchronize(stream));
    for (const auto &b : plan.buffer) printf("%s[0] = %d\n", b.label, b.host[0]);

    GUARD(cudaGraphExecDestroy(exec));
    GUARD(cudaStreamDestroy(stream));
    GUARD(cudaFree(output));
    GUARD(cudaFree(stats));
    for (auto &b : plan.buffer) free(b.host);
    free(plan.input);
    return 0;
}
