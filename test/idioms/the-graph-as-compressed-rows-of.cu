// The graph as compressed rows of predecessors; nodes are added in the order that Kahn's algorithm gives.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG2 = 10, SIZE = 1 << LOG2, HEAD = SIZE >> 2, THREADS = 512 };
static const size_t kBytes = (size_t)SIZE << 2;

static void must(cudaError_t rc)
{
    if (rc != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(rc));
        exit(1);
    }
}

__global__ void smooth(float *data, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] += 1; }
__global__ void lowPass(const float *x, float *y, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) y[i] = x[i] * x[i]; }
__global__ void decimate(const float *x, float *y, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) y[i] = -x[i]; }

enum task { T_SCRATCH, T_UPLOAD, T_SMOOTH, T_ENVELOPE, T_LOWPASS, T_FETCH, T_DECIMATE, T_DROP_SCRATCH, T_DROP_ENVELOPE, T_COUNT };

struct csr {
    int offsets[T_COUNT + 1];
    int edges[32];
    int used;
};

/* pairs: predecessor, successor; sorted by successor afterwards */
struct edge { enum task from, to; };
static const struct edge edge_list[] = {
    { T_SCRATCH, T_UPLOAD },
    { T_UPLOAD, T_SMOOTH },
    { T_SCRATCH, T_ENVELOPE },
    { T_SMOOTH, T_LOWPASS },
    { T_ENVELOPE, T_LOWPASS },
    { T_SMOOTH, T_FETCH },
    { T_SMOOTH, T_DECIMATE },
    { T_LOWPASS, T_DROP_SCRATCH },
    { T_FETCH, T_DROP_SCRATCH },
    { T_DECIMATE, T_DROP_SCRATCH }, // only right
    { T_LOWPASS, T_DROP_ENVELOPE },
};
#define EDGES (sizeof edge_list / sizeof edge_list[0])

static void csr_build(struct csr *m, const struct edge *list, size_t count)
{
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < count; i++) m->offsets[list[i].to + 1]++;
    for (int t = 0; t < T_COUNT; t++) m->offsets[t + 1] += m->offsets[t];
    int cursor[T_COUNT];
    memcpy(cursor, m->offsets, sizeof cursor);
    for (size_t i = 0; i < count; i++) m->edges[cursor[list[i].to]++] = list[i].from;
    m->used = (int)count;
}

static int kahn(const struct csr *m, int order[])
{
    int waiting[T_COUNT], done = 0;
    for (int t = 0; t < T_COUNT; t++) waiting[t] = m->offsets[t + 1] - m->offsets[t];
    for (int progress = 1; progress;) {
        progress = 0;
        for (int t = 0; t < T_COUNT; t++) {
            if (waiting[t] != 0) continue;
            waiting[t] = -1;
            order[done++] = t;
            progress = 1;
            for (size_t i = 0; i < EDGES; i++)
                if (edge_list[i].from == t) waiting[edge_list[i].to]--;
        }
    }
    return done;
}

struct context {
    cudaGraph_t graph;
    cudaGraphNode_t node[T_COUNT];
    float *scratch, *envelope, *stats, *input, *result;
};

static void add_alloc(struct context *c, cudaGraphNode_t *node, const cudaGraphNode_t *deps, size_t n, float **out)
{
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = kBytes;
    must(cudaGraphAddMemAllocNode(node, c->graph, deps, n, &p));
    *out = (float *)p.dptr;
}

static void add_kernel(struct context *c, cudaGraphNode_t *node, const cudaGraphNode_t *deps, size_t n, void *func, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = func;
    p.gridDim.x = (SIZE + THREADS - 1) / THREADS;
    p.gridDim.y = p.gridDim.z = 1;
    p.blockDim = { THREADS, 1, 1 };
    p.kernelParams = args;
    must(cudaGraphAddKernelNode(node, c->graph, deps, n, &p));
}

static void emit(struct context *c, const struct csr *m, int task)
{
    cudaGraphNode_t deps[8], *node = &c->node[task];
    size_t n = 0;
    int size = SIZE;
    for (const int *e = m->edges + m->offsets[task], *end = m->edges + m->offsets[task + 1]; e != end; ++e) deps[n++] = c->node[*e];
    switch (task) {
    case T_SCRATCH: add_alloc(c, node, deps, n, &c->scratch); break;
    case T_ENVELOPE: add_alloc(c, node, deps, n, &c->envelope); break;
    case T_UPLOAD: must(cudaGraphAddMemcpyNode1D(node, c->graph, deps, n, c->scratch, c->input, kBytes, cudaMemcpyHostToDevice)); break;
    case T_FETCH: must(cudaGraphAddMemcpyNode1D(node, c->graph, deps, n, c->result, c->scratch, kBytes, cudaMemcpyDeviceToHost)); break;
    case T_SMOOTH: { void *args[] = { &c->scratch, &size }; add_kernel(c, node, deps, n, (void *)smooth, args); } break;
    case T_LOWPASS: { void *args[] = { &c->scratch, &c->envelope, &size }; add_kernel(c, node, deps, n, (void *)lowPass, args); } break;
    case T_DECIMATE: { void *args[] = { &c->scratch, &c->stats, &size }; add_kernel(c, node, deps, n, (void *)decimate, args); } break; // found: graph-use-free-race
    case T_DROP_SCRATCH: must(cudaGraphAddMemFreeNode(node, c->graph, deps, n, c->scratch)); break;
    case T_DROP_ENVELOPE: must(cudaGraphAddMemFreeNode(node, c->graph, deps, n, c->envelope)); break;
    }
}

int main(void)
{
    static struct context c;
    struct csr rows;
    int order[T_COUNT];
    cudaStream_t stream;
    cudaGraphExec_t exec;
    float *output;

    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    c.input = (float *)malloc(kBytes);
    c.result = (float *)malloc(kBytes);
    for (int i = 0; i < SIZE; ++i) c.input[i] = (float)(i % 51) * 0.5f;
    must(cudaMalloc((void **)&output, (size_t)HEAD << 2));
    must(cudaMalloc((void **)&c.stats, kBytes));

    csr_build(&rows, edge_list, EDGES);
    int count = kahn(&rows, order);
    if (count != T_COUNT) {
        fprintf(stderr, "cycle: %d of %d\n", count, T_COUNT);
        return 2;
    }
    must(cudaGraphCreate(&c.graph, 0));
    for (int i = 0; i < count; i++) emit(&c, &rows, order[i]);
    must(cudaGraphInstantiateWithFlags(&exec, c.graph, 0));
    must(cudaGraphDestroy(c.graph));

    must(cudaGraphUpload(exec, stream));
    for (int left = 2; left-- > 0;) {
        must(cudaGraphLaunch(exec, stream));
        must(cudaStreamSynchronize(stream));
    }
    printf("result[0] = %f\n", c.result[0]);
    must(cudaGraphExecDestroy(exec));
    must(cudaStreamDestroy(stream));
    must(cudaFree(output));
    must(cudaFree(c.stats));
    free(c.input);
    free(c.result);
    return 0;
}
