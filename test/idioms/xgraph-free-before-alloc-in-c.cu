/* Jobs with priorities in a queue that is sorted before it is drained; statuses of three layers; the launch order is data. */
#include <cuda_runtime.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS (1 << 14)
#define THREADS 128
#define BYTES ((size_t)ELEMENTS << 2)

/* X(own name, number, what cuda says, severity) */
#define STATUS_TABLE                                                    \
    X(FLOW_OK, 0, cudaSuccess, false)                                   \
    X(FLOW_NO_MEMORY, 10, cudaErrorMemoryAllocation, true)              \
    X(FLOW_BAD_VALUE, 11, cudaErrorInvalidValue, false)                 \
    X(FLOW_UNSUPPORTED, 12, cudaErrorNotSupported, false)               \
    X(FLOW_UNKNOWN, 99, cudaErrorUnknown, true)

enum flow_status {
#define X(name, number, cuda, fatal) name = number,
    STATUS_TABLE
#undef X
};
static enum flow_status from_cuda(cudaError_t e)
{
    switch (e) {
#define X(name, number, cuda, fatal) case cuda: return name;
        STATUS_TABLE
#undef X
    default: return FLOW_UNKNOWN;
    }
}
static const char *flow_text(enum flow_status s)
{
    static const struct { int number; const char *text; } texts[] = {
#define X(name, number, cuda, fatal) {number, #name},
        STATUS_TABLE
#undef X
        {-1, NULL}};
    int i = 0;
    while (texts[i].text && texts[i].number != (int)s) ++i;
    return texts[i].text ? texts[i].text : "?";
}
static bool accept(enum flow_status s, const char *what)
{
    if (s == FLOW_OK) return true;
    fprintf(stderr, "%s: %s\n", what, flow_text(s));
    return false;
}
#define TRY(call) accept(from_cuda(call), #call)
#define TRY_OR(call, ...) do { if (!TRY(call)) { __VA_ARGS__; } } while (0)

__global__ void offset_array(const float *in, float *out, float by, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = by * in[i]; }
__global__ void square_array(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] * in[i]; }
__global__ void increment_array(float *v, float by, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) v[i] *= by; }
__global__ void scale_array(const float *in, float *out, float by, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = by * in[i]; }

struct flow;
struct job {
    uint32_t priority;
    const char *name;
    bool (*run)(struct flow *, void *user);
    void *user;
};
struct flow {
    cudaStream_t stream;
    float *state, *output;
    struct job queue[8];
    size_t queued;
};

static bool push(struct flow *f, struct job j)
{
    if (f->queued == sizeof f->queue / sizeof f->queue[0]) return errno = ENOSPC, false;
    f->queue[f->queued++] = j;
    return true;
}
static int by_priority(const void *a, const void *b)
{
    const struct job *const x = (const struct job *)a, *const y = (const struct job *)b;
    return (x->priority > y->priority) - (x->priority < y->priority);
}
static bool drain(struct flow *f)
{
    bool ok = true;
    qsort(f->queue, f->queued, sizeof(struct job), by_priority);
    for (struct job *j = f->queue, *end = j + f->queued; ok && j < end; ++j) ok &= j->run(f, j->user);
    return f->queued = 0, ok;
}
static bool job_launch(struct flow *f, void *user)
{
    return TRY(cudaGraphLaunch(*(cudaGraphExec_t *)user, f->stream)); // found: xgraph-free-before-alloc
}
static bool job_wait(struct flow *f, void *)
{
    return TRY(cudaStreamSynchronize(f->stream));
}

static bool kernel(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t n, const void *fn, void **argv)
{
    cudaKernelNodeParams p;
    memset(&p, 0, sizeof p);
    p.func = (void *)fn;
    p.gridDim.x = (ELEMENTS + THREADS - 1) / THREADS, p.gridDim.y = p.gridDim.z = 1;
    p.blockDim = {THREADS, 1, 1};
    p.kernelParams = argv;
    return TRY(cudaGraphAddKernelNode(node, graph, deps, n, &p));
}

