// What is launched where, behind what, is a table; a small engine goes through it once a round.
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1 << 18, TILE = WIDTH / 8, THREADS = 128 };
__global__ void decimate(const float *x, float *y, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }
__global__ void rectify(const float *x, float *y, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }

typedef enum { Q_MAIN, Q_SIDE, Q_COUNT } queue_t;
typedef enum { G_PRODUCER, G_FIRST, G_SECOND, G_COUNT, G_NONE } graph_t;
typedef enum { E_PRODUCED, E_CONSUMED, E_COUNT, E_NONE } event_t;

typedef struct {
    graph_t launch;
    queue_t queue;
    event_t wait, signal; /* before and behind it */
} step_t;

static const step_t schedule[] = {
    { G_PRODUCER, Q_MAIN, E_NONE, E_NONE }, // only wrong
    { G_PRODUCER, Q_MAIN, E_NONE, E_PRODUCED }, // only right
    { .launch = G_FIRST, .queue = Q_MAIN, .wait = E_NONE, .signal = E_NONE },
    { .launch = G_SECOND, .queue = Q_SIDE, .wait = E_NONE, .signal = E_CONSUMED }, // only wrong
    { .launch = G_SECOND, .queue = Q_SIDE, .wait = E_PRODUCED, .signal = E_CONSUMED }, // only right
    { .launch = G_NONE, .queue = Q_MAIN, .wait = E_CONSUMED, .signal = E_NONE },
};

static struct {
    cudaStream_t queue[Q_COUNT];
    cudaEvent_t event[E_COUNT];
    cudaGraph_t graph[G_COUNT];
    cudaGraphExec_t exec[G_COUNT];
    float *spectrum, *scratch, *first, *second, *input, *result;
} g;

static void ensure(cudaError_t rc, const char *what)
{
    if (rc != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(rc));
        _Exit(1);
    }
}
#define ENSURE(...) ensure((__VA_ARGS__), #__VA_ARGS__)

static void work_producer(cudaStream_t q)
{
    ENSURE(cudaMallocAsync((void **)&g.spectrum, WIDTH * sizeof(float), q));
    ENSURE(cudaMallocAsync((void **)&g.scratch, WIDTH * sizeof(float), q));
    ENSURE(cudaMemsetAsync(g.spectrum, 0, WIDTH * sizeof(float), q));
    decimate<<<(WIDTH + THREADS - 1) / THREADS, THREADS, 0, q>>>(g.spectrum, g.scratch, 2.0f, WIDTH);
}
static void work_first(cudaStream_t q) { decimate<<<(WIDTH + THREADS - 1) / THREADS, THREADS, 0, q>>>(g.spectrum, g.first, 2.0f, WIDTH); }
static void work_second(cudaStream_t q) { rectify<<<(WIDTH + THREADS - 1) / THREADS, THREADS, 0, q>>>(g.scratch, g.second, 0.5f, WIDTH); } // found: xgraph-use-unordered-with-alloc

static const struct {
    void (*work)(cudaStream_t);
    unsigned long long flags;
    bool keep;
} recipes[G_COUNT] = {
    [G_PRODUCER] = { work_producer, cudaGraphInstantiateFlagAutoFreeOnLaunch, true },
    [G_FIRST] = { work_first, 0, true },
    [G_SECOND] = { work_second, 0, false },
};

static void build(graph_t which)
{
    cudaGraph_t *graph = &g.graph[which];
    ENSURE(cudaStreamBeginCapture(g.queue[Q_MAIN], cudaStreamCaptureModeGlobal));
    recipes[which].work(g.queue[Q_MAIN]);
    ENSURE(cudaStreamEndCapture(g.queue[Q_MAIN], graph));
    ENSURE(cudaGraphInstantiateWithFlags(&g.exec[which], *graph, recipes[which].flags));
    if (recipes[which].keep) return;
    ENSURE(cudaGraphDestroy(*graph));
    *graph = NULL;
}

static void round_of(const step_t *steps, size_t count)
{
    for (const step_t *s = steps; s < steps + count; ++s) {
        cudaStream_t q = g.queue[s->queue];
        if (s->wait != E_NONE) ENSURE(cudaStreamWaitEvent(q, g.event[s->wait], 0));
        if (s->launch != G_NONE) ENSURE(cudaGraphLaunch(g.exec[s->launch], q));
        if (s->signal != E_NONE) ENSURE(cudaEventRecord(g.event[s->signal], q));
    }
}

int main()
{
    const size_t bytes = WIDTH * sizeof(float);
    float **buffers[] = { &g.first, &g.second };
    for (float **b : buffers) ENSURE(cudaMalloc((void **)b, bytes));
    ENSURE(cudaMallocHost((void **)&g.result, bytes));
    ENSURE(cudaMallocHost((void **)&g.input, bytes));
    for (int i = 0; i < WIDTH; ++i) g.input[i] = (float)(i % 84) * 0.5f;
    for (float **b : buffers) ENSURE(cudaMemset(*b, 0, bytes));
    ENSURE(cudaDeviceSynchronize());
    for (int q = 0; q < Q_COUNT; q++) ENSURE(cudaStreamCreateWithFlags(g.queue + q, cudaStreamNonBlocking));
    for (int e = 0; e < E_COUNT; e++) ENSURE(cudaEventCreateWithFlags(g.event + e, cudaEventDisableTiming));
    for (int which = G_PRODUCER; which < G_COUNT; which++) build((graph_t)which);

    for (int iter = 0; iter < 4; iter++) round_of(schedule, sizeof schedule / sizeof *schedule);
    ENSURE(cudaFreeAsync(g.spectrum, g.queue[Q_MAIN]));
    ENSURE(cudaFreeAsync(g.scratch, g.queue[Q_MAIN]));
    ENSURE(cudaStreamSynchronize(g.queue[Q_MAIN]));
    ENSURE(cudaMemcpy(g.result, g.first, bytes, cudaMemcpyDeviceToHost));
    printf("result[0] = %f\n", g.result[0]);

    for (int which = 0; which < G_COUNT; which++) ENSURE(cudaGraphExecDestroy(g.exec[which]));
    for (int which = 0; which < G_COUNT; which++)
        if (g.graph[which]) ENSURE(cudaGraphDestroy(g.graph[which]));
    for (int q = Q_COUNT; q--;) ENSURE(cudaStreamDestroy(g.queue[q]));
    for (int e = E_COUNT; e--;) ENSURE(cudaEventDestroy(g.event[e]));
    for (float **b : buffers) ENSURE(cudaFree(*b));
    ENSURE(cudaFreeHost(g.result));
    ENSURE(cudaFreeHost(g.input));
    return 0;
}
