// Benchmark with options: command line over environment over defaults; graphs recorded by callbacks with a user pointer.
#include <cuda_runtime.h>
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void denseForward(const float *x, float *y, float alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = alpha * x[i];
}
__global__ void quantize(const float *x, float *y, float alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = alpha * x[i];
}

struct options {
    int log2;
    int threads;
    int rounds;
    bool verbose;
};

#define OPTION_TABLE(X)                            \
    X('l', log2, "size", "DENSE_LOG2", 18)         \
    X('t', threads, "threads", "DENSE_THREADS", 128) \
    X('r', rounds, "rounds", "DENSE_ROUNDS", 2)

static const struct {
    int flag;
    const char *name, *env;
    int fallback;
    size_t offset;
} option_rows[] = {
#define X(flag, field, name, env, fallback) { flag, name, env, fallback, offsetof(struct options, field) },
    OPTION_TABLE(X)
#undef X
};
#define OPTION_AT(o, row) (*(int *)((char *)(o) + (row)->offset))

static void parse_options(struct options *o, int argc, char **argv)
{
    *o = (struct options){ .verbose = false };
    for (const auto &row : option_rows) {
        const char *text = getenv(row.env);
        OPTION_AT(o, &row) = text ? atoi(text) : row.fallback;
    }
    for (int c; (c = getopt(argc, argv, "l:t:r:v")) != -1;) {
        if (c == 'v') {
            o->verbose = true;
            continue;
        }
        for (const auto &row : option_rows)
            if (row.flag == c) OPTION_AT(o, &row) = (int)strtol(optarg, NULL, 0);
    }
}

enum { STOP_ON_ERROR = 1 << 0, KEEP_GRAPH = 1 << 1, AUTO_FREE = 1 << 2 };

struct app {
    struct options opt;
    int n;
    size_t bytes;
    cudaStream_t stream[2];
    float *hidden, *grad, *first, *second, *input, *result;
    cudaGraph_t kept;
    int errors;
};

static bool good(struct app *a, cudaError_t rc, const char *what)
{
    if (rc == cudaSuccess) return true;
    fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(rc));
    a->errors++;
    return false;
}
#define GOOD(call) good(a, (call), #call)

typedef void (*record_fn)(cudaStream_t stream, void *user);

static cudaGraphExec_t record(struct app *a, cudaStreamCaptureMode mode, unsigned flags, record_fn body, void *user)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    if (!GOOD(cudaStreamBeginCapture(a->stream[0], mode))) return NULL;
    body(a->stream[0], user);
    if (!GOOD(cudaStreamEndCapture(a->stream[0], &graph))) return NULL;
    unsigned long long how = 0;
    if (flags & AUTO_FREE) how |= cudaGraphInstantiateFlagAutoFreeOnLaunch;
    GOOD(cudaGraphInstantiate(&exec, graph, how));
    if (flags & KEEP_GRAPH) a->kept = graph;
    else GOOD(cudaGraphDestroy(graph));
    return exec;
}

static inline int blocks(const struct app *a) { return (a->n + a->opt.threads - 1) / a->opt.threads; }

static void record_producer(cudaStream_t stream, void *user)
{
    struct app *a = (struct app *)user;
    GOOD(cudaMallocAsync((void **)&a->hidden, a->bytes, stream));
    GOOD(cudaMallocAsync((void **)&a->grad, a->bytes, stream));
    GOOD(cudaMemcpyAsync(a->hidden, a->input, a->bytes, cudaMemcpyHostToDevice, stream));
    denseForward<<<blocks(a), a->opt.threads, 0, stream>>>(a->hidden, a->grad, 3.0f, a->n);
}

struct consumer_args { struct app *app; void (*kernel)(const float *, float *, float, int); float *const *from; float *to; float alpha; };

static void record_consumer(cudaStream_t stream, void *user)
{
    const struct consumer_args *c = (const struct consumer_args *)user;
    void *args[] = { (void *)c->from, (void *)&c->to, (void *)&c->alpha, &c->app->n };
    struct app *a = c->app;
    GOOD(cudaLaunchKernel((const void *)c->kernel, dim3(blocks(a)), dim3(a->opt.threads), args, 0, stream));
}

int main(int argc, char **argv)
{
    struct app app, *a = &app;
    memset(a, 0, sizeof app);
    parse_options(&a->opt, argc, argv);
    a->n = 1 << a->opt.log2;
    a->bytes = (size_t)a->n * sizeof(float);
    GOOD(cudaMalloc((void **)&a->first, a->bytes));
    GOOD(cudaMalloc((void **)&a->second, a->bytes));
    GOOD(cudaMallocHost((void **)&a->result, a->bytes));
    GOOD(cudaMallocHost((void **)&a->input, a->bytes));
    for (int i = 0; i < a->n; ++i) a->input[i] = (float)(i % 49) * 0.5f;
    for (size_t i = 0; i < sizeof a->stream / sizeof *a->stream; i++) GOOD(cudaStreamCreate(a->stream + i));

    const unsigned producer_flags = KEEP_GRAPH; // only wrong
    const unsigned producer_flags = KEEP_GRAPH | AUTO_FREE; // only right
    cudaGraphExec_t producer = record(a, cudaStreamCaptureModeThreadLocal, producer_flags, record_producer, a);
    struct consumer_args one = { a, denseForward, &a->hidden, a->first, 3.0f }, two = { a, quantize, &a->grad, a->second, 2.0f };
    cudaGraphExec_t execs[] = {
        producer,
        record(a, cudaStreamCaptureModeGlobal, 0, record_consumer, &one),
        record(a, cudaStreamCaptureModeGlobal, 0, record_consumer, &two),
    };

    for (int round = 0; round < a->opt.rounds; round++)
        for (cudaGraphExec_t *e = execs; e < execs + 3; ++e) GOOD(cudaGraphLaunch(*e, a->stream[0])); // found: relaunch-with-live-allocation
    GOOD(cudaFreeAsync(a->hidden, a->stream[0]));
    GOOD(cudaFreeAsync(a->grad, a->stream[0]));
    GOOD(cudaStreamSynchronize(a->stream[0]));
    GOOD(cudaMemcpy(a->result, a->first, a->bytes, cudaMemcpyDeviceToHost));
    printf("result[0] = %f\n", a->result[0]);

    for (int i = 3; i-- > 0;) GOOD(cudaGraphExecDestroy(execs[i]));
    GOOD(cudaGraphDestroy(a->kept));
    GOOD(cudaStreamDestroy(a->stream[0]));
    GOOD(cudaStreamDestroy(a->stream[1]));
    GOOD(cudaFree(a->first));
    GOOD(cudaFree(a->second));
    GOOD(cudaFreeHost(a->result));
    GOOD(cudaFreeHost(a->input));
    return a->errors ? 1 : 0;
}
