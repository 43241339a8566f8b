// Stages as objects in a bump arena: a "base" structure first, functions in a table, a list threaded through the objects.
#include <cuda_runtime.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KIB(n) ((size_t)(n) << 10)
static const size_t buffer_bytes = KIB(4);
static const int count = (int)(KIB(4) / sizeof(float));
enum { THREADS = 512, STAGES = 5 };

__global__ void jacobi_step(const float *in, float *out, float alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = alpha * in[i]; }

/* arena */
struct arena {
    size_t used, size;
    alignas(16) unsigned char bytes[4096];
};

static void *arena_alloc(struct arena *a, size_t bytes, size_t align)
{
    size_t at = (a->used + align - 1) & ~(align - 1);
    if (at + bytes > a->size) abort();
    a->used = at + bytes;
    return memset(a->bytes + at, 0, bytes);
}
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type), alignof(type)))

/* objects */
struct op;
struct op_class {
    const char *name;
    void (*add)(struct op *self, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t count);
};
struct op {
    const struct op_class *isa;
    struct op *next;
    struct op *deps[2];
    cudaGraphNode_t node;
};
struct alloc_op { struct op base; float *memory; };
struct copy_op { struct op base; const struct alloc_op *buffer; float *host; enum cudaMemcpyKind kind; };
struct kernel_op { struct op base; struct alloc_op *from, *to; float factor; };
struct free_op { struct op base; const struct alloc_op *buffer; };

static void alloc_add(struct op *self, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t n)
{
    struct alloc_op *op = (struct alloc_op *)self;
    cudaMemAllocNodeParams p = {};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = buffer_bytes;
    cudaGraphAddMemAllocNode(&self->node, graph, deps, n, &p);
    op->memory = (float *)p.dptr;
}
static void copy_add(struct op *self, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t n)
{
    const struct copy_op *op = (const struct copy_op *)self;
    const int up = op->kind == cudaMemcpyHostToDevice;
    cudaGraphAddMemcpyNode1D(&self->node, graph, deps, n, up ? op->buffer->memory : op->host, up ? op->host : op->buffer->memory, buffer_bytes, op->kind);
}
static void kernel_add(struct op *self, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t n)
{
    struct kernel_op *op = (struct kernel_op *)self;
    int elements = count;
    void *args[] = { &op->from->memory, &op->to->memory, &op->factor, &elements };
    cudaKernelNodeParams p = {};
    p.func = (void *)jacobi_step;
    p.gridDim = dim3((count + THREADS - 1) / THREADS, 1, 1);
    p.blockDim = dim3(THREADS, 1, 1);
    p.kernelParams = args;
    cudaGraphAddKernelNode(&self->node, graph, deps, n, &p);
}
static void free_add(struct op *self, cudaGraph_t graph, const cudaGraphNode_t *deps, size_t n)
{
    cudaGraphAddMemFreeNode(&self->node, graph, deps, n, ((struct free_op *)self)->buffer->memory); // found: graph-double-free-node
}

static const struct op_class alloc_class = { "alloc", alloc_add }, copy_class = { "copy", copy_add }, kernel_class = { "kernel", kernel_add },
                             free_class = { "free", free_add };

struct plan {
    struct arena arena;
    struct op *first, **last;
};

static void plan_init(struct plan *p)
{
    p->arena.used = 0;
    p->arena.size = sizeof p->arena.bytes;
    p->first = NULL;
    p->last = &p->first;
}
static void plan_push(struct plan *p, struct op *op, const struct op_class *isa, struct op *after)
{
    op->isa = isa;
    op->deps[0] = after;
    *p->last = op;
    p->last = &op->next;
}

static void plan_build(const struct plan *p, cudaGraph_t graph)
{
    for (struct op *op = p->first; op; op = op->next) {
        cudaGraphNode_t deps[2];
        size_t n = 0;
        for (struct op *const *d = op->deps; d < op->deps + 2; ++d)
            if (*d) deps[n++] = (*d)->node;
        op->isa->add(op, graph, n ? deps : NULL, n);
    }
}

int main(int argc, char **argv)
{
    static struct plan plan;
    struct alloc_op *stage[STAGES];
    struct op *reached[STAGES];
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float *host_in, *host_out;
    (void)argv;

    cudaStreamCreate(&stream);
    host_in = (float *)malloc(buffer_bytes);
    for (int i = 0; i < count; ++i) host_in[i] = (float)(i % 140) * 0.5f;
    host_out = (float *)malloc(buffer_bytes);

    plan_init(&plan);
    stage[0] = ARENA_NEW(&plan.arena, struct alloc_op);
    plan_push(&plan, &stage[0]->base, &alloc_class, NULL);
    struct copy_op *upload = ARENA_NEW(&plan.arena, struct copy_op);
    upload->buffer = stage[0];
    upload->host = host_in;
    upload->kind = cudaMemcpyHostToDevice;
    plan_push(&plan, &upload->base, &copy_class, &stage[0]->base);
    reached[0] = &upload->base;
    for (int i = 1; i < STAGES; i++) {
        stage[i] = ARENA_NEW(&plan.arena, struct alloc_op);
        plan_push(&plan, &stage[i]->base, &alloc_class, reached[i - 1]);
        struct kernel_op *k = ARENA_NEW(&plan.arena, struct kernel_op);
        k->from = stage[i - 1];
        k->to = stage[i];
        k->factor = 2.0f;
        plan_push(&plan, &k->base, &kernel_class, &stage[i]->base);
        reached[i] = &k->base;
    }
    struct copy_op *fetch = ARENA_NEW(&plan.arena, struct copy_op);
    *fetch = { {}, stage[STAGES - 1], host_out, cudaMemcpyDeviceToHost };
    plan_push(&plan, &fetch->base, &copy_class, reached[STAGES - 1]);
    for (int i = 0; i < STAGES - 1; i++) {
        struct free_op *f = ARENA_NEW(&plan.arena, struct free_op);
        f->buffer = stage[i];
        plan_push(&plan, &f->base, &free_class, reached[i + 1]);
    }
    struct free_op *last = ARENA_NEW(&plan.arena, struct free_op);
    last->buffer = stage[STAGES - 1];
    plan_push(&plan, (struct op *)last, &free_class, (struct op *)fetch);
    struct free_op *again = ARENA_NEW(&plan.arena, struct free_op); // only wrong
    again->buffer = last->buffer; // only wrong
    plan_push(&plan, (struct op *)again, &free_class, (struct op *)last); // only wrong

    cudaGraphCreate(&graph, 0);
    plan_build(&plan, graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    for (int iter = 0; iter < 2; iter++) cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    printf("host_out[0] = %f\n", host_out[0]);
    cudaGraphExecDestroy(exec);
    cudaStreamDestroy(stream);
    free(host_in);
    free(host_out);
    if (argc > 1) printf("%zu bytes of arena\n", plan.arena.used);
    return 0;
}
