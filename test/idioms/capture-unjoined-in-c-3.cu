/* One time step recorded by a state machine; each state says what comes next. */
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const size_t buffer_bytes = 64u << 10;
#define COUNT ((int)(buffer_bytes / sizeof(float)))
#define TPB 256

__global__ void init_particles(float *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = i; }
__global__ void compute_forces(const float *src, float *dst, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dst[i] = src[i] + src[i]; }
__global__ void sample_density(const float *src, float *dst, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dst[i] = src[i]; }

typedef enum {
    ST_BEGIN, ST_POSITIONS, ST_FORCES, ST_FORK, ST_DENSITY, ST_JOIN, ST_READBACK, ST_CLEANUP, ST_END, ST_DONE, ST_ERROR,
} state_t;

static const char *state_name(state_t s)
{
    static const char *const names[] = {
        "begin", "positions", "forces", "fork", "density", "join", "readback", "cleanup", "end", "done", "error",
    };
    return (unsigned)s < sizeof names / sizeof *names ? names[s] : "?";
}

struct sim {
    struct { cudaStream_t main, side; } stream;
    struct { cudaEvent_t ready, done; } event;
    struct { float *next, *vel, *stats; } dev;
    struct { float *in, *out; } host;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaError_t why;
};

static bool ok(struct sim *s, cudaError_t rc) { return (s->why = rc) == cudaSuccess; }

static state_t record_step(struct sim *s)
{
    const dim3 grid((COUNT + TPB - 1) / TPB), block(TPB);
    state_t state = ST_BEGIN;
    while (state != ST_DONE && state != ST_ERROR) {
        state_t next = ST_ERROR;
        switch (state) {
        case ST_BEGIN:
            if (ok(s, cudaStreamBeginCapture(s->stream.main, cudaStreamCaptureModeRelaxed))) next = ST_POSITIONS;
            break;
        case ST_POSITIONS:
            if (!ok(s, cudaMallocAsync((void **)&s->dev.next, buffer_bytes, s->stream.main))) break;
            init_particles<<<grid, block, 0, s->stream.main>>>(s->dev.next, COUNT);
            next = ST_FORCES;
            break;
        case ST_FORCES:
            if (!ok(s, cudaMallocAsync((void **)&s->dev.vel, buffer_bytes, s->stream.main))) break;
            compute_forces<<<grid, block, 0, s->stream.main>>>(s->dev.next, s->dev.vel, COUNT);
            next = ok(s, cudaGetLastError()) ? ST_FORK : ST_ERROR;
            break;
        case ST_FORK:
            if (ok(s, cudaEventRecord(s->event.ready, s->stream.main)) &&
                ok(s, cudaStreamWaitEvent(s->stream.side, s->event.ready, 0)))
                next = ST_DENSITY;
            break;
        case ST_DENSITY:
            sample_density<<<grid, block, 0, s->stream.side>>>(s->dev.vel, s->dev.stats, COUNT);
            next = ST_READBACK;
            break;
        case ST_JOIN:
            if (ok(s, cudaEventRecord(s->event.done, s->stream.side)) &&
                ok(s, cudaStreamWaitEvent(s->stream.main, s->event.done, 0)))
                next = ST_CLEANUP;
            break;
        case ST_READBACK:
            if (ok(s, cudaMemcpyAsync(s->host.out, s->dev.vel, buffer_bytes, cudaMemcpyDeviceToHost, s->stream.main)))
                next = ST_CLEANUP; // only wrong
                next = ST_JOIN; // only right
            break;
        case ST_CLEANUP:
            next = ok(s, cudaFreeAsync(s->dev.vel, s->stream.main)) && ok(s, cudaFreeAsync(s->dev.next, s->stream.main)) ? ST_END : ST_ERROR;
            break;
        case ST_END:
            next = ok(s, cudaStreamEndCapture(s->stream.main, &s->graph)) ? ST_DONE : ST_ERROR; // found: capture-unjoined
            break;
        case ST_DONE:
        case ST_ERROR:
            break;
        }
        if (next == ST_ERROR) fprintf(stderr, "%s: %s\n", state_name(state), cudaGetErrorString(s->why));
        state = next;
    }
    return state;
}

static int run(struct sim *s)
{
    if (record_step(s) != ST_DONE) return 1;
    if (!ok(s, cudaGraphInstantiate(&s->exec, s->graph, 0))) return 2;
    if (!ok(s, cudaGraphLaunch(s->exec, s->stream.main))) return 3;
    if (!ok(s, cudaStreamSynchronize(s->stream.main))) return 4;
    printf("out[0] = %f\n", s->host.out[0]);
    return 0;
}

int main(void)
{
    static struct sim sim;
    struct sim *const s = &sim;
    int rc = -1;

    if (!ok(s, cudaStreamCreateWithFlags(&s->stream.main, cudaStreamNonBlocking))) goto out;
    if (!ok(s, cudaStreamCreateWithFlags(&s->stream.side, cudaStreamNonBlocking))) goto no_side;
    if (!ok(s, cudaEventCreateWithFlags(&s->event.ready, cudaEventDisableTiming))) goto no_ready;
    if (!ok(s, cudaEventCreateWithFlags(&s->event.done, cudaEventDisableTiming))) goto no_done;
    s->host.in = (float *)malloc(buffer_bytes);
    s->host.out = (float *)malloc(buffer_bytes);
    for (int i = 0; i < COUNT; ++i) s->host.in[i] = (float)(i % 27) * 0.5f;
    if (!ok(s, cudaMalloc((void **)&s->dev.stats, buffer_bytes))) goto no_stats;
    if ((rc = run(s)) != 0) fprintf(stderr, "failed in stage %d: %s\n", rc, cudaGetErrorString(s->why));
    if (s->exec) cudaGraphExecDestroy(s->exec);
    if (s->graph) cudaGraphDestroy(s->graph);
    cudaFree(s->dev.stats);
no_stats:
    free(s->host.in);
    free(s->host.out);
    cudaEventDestroy(s->event.done);
no_done:
    cudaEventDestroy(s->event.ready);
no_ready:
    cudaStreamDestroy(s->stream.side);
no_side:
    cudaStreamDestroy(s->stream.main);
out:
    return rc;
}
