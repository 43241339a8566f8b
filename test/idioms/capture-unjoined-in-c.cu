/* Lanes are bits of a mask; events come from a free list; forks and joins loop over the bits. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARRAY_SIZE = 1 << 10, THREADS = 128 };
#define NBYTES (ARRAY_SIZE * sizeof(float))

#define CHECK(call) check_at((call), #call, __FILE__, __LINE__)
static inline cudaError_t check_at(cudaError_t code, const char *what, const char *file, int line)
{
    if (code != cudaSuccess) fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorName(code));
    return code;
}

__global__ void relu_kernel(const float *src, float *dst, float alpha, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) dst[i] = alpha * src[i]; }

typedef uint8_t lane_mask;
#define LANE(i) ((lane_mask)(1u << (i)))
#define FOR_EACH_LANE(i, mask) \
    for (unsigned m_ = (mask), i; m_ && ((i = (unsigned)__builtin_ffs((int)m_) - 1), 1); m_ &= m_ - 1)

/* events that are free are linked through their slots */
enum { EVENT_SLOTS = 4, NO_EVENT = -1 };
static struct { cudaEvent_t event; int next; } event_slots[EVENT_SLOTS];
static int event_free = NO_EVENT;
static cudaStream_t lanes[2];
static lane_mask forked;

static void events_open(void)
{
    for (int i = EVENT_SLOTS - 1; i >= 0; --i) {
        CHECK(cudaEventCreateWithFlags(&event_slots[i].event, cudaEventDisableTiming));
        event_slots[i].next = event_free;
        event_free = i;
    }
}
static int event_take(void)
{
    int slot = event_free;
    if (slot != NO_EVENT) event_free = event_slots[slot].next;
    return slot;
}
static void event_put(int slot)
{
    event_slots[slot].next = event_free;
    event_free = slot;
}

/* all lanes of `to` go on behind what is in lane `from` */
static void order_behind(lane_mask to, unsigned from)
{
    int slot = event_take();
    CHECK(cudaEventRecord(event_slots[slot].event, lanes[from]));
    FOR_EACH_LANE(i, to) CHECK(cudaStreamWaitEvent(lanes[i], event_slots[slot].event, 0));
    event_put(slot);
}
static void fork_lanes(lane_mask mask) { order_behind(mask, 0); forked |= mask; }
static void join_lanes(lane_mask mask)
{
    FOR_EACH_LANE(i, mask & forked) order_behind(LANE(0), i);
    forked &= (lane_mask)~mask;
}

static cudaGraphExec_t construct(float *stats, float *result)
{
    const unsigned grid = (ARRAY_SIZE + THREADS - 1) / THREADS;
    float *hidden, *bias;
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    CHECK(cudaStreamBeginCapture(lanes[0], cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync((void **)&hidden, NBYTES, lanes[0]));
    CHECK(cudaMemsetAsync(hidden, 0, NBYTES, lanes[0]));
    CHECK(cudaMallocAsync((void **)&bias, NBYTES, lanes[0]));
    relu_kernel<<<grid, THREADS, 0, lanes[0]>>>(hidden, bias, 3.0f, ARRAY_SIZE);
    fork_lanes(LANE(1));
    relu_kernel<<<grid, THREADS, 0, lanes[1]>>>(bias, stats, 3.0f, ARRAY_SIZE);
    join_lanes(LANE(2)); // only wrong
    join_lanes(LANE(1)); // only right
    CHECK(cudaMemcpyAsync(result, bias, NBYTES, cudaMemcpyDeviceToHost, lanes[0]));
    CHECK(cudaFreeAsync(bias, lanes[0]));
    CHECK(cudaFreeAsync(hidden, lanes[0]));
    CHECK(cudaStreamEndCapture(lanes[0], &graph)); // found: capture-unjoined
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return exec;
}

int main(int argc, char **argv)
{
    (void)argv;
    float *input = (float *)malloc(NBYTES), *result = (float *)malloc(NBYTES), *stats;
    for (int i = 0; i < ARRAY_SIZE; ++i) input[i] = (float)(i % 183) * 0.5f;
    CHECK(cudaMalloc((void **)&stats, NBYTES));
    CHECK(cudaMemset(stats, 0, NBYTES));
    CHECK(cudaDeviceSynchronize());
    FOR_EACH_LANE(i, LANE(0) | LANE(1)) CHECK(cudaStreamCreate(&lanes[i]));
    events_open();

    cudaGraphExec_t exec = construct(stats, result);
    CHECK(cudaGraphLaunch(exec, lanes[0]));
    CHECK(cudaStreamSynchronize(lanes[0]));
    printf("result[0] = %f\n", result[0]);

    CHECK(cudaGraphExecDestroy(exec));
    while (event_free != NO_EVENT) CHECK(cudaEventDestroy(event_slots[event_take()].event));
    FOR_EACH_LANE(i, LANE(0) | LANE(1)) CHECK(cudaStreamDestroy(lanes[i]));
    CHECK(cudaFree(stats));
    free(input);
    free(result);
    if (argc > 1) puts("done");
    return 0;
}
