/* The driver API throughout: entry points from the runtime, one template of each parameter block, copied and patched. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define DRV_FUNCTIONS(F)          \
    F(GraphCreate)                \
    F(GraphDestroy)               \
    F(GraphAddMemAllocNode)       \
    F(GraphAddMemFreeNode)        \
    F(GraphAddKernelNode)         \
    F(GraphAddMemsetNode)         \
    F(GraphAddMemcpyNode)         \
    F(GraphExecDestroy)           \
    F(GraphLaunch)

namespace {
struct Driver {
#define F(name) decltype(&cu##name) name;
    DRV_FUNCTIONS(F)
#undef F
    CUresult last;
};

const char *to_text(CUresult r)
{
    const char *text = nullptr;
    return cuGetErrorString(r, &text) == CUDA_SUCCESS ? text : "?";
}

Driver &driver()
{
    static Driver d = [] {
        Driver table{};
        cudaDriverEntryPointQueryResult found;
#define F(name) \
        if (cudaGetDriverEntryPointByVersion("cu" #name, reinterpret_cast<void **>(&table.name), 12000, cudaEnableDefault, &found) != cudaSuccess) \
            fprintf(stderr, "cu" #name " is missing\n");
        DRV_FUNCTIONS(F)
#undef F
        return table;
    }();
    return d;
}
#define DRV(name, ...)                                                                            \
    ((driver().last = driver().name(__VA_ARGS__)) == CUDA_SUCCESS                                 \
         ? true                                                                                   \
         : (fprintf(stderr, "cu" #name " (%s:%d): %s\n", __FILE__, __LINE__, to_text(driver().last)), false))

constexpr unsigned kElems = 1u << 10, kHead = kElems / 4, kBlock = 64;
constexpr size_t kBytes = kElems * sizeof(float);

__global__ void fill(float *v, float with, int n) { for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v[i] = with; }
__global__ void negate(const float *in, float *out, int n) { for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = -in[i]; }
__global__ void scaled(const float *in, float *out, float by, int n) { for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = by * in[i]; }
__global__ void head(const float *in, float *out, int n) { for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i]; }

enum Kernel : unsigned { K_FILL, K_NEGATE, K_SCALED, K_HEAD, K_COUNT };
CUfunction functions[K_COUNT];

bool resolve_kernels()
{
    static const void *const symbols[K_COUNT] = {(const void *)fill, (const void *)negate, (const void *)scaled, (const void *)head};
    bool fine = true;
    for (unsigned k = 0; k != K_COUNT; ++k) fine &= cudaGetFuncBySymbol(&functions[k], symbols[k]) == cudaSuccess;
    return fine;
}

union Scalar { float f; int i; };
struct KernelNode {
    CUDA_KERNEL_NODE_PARAMS params;
    CUdeviceptr pointers[2];
    Scalar scalars[2];
    void *argv[5];
    void **top;

    KernelNode &reset(Kernel k, unsigned n)
    {
        memset(this, 0, sizeof *this);
        params.func = functions[k];
        params.gridDimX = (n + kBlock - 1) / kBlock;
        params.gridDimY = params.gridDimZ = params.blockDimY = params.blockDimZ = 1;
        params.blockDimX = kBlock;
        params.kernelParams = top = argv;
        return *this;
    }
    KernelNode &buffers(CUdeviceptr a, CUdeviceptr b = 0)
    {
        *top++ = &(pointers[0] = a);
        if (b) *top++ = &(pointers[1] = b);
        return *this;
    }
    KernelNode &factor(float f) { return *top++ = &(scalars[0].f = f), *this; }
    KernelNode &count(int n) { return *top++ = &(scalars[1].i = n), *this; }
};

struct App {
    CUgraph graph;
    CUgraphExec exec;
    CUstream stream;
    CUdeviceptr output, stats, square, input, sum;
    float *host_in, *host_out;
};

bool add_kernel(App &app, CUgraphNode *node, const CUgraphNode *deps, size_t n, KernelNode &k)
{
    return DRV(GraphAddKernelNode, node, app.graph, deps, n, &k.params);
}
bool add_alloc(App &app, CUgraphNode *node, CUgraphNode *dep, CUdeviceptr *out)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p;
    memset(&p, 0, sizeof p);
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    p.bytesize = kBytes;
    const bool ok = DRV(GraphAddMemAllocNode, node, app.graph, dep, dep ? 1 : 0, &p);
    return ok ? (*out = p.dptr, true) : false;
}

bool build(App &app)
{
    CUcontext ctx = nullptr;
    CUgraphNode zero, alloc[3], k_fill, k_neg, k_scl, k_head, fetch, k_stats, rel[3];
    KernelNode k;
    if (cuCtxGetCurrent(&ctx) != CUDA_SUCCESS || !DRV(GraphCreate, &app.graph, 0)) return false;

    CUDA_MEMSET_NODE_PARAMS ms = {};
    ms.dst = app.stats, ms.elementSize = 1, ms.width = kBytes, ms.height = 1;
    bool ok = DRV(GraphAddMemsetNode, &zero, app.graph, nullptr, 0, &ms, ctx);

    ok = ok && add_alloc(app, &alloc[0], &zero, &app.square);
    ok = ok && add_kernel(app, &k_fill, alloc, 1, k.reset(K_FILL, kElems).buffers(app.square).factor(0.5f).count(kElems));
    ok = ok && add_alloc(app, &alloc[1], &k_fill, &app.input);
    ok = ok && add_kernel(app, &k_neg, alloc + 1, 1, k.reset(K_NEGATE, kElems).buffers(app.square, app.input).count(kElems));
    ok = ok && add_alloc(app, &alloc[2], &k_neg, &app.sum);
    ok = ok && add_kernel(app, &k_scl, alloc + 2, 1, k.reset(K_SCALED, kElems).buffers(app.square, app.sum).factor(0.5f).count(kElems));
    ok = ok && add_kernel(app, &k_head, &k_scl, 1, k.reset(K_HEAD, kHead).buffers(app.input, app.output).count(kHead));

    CUDA_MEMCPY3D cp;
    memset(&cp, 0, sizeof(cp));
    cp.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    cp.srcDevice = app.square;
    cp.dstMemoryType = CU_MEMORYTYPE_HOST;
    cp.dstHost = app.host_out;
    cp.WidthInBytes = kBytes;
    cp.Height = cp.Depth = 1;
    ok = ok && DRV(GraphAddMemcpyNode, &fetch, app.graph, &k_head, 1, &cp, ctx);

    ok = ok && DRV(GraphAddMemFreeNode, &rel[0], app.graph, &fetch, 1, app.square); // only wrong
    ok = ok && add_kernel(app, &k_stats, &k_fill, 1, k.reset(K_NEGATE, kElems).buffers(app.square, app.stats).count(kElems)); // found: graph-use-free-race
    const CUgraphNode readers[] = {fetch, k_stats}; // only right
    ok = ok && DRV(GraphAddMemFreeNode, &rel[0], app.graph, readers, 2, app.square); // only right
    ok = ok && DRV(GraphAddMemFreeNode, &rel[1], app.graph, rel, 1, app.input);
    ok = ok && DRV(GraphAddMemFreeNode, &rel[2], app.graph, rel + 1, 1, app.sum);
    return ok && cuGraphInstantiate(&app.exec, app.graph, 0) == CUDA_SUCCESS;
}
} // namespace

int main()
{
    App app{};
    void *raw = nullptr;
    if (cuInit(0) != CUDA_SUCCESS || cudaFree(nullptr) != cudaSuccess || !resolve_kernels()) return 1;
    cuMemAllocHost(&raw, kBytes), app.host_in = static_cast<float *>(raw);
    for (unsigned i = 0; i < kElems; ++i) app.host_in[i] = float(i % 135);
    cuMemAllocHost(&raw, kBytes), app.host_out = static_cast<float *>(raw);
    cuMemAlloc(&app.output, kHead * sizeof(float));
    cuMemAlloc(&app.stats, kBytes);
    cuStreamCreate(&app.stream, CU_STREAM_NON_BLOCKING);

    if (build(app) && DRV(GraphLaunch, app.exec, app.stream)) {
        cuStreamSynchronize(app.stream);
        printf("host_out[0] = %f\n", app.host_out[0]);
    }
    DRV(GraphExecDestroy, app.exec);
    DRV(GraphDestroy, app.graph);
    cuStreamDestroy(app.stream);
    for (CUdeviceptr p : {app.output, app.stats}) cuMemFree(p);
    for (void *p : {(void *)app.host_in, (void *)app.host_out}) cuMemFreeHost(p);
    return 0;
}
