// Node parameters are made from packed records; nodes are kept in a chained table by name; union views of buffers.
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_DIM = 128, SIZE = 2048 * BLOCK_DIM, SMALL = SIZE / 16 };
#define NBYTES (sizeof(int) * SIZE)

__global__ void seedGrid(int *data, int alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] = alpha; }
__global__ void advect(const int *x, int *y, int alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) y[i] = alpha * x[i]; }
__global__ void computeForces(const int *x, int *y, int alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) y[i] = alpha * x[i]; }
__global__ void applyDamping(int *data, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] = data[i] * 2; }
__global__ void initParticles(int *data, int alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] = alpha; }

#define NEW(T, ...) ({ T *new_ = (T *)malloc(sizeof(T)); *new_ = (T){ __VA_ARGS__ }; new_; })

/* all buffers, by name and in a row */
typedef union {
    struct { int *density, *next, *vel, *output, *partial, *state, *acc; } by;
    int *all[7];
} buffers;
enum { I_density, I_next, I_vel, I_output, I_partial, I_state, I_acc, FIRST_PLAIN = I_output };

/* nodes by name */
struct entry { const char *name; cudaGraphNode_t node; struct entry *chain; };
struct names { struct entry *bucket[8]; };
static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33u ^ (unsigned char)*s++; return h; }
static struct entry **names_at(struct names *t, const char *name)
{
    struct entry **at = &t->bucket[hash(name) % 8];
    while (*at && strcmp((*at)->name, name) != 0) at = &(*at)->chain;
    return at;
}
static cudaGraphNode_t *names_put(struct names *t, const char *name)
{
    struct entry **at = names_at(t, name);
    if (!*at) *at = NEW(struct entry, .name = name, .node = NULL, .chain = NULL);
    return &(*at)->node;
}
static void names_clear(struct names *t)
{
    for (struct entry **b = t->bucket; b < t->bucket + 8; b++)
        for (struct entry *e = *b, *next; e; e = next) {
            next = e->chain;
            free(e);
        }
    memset(t, 0, sizeof *t);
}

/* records */
enum op { OP_ALLOC, OP_FREE, OP_SEED, OP_ADVECT, OP_FORCES, OP_DAMP, OP_INIT };
typedef struct { uint8_t op, from, to, deps; const char *name, *dep[2]; } record;
#define AT(field) I_##field

static const record inner_records[] = {
    { OP_ALLOC, 0, AT(density), 0, "density", {} },
    { OP_SEED, 0, AT(density), 1, "seed", { "density" } },
    { OP_ALLOC, 0, AT(next), 1, "next", { "density" } },
    { OP_ADVECT, AT(density), AT(next), 2, "advect", { "seed", "next" } },
    { OP_FORCES, AT(next), AT(output), 1, "forces", { "advect" } },
    { OP_FREE, 0, AT(density), 1, "free density", { "advect" } },
    { OP_FREE, 0, AT(next), 1, "free next", { "forces" } },
};
static const record plain_records[] = {
    { OP_SEED, 0, AT(state), 0, "seed", {} },
    { OP_DAMP, 0, AT(state), 1, "damp", { "seed" } },
};
static const record head_records[] = { { OP_ALLOC, 0, AT(vel), 0, "vel", {} }, { OP_INIT, 0, AT(vel), 1, "init", { "vel" } } };
static const record tail_records[] = { { OP_FORCES, AT(vel), AT(acc), 1, "forces", { "init" } }, { OP_FREE, 0, AT(vel), 1, "free vel", { "forces" } } };

static void add_record(cudaGraph_t graph, struct names *names, buffers *b, const record *r)
{
    cudaGraphNode_t deps[2];
    int factor = 3, count = SIZE;
    for (int i = 0; i < r->deps; i++) deps[i] = (*names_at(names, r->dep[i]))->node;
    cudaGraphNodeParams p = { .type = cudaGraphNodeTypeKernel };
    void *scale_args[] = { &b->all[r->to], &factor, &count };
    void *map_args[] = { &b->all[r->from], &b->all[r->to], &factor, &count };
    void *damp_args[] = { &b->all[r->to], &count };
    static void *const functions[] = { NULL, NULL, (void *)seedGrid, (void *)advect, (void *)computeForces, (void *)applyDamping, (void *)initParticles };
    switch (r->op) {
    case OP_ALLOC:
        p.type = cudaGraphNodeTypeMemAlloc;
        p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
        p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
        p.alloc.bytesize = NBYTES;
        break;
    case OP_FREE:
        p.type = cudaGraphNodeTypeMemFree;
        p.free.dptr = b->all[r->to];
        break;
    default:
        p.kernel.func = functions[r->op];
        p.kernel.gridDim = dim3((SIZE + BLOCK_DIM - 1) / BLOCK_DIM);
        p.kernel.blockDim = dim3(BLOCK_DIM);
        p.kernel.kernelParams = r->op == OP_DAMP ? damp_args : r->op == OP_SEED || r->op == OP_INIT ? scale_args : map_args;
    }
    cudaGraphAddNode(names_put(names, r->name), graph, r->deps ? deps : NULL, NULL, r->deps, &p);
    if (r->op == OP_ALLOC) b->all[r->to] = (int *)p.alloc.dptr;
}
#define ADD_ALL(graph, names, b, records) \
    for (const record *r_ = records; r_ < records + sizeof records / sizeof *records; ++r_) add_record(graph, names, b, r_)

int main(void)
{
    buffers b = {};
    struct names names = {};
    int *host_in, *host_out;
    cudaStream_t stream;
    cudaGraph_t inner, plain, parent;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaMallocHost((void **)&host_in, NBYTES);
    for (int i = 0; i < SIZE; ++i) host_in[i] = i % 114;
    cudaMallocHost((void **)&host_out, NBYTES);
    for (size_t i = FIRST_PLAIN; i < 7; i++) cudaMalloc((void **)&b.all[i], &b.all[i] == &b.by.partial ? sizeof(int) * SMALL : NBYTES);

    cudaGraphCreate(&inner, 0);
    ADD_ALL(inner, &names, &b, inner_records);
    names_clear(&names);
    cudaGraphCreate(&plain, 0);
    ADD_ALL(plain, &names, &b, plain_records);
    names_clear(&names);
    cudaGraphCreate(&parent, 0);
    ADD_ALL(parent, &names, &b, head_records);
    cudaGraphAddChildGraphNode(names_put(&names, "child"), parent, &(*names_at(&names, "init"))->node, 1, inner); // only wrong // found: mem-graph-child-by-clone
    cudaGraphAddChildGraphNode(names_put(&names, "child"), parent, &(*names_at(&names, "init"))->node, 1, plain); // only right
    ADD_ALL(parent, &names, &b, tail_records);
    names_clear(&names);
    cudaGraphInstantiate(&exec, parent, 0);
    cudaGraphDestroy(parent);

    for (int iter = 0; iter != 3; iter++) {
        cudaGraphLaunch(exec, stream);
        cudaStreamSynchronize(stream);
    }
    cudaMemcpy(host_out, b.by.output, NBYTES, cudaMemcpyDeviceToHost);
    printf("host_out[0] = %d\n", host_out[0]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(inner);
    cudaGraphDestroy(plain);
    cudaStreamDestroy(stream);
    for (size_t i = 7; i-- > FIRST_PLAIN;) cudaFree(b.all[i]);
    cudaFreeHost(host_in);
    cudaFreeHost(host_out);
    return 0;
}
