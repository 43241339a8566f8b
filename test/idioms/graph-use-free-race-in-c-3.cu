/* A threaded interpreter (labels as values) over packed instructions with bit-fields. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG2 = 18, COUNT = 1 << LOG2, TPB = 64, PER_BYTE = 8 };
static const size_t kBytes = (size_t)COUNT << 2;

#define LOG_(level, fmt, ...) fprintf(stderr, level " %s:%d " fmt "\n", __func__, __LINE__ __VA_OPT__(,) __VA_ARGS__)
#define WARN(...) LOG_("W", __VA_ARGS__)
#define SOFT(call)                                                                                \
    ([&](cudaError_t e) { if (e) WARN("%s: %s", #call, cudaGetErrorName(e)); return !e; }(call))

__global__ void forces(const float *__restrict__ p, float *__restrict__ f, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f[i] = p[i] * p[i];
}
__global__ void density(const float *__restrict__ p, float *__restrict__ d, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) d[i] = p[i];
}

typedef union insn {
    struct { uint32_t op : 4, a : 4, b : 4, dep0 : 5, dep1 : 5, ndeps : 2; };
    uint32_t word;
} insn;
static_assert(sizeof(insn) == sizeof(uint32_t), "one word");

enum { I_END, I_ALLOC, I_FREE, I_ZERO, I_LOAD, I_STORE, I_CALL };
enum { R_STATS, R_FORCE, R_ENERGY, R_IN, R_OUT, R_COUNT };

static constexpr insn ins(uint32_t op, uint32_t a, uint32_t b = 0) { return insn{{op, a, b, 0, 0, 0}}; }
static constexpr insn ins1(uint32_t op, uint32_t a, uint32_t b, uint32_t d) { return insn{{op, a, b, d, 0, 1}}; }
static constexpr insn ins2(uint32_t op, uint32_t a, uint32_t b, uint32_t d, uint32_t e) { return insn{{op, a, b, d, e, 2}}; }

static const insn program[] = {
    /* 0 */ ins(I_ZERO, R_STATS),
    /* 1 */ ins(I_ALLOC, R_FORCE),
    /* 2 */ ins1(I_LOAD, R_FORCE, R_IN, 1),
    /* 3 */ ins(I_ALLOC, R_ENERGY),
    /* 4 */ ins2(I_CALL, R_FORCE, R_ENERGY, 2, 3),
    /* 5 */ ins1(I_STORE, R_OUT, R_ENERGY, 4),
    /* 6 */ ins2(I_CALL, R_ENERGY, R_STATS, 4, 0),
    /* 7 */ ins1(I_FREE, R_ENERGY, 0, 5), // only wrong
    /* 7 */ ins2(I_FREE, R_ENERGY, 0, 5, 6), // only right
    /* 8 */ ins1(I_FREE, R_FORCE, 0, 4),
    ins(I_END, 0),
};

struct machine {
    cudaGraph_t graph;
    cudaGraphNode_t nodes[32];
    void *regs[R_COUNT];
    const insn *ip;
};

static const void *kernel_for(unsigned input) { return input == R_FORCE ? (const void *)forces : (const void *)density; }

static int interpret(machine *m)
{
    static void *const targets[] = {&&end, &&alloc, &&release, &&zero, &&load, &&store, &&call};
    cudaGraphNode_t deps[2], *node = m->nodes;
    int n = COUNT;
    bool ok = true;
#define NEXT()                                                                                    \
    do {                                                                                          \
        if (!ok) return -1;                                                                       \
        deps[0] = m->nodes[m->ip->dep0], deps[1] = m->nodes[m->ip->dep1];                         \
        goto *targets[m->ip->op];                                                                 \
    } while (0)

    m->ip = program;
    NEXT();
alloc: {
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = kBytes;
    ok = SOFT(cudaGraphAddMemAllocNode(node++, m->graph, deps, m->ip->ndeps, &p));
    m->regs[m->ip++->a] = p.dptr;
    NEXT();
}
release:
    ok = SOFT(cudaGraphAddMemFreeNode(node++, m->graph, deps, m->ip->ndeps, m->regs[m->ip->a]));
    ++m->ip;
    NEXT();
zero: {
    cudaMemsetParams p;
    memset(&p, 0, sizeof p);
    p.dst = m->regs[m->ip->a], p.elementSize = 1, p.width = kBytes, p.height = 1;
    ok = SOFT(cudaGraphAddMemsetNode(node++, m->graph, m->ip->ndeps ? deps : NULL, m->ip->ndeps, &p));
    ++m->ip;
    NEXT();
}
load:
store: {
    const cudaMemcpyKind kind = m->ip->op == I_LOAD ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    ok = SOFT(cudaGraphAddMemcpyNode1D(node++, m->graph, deps, m->ip->ndeps, m->regs[m->ip->a], m->regs[m->ip->b], kBytes, kind));
    ++m->ip;
    NEXT();
}
call: {
    void *argv[] = {&m->regs[m->ip->a], &m->regs[m->ip->b], &n};
    cudaKernelNodeParams p = {};
    p.func = const_cast<void *>(kernel_for(m->ip->a));
    p.gridDim = (COUNT + TPB - 1) / TPB;
    p.blockDim = TPB;
    p.kernelParams = argv;
    ok = SOFT(cudaGraphAddKernelNode(node++, m->graph, deps, m->ip->ndeps, &p)); // found: graph-use-free-race
    ++m->ip;
    NEXT();
}
end:
    return (int)(node - m->nodes);
#undef NEXT
}

int main(void)
{
    machine m;
    cudaStream_t stream;
    cudaGraphExec_t exec = NULL;
    void *spare;

    memset(&m, 0, sizeof m);
    SOFT(cudaMallocHost(&m.regs[R_IN], kBytes));
    for (int i = 0; i < COUNT; ++i) ((float *)m.regs[R_IN])[i] = (float)(i % 181) * .5f;
    SOFT(cudaMallocHost(&m.regs[R_OUT], kBytes));
    SOFT(cudaMalloc(&spare, kBytes / 4));
    SOFT(cudaMalloc(&m.regs[R_STATS], kBytes));
    SOFT(cudaMemset(spare, 0, kBytes / 4));
    SOFT(cudaMemset(m.regs[R_STATS], 0, kBytes));
    SOFT(cudaDeviceSynchronize());
    SOFT(cudaStreamCreate(&stream));

    SOFT(cudaGraphCreate(&m.graph, 0));
    if (interpret(&m) < 0) WARN("stopped");
    SOFT(cudaGraphInstantiate(&exec, m.graph, 0));
    SOFT(cudaGraphDestroy(m.graph));

    for (unsigned left = 5; left; --left) SOFT(cudaGraphLaunch(exec, stream));
    SOFT(cudaStreamSynchronize(stream));
    printf("out[0] = %f\n", *(float *)m.regs[R_OUT]);

    SOFT(cudaGraphExecDestroy(exec));
    SOFT(cudaStreamDestroy(stream));
    SOFT(cudaFree(spare));
    SOFT(cudaFree(m.regs[R_STATS]));
    for (int r = R_IN; r <= R_OUT; ++r) SOFT(cudaFreeHost(m.regs[r]));
    return 0;
}
