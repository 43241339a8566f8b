/* A double-buffered playback loop in C: which lane is next is a bit that flips; lanes are joined by a mask. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 4096
#define BLOCK 256
#define FRAME_BYTES (SAMPLES * sizeof(float))
#define LANES 2
#define BIT(i) (1u << (i))

/* MUST(call), MUST(call, message): overloaded by the number of arguments */
#define NARGS_(_1, _2, _3, n, ...) n
#define NARGS(...) NARGS_(__VA_ARGS__, 3, 2, 1, 0)
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define MUST(...) PASTE(MUST_, NARGS(__VA_ARGS__))(__VA_ARGS__)
#define MUST_1(call) MUST_2(call, #call)
#define MUST_2(call, text)                                                                        \
    do {                                                                                          \
        const cudaError_t must_rc = (call);                                                       \
        if (must_rc != cudaSuccess) {                                                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, text, cudaGetErrorString(must_rc)); \
            abort();                                                                              \
        }                                                                                         \
    } while (0)

__global__ void decimate(const float *a, float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = a[i] * a[i]; }
__global__ void window(const float *a, float *b, float w, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) b[i] = w * a[i]; }
__global__ void gain(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = a[i] * 2; }

typedef struct lane {
    cudaStream_t stream;
    cudaEvent_t done;
} lane;

typedef struct player {
    lane lanes[LANES];
    uint32_t cur : 1, pending : LANES, : 0;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *in, *frame, *mix, *out;
} player;

static inline lane *current(player *p) { return p->lanes + p->cur; }
static inline cudaStream_t stream_of(player *p) { return current(p)->stream; }

/* makes the current lane wait for every lane whose bit is set, and clears the bits */
static void join(player *p, uint32_t mask)
{
    for (mask &= ~BIT(p->cur); mask; mask &= mask - 1) {
        const int other = __builtin_ffs((int)mask) - 1;
        MUST(cudaEventRecord(p->lanes[other].done, p->lanes[other].stream));
        MUST(cudaStreamWaitEvent(stream_of(p), p->lanes[other].done), "join");
        p->pending &= ~BIT(other);
    }
}
static void flip(player *p)
{
    p->pending |= BIT(p->cur);
    p->cur ^= 1;
    join(p, p->pending);
}

static void record(player *p)
{
    float *scratch = NULL, *ping, *pong;
    MUST(cudaStreamBeginCapture(stream_of(p), cudaStreamCaptureModeGlobal));
    MUST(cudaMallocAsync((void **)&p->frame, FRAME_BYTES, stream_of(p)));
    MUST(cudaMemcpyAsync(p->frame, p->in, FRAME_BYTES, cudaMemcpyHostToDevice, stream_of(p)), "upload");
    MUST(cudaMallocAsync((void **)&scratch, FRAME_BYTES, stream_of(p)));
    for (int pass = 0; (pass & 1 ? (ping = scratch, pong = p->frame) : (ping = p->frame, pong = scratch)), pass < 2; pass++) {
        decimate<<<SAMPLES / BLOCK, BLOCK, 0, stream_of(p)>>>(ping, pong, SAMPLES);
        MUST(cudaGetLastError());
    }
    MUST(cudaFreeAsync(scratch, stream_of(p)));
    MUST(cudaStreamEndCapture(stream_of(p), &p->graph));
    MUST(cudaGraphInstantiate(&p->exec, p->graph, 0), "compile");
}

static void play(player *p)
{
    MUST(cudaGraphLaunch(p->exec, stream_of(p)));
    if (!p->pending) {
        window<<<SAMPLES / BLOCK, BLOCK, 0, stream_of(p)>>>(p->frame, p->mix, 2.0f, SAMPLES);
        MUST(cudaGetLastError());
        MUST(cudaFreeAsync(p->frame, stream_of(p)));
    } else {
        gain<<<SAMPLES / BLOCK, BLOCK, 0, stream_of(p)>>>(p->mix, SAMPLES);
    }
}

int main(void)
{
    player *p = (player *)calloc(1, sizeof(player));
    size_t used[2] = {0};
    p->in = (float *)malloc(FRAME_BYTES), p->out = (float *)malloc(FRAME_BYTES);
    for (int i = 0; i < SAMPLES; ++i) p->in[i] = (i % 144) / 2.f;
    MUST(cudaMalloc((void **)&p->mix, FRAME_BYTES), "mix");
    MUST(cudaMemset(p->mix, 0, FRAME_BYTES));
    MUST(cudaDeviceSynchronize());
    for (lane *l = p->lanes, *end = l + LANES; l < end; l++) {
        MUST(cudaStreamCreate(&l->stream));
        MUST(cudaEventCreate(&l->done), "event");
    }

    record(p);
    play(p);
    flip(p), p->pending = BIT(0); // only wrong
    play(p); // only wrong // found: perf-launch-stream-switch
    p->pending = BIT(1), p->cur = 0; // only wrong
    join(p, p->pending); // only wrong
    flip(p), p->cur = 0, p->pending = BIT(0); // only right
    play(p); // only right
    MUST(cudaFreeAsync(p->frame, stream_of(p)));
    MUST(cudaStreamSynchronize(stream_of(p)));
    MUST(cudaMemcpy(p->out, p->mix, FRAME_BYTES, cudaMemcpyDeviceToHost));
    printf("out[0] = %f\n", p->out[0]);
    MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, used + 0));
    MUST(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, used + 1));
    printf("graph memory: used %zu, reserved %zu\n", used[0], used[1]);

    MUST(cudaGraphExecDestroy(p->exec));
    MUST(cudaGraphDestroy(p->graph));
    for (unsigned i = 0; i < LANES; i++) {
        MUST(cudaStreamDestroy(p->lanes[i].stream));
        MUST(cudaEventDestroy(p->lanes[i].done));
    }
    MUST(cudaFree(p->mix));
    free(p->in), free(p->out), free(p);
    return 0;
}
