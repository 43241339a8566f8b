// A recorder in the manner of a graphics API: commands are packed into bytes and replayed later into a capture.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1024
#define THREADS 512
#define NBYTES (N * sizeof(float))

__global__ void restrict_grid(float const *src, float *dst, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dst[i] = src[i] + src[i]; }
__global__ void coarsen(float const *src, float *dst, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dst[i] = src[i]; }
__global__ void apply_boundary(float *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] += 1; }

enum { CMD_ALLOC = 1, CMD_FILL, CMD_RESTRICT, CMD_COARSEN, CMD_BOUNDARY, CMD_SIGNAL, CMD_WAIT, CMD_READ, CMD_FREE, CMD_SCRATCH };
enum { Q_MAIN, Q_SIDE, Q_COUNT };
enum { EV_READY, EV_DONE, EV_COUNT };
enum { BUF_COEFF, BUF_FIELD, BUF_STATS, BUF_EXTRA, BUF_COUNT };

typedef struct { uint16_t op; uint16_t size : 12; uint16_t queue : 4; } cmd_header;
typedef struct { cmd_header head; uint32_t buffer; } cmd_buffer;
typedef struct { cmd_header head; uint32_t buffer; uint64_t bytes; } cmd_sized;
typedef struct { cmd_header head; uint32_t src, dst; } cmd_pair;
typedef struct { cmd_header head; uint32_t event; } cmd_event;

typedef struct {
    uint8_t *base;
    size_t used, room;
} cmd_list;

static void *cmd_push(cmd_list *list, uint16_t op, uint16_t queue, size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (list->used + size > list->room) {
        size_t room = list->room ? list->room * 2 : 64;
        list->base = (uint8_t *)realloc(list->base, room);
        list->room = room;
    }
    cmd_header *h = (cmd_header *)(list->base + list->used);
    memset(h, 0, size);
    h->op = op;
    h->size = (uint16_t)size;
    h->queue = queue;
    list->used += size;
    return h;
}
#define PUSH(list, type, op, queue, ...)                                      \
    do {                                                                      \
        type *c_ = (type *)cmd_push((list), (op), (queue), sizeof(type));     \
        cmd_header h_ = c_->head;                                             \
        *c_ = type{ h_, __VA_ARGS__ };                                        \
    } while (0)

struct context {
    cudaStream_t queue[Q_COUNT];
    cudaEvent_t event[EV_COUNT];
    void *buffer[BUF_COUNT];
    float *host;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
};

static void cmd_replay(const cmd_list *list, struct context *ctx)
{
    const uint8_t *at = list->base, *const end = at + list->used;
    const int grid = (N + THREADS - 1) / THREADS;
    while (at < end) {
        const cmd_header *h = (const cmd_header *)at;
        cudaStream_t stream = ctx->queue[h->queue];
        switch (h->op) {
        case CMD_ALLOC: {
            const cmd_sized *c = (const cmd_sized *)h;
            cudaMallocAsync(&ctx->buffer[c->buffer], c->bytes, stream);
            break;
        }
        case CMD_SCRATCH: {
            const cmd_sized *c = (const cmd_sized *)h;
            cudaMalloc(&ctx->buffer[c->buffer], c->bytes); // found: capture-unsafe-call
            break;
        }
        case CMD_FILL: {
            const cmd_sized *c = (const cmd_sized *)h;
            cudaMemsetAsync(ctx->buffer[c->buffer], 0, c->bytes, stream);
            break;
        }
        case CMD_RESTRICT:
        case CMD_COARSEN: {
            const cmd_pair *c = (const cmd_pair *)h;
            auto kernel = h->op == CMD_RESTRICT ? restrict_grid : coarsen;
            kernel<<<grid, THREADS, 0, stream>>>((const float *)ctx->buffer[c->src], (float *)ctx->buffer[c->dst], N);
            break;
        }
        case CMD_BOUNDARY:
            apply_boundary<<<grid, THREADS, 0, stream>>>((float *)ctx->buffer[((const cmd_buffer *)h)->buffer], N);
            break;
        case CMD_SIGNAL: cudaEventRecord(ctx->event[((const cmd_event *)h)->event], stream); break;
        case CMD_WAIT: cudaStreamWaitEvent(stream, ctx->event[((const cmd_event *)h)->event], 0); break;
        case CMD_READ: {
            const cmd_sized *c = (const cmd_sized *)h;
            cudaMemcpyAsync(ctx->host, ctx->buffer[c->buffer], c->bytes, cudaMemcpyDeviceToHost, stream);
            break;
        }
        case CMD_FREE: cudaFreeAsync(ctx->buffer[((const cmd_buffer *)h)->buffer], stream); break;
        }
        at += h->size;
    }
}

