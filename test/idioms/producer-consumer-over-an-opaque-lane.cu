// Producer / consumer over an opaque "lane" handle; the backend is a table of functions, errors go through three layers.
#include <cuda_runtime.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum gp_status { GP_OK = 0, GP_E_CUDA = -1, GP_E_NOMEM = -2, GP_E_ARG = -3, GP_E_STATE = -4 } gp_status;

typedef struct gp_lane_s *gp_lane;
typedef struct gp_ops {
    const char *name;
    gp_status (*open)(gp_lane *out, unsigned flags, void *user);
    gp_status (*signal)(gp_lane self);
    gp_status (*await)(gp_lane self, gp_lane other);
    gp_status (*drain)(gp_lane self);
    void (*close)(gp_lane *self);
} gp_ops;

struct gp_lane_s {
    const gp_ops *ops;
    cudaStream_t stream;
    cudaEvent_t last;
    void *user;
};

static int g_verbosity;

static gp_status translate(cudaError_t rc, const char *fmt, ...)
{
    if (rc == cudaSuccess) return GP_OK;
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, ": %s\n", cudaGetErrorString(rc));
    switch (rc) {
    case cudaErrorMemoryAllocation: return GP_E_NOMEM;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidResourceHandle: return GP_E_ARG;
    case cudaErrorStreamCaptureInvalidated: return GP_E_STATE;
    default: return GP_E_CUDA;
    }
}
#define GP(call) translate((call), "%s(%d) in %s", #call, __LINE__, __func__)

static gp_status cuda_open(gp_lane *out, unsigned flags, void *user)
{
    gp_status st;
    struct gp_lane_s *lane = (struct gp_lane_s *)calloc(1, sizeof(*lane));
    if (!lane) return GP_E_NOMEM;
    if ((st = GP(cudaStreamCreateWithFlags(&lane->stream, flags))) != GP_OK) goto fail_stream;
    if ((st = GP(cudaEventCreateWithFlags(&lane->last, cudaEventDisableTiming))) != GP_OK) goto fail_event;
    lane->user = user;
    *out = lane;
    return GP_OK;
fail_event:
    cudaStreamDestroy(lane->stream);
fail_stream:
    free(lane);
    *out = NULL;
    return st;
}

static gp_status cuda_signal(gp_lane self) { return GP(cudaEventRecord(self->last, self->stream)); }
static gp_status cuda_await(gp_lane self, gp_lane other) { return GP(cudaStreamWaitEvent(self->stream, other->last, 0)); }
static gp_status cuda_drain(gp_lane self) { return GP(cudaStreamSynchronize(self->stream)); }
static void cuda_close(gp_lane *self)
{
    if (!self || !*self) return;
    (void)GP(cudaEventDestroy((*self)->last));
    (void)GP(cudaStreamDestroy((*self)->stream));
    free(*self);
    *self = NULL;
}

static const gp_ops cuda_ops = {
    .name = "cuda", .open = cuda_open, .signal = cuda_signal, .await = cuda_await, .drain = cuda_drain, .close = cuda_close,
};
static const gp_ops *const g_backends[] = { &cuda_ops, NULL };

static const gp_ops *find_backend(const char *name)
{
    for (const gp_ops *const *it = g_backends; *it; ++it)
        if (!strcmp((*it)->name, name)) return *it;
    return NULL;
}

#define LANE_CALL(lane, method, ...) ((lane)->ops->method((lane) __VA_OPT__(,) __VA_ARGS__))

static gp_status gp_open(const char *backend, gp_lane *out, void *user)
{
    const gp_ops *ops = find_backend(backend);
    if (!ops || !out) return GP_E_ARG;
    gp_status st = ops->open(out, cudaStreamNonBlocking, user);
    if (st == GP_OK) (*out)->ops = ops;
    return st;
}

__global__ void gelu(const float *input, float *output, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = input[i] + input[i];
}

struct session {
    size_t bytes;
    int count;
    gp_lane producer, consumer;
    cudaGraphExec_t exec;
    float *bias, *output, *input, *result;
};

static gp_status record_producer(struct session *s)
{
    cudaGraph_t graph = NULL;
    gp_status st;
    if ((st = GP(cudaStreamBeginCapture(s->producer->stream, cudaStreamCaptureModeThreadLocal)))) return st;
    if ((st = GP(cudaMallocAsync((void **)&s->bias, s->bytes, s->producer->stream)))) return st;
    if ((st = GP(cudaMemsetAsync(s->bias, 0, s->bytes, s->producer->stream)))) return st;
    if ((st = GP(cudaStreamEndCapture(s->producer->stream, &graph)))) return st;
    if ((st = GP(cudaGraphInstantiate(&s->exec, graph, 0)))) return st;
    return GP(cudaGraphDestroy(graph));
}

static gp_status step(struct session *s, int round)
{
    gp_status st = GP_OK;
    const int threads = 512, blocks = (s->count + threads - 1) / threads;
    st = GP(cudaGraphLaunch(s->exec, s->producer->stream));
    st = st ? st : LANE_CALL(s->producer, signal);
    st = st ? st : LANE_CALL(s->consumer, await, s->producer);
    if (st) return st;
    gelu<<<blocks, threads, 0, s->consumer->stream>>>(s->bias, s->output, s->count); // found: xgraph-use-free-race
    (void)0; // only wrong
    st = LANE_CALL(s->consumer, signal); // only right
    st = st ? st : LANE_CALL(s->producer, await, s->consumer); // only right
    st = st ? st : GP(cudaFreeAsync(s->bias, s->producer->stream));
    if (g_verbosity > 1) fprintf(stderr, "round %d: %d\n", round, st);
    return st;
}

int main(int argc, char **argv)
{
    struct session *s = (struct session *)calloc(1, sizeof *s);
    gp_status st;
    (void)argv;
    g_verbosity = argc > 2;
    s->bytes = (size_t)64 << 10;
    s->count = (int)(s->bytes / sizeof(float));
    s->input = (float *)malloc(s->bytes);
    s->result = (float *)malloc(s->bytes);
    for (int i = 0; i < s->count; ++i) s->input[i] = (float)(i % 102) * 0.5f;
    st = GP(cudaMalloc((void **)&s->output, s->bytes));
    if (!st) st = GP(cudaMemset(s->output, 0, s->bytes));
    if (!st) st = GP(cudaDeviceSynchronize());
    if (!st) st = gp_open("cuda", &s->producer, s);
    if (!st) st = gp_open("cuda", &s->consumer, s);
    if (!st) st = record_producer(s);
    for (int round = 0; !st && round < 2; round++) st = step(s, round);
    if (!st) st = LANE_CALL(s->producer, drain);
    if (!st) st = GP(cudaMemcpy(s->result, s->output, s->bytes, cudaMemcpyDeviceToHost)); // found: stream-conflicting-access
    if (!st) printf("result[0] = %f\n", s->result[0]);
    if (s->exec) cudaGraphExecDestroy(s->exec);
    if (s->producer) s->producer->ops->close(&s->producer);
    if (s->consumer) s->consumer->ops->close(&s->consumer);
    cudaFree(s->output);
    free(s->input);
    free(s->result);
    free(s);
    return st == GP_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
