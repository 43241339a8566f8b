/* Stream-ordered memory behind an allocator interface in C (struct of functions as the first member), a tensor type
 * with reference counts on top of it, ops looked up by name. */
#include <cuda_runtime.h>
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 256
#define COUNT (1024 * BLOCK)
#define ARRAY_SIZE(x) (sizeof(x) / sizeof(*(x)))

__attribute__((format(printf, 3, 4))) static void panic(const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, fmt, args);
    va_end(args);
    abort();
}
#define PANIC(...) panic(__FILE__, __LINE__, __VA_ARGS__)
#define EXPECT2(call, what) do { cudaError_t e_ = (call); if (e_) PANIC("%s: %s\n", what, cudaGetErrorString(e_)); } while (0)
#define EXPECT1(call) EXPECT2(call, #call)
#define EXPECT_PICK(_1, _2, name, ...) name
#define EXPECT(...) EXPECT_PICK(__VA_ARGS__, EXPECT2, EXPECT1)(__VA_ARGS__)

/* ---- allocator ---- */
typedef struct allocator allocator;
struct allocator {
    void *(*take)(allocator *self, size_t bytes, cudaStream_t stream);
    void (*give)(allocator *self, void *ptr, cudaStream_t stream);
    void (*close)(allocator **self);
};
typedef struct async_allocator {
    allocator vtable;
    size_t live, peak;
    unsigned calls;
} async_allocator;

static void *async_take(allocator *self, size_t bytes, cudaStream_t stream)
{
    async_allocator *a = (async_allocator *)self;
    void *ptr = NULL;
    EXPECT(cudaMallocAsync(&ptr, bytes, stream), "async_take");
    a->live += bytes, a->calls++;
    a->peak = a->live > a->peak ? a->live : a->peak;
    return ptr;
}
static void async_give(allocator *self, void *ptr, cudaStream_t stream)
{
    ((async_allocator *)self)->calls++;
    EXPECT(cudaFreeAsync(ptr, stream), "async_give");
}
static void async_close(allocator **self)
{
    free(*self);
    *self = NULL;
}
static allocator *async_allocator_new(void)
{
    async_allocator *a = (async_allocator *)malloc(sizeof *a);
    *a = (async_allocator){{async_take, async_give, async_close}, 0, 0, 0};
    return &a->vtable;
}

/* ---- tensors: the header lies in front of the name ---- */
typedef struct Tensor {
    void *data;
    size_t nbytes;
    int refs;
    allocator *home;
    cudaStream_t stream;
    char name[];
} Tensor;

static Tensor *tensor_new(const char *name, size_t nbytes, allocator *home, cudaStream_t stream)
{
    const size_t length = strlen(name) + 1;
    Tensor *t = (Tensor *)calloc(1, sizeof(Tensor) + length);
    memcpy(t->name, name, length);
    t->nbytes = nbytes, t->home = home, t->stream = stream, t->refs = 1;
    t->data = home->take(home, nbytes, stream);
    return t;
}
static Tensor *tensor_ref(Tensor *t) { return t ? (++t->refs, t) : NULL; }
static void tensor_unref(Tensor **slot)
{
    Tensor *t = *slot;
    *slot = NULL;
    if (t && --t->refs == 0) {
        t->home->give(t->home, t->data, t->stream);
        free(t);
    }
}
#define F32(t) ((float *)(t)->data)

/* ---- ops ---- */
__global__ void to_gray(const float *in, float *out, float weight, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = weight * in[i]; }
__global__ void blur(const float *in, float *out, float weight, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = weight * in[i]; }
__global__ void clear(float *data, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = i; }
__global__ void gamma_correct(float *data, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = data[i] * 2; }

typedef struct op_args { float *in, *out; float weight; } op_args;
typedef void (*op_fn)(const op_args *args, cudaStream_t stream);

#define OP_GRID (COUNT + BLOCK - 1) / BLOCK, BLOCK, 0
static void op_blur(const op_args *a, cudaStream_t s) { blur<<<OP_GRID, s>>>(a->in, a->out, a->weight, COUNT); }
static void op_clear(const op_args *a, cudaStream_t s) { clear<<<OP_GRID, s>>>(a->out, COUNT); }
static void op_gamma(const op_args *a, cudaStream_t s) { gamma_correct<<<OP_GRID, s>>>(a->out, COUNT); } // found: async-use-after-free
static void op_gray(const op_args *a, cudaStream_t s) { to_gray<<<OP_GRID, s>>>(a->in, a->out, a->weight, COUNT); }
#undef OP_GRID

