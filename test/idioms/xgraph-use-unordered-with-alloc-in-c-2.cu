/* The driver API with streams, events and launches of its own; kernels by name, objects in one registry of tagged slots. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define LOG2 12
#define N (1 << LOG2)
#define BLOCK 64

extern "C" {
__global__ void draw_pattern(float *v, float with, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) v[i] = with; }
__global__ void sobel_filter(const float *in, float *out, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) out[i] = -in[i]; }
__global__ void brighten(float *v, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) v[i] = v[i] * 2; }
}

enum tag { TAG_FREE, TAG_STREAM, TAG_EVENT, TAG_FUNCTION, TAG_MEMORY, TAG_GRAPH, TAG_EXEC };
struct slot {
    enum tag tag;
    char name[14];
    union {
        CUstream stream;
        CUevent event;
        CUfunction function;
        CUdeviceptr memory;
        CUgraph graph;
        CUgraphExec exec;
    };
};
static struct slot slots[24];

static struct slot *slot_named(enum tag tag, const char *name, bool make)
{
    struct slot *hole = NULL;
    for (struct slot *s = slots; s != slots + sizeof slots / sizeof *slots; ++s) {
        if (s->tag == tag && !strncmp(s->name, name, sizeof s->name)) return s;
        if (s->tag == TAG_FREE && !hole) hole = s;
    }
    if (!make || !hole) {
        fprintf(stderr, "no %d called %s\n", tag, name);
        abort();
    }
    hole->tag = tag;
    strncpy(hole->name, name, sizeof hole->name - 1);
    return hole;
}
#define ACCESSOR(type, field, TAG)                                                                \
    static inline type *new_##field(const char *name) { return &slot_named(TAG, name, true)->field; } \
    static inline type get_##field(const char *name) { return slot_named(TAG, name, false)->field; }
ACCESSOR(CUstream, stream, TAG_STREAM)
ACCESSOR(CUevent, event, TAG_EVENT)
ACCESSOR(CUfunction, function, TAG_FUNCTION)
ACCESSOR(CUdeviceptr, memory, TAG_MEMORY)
ACCESSOR(CUgraph, graph, TAG_GRAPH)
ACCESSOR(CUgraphExec, exec, TAG_EXEC)
#undef ACCESSOR

static void forget_all(void)
{
    for (size_t i = sizeof slots / sizeof slots[0]; i > 0;) {
        struct slot *s = &slots[--i];
        switch (s->tag) {
        case TAG_STREAM: cuStreamDestroy(s->stream); break;
        case TAG_EVENT: cuEventDestroy(s->event); break;
        case TAG_MEMORY: if (strcmp(s->name, "output")) cuMemFree(s->memory); break;
        case TAG_EXEC: cuGraphExecDestroy(s->exec); break;
        case TAG_GRAPH: case TAG_FUNCTION: case TAG_FREE: break;
        }
        memset(s, 0, sizeof *s);
    }
}

struct launch { const char *kernel; void *args[4]; };
static CUDA_KERNEL_NODE_PARAMS node_params(const struct launch *l)
{
    CUDA_KERNEL_NODE_PARAMS p = {};
    p.func = get_function(l->kernel);
    p.gridDimX = N / BLOCK, p.gridDimY = 1, p.gridDimZ = 1;
    p.blockDimX = BLOCK, p.blockDimY = 1, p.blockDimZ = 1;
    p.kernelParams = const_cast<void **>(l->args);
    return p;
}
static CUresult now(const struct launch l, const char *stream)
{
    const CUDA_KERNEL_NODE_PARAMS p = node_params(&l);
    return cuLaunchKernel(p.func, p.gridDimX, p.gridDimY, p.gridDimZ, p.blockDimX, p.blockDimY, p.blockDimZ, 0,
                          get_stream(stream), p.kernelParams, NULL);
}
static CUresult hand_over(const char *event, const char *from, const char *to)
{
    CUresult r = cuEventRecord(get_event(event), get_stream(from));
    return r != CUDA_SUCCESS ? r : cuStreamWaitEvent(get_stream(to), get_event(event), CU_EVENT_WAIT_DEFAULT);
}

static CUresult build(void)
{
    static int n = N;
    static float half = 0.5f;
    CUgraph *g = new_graph("alloc");
    CUdeviceptr *output = new_memory("output"), blurred = 0;
    CUgraphNode nodes[6], *at = nodes;
    CUresult r;
    CUDA_MEM_ALLOC_NODE_PARAMS a, b;
    memset(&a, 0, sizeof a);
    a.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    a.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    a.bytesize = N * sizeof(float);
    b = a;

    if ((r = cuGraphCreate(g, 0)) || (r = cuGraphAddMemAllocNode(at++, *g, NULL, 0, &a))) return r;
    *output = a.dptr;
    const struct launch draw = {"draw_pattern", {output, &half, &n}};
    CUDA_KERNEL_NODE_PARAMS k = node_params(&draw);
    if ((r = cuGraphAddKernelNode(at, *g, at - 1, 1, &k)) != CUDA_SUCCESS) return r;
    if ((r = cuGraphAddMemAllocNode(++at, *g, NULL, 0, &b)) != CUDA_SUCCESS) return r;
    blurred = b.dptr;
    struct launch filter = {"sobel_filter", {output, &blurred, &n}};
    k = node_params(&filter);
    if ((r = cuGraphAddKernelNode(at + 1, *g, at - 1, 2, &k)) != CUDA_SUCCESS) return r;
    void *swap = filter.args[0];
    filter.args[0] = filter.args[1], filter.args[1] = swap;
    k = node_params(&filter);
    if ((r = cuGraphAddKernelNode(at + 2, *g, at + 1, 1, &k)) != CUDA_SUCCESS) return r;
    if ((r = cuGraphAddMemFreeNode(at + 3, *g, at + 2, 1, blurred)) != CUDA_SUCCESS) return r;
    r = cuGraphInstantiate(new_exec("alloc"), *g, 0);
    return r ? r : cuGraphDestroy(*g);
}

static CUresult run(float *host)
{
    int n = N;
    CUdeviceptr output = get_memory("output"), result = get_memory("result");
    CUresult r = cuGraphLaunch(get_exec("alloc"), get_stream("first"));
    r = r ? r : hand_over("ready", "first", "second"); // only right
    r = r ? r : now({"sobel_filter", {&output, &result, &n}}, "second"); // found: xgraph-use-unordered-with-alloc
    r = r ? r : now({"brighten", {&result, &n}}, "second");
    r = r ? r : hand_over("ready", "second", "first"); // only wrong
    r = r ? r : hand_over("done", "second", "first"); // only right
    r = r ? r : cuMemFreeAsync(output, get_stream("first"));
    r = r ? r : cuStreamSynchronize(get_stream("first"));
    return r ? r : cuMemcpyDtoH(host, result, N * sizeof(float));
}

int main(void)
{
    static const struct { const char *name; const void *symbol; } kernels[] = {
        {"draw_pattern", (const void *)draw_pattern}, {"sobel_filter", (const void *)sobel_filter}, {"brighten", (const void *)brighten}, {}};
    CUcontext context;
    CUdevice device;
    float *host = (float *)malloc(N * sizeof(float));
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context)) return 1;
    for (const auto *k = kernels; k->name; ++k)
        if (cudaGetFuncBySymbol(new_function(k->name), k->symbol) != cudaSuccess) return 2;
    cuMemAlloc(new_memory("result"), N * sizeof(float));
    for (const char *name : {"first", "second"}) cuStreamCreate(new_stream(name), CU_STREAM_NON_BLOCKING);
    cuEventCreate(new_event("ready"), CU_EVENT_DISABLE_TIMING);
    cuEventCreate(new_event("done"), CU_EVENT_DISABLE_TIMING); // only right
    CUresult r = build();
    if (r == CUDA_SUCCESS) r = run(host);
    if (r != CUDA_SUCCESS) fprintf(stderr, "CUresult %d\n", (int)r);
    else printf("host[0] = %f\n", host[0]);
    forget_all();
    cuDevicePrimaryCtxRelease(device);
    free(host);
    return r != CUDA_SUCCESS;
}
