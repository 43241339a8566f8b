// A graph of pointers, emitted depth first: every vertex knows its inputs, and is added once, when somebody needs it.
#include <cuda_runtime.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 4 * 1024, TILE = WIDTH / 8, THREADS = 128 };
#define NBYTES (WIDTH * sizeof(float))

__global__ void initWeights(float *data, float alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] = alpha; }
__global__ void denseForward(const float *in, float *out, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) out[i] = -in[i]; }
__global__ void scaleGrad(float *data, float alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] *= alpha; }
__global__ void dropoutMask(float *data, float alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] *= alpha; }
__global__ void quantize(const float *in, float *out, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) out[i] = -in[i]; }
__global__ void zeroGrad(float *data, float alpha, int n) { int i = threadIdx.x + blockIdx.x * blockDim.x; if (i < n) data[i] = alpha; }

enum kind { ALLOC, FREE, INPLACE, TRANSFORM, JOIN, CHILD };

struct vertex {
    enum kind kind;
    cudaGraphNode_t node; /* once it is there */
    size_t inputs;
    union {
        float **buffer;                                                       /* ALLOC, FREE */
        struct { void (*func)(float *, float, int); float **data; float alpha; } inplace;
        struct { void (*func)(const float *, float *, int); float **from, **to; } transform;
        cudaGraph_t child;
    } u;
    struct vertex *input[]; /* inputs */
};

static struct vertex *vertex_new(enum kind kind, size_t inputs, ...)
{
    struct vertex *v = (struct vertex *)calloc(1, sizeof *v + inputs * sizeof v->input[0]);
    v->kind = kind;
    v->inputs = inputs;
    va_list ap;
    va_start(ap, inputs);
    for (size_t i = 0; i < inputs; i++) v->input[i] = va_arg(ap, struct vertex *);
    va_end(ap);
    return v;
}

static void emit(cudaGraph_t graph, struct vertex *v)
{
    if (v->node) return;
    cudaGraphNode_t deps[4];
    int n = WIDTH;
    for (size_t i = 0; i < v->inputs; i++) {
        emit(graph, v->input[i]);
        deps[i] = v->input[i]->node;
    }
    const cudaGraphNode_t *from = v->inputs ? deps : NULL;
    switch (v->kind) {
    case ALLOC: {
        cudaMemAllocNodeParams p = {};
        p.poolProps.allocType = cudaMemAllocationTypePinned;
        p.poolProps.location.type = cudaMemLocationTypeDevice;
        p.bytesize = NBYTES;
        cudaGraphAddMemAllocNode(&v->node, graph, from, v->inputs, &p);
        *v->u.buffer = (float *)p.dptr;
        return;
    }
    case FREE: cudaGraphAddMemFreeNode(&v->node, graph, from, v->inputs, *v->u.buffer); return;
    case JOIN: cudaGraphAddEmptyNode(&v->node, graph, from, v->inputs); return;
    case CHILD: cudaGraphAddChildGraphNode(&v->node, graph, from, v->inputs, v->u.child); return; // found: mem-graph-child-by-clone
    case INPLACE:
    case TRANSFORM: {
        void *inplace_args[] = { v->u.inplace.data, &v->u.inplace.alpha, &n };
        void *transform_args[] = { v->u.transform.from, v->u.transform.to, &n };
        cudaKernelNodeParams p = {};
        p.func = v->kind == INPLACE ? (void *)v->u.inplace.func : (void *)v->u.transform.func;
        p.gridDim = dim3((WIDTH + THREADS - 1) / THREADS);
        p.blockDim = dim3(THREADS);
        p.kernelParams = v->kind == INPLACE ? inplace_args : transform_args;
        cudaGraphAddKernelNode(&v->node, graph, from, v->inputs, &p);
        return;
    }
    }
}

