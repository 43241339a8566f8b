// A solver as a program for a tiny machine: commands in tables, registers for buffers, one interpreter for graph and stream.
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS (1 << 16)
#define THREADS 64
#define GRID ((CELLS + THREADS - 1) / THREADS)

static void die_if(cudaError_t rc, int line)
{
    if (rc == cudaSuccess) return;
    fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(rc));
    abort();
}
#define MUST(x) die_if((x), __LINE__)

__global__ void jacobi(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] + in[i]; }
__global__ void restrict_grid(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] * in[i]; }
__global__ void boundary(float *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] += 1; }
__global__ void laplacian(const float *in, float *out, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = alpha * in[i]; }

typedef enum { REG_COEFF, REG_HALO, REG_OUTPUT, REG_COUNT, REG_NONE = 0xff } reg_t;
typedef enum { OP_END, OP_ALLOC, OP_ZERO, OP_JACOBI, OP_RESTRICT, OP_BOUNDARY, OP_RELEASE, OP_LAUNCH, OP_LAPLACE, OP_WAIT, OP_FETCH } opcode_t;

typedef struct {
    uint8_t op;
    uint8_t a, b;
    uint32_t deps; /* bit i: after command i */
} command_t;

#define AFTER(i) (UINT32_C(1) << (i))

static const command_t build_program[] = {
    { OP_ALLOC, REG_COEFF, REG_NONE, 0 },
    { OP_ZERO, REG_COEFF, REG_NONE, AFTER(0) },
    { OP_ALLOC, REG_HALO, REG_NONE, AFTER(0) },
    { OP_JACOBI, REG_COEFF, REG_HALO, AFTER(1) | AFTER(2) },
    { OP_RESTRICT, REG_HALO, REG_COEFF, AFTER(3) },
    { OP_RELEASE, REG_HALO, REG_NONE, AFTER(4) },
    { OP_BOUNDARY, REG_COEFF, REG_NONE, AFTER(4) },
    { OP_END, 0, 0, 0 },
};

static const command_t run_program[] = {
    { OP_LAUNCH, REG_NONE, REG_NONE, 0 },
    { OP_LAPLACE, REG_COEFF, REG_OUTPUT, 0 },
    { OP_WAIT, REG_NONE, REG_NONE, 0 },
    { OP_RELEASE, REG_COEFF, REG_NONE, 0 },
    { OP_WAIT, REG_NONE, REG_NONE, 0 },
    { OP_RELEASE, REG_COEFF, REG_NONE, 0 }, // only wrong
    { OP_WAIT, REG_NONE, REG_NONE, 0 }, // only wrong
    { OP_FETCH, REG_OUTPUT, REG_NONE, 0 },
    { OP_END, 0, 0, 0 },
};

typedef struct machine {
    float *reg[REG_COUNT];
    float *host;
    int n;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaGraphNode_t node[32];
} machine_t;

static size_t gather(const machine_t *m, uint32_t mask, cudaGraphNode_t out[])
{
    size_t count = 0;
    while (mask) {
        int bit = __builtin_ctz(mask);
        out[count++] = m->node[bit];
        mask &= mask - 1;
    }
    return count;
}

static void add_kernel(machine_t *m, cudaGraphNode_t *node, const cudaGraphNode_t *deps, size_t count, void *func, void **args)
{
    cudaKernelNodeParams p = { .func = func, .gridDim = dim3(GRID), .blockDim = dim3(THREADS), .sharedMemBytes = 0, .kernelParams = args };
    MUST(cudaGraphAddKernelNode(node, m->graph, deps, count, &p));
}

static void assemble(machine_t *m, const command_t *program)
{
    for (int pc = 0; program[pc].op != OP_END; ++pc) {
        const command_t *c = program + pc;
        cudaGraphNode_t deps[8], *node = m->node + pc;
        const size_t count = gather(m, c->deps, deps);
        const cudaGraphNode_t *from = count ? deps : nullptr;
        switch ((opcode_t)c->op) {
        case OP_ALLOC: {
            cudaMemAllocNodeParams p = { };
            p.poolProps.allocType = cudaMemAllocationTypePinned;
            p.poolProps.location.type = cudaMemLocationTypeDevice;
            p.bytesize = CELLS * sizeof(float);
            MUST(cudaGraphAddMemAllocNode(node, m->graph, from, count, &p));
            m->reg[c->a] = (float *)p.dptr;
            break;
        }
        case OP_ZERO: {
            cudaMemsetParams p = { .dst = m->reg[c->a], .pitch = 0, .value = 0, .elementSize = 1, .width = CELLS * sizeof(float), .height = 1 };
            MUST(cudaGraphAddMemsetNode(node, m->graph, from, count, &p));
            break;
        }
        case OP_JACOBI:
        case OP_RESTRICT: {
            void *args[] = { &m->reg[c->a], &m->reg[c->b], &m->n };
            add_kernel(m, node, from, count, c->op == OP_JACOBI ? (void *)jacobi : (void *)restrict_grid, args);
        } break;
        case OP_BOUNDARY: {
            void *args[2] = { m->reg + c->a, &m->n };
            add_kernel(m, node, from, count, (void *)boundary, args);
        } break;
        case OP_RELEASE:
            MUST(cudaGraphAddMemFreeNode(node, m->graph, from, count, m->reg[c->a]));
            m->reg[c->a] = nullptr;
            break;
        default:
            fprintf(stderr, "pc %d: bad opcode %u\n", pc, c->op);
            abort();
        }
    }
    MUST(cudaGraphInstantiate(&m->exec, m->graph, 0));
}

static void execute(machine_t *m, const command_t *program)
{
    for (const command_t *c = program;; ++c) {
        switch (c->op) {
        case OP_LAUNCH: MUST(cudaGraphLaunch(m->exec, m->stream)); continue;
        case OP_LAPLACE: laplacian<<<GRID, THREADS, 0, m->stream>>>(m->reg[c->a], m->reg[c->b], 3.0f, m->n); continue;
        case OP_WAIT: MUST(cudaStreamSynchronize(m->stream)); continue;
        case OP_RELEASE: MUST(cudaFree(m->reg[c->a])); continue; // found: xgraph-double-free
        case OP_FETCH: MUST(cudaMemcpy(m->host, m->reg[c->a], CELLS * sizeof(float), cudaMemcpyDeviceToHost)); continue;
        case OP_END: return;
        }
        abort();
    }
}

int main()
{
    machine_t machine = { .n = CELLS }, *m = &machine;
    m->host = (float *)malloc(CELLS * sizeof *m->host);
    for (int i = 0; i < CELLS; ++i) m->host[i] = (float)(i % 168) * 0.5f;
    MUST(cudaMalloc((void **)&m->reg[REG_OUTPUT], CELLS * sizeof(float)));
    MUST(cudaMemset(m->reg[REG_OUTPUT], 0, CELLS * sizeof(float)));
    MUST(cudaDeviceSynchronize());
    MUST(cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking));
    MUST(cudaGraphCreate(&m->graph, 0));
    assemble(m, build_program);
    execute(m, run_program);
    printf("result[0] = %f\n", m->host[0]);
    MUST(cudaGraphExecDestroy(m->exec));
    MUST(cudaGraphDestroy(m->graph));
    MUST(cudaStreamDestroy(m->stream));
    MUST(cudaFree(m->reg[REG_OUTPUT]));
    free(m->host);
    return 0;
}