static void record(cmd_list *list)
{
    PUSH(list, cmd_sized, CMD_ALLOC, Q_MAIN, BUF_COEFF, NBYTES);
    PUSH(list, cmd_sized, CMD_FILL, Q_MAIN, BUF_COEFF, NBYTES);
    PUSH(list, cmd_sized, CMD_ALLOC, Q_MAIN, BUF_FIELD, NBYTES);
    PUSH(list, cmd_pair, CMD_RESTRICT, Q_MAIN, BUF_COEFF, BUF_FIELD);
    PUSH(list, cmd_event, CMD_SIGNAL, Q_MAIN, EV_READY);
    PUSH(list, cmd_event, CMD_WAIT, Q_SIDE, EV_READY);
    PUSH(list, cmd_pair, CMD_COARSEN, Q_SIDE, BUF_FIELD, BUF_STATS);
    PUSH(list, cmd_sized, CMD_SCRATCH, Q_MAIN, BUF_EXTRA, NBYTES); // only wrong
    PUSH(list, cmd_buffer, CMD_BOUNDARY, Q_MAIN, BUF_COEFF);
    PUSH(list, cmd_event, CMD_SIGNAL, Q_SIDE, EV_DONE);
    PUSH(list, cmd_event, CMD_WAIT, Q_MAIN, EV_DONE);
    PUSH(list, cmd_sized, CMD_READ, Q_MAIN, BUF_FIELD, NBYTES);
    PUSH(list, cmd_buffer, CMD_FREE, Q_MAIN, BUF_FIELD);
    PUSH(list, cmd_buffer, CMD_FREE, Q_MAIN, BUF_COEFF);
}

int main()
{
    struct context ctx;
    cmd_list list = { nullptr, 0, 0 };
    memset(&ctx, 0, sizeof ctx);
    for (int i = 0; i < Q_COUNT; ++i) cudaStreamCreate(&ctx.queue[i]);
    for (int i = 0; i < EV_COUNT; ++i) cudaEventCreateWithFlags(&ctx.event[i], cudaEventDisableTiming);
    ctx.host = (float *)malloc(NBYTES);
    cudaMalloc(&ctx.buffer[BUF_STATS], NBYTES);
    cudaMalloc(&ctx.buffer[BUF_EXTRA], NBYTES); // only right

    record(&list);
    cudaStreamBeginCapture(ctx.queue[Q_MAIN], cudaStreamCaptureModeGlobal);
    cmd_replay(&list, &ctx);
    cudaStreamEndCapture(ctx.queue[Q_MAIN], &ctx.graph);
    cudaGraphInstantiateWithFlags(&ctx.exec, ctx.graph, 0);
    free(list.base);

    for (int iter = 0; iter < 2; iter++) cudaGraphLaunch(ctx.exec, ctx.queue[Q_MAIN]);
    cudaStreamSynchronize(ctx.queue[Q_MAIN]);
    printf("host[0] = %f\n", ctx.host[0]);

    cudaGraphExecDestroy(ctx.exec);
    cudaGraphDestroy(ctx.graph);
    for (int i = Q_COUNT; i-- > 0;) cudaStreamDestroy(ctx.queue[i]);
    for (int i = EV_COUNT; i-- > 0;) cudaEventDestroy(ctx.event[i]);
    cudaFree(ctx.buffer[BUF_EXTRA]);
    cudaFree(ctx.buffer[BUF_STATS]);
    free(ctx.host);
    return 0;
}
