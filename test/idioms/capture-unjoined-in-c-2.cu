/* Recording as a state machine whose cases fall through; what has been forked stands in a stretchy buffer. */
#include <cuda_runtime.h>
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* growing arrays: VEC(type) declares one, vec_push makes room by doubling */
#define VEC(type) struct { type *items; int count, room; }
#define vec_push(v, item)                                                                         \
    do {                                                                                          \
        if ((v)->count == (v)->room) {                                                            \
            (v)->room = (v)->room ? (v)->room * 2 : 4;                                            \
            (v)->items = (decltype((v)->items))realloc((v)->items, (size_t)(v)->room * sizeof(*(v)->items)); \
        }                                                                                         \
        (v)->items[(v)->count++] = (item);                                                        \
    } while (0)
#define vec_each(v, at) for (auto *at = (v)->items, *at##_end = at + (v)->count; at < at##_end; ++at)
#define vec_free(v) (free((v)->items), memset((v), 0, sizeof *(v)))

#define BLOCK_DIM 256
#define PIXELS (1024 * BLOCK_DIM)

__global__ void sobel(const float *in, float *out, float w, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = w * in[i]; }
__global__ void threshold(const float *in, float *out, float w, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = w * in[i]; }

typedef struct fork { cudaStream_t stream; cudaEvent_t done; bool joined; } fork_t_;

typedef enum state { ST_IDLE, ST_BEGIN, ST_LOAD, ST_FILTER, ST_FORKED, ST_STORE, ST_JOIN, ST_END, ST_FAILED } state;
static const char *const state_names[] = {"idle", "begin", "load", "filter", "forked", "store", "join", "end", "failed"};

typedef struct recorder {
    state at;
    cudaStream_t compute, copy;
    cudaEvent_t ready, done;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *tmp, *mask, *stats, *host;
    VEC(fork_t_) forks;
    VEC(cudaError_t) log;
} recorder;

static bool step_ok(recorder *r, cudaError_t rc, int line)
{
    if (rc == cudaSuccess) return true;
    vec_push(&r->log, rc);
    fprintf(stderr, "%d (%s): %s\n", line, state_names[r->at], cudaGetErrorString(rc));
    return false;
}
#define STEP(call) step_ok(r, (call), __LINE__)

static void advance(recorder *r, state until)
{
    const size_t bytes = sizeof(float) * PIXELS;
    switch (r->at) {
    case ST_IDLE:
        r->at = ST_BEGIN;
        /* fall through */
    case ST_BEGIN:
        STEP(cudaStreamBeginCapture(r->compute, cudaStreamCaptureModeGlobal));
        if ((r->at = ST_LOAD) >= until) return;
        __attribute__((fallthrough));
    case ST_LOAD:
        STEP(cudaMallocAsync((void **)&r->tmp, bytes, r->compute));
        STEP(cudaMemsetAsync(r->tmp, 0, bytes, r->compute));
        r->at = ST_FILTER;
        [[fallthrough]];
    case ST_FILTER:
        STEP(cudaMallocAsync((void **)&r->mask, bytes, r->compute));
        sobel<<<PIXELS / BLOCK_DIM, BLOCK_DIM, 0, r->compute>>>(r->tmp, r->mask, 0.5f, PIXELS);
        STEP(cudaEventRecord(r->ready, r->compute));
        STEP(cudaStreamWaitEvent(r->copy, r->ready));
        if ((r->at = ST_FORKED) >= until) break;
    case ST_FORKED: {
        fork_t_ f = {r->copy, r->done, false};
        threshold<<<PIXELS / BLOCK_DIM, BLOCK_DIM, 0, f.stream>>>(r->mask, r->stats, 2.0f, PIXELS);
        STEP(cudaEventRecord(f.done, f.stream));
        vec_push(&r->forks, f);
        r->at = ST_JOIN;
    }
    case ST_JOIN:
        vec_each(&r->forks, f) {
            if (f->joined) continue;
            STEP(cudaStreamWaitEvent(r->compute, f->done)); // only right
            f->joined = true;
        }
        r->at = ST_STORE;
    case ST_STORE:
        STEP(cudaMemcpyAsync(r->host, r->mask, bytes, cudaMemcpyDeviceToHost, r->compute));
        STEP(cudaFreeAsync(r->mask, r->compute));
        STEP(cudaFreeAsync(r->tmp, r->compute));
        r->at = ST_END;
    case ST_END:
        STEP(cudaStreamEndCapture(r->compute, &r->graph)); // found: capture-unjoined
        STEP(cudaGraphInstantiate(&r->exec, r->graph, 0));
        r->at = ST_IDLE;
        break;
    case ST_FAILED:
    default: assert(!"never here");
    }
}

int main(void)
{
    recorder self, *r = &self;
    memset(r, 0, sizeof self);
    r->host = (float *)malloc(sizeof(float) * PIXELS);
    STEP(cudaMalloc((void **)&r->stats, sizeof(float) * PIXELS));
    cudaStream_t *const streams[] = {&r->compute, &r->copy};
    cudaEvent_t *const events[] = {&r->ready, &r->done};
    for (auto s : streams) STEP(cudaStreamCreate(s));
    for (auto e : events) STEP(cudaEventCreateWithFlags(e, cudaEventDisableTiming));

    advance(r, ST_FORKED);
    while (r->at != ST_IDLE) advance(r, ST_FAILED);
    STEP(cudaGraphLaunch(r->exec, r->compute));
    STEP(cudaStreamSynchronize(r->compute));
    printf("host[0] = %f, %d forks\n", r->host[0], r->forks.count);

    STEP(cudaGraphExecDestroy(r->exec));
    STEP(cudaGraphDestroy(r->graph));
    for (auto s : streams) STEP(cudaStreamDestroy(*s));
    for (auto e : events) STEP(cudaEventDestroy(*e));
    STEP(cudaFree(r->stats));
    vec_free(&r->forks);
    vec_free(&r->log);
    free(r->host);
    return 0;
}