/* sorted: looked up by bsearch */
static const struct op_entry { const char *name; op_fn run; } op_table[] = {
    {"blur", op_blur}, {"clear", op_clear}, {"gamma", op_gamma}, {"gray", op_gray},
};
static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct op_entry *)a)->name, ((const struct op_entry *)b)->name);
}
static void run_op(const char *name, cudaStream_t stream, const op_args args)
{
    const struct op_entry key = {name, NULL};
    const struct op_entry *found = (const struct op_entry *)bsearch(&key, op_table, ARRAY_SIZE(op_table), sizeof key, compare_entries);
    if (!found) PANIC("no op is called '%s'\n", name);
    found->run(&args, stream);
    EXPECT(cudaGetLastError());
}

enum { MAIN, SIDE, HELPER, NSTREAMS };
enum { READY, DONE, NEVENTS };

static void hand_over(const cudaStream_t streams[], cudaEvent_t event, int from, int to)
{
    EXPECT(cudaEventRecord(event, streams[from]));
    EXPECT(cudaStreamWaitEvent(streams[to], event));
}

int main(void)
{
    cudaStream_t streams[NSTREAMS], *s;
    cudaEvent_t events[NEVENTS];
    allocator *memory = async_allocator_new();
    const size_t bytes = COUNT * sizeof(float);
    float *output, *result = (float *)malloc(bytes), *second = (float *)malloc(bytes);

    for (s = streams; s - streams < NSTREAMS; s++) EXPECT(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking), "streams");
    for (int e = 0; e < NEVENTS; e++) EXPECT(cudaEventCreateWithFlags(events + e, cudaEventDisableTiming), "events");
    EXPECT(cudaMalloc((void **)&output, bytes));
    EXPECT(cudaMemset(output, 0, bytes));
    EXPECT(cudaDeviceSynchronize());

    Tensor *edges = tensor_new("edges", bytes, memory, streams[MAIN]);
    Tensor *mask = tensor_new("mask", bytes, memory, streams[MAIN]);
    EXPECT(cudaMemsetAsync(edges->data, 0, edges->nbytes, streams[MAIN]));
    run_op("gray", streams[MAIN], (op_args){F32(edges), F32(mask), 2.0f});
    hand_over(streams, events[READY], MAIN, SIDE);
    Tensor *borrowed = tensor_ref(mask);
    run_op("blur", streams[SIDE], (op_args){F32(borrowed), output, 0.5f});
    hand_over(streams, events[DONE], SIDE, MAIN);
    tensor_unref(&borrowed);
    assert(!borrowed && mask->refs == 1);

    float *target = F32(mask);
    tensor_unref(&mask);
    Tensor *tail = tensor_new("tail", bytes, memory, streams[MAIN]);
    run_op("clear", streams[MAIN], (op_args){NULL, F32(tail)});
    target = F32(tail); // only right
    run_op("gamma", streams[MAIN], (op_args){.out = target, .weight = 1.0f});
    EXPECT(cudaMemcpyAsync(second, tail->data, tail->nbytes, cudaMemcpyDeviceToHost, streams[MAIN]));
    tensor_unref(&tail);
    tensor_unref(&edges);

    EXPECT(cudaStreamSynchronize(streams[MAIN]));
    EXPECT(cudaStreamSynchronize(streams[SIDE]));
    EXPECT(cudaMemcpy(result, output, bytes, cudaMemcpyDeviceToHost));
    printf("result[0] = %f, %u calls\n", result[0], ((async_allocator *)memory)->calls);

    EXPECT(cudaDeviceGraphMemTrim(0));
    while (s-- > streams) EXPECT(cudaStreamDestroy(*s));
    for (cudaEvent_t *e = events; e != &events[NEVENTS]; ++e) EXPECT(cudaEventDestroy(*e));
    EXPECT(cudaFree(output));
    memory->close(&memory);
    free(result);
    free(second);
    return memory != NULL;
}
