// Steps of a capture as tagged unions in one block of memory, visited by functions; errors come back as negative numbers.
#include <cuda_runtime.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int ELEMENTS = 16 * 1024;
enum { BLOCK = 64 };
static const size_t bytes = ELEMENTS * sizeof(int);
#define GRID ((ELEMENTS + BLOCK - 1) / BLOCK)

__global__ void advect(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] * in[i]; }
__global__ void kineticEnergy(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i]; }

static int calls;
static void CUDART_CB count_call(void *data) { ++*(int *)data; }

enum step_tag { S_TAKE, S_TAKE_POOL, S_ZERO, S_ADVECT, S_ENERGY, S_RECORD, S_WAIT, S_HOST, S_GIVE };
struct step {
    enum step_tag tag : 8;
    unsigned lane : 8;
    union {
        struct { int **to; cudaMemPool_t pool; } take;
        struct { int **what; } zero, give;
        struct { int *const *from; int **to; } kernel;
        cudaEvent_t event;
        struct { cudaHostFn_t fn; void *user; } host;
    };
};

struct program {
    size_t count, room;
    struct step steps[];
};

static struct program *program_new(size_t room)
{
    struct program *p = (struct program *)malloc(sizeof *p + room * sizeof p->steps[0]);
    if (p) *p = { 0, room };
    return p;
}
static struct step *program_add(struct program *p, enum step_tag tag, unsigned lane)
{
    if (p->count == p->room) return NULL;
    struct step *s = &p->steps[p->count++];
    memset(s, 0, sizeof *s);
    s->tag = tag;
    s->lane = lane;
    return s;
}

typedef int (*step_fn)(const struct step *, void *user);
static int program_visit(const struct program *p, step_fn visit, void *user)
{
    for (size_t i = 0; i < p->count; i++) {
        int rc = visit(&p->steps[i], user);
        if (rc < 0) return rc;
    }
    return (int)p->count;
}

static int negative(cudaError_t rc)
{
    switch (rc) {
    case cudaSuccess: return 0;
    case cudaErrorMemoryAllocation: return -ENOMEM;
    case cudaErrorInvalidValue: return -EINVAL;
    default: return -EIO;
    }
}

static int issue(const struct step *s, void *user)
{
    const cudaStream_t stream = ((const cudaStream_t *)user)[s->lane];
    switch (s->tag) {
    case S_TAKE: return negative(cudaMallocAsync((void **)s->take.to, bytes, stream));
    case S_TAKE_POOL: return negative(cudaMallocFromPoolAsync((void **)s->take.to, bytes, s->take.pool, stream));
    case S_ZERO: return negative(cudaMemsetAsync(*s->zero.what, 0, bytes, stream));
    case S_ADVECT: advect<<<GRID, BLOCK, 0, stream>>>(*s->kernel.from, *s->kernel.to, ELEMENTS); return negative(cudaGetLastError());
    case S_ENERGY: kineticEnergy<<<GRID, BLOCK, 0, stream>>>(*s->kernel.from, *s->kernel.to, ELEMENTS); return negative(cudaGetLastError()); // found: graph-use-free-race
    case S_RECORD: return negative(cudaEventRecord(s->event, stream));
    case S_WAIT: return negative(cudaStreamWaitEvent(stream, s->event, 0));
    case S_HOST: return negative(cudaLaunchHostFunc(stream, s->host.fn, s->host.user));
    case S_GIVE: return negative(cudaFreeAsync(*s->give.what, stream));
    }
    return -ENOSYS;
}
static int describe(const struct step *s, void *user)
{
    static const char letters[] = "apzKErwhf";
    char **at = (char **)user;
    *(*at)++ = letters[s->tag];
    return 0;
}

static int stop(int rc)
{
    if (rc >= 0) return rc;
    fprintf(stderr, "%s\n", strerror(-rc));
    exit(1);
}
#define STOP(call) stop(negative(call))

int main(void)
{
    int *stats, *energy, *grid, *host_stats = (int *)malloc(bytes);
    cudaMemPool_t pool;
    cudaStream_t lanes[2];
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    char text[32], *end = text;

    STOP(cudaMalloc((void **)&stats, bytes));
    STOP(cudaDeviceGetDefaultMemPool(&pool, 0));
    STOP(cudaMemset(stats, 0, bytes));
    STOP(cudaDeviceSynchronize());
    for (cudaStream_t *l = lanes; l < lanes + 2; l++) STOP(cudaStreamCreateWithFlags(l, cudaStreamNonBlocking));
    STOP(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    STOP(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));

    struct program *p = program_new(16);
    struct step *s;
    s = program_add(p, S_TAKE_POOL, 0), s->take.to = &energy, s->take.pool = pool;
    s = program_add(p, S_ZERO, 0), s->zero.what = &energy;
    s = program_add(p, S_TAKE, 0), s->take.to = &grid;
    s = program_add(p, S_ADVECT, 0), s->kernel.from = &energy, s->kernel.to = &grid;
    program_add(p, S_RECORD, 0)->event = fork;
    program_add(p, S_WAIT, 1)->event = fork;
    s = program_add(p, S_ENERGY, 1), s->kernel = { &grid, &stats };
    s = program_add(p, S_HOST, 0), s->host = { count_call, &calls };
    program_add(p, S_RECORD, 1)->event = join;
    program_add(p, S_GIVE, 0)->give.what = &grid; // only wrong
    program_add(p, S_WAIT, 0)->event = join;
    program_add(p, S_GIVE, 0)->give.what = &grid; // only right
    program_add(p, S_GIVE, 0)->give = { &energy };

    STOP(cudaStreamBeginCapture(lanes[0], cudaStreamCaptureModeRelaxed));
    stop(program_visit(p, issue, lanes));
    STOP(cudaStreamEndCapture(lanes[0], &graph));
    program_visit(p, describe, &end);
    *end = 0;
    STOP(cudaGraphInstantiate(&exec, graph, 0));
    STOP(cudaEventDestroy(fork));
    free(p);

    int iter = 0;
    do {
        STOP(cudaGraphLaunch(exec, lanes[0]));
        STOP(cudaStreamSynchronize(lanes[0]));
    } while (++iter < 3);
    STOP(cudaMemcpy(host_stats, stats, bytes, cudaMemcpyDeviceToHost));
    printf("%s: %d after %d calls\n", text, host_stats[0], calls);

    STOP(cudaGraphExecDestroy(exec));
    STOP(cudaGraphDestroy(graph));
    for (cudaStream_t *l = lanes + 2; l-- > lanes;) STOP(cudaStreamDestroy(*l));
    STOP(cudaEventDestroy(join));
    STOP(cudaFree(stats));
    free(host_stats);
    return 0;
}