static struct vertex *inplace(void (*func)(float *, float, int), float **data, float alpha, struct vertex *after)
{
    struct vertex *v = vertex_new(INPLACE, after != NULL, after);
    v->u.inplace = { func, data, alpha };
    return v;
}
static struct vertex *transform(void (*func)(const float *, float *, int), float **from, float **to, struct vertex *after)
{
    struct vertex *v = vertex_new(TRANSFORM, 1, after);
    v->u.transform.func = func;
    v->u.transform.from = from;
    v->u.transform.to = to;
    return v;
}
static struct vertex *memory(enum kind kind, float **buffer, struct vertex *after)
{
    struct vertex *v = vertex_new(kind, after != NULL, after);
    v->u.buffer = buffer;
    return v;
}

struct model { float *act, *part[2], *grad, *output, *partial, *state, *acc, *host_in, *host_out; };

static cudaGraph_t build_work(struct model *m)
{
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    struct vertex *init = inplace(initWeights, &m->act, 2.0f, memory(ALLOC, &m->act, NULL)), *branch[2], *last;
    for (int i = 0; i < 2; ++i) {
        branch[i] = transform(denseForward, &m->act, &m->part[i], memory(ALLOC, &m->part[i], init));
        emit(graph, branch[i]);
    }
    struct vertex *join = vertex_new(JOIN, 2, branch[0], branch[1]);
    emit(graph, join);
    for (int i = 1; i >= 0; --i) emit(graph, memory(FREE, &m->part[i], branch[i]));
    last = inplace(scaleGrad, &m->act, 2.0f, join);
    for (int i = 0; i < 4; ++i) last = inplace(dropoutMask, &m->act, 2.0f, last);
    emit(graph, memory(FREE, &m->act, transform(quantize, &m->act, &m->output, last)));
    return graph;
}

static cudaGraph_t build_post(struct model *m)
{
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    emit(graph, inplace(dropoutMask, &m->state, 2.0f, inplace(initWeights, &m->state, 2.0f, NULL)));
    return graph;
}

static cudaGraph_t build_parent(struct model *m, cudaGraph_t inner)
{
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    struct vertex *zero = inplace(zeroGrad, &m->grad, 3.0f, memory(ALLOC, &m->grad, NULL));
    struct vertex *child = vertex_new(CHILD, 1, zero);
    child->u.child = inner;
    emit(graph, child);
    emit(graph, memory(FREE, &m->grad, transform(denseForward, &m->grad, &m->acc, zero)));
    return graph;
}

int main(int argc, char **argv)
{
    static struct model m;
    (void)argv;
    cudaMallocHost((void **)&m.host_in, NBYTES);
    for (int i = 0; i < WIDTH; ++i) m.host_in[i] = (float)(i % 178) * 0.5f;
    cudaMallocHost((void **)&m.host_out, NBYTES);
    struct { float **at; size_t bytes; } buffers[] = { { &m.output, NBYTES }, { &m.partial, TILE * sizeof(float) }, { &m.state, NBYTES }, { &m.acc, NBYTES } };
    for (auto &b : buffers) cudaMalloc((void **)b.at, b.bytes);
    for (auto &b : buffers) cudaMemset(*b.at, 0, b.bytes);
    cudaDeviceSynchronize();
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    cudaGraph_t work = build_work(&m), post = build_post(&m);
    cudaGraph_t parent = build_parent(&m, work); // only wrong
    cudaGraph_t parent = build_parent(&m, post); // only right
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, parent, 0);
    for (int epoch = 0; epoch < 2; ++epoch) {
        cudaGraphLaunch(exec, stream);
        cudaStreamSynchronize(stream);
    }
    cudaMemcpy(m.host_out, m.output, NBYTES, cudaMemcpyDeviceToHost);
    printf("host_out[0] = %f\n", m.host_out[0]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(work);
    cudaGraphDestroy(post);
    cudaGraphDestroy(parent);
    cudaStreamDestroy(stream);
    for (auto &b : buffers) cudaFree(*b.at);
    cudaFreeHost(m.host_in);
    cudaFreeHost(m.host_out);
    if (argc > 1) printf("done\n");
    return 0;
}
