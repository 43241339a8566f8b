// Graphs as reference-counted objects with a common header; what a run needs is kept in growing arrays.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 256 * 1024, TILE = WIDTH / 4, THREADS = 512 };
#define NBYTES (WIDTH * sizeof(float))
#define GRID ((WIDTH + THREADS - 1) / THREADS)

__global__ void depositMass(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = -x[i]; }
__global__ void computeForces(const float *x, float *y, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }

/* growing arrays: the header lies in front of the elements */
typedef struct { size_t length, room; } array_header;
#define array_of(T) T *
#define array_head(a) ((array_header *)(void *)((char *)(a) - sizeof(array_header)))
#define array_length(a) ((a) ? array_head(a)->length : 0)
#define array_push(a, ...) (array_fit((void **)&(a), sizeof *(a)), (a)[array_head(a)->length++] = (__VA_ARGS__))
#define array_free(a) ((a) ? free(array_head(a)) : (void)0, (a) = NULL)
static void array_fit(void **a, size_t each)
{
    const size_t length = array_length(*a), room = *a ? array_head(*a)->room : 0;
    if (length < room) return;
    const size_t more = room ? 2 * room : 2;
    array_header *head = (array_header *)realloc(*a ? (void *)array_head(*a) : NULL, sizeof *head + more * each);
    head->length = length;
    head->room = more;
    *a = (char *)head + sizeof *head;
}

/* objects */
typedef struct object object;
typedef struct object_type {
    const char *name;
    void (*finish)(object *);
} object_type;
struct object {
    const object_type *type;
    int refs;
};
static void *object_new(const object_type *type, size_t size)
{
    object *o = (object *)calloc(1, size);
    o->type = type;
    o->refs = 1;
    return o;
}
static inline void *retain(void *p) { ((object *)p)->refs++; return p; }
static inline void release(void *p)
{
    object *o = (object *)p;
    if (!o || --o->refs) return;
    o->type->finish(o);
    free(o);
}

typedef struct { object base; cudaGraph_t graph; cudaGraphExec_t exec; } graph_object;
typedef struct { object base; cudaStream_t stream; cudaEvent_t reached; } stream_object;
static void graph_finish(object *o)
{
    graph_object *g = (graph_object *)o;
    cudaGraphExecDestroy(g->exec);
    if (g->graph) cudaGraphDestroy(g->graph);
}
static void stream_finish(object *o)
{
    const stream_object *s = (const stream_object *)o;
    cudaStreamDestroy(s->stream);
    cudaEventDestroy(s->reached);
}
static const object_type graph_type = { "graph", graph_finish }, stream_type = { "stream", stream_finish };

static stream_object *stream_new(void)
{
    stream_object *s = (stream_object *)object_new(&stream_type, sizeof *s);
    cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking);
    cudaEventCreate(&s->reached);
    return s;
}

typedef struct { float *next, *energy, *first, *second, *in, *out; } memory;

static graph_object *recorded(const stream_object *s, cudaStreamCaptureMode mode, unsigned long long flags, int keep, void (*work)(cudaStream_t, memory *), memory *m)
{
    graph_object *g = (graph_object *)object_new(&graph_type, sizeof(graph_object));
    cudaStreamBeginCapture(s->stream, mode);
    work(s->stream, m);
    cudaStreamEndCapture(s->stream, &g->graph);
    cudaGraphInstantiateWithFlags(&g->exec, g->graph, flags);
    if (!keep) {
        cudaGraphDestroy(g->graph);
        g->graph = NULL;
    }
    return g;
}

static void produce(cudaStream_t s, memory *m)
{
    float **const fresh[] = { &m->next, &m->energy };
    for (size_t i = 0; i < sizeof fresh / sizeof *fresh; i++) cudaMallocAsync((void **)fresh[i], NBYTES, s);
    cudaMemcpyAsync(m->next, m->in, NBYTES, cudaMemcpyHostToDevice, s);
    depositMass<<<GRID, THREADS, 0, s>>>(m->next, m->energy, WIDTH);
}
static void consume_first(cudaStream_t s, memory *m) { depositMass<<<GRID, THREADS, 0, s>>>(m->next, m->first, WIDTH); }
static void consume_second(cudaStream_t s, memory *m) { computeForces<<<GRID, THREADS, 0, s>>>(m->energy, m->second, 0.5f, WIDTH); }

typedef struct { graph_object *graph; stream_object *on, *behind; } launch;

int main(void)
{
    memory m;
    array_of(object *) kept = NULL;
    array_of(launch) launches = NULL;
    memset(&m, 0, sizeof m);

    stream_object *one = stream_new(), *two = stream_new();
    array_push(kept, &one->base);
    array_push(kept, &two->base);
    cudaMalloc((void **)&m.first, NBYTES);
    cudaMalloc((void **)&m.second, NBYTES);
    cudaMallocHost((void **)&m.out, NBYTES);
    cudaMallocHost((void **)&m.in, NBYTES);
    for (int i = 0; i < WIDTH; ++i) m.in[i] = (float)(i % 33) * 0.5f;

    graph_object *producer = recorded(one, cudaStreamCaptureModeThreadLocal, cudaGraphInstantiateFlagAutoFreeOnLaunch, 1, produce, &m);
    graph_object *first = recorded(one, cudaStreamCaptureModeGlobal, 0, 0, consume_first, &m);
    graph_object *second = recorded(one, cudaStreamCaptureModeGlobal, 0, 0, consume_second, &m);
    array_push(kept, &producer->base);
    array_push(kept, &first->base);
    array_push(kept, (object *)second);
    array_push(launches, launch{ (graph_object *)retain(producer), one, NULL });
    array_push(launches, launch{ (graph_object *)retain(first), one, NULL });
    array_push(launches, launch{ (graph_object *)retain(second), two, one });

    for (int iter = 0; iter < 2; ++iter) {
        for (const launch *l = launches, *end = launches + array_length(launches); l != end; ++l) {
            if (l->behind) {
                cudaEventRecord(l->behind->reached, l->behind->stream);
                cudaStreamWaitEvent(l->on->stream, l->behind->reached, 0);
            }
            cudaGraphLaunch(l->graph->exec, l->on->stream); // found: xgraph-alloc-leak
        }
        cudaEventRecord(two->reached, two->stream);
        cudaStreamWaitEvent(one->stream, two->reached, 0);
    }
    cudaFreeAsync(m.next, one->stream);
    cudaFreeAsync(m.energy, one->stream); // only right
    cudaStreamSynchronize(one->stream);
    cudaMemcpy(m.out, m.first, NBYTES, cudaMemcpyDeviceToHost);
    printf("out[0] = %f, %zu objects\n", m.out[0], array_length(kept));

    while (array_length(launches)) release(launches[--array_head(launches)->length].graph);
    for (size_t i = array_length(kept); i-- > 0;) release(kept[i]);
    cudaDeviceGraphMemTrim(0);
    array_free(launches);
    array_free(kept);
    cudaFree(m.first);
    cudaFree(m.second);
    cudaFreeHost(m.out);
    cudaFreeHost(m.in);
    return 0;
}
