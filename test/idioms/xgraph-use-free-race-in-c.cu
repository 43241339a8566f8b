/* Frees are put off: a queue of what is to be freed, with the lanes that may still use it as a mask, emptied by collect(). */
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOG2 = 18, COUNT = 1 << LOG2, BLOCK = 128 };
#define NBYTES ((size_t)COUNT << 2)

#define LEVELS(X) X(DEBUG, 0) X(INFO, 1) X(ERROR, 2)
enum level {
#define X(name, n) LEVEL_##name = n,
    LEVELS(X)
#undef X
};
static void log_at(enum level level, const char *file, int line, const char *what)
{
    static const char letters[] = {
#define X(name, n) #name[0],
        LEVELS(X)
#undef X
    };
    if (level >= LEVEL_INFO) fprintf(stderr, "%c %s:%d %s\n", letters[level], file, line, what);
}
#define LOG(level, what) log_at(LEVEL_##level, __FILE__, __LINE__, what)

typedef struct status { cudaError_t code; const char *call; int line; } status;
#define ATTEMPT(call) attempt((status){(call), #call, __LINE__})
static bool attempt(status s)
{
    if (s.code != cudaSuccess) LOG(ERROR, s.call), (void)cudaGetLastError();
    return s.code == cudaSuccess;
}

__global__ void threshold(const int *a, int *b, int k, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) b[i] = k * a[i]; }
__global__ void blur_rows(const int *a, int *b, int k, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) b[i] = k * a[i]; }
__global__ void brighten(int *a, int k, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] *= k; }

enum lane { LANE_A, LANE_B, LANES };
#define LANE_BIT(l) (1u << (l))

struct deferred { void *ptr; uint32_t users; enum lane home; struct deferred *next; };
struct device {
    struct { cudaStream_t stream; cudaEvent_t mark; } lane[LANES];
    cudaEvent_t handover;
    struct deferred *garbage, **tail, pool[8];
    unsigned npool;
};

static bool open_device(struct device *d)
{
    *d = (struct device){};
    d->tail = &d->garbage;
    for (int l = 0; l < LANES; ++l)
        if (!ATTEMPT(cudaStreamCreateWithFlags(&d->lane[l].stream, cudaStreamNonBlocking))) return false;
    if (!ATTEMPT(cudaEventCreate(&d->handover))) return false;
    return ATTEMPT(cudaEventCreate(&d->lane[LANE_B].mark)); // only right
    return true; // only wrong
}

static void defer_free(struct device *d, void *ptr, enum lane home, uint32_t users)
{
    struct deferred *g = &d->pool[d->npool++ % 8];
    g->ptr = ptr, g->home = home, g->users = users & ~LANE_BIT(home), g->next = NULL;
    *d->tail = g;
    d->tail = &g->next;
}

static void collect(struct device *d)
{
    for (struct deferred **link = &d->garbage, *g; (g = *link) != NULL;) {
        for (uint32_t l = 0; g->users >> l; ++l) {
            if (!(g->users >> l & 1)) continue;
            ATTEMPT(cudaEventRecord(d->lane[l].mark, d->lane[l].stream));
            ATTEMPT(cudaStreamWaitEvent(d->lane[g->home].stream, d->lane[l].mark, 0));
        }
        ATTEMPT(cudaFreeAsync(g->ptr, d->lane[g->home].stream));
        *link = g->next;
    }
    d->tail = &d->garbage;
}

static cudaGraphExec_t record(struct device *d, cudaGraph_t *graph, int **out)
{
    int *spare = NULL;
    cudaGraphExec_t exec = NULL;
    cudaStream_t s = d->lane[LANE_A].stream;
    ATTEMPT(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    for (int **at[] = {out, &spare}, ***p = at; p < at + 2; p++) {
        ATTEMPT(cudaMallocAsync((void **)*p, NBYTES, s));
        if (p == at) ATTEMPT(cudaMemsetAsync(**p, 0, NBYTES, s));
    }
    int *ends[2] = {*out, spare};
    for (unsigned turn = 0; turn < 2; turn++)
        threshold<<<(COUNT + BLOCK - 1) / BLOCK, BLOCK, 0, s>>>(ends[turn & 1], ends[~turn & 1], 2, COUNT);
    ATTEMPT(cudaFreeAsync(spare, s));
    ATTEMPT(cudaStreamEndCapture(s, graph));
    return ATTEMPT(cudaGraphInstantiate(&exec, *graph, 0)) ? exec : NULL;
}

int main(void)
{
    struct device device, *d = &device;
    int *image = NULL, *output = NULL, *host = (int *)malloc(NBYTES);
    cudaGraph_t graph = NULL;
    ATTEMPT(cudaMalloc((void **)&output, NBYTES));
    if (!open_device(d)) return EXIT_FAILURE;

    cudaGraphExec_t exec = record(d, &graph, &image);
    ATTEMPT(cudaGraphLaunch(exec, d->lane[LANE_A].stream));
    ATTEMPT(cudaEventRecord(d->handover, d->lane[LANE_A].stream));
    ATTEMPT(cudaStreamWaitEvent(d->lane[LANE_B].stream, d->handover, 0));
    blur_rows<<<(COUNT + BLOCK - 1) / BLOCK, BLOCK, 0, d->lane[LANE_B].stream>>>(image, output, 3, COUNT); // found: xgraph-use-free-race
    brighten<<<(COUNT + BLOCK - 1) / BLOCK, BLOCK, 0, d->lane[LANE_B].stream>>>(output, 2, COUNT);
    defer_free(d, image, LANE_A, LANE_BIT(LANE_A)); // only wrong
    defer_free(d, image, LANE_A, LANE_BIT(LANE_A) | LANE_BIT(LANE_B)); // only right
    collect(d);
    ATTEMPT(cudaStreamSynchronize(d->lane[LANE_A].stream));
    ATTEMPT(cudaMemcpy(host, output, NBYTES, cudaMemcpyDeviceToHost)); // found: stream-conflicting-access
    printf("host[0] = %d\n", *host);

    ATTEMPT(cudaGraphExecDestroy(exec));
    ATTEMPT(cudaGraphDestroy(graph));
    for (int l = LANES; l --> 0;) {
        ATTEMPT(cudaStreamDestroy(d->lane[l].stream));
        if (d->lane[l].mark) ATTEMPT(cudaEventDestroy(d->lane[l].mark));
    }
    ATTEMPT(cudaEventDestroy(d->handover));
    ATTEMPT(cudaFree(output));
    free(host);
    return EXIT_SUCCESS;
}
