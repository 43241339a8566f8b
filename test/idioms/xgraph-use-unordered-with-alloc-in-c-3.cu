/* The graph is a matrix; its nodes are visited depth first, and what has been visited is created in the order of its end. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1024, THREADS = 128 };
#define BYTES (WIDTH * sizeof(float))

__attribute__((noreturn, cold)) static void die(const char *call, cudaError_t rc)
{
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(rc));
    exit(1);
}
#define OK(call) ({ cudaError_t rc_ = (call); if (rc_) die(#call, rc_); })

__global__ void clear(float *v, float with, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) v[i] = with; }
__global__ void sobel(const float *a, float *b, float k, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = k * a[i]; }
__global__ void blur(const float *a, float *b, float k, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = k * a[i]; }
__global__ void to_gray(const float *a, float *b, float k, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = k * a[i]; }
__global__ void normalize(float *v, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) v[i] += 1; }

#define MAX_NODES 8
enum color { WHITE, GRAY, BLACK };
typedef struct dag dag;
struct dag {
    cudaGraph_t graph;
    int count, ended;
    char depends[MAX_NODES][MAX_NODES]; /* depends[a][b]: a comes after b */
    enum color color[MAX_NODES];
    cudaGraphNode_t node[MAX_NODES];
    int order[MAX_NODES];
    void (*create[MAX_NODES])(dag *, int self);
    float *user[MAX_NODES][2];
    float **made[MAX_NODES];
};

static int vertex(dag *d, void (*create)(dag *, int)) { return d->create[d->count] = create, d->count++; }
#define VERTEX(d, fn, ...) ({ int v_ = vertex(d, fn); (void)0 __VA_OPT__(, __VA_ARGS__); v_; })

static void visit(dag *d, int v, void (*visitor)(dag *, int, void *), void *user)
{
    if (d->color[v] == BLACK) return;
    if (d->color[v] == GRAY) {
        fputs("a cycle\n", stderr);
        abort();
    }
    d->color[v] = GRAY;
    for (int w = 0; w < d->count; ++w)
        if (d->depends[v][w]) visit(d, w, visitor, user);
    d->color[v] = BLACK;
    visitor(d, v, user);
}
static void create_vertex(dag *d, int v, void *created)
{
    d->create[v](d, v);
    d->order[d->ended++] = v;
    ++*(int *)created;
}
/* all edges in one call */
static void connect(dag *d)
{
    cudaGraphNode_t from[MAX_NODES * MAX_NODES], to[MAX_NODES * MAX_NODES];
    size_t edges = 0;
    for (int a = 0; a < d->count; ++a)
        for (int b = 0; b < d->count; ++b)
            if (d->depends[a][b]) from[edges] = d->node[b], to[edges++] = d->node[a];
    if (edges) OK(cudaGraphAddDependencies(d->graph, from, to, NULL, edges));
}

static float *g_edges, *g_tmp, *g_output;

static void create_alloc(dag *d, int v)
{
    cudaMemAllocNodeParams p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = BYTES;
    OK(cudaGraphAddMemAllocNode(&d->node[v], d->graph, NULL, 0, &p));
    *d->made[v] = (float *)p.dptr;
}
static void create_free(dag *d, int v) { OK(cudaGraphAddMemFreeNode(&d->node[v], d->graph, NULL, 0, *d->made[v])); }
static void launch(dag *d, int v, const void *fn, void **argv)
{
    const cudaKernelNodeParams p = {(void *)fn, dim3((WIDTH + THREADS - 1) / THREADS), dim3(THREADS), 0, argv, NULL};
    OK(cudaGraphAddKernelNode(&d->node[v], d->graph, NULL, 0, &p));
}
static float g_factor = 3.0f;
static int g_width = WIDTH;
#define KERNEL_VERTEX(name, fn, ...) \
    static void create_##name(dag *d, int v) { void *argv[] = {__VA_ARGS__}; launch(d, v, (const void *)fn, argv); }
KERNEL_VERTEX(clear, clear, &g_edges, &g_factor, &g_width)
KERNEL_VERTEX(sobel, sobel, &g_edges, &g_tmp, &g_factor, &g_width)
KERNEL_VERTEX(blur, blur, &g_tmp, &g_edges, &g_factor, &g_width)
KERNEL_VERTEX(normalize, normalize, &g_edges, &g_width) // found: xgraph-use-unordered-with-alloc
KERNEL_VERTEX(gray, to_gray, &g_edges, &g_output, &g_factor, &g_width) // found: xgraph-use-unordered-with-alloc

static int finish(dag *d, int last, cudaGraphExec_t *exec)
{
    int created = 0;
    OK(cudaGraphCreate(&d->graph, 0));
    visit(d, last, create_vertex, &created);
    connect(d);
    OK(cudaGraphInstantiateWithFlags(exec, d->graph, 0));
    return created;
}

int main(void)
{
    static dag producer, consumer;
    cudaGraphExec_t exec[2];
    cudaStream_t s[2];
    cudaEvent_t produced;
    float *result = (float *)malloc(BYTES);

    for (cudaStream_t *it = s; it <= &s[1]; ++it) OK(cudaStreamCreateWithFlags(it, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&g_output, BYTES));
    OK(cudaEventCreateWithFlags(&produced, cudaEventDisableTiming));

    int chain[6], k = 0;
    chain[k++] = VERTEX(&producer, create_alloc, producer.made[v_] = &g_edges);
    chain[k++] = VERTEX(&producer, create_clear);
    chain[k++] = VERTEX(&producer, create_alloc, producer.made[v_] = &g_tmp);
    chain[k++] = VERTEX(&producer, create_sobel);
    chain[k++] = VERTEX(&producer, create_blur);
    chain[k++] = VERTEX(&producer, create_free, producer.made[v_] = &g_tmp);
    for (int i = 1; i < k; ++i) producer.depends[chain[i]][chain[i - 1]] = 1;
    int made = finish(&producer, chain[k - 1], exec);

    const int first = VERTEX(&consumer, create_normalize), second = VERTEX(&consumer, create_gray),
              third = VERTEX(&consumer, create_free, consumer.made[v_] = &g_edges);
    consumer.depends[second][first] = consumer.depends[third][second] = 1;
    made += finish(&consumer, third, exec + 1);

    for (int round = 0; round < 3; ++round) {
        OK(cudaGraphLaunch(exec[0], s[0]));
        OK(cudaEventRecord(produced, s[0]));
        OK(cudaStreamWaitEvent(s[1], produced, 0)); // only right
        OK(cudaGraphLaunch(exec[1], s[1]));
        OK(cudaStreamSynchronize(s[1]));
    }
    for (int i = 0; i < 2; ++i) OK(cudaStreamSynchronize(s[i]));
    OK(cudaMemcpy(result, g_output, BYTES, cudaMemcpyDeviceToHost));
    printf("result[0] = %f, %d nodes\n", result[0], made);

    for (int i = 0; i < 2; ++i) {
        OK(cudaGraphExecDestroy(exec[i]));
        OK(cudaStreamDestroy(s[i]));
    }
    OK(cudaGraphDestroy(producer.graph));
    OK(cudaGraphDestroy(consumer.graph));
    OK(cudaEventDestroy(produced));
    OK(cudaFree(g_output));
    free(result);
    return 0;
}