static bool make_producer(struct flow *f, cudaGraphExec_t *exec)
{
    enum node_index { A_STATE, Z_STATE, A_TMP, OFFSET, SQUARE, F_TMP, INCREMENT, N_NODES };
    cudaGraph_t g = NULL;
    cudaGraphNode_t n[N_NODES];
    float *tmp = NULL, two = 2.0f;
    int count = ELEMENTS;
    bool ok = false;
    float **const wanted[] = {&f->state, &tmp};
    const enum node_index at[] = {A_STATE, A_TMP};

    TRY_OR(cudaGraphCreate(&g, 0), return false);
    for (int i = 0; i < 2; ++i) {
        cudaMemAllocNodeParams p = {};
        p.poolProps.allocType = cudaMemAllocationTypePinned;
        p.poolProps.location.type = cudaMemLocationTypeDevice;
        p.bytesize = BYTES;
        TRY_OR(cudaGraphAddMemAllocNode(&n[at[i]], g, NULL, 0, &p), goto out);
        *wanted[i] = (float *)p.dptr;
        if (i) break;
        cudaMemsetParams m = {};
        m.dst = f->state, m.elementSize = sizeof(float), m.width = ELEMENTS, m.height = 1;
        TRY_OR(cudaGraphAddMemsetNode(n + Z_STATE, g, n + A_STATE, 1, &m), goto out);
    }
    {
        void *offset[] = {&f->state, &tmp, &two, &count}, *square[] = {&tmp, &f->state, &count}, *increment[] = {&f->state, &two, &count};
        ok = kernel(n + OFFSET, g, n + Z_STATE, 2, (const void *)offset_array, offset) &&
             kernel(n + SQUARE, g, n + OFFSET, 1, (const void *)square_array, square) &&
             TRY(cudaGraphAddMemFreeNode(n + F_TMP, g, n + SQUARE, 1, tmp)) &&
             kernel(n + INCREMENT, g, n + SQUARE, 1, (const void *)increment_array, increment) &&
             TRY(cudaGraphInstantiate(exec, g, 0));
    }
out:
    return TRY(cudaGraphDestroy(g)) && ok;
}

static bool make_consumer(struct flow *f, cudaGraph_t *g, cudaGraphExec_t *exec)
{
    cudaGraphNode_t ends[2];
    float two = 2.0f;
    int count = ELEMENTS;
    void *argv[4];
    void **arg = argv;
    *arg++ = &f->state, *arg++ = &f->output, *arg++ = &two, *arg++ = &count;
    return TRY(cudaGraphCreate(g, 0)) && kernel(&ends[0], *g, NULL, 0, (const void *)scale_array, argv) &&
           TRY(cudaGraphAddMemFreeNode(&ends[1], *g, NULL, 0, f->state)) &&
           TRY(cudaGraphAddDependencies(*g, &ends[0], &ends[1], NULL, 1)) && TRY(cudaGraphInstantiate(exec, *g, 0));
}

int main(void)
{
    struct flow f = {};
    cudaGraph_t consumer = NULL;
    cudaGraphExec_t produce = NULL, consume = NULL;
    float *host = (float *)malloc(BYTES);

    TRY(cudaMalloc((void **)&f.output, BYTES));
    TRY(cudaStreamCreateWithFlags(&f.stream, cudaStreamNonBlocking));
    if (!make_producer(&f, &produce) || !make_consumer(&f, &consumer, &consume)) return EXIT_FAILURE;

    push(&f, (struct job){~0u, "wait", job_wait, NULL});
    push(&f, (struct job){20, "consume", job_launch, &consume});
    push(&f, (struct job){30, "produce", job_launch, &produce}); // only wrong
    push(&f, (struct job){10, "produce", job_launch, &produce}); // only right
    drain(&f);
    TRY(cudaMemcpy(host, f.output, BYTES, cudaMemcpyDeviceToHost));
    printf("host[0] = %f\n", host[0]);

    for (cudaGraphExec_t *doomed[] = {&produce, &consume, NULL}, **d = doomed; *d; ++d) TRY(cudaGraphExecDestroy(**d));
    TRY(cudaGraphDestroy(consumer));
    TRY(cudaStreamDestroy(f.stream));
    TRY(cudaFree(f.output));
    free(host);
    return EXIT_SUCCESS;
}
