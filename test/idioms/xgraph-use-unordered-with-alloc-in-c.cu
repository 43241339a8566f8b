/* The whole program is an instruction stream: one interpreter builds graphs, launches them, orders streams. */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_ELEMENTS 4096
#define N_THREADS 64

__global__ void k_rectify(const float *a, float *b, int n) { int t = blockDim.x * blockIdx.x + threadIdx.x; if (t < n) b[t] = -a[t]; }
__global__ void k_decimate(const float *a, float *b, int n) { int t = blockDim.x * blockIdx.x + threadIdx.x; if (t < n) b[t] = -a[t]; }
__global__ void k_gain(float *a, float f, int n) { int t = blockDim.x * blockIdx.x + threadIdx.x; if (t < n) a[t] *= f; }
__global__ void k_smooth(float *a, float f, int n) { int t = blockDim.x * blockIdx.x + threadIdx.x; if (t < n) a[t] *= f; }

/* X(opcode, number of operands) */
#define OPCODES(X)                                                                                 \
    X(HALT, 0) X(NEWGRAPH, 1) X(ALLOC, 1) X(ZERO, 1) X(MAP, 3) X(SCALE, 3) X(FREE, 1) X(DEP, 1)    \
    X(INST, 2) X(LAUNCH, 2) X(RECORD, 2) X(WAIT, 2) X(SYNC, 1)

typedef enum {
#define X(name, n) OP_##name,
    OPCODES(X)
#undef X
        OP__COUNT
} opcode_t;

static const uint8_t op_length[OP__COUNT] = {
#define X(name, n) 1 + (n),
    OPCODES(X)
#undef X
};
static const char *const op_name[] = {
#define X(name, n) #name,
    OPCODES(X)
#undef X
    NULL};

enum { B_SAMPLES, B_SPECTRUM, B_OUTPUT, B_COUNT };
enum { K_RECTIFY, K_DECIMATE, K_GAIN, K_SMOOTH };
enum { G_PRODUCER, G_CONSUMER, G_COUNT };
enum { S_MAIN, S_SIDE, S_COUNT };
enum { E_PRODUCED, E_COUNT };

static const void *const kernels[] = {(const void *)k_rectify, (const void *)k_decimate, (const void *)k_gain, (const void *)k_smooth};
static const float factors[] = {0.f, 0.f, 2.0f, 3.0f};

typedef struct vm {
    const int16_t *pc;
    float *buf[B_COUNT];
    cudaGraph_t graph[G_COUNT], cur;
    cudaGraphExec_t exec[G_COUNT];
    cudaStream_t stream[S_COUNT];
    cudaEvent_t event[E_COUNT];
    cudaGraphNode_t node[16], pending[8];
    int nnodes, npending;
    unsigned long long steps;
} vm_t;

#define VM_CHECK(vm, call)                                                                        \
    if (cudaError_t rc_ = (call); rc_ != cudaSuccess) {                                           \
        fprintf(stderr, "pc=%d %s: %s\n", (int)*(vm)->pc, #call, cudaGetErrorString(rc_));        \
        exit(EXIT_FAILURE);                                                                       \
    } else                                                                                        \
        (void)0

/* Operands of DEP count backwards from the newest node: DEP 1 is the one just made. */
static const int16_t code[] = {
    OP_NEWGRAPH, G_PRODUCER,
    OP_ALLOC, B_SAMPLES,
    OP_DEP, 0, OP_ZERO, B_SAMPLES,
    OP_DEP, 0, OP_ALLOC, B_SPECTRUM,
    OP_DEP, 1, OP_DEP, 2, OP_MAP, K_RECTIFY, B_SAMPLES, B_SPECTRUM,
    OP_DEP, 3, OP_MAP, K_DECIMATE, B_SPECTRUM, B_SAMPLES,
    OP_DEP, 4, OP_FREE, B_SPECTRUM,
    OP_DEP, 4, OP_SCALE, K_GAIN, B_SAMPLES, 2,
    OP_INST, G_PRODUCER, 1,
    OP_NEWGRAPH, G_CONSUMER,
    OP_SCALE, K_SMOOTH, B_SAMPLES, 3,
    OP_DEP, 0, OP_MAP, K_DECIMATE, B_SAMPLES, B_OUTPUT,
    OP_DEP, 1, OP_FREE, B_SAMPLES,
    OP_INST, G_CONSUMER, 0,
    OP_LAUNCH, G_PRODUCER, S_MAIN,
    OP_RECORD, E_PRODUCED, S_MAIN, // only right
    OP_WAIT, E_PRODUCED, S_SIDE, // only right
    OP_LAUNCH, G_CONSUMER, S_SIDE,
    OP_SYNC, S_MAIN,
    OP_SYNC, S_SIDE,
    OP_HALT,
};

static void op_newgraph(vm_t *vm, const int16_t *a)
{
    VM_CHECK(vm, cudaGraphCreate(&vm->graph[a[0]], 0));
    vm->cur = vm->graph[a[0]];
    vm->nnodes = vm->npending = 0;
}
static void op_dep(vm_t *vm, const int16_t *a) { vm->pending[vm->npending++] = vm->node[a[0]]; }
static void op_alloc(vm_t *vm, const int16_t *a)
{
    cudaMemAllocNodeParams p = {.poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {.type = cudaMemLocationTypeDevice, .id = 0}}, .bytesize = N_ELEMENTS * sizeof(float)};
    VM_CHECK(vm, cudaGraphAddMemAllocNode(&vm->node[vm->nnodes++], vm->cur, vm->pending, vm->npending, &p));
    *(void **)&vm->buf[a[0]] = p.dptr;
    vm->npending = 0;
}
static void op_zero(vm_t *vm, const int16_t *a)
{
    cudaMemsetParams p = {.dst = vm->buf[*a], .elementSize = sizeof(float), .width = N_ELEMENTS, .height = 1};
    VM_CHECK(vm, cudaGraphAddMemsetNode(&vm->node[vm->nnodes++], vm->cur, vm->pending, vm->npending, &p));
    vm->npending = 0;
}
static void add_kernel(vm_t *vm, int which, void **args)
{
    cudaKernelNodeParams p = {.func = (void *)kernels[which], .gridDim = dim3((N_ELEMENTS + N_THREADS - 1) / N_THREADS), .blockDim = dim3(N_THREADS), .sharedMemBytes = 0, .kernelParams = args, .extra = NULL};
    VM_CHECK(vm, cudaGraphAddKernelNode(vm->node + vm->nnodes++, vm->cur, vm->pending, vm->npending, &p));
    vm->npending = 0;
}
static void op_map(vm_t *vm, const int16_t *a)
{
    int n = N_ELEMENTS;
    void *args[] = {&vm->buf[a[1]], &vm->buf[a[2]], &n};
    add_kernel(vm, a[0], args); // found: xgraph-use-unordered-with-alloc
}
static void op_scale(vm_t *vm, const int16_t *a)
{
    int n = N_ELEMENTS;
    float f = factors[a[0]];
    void *args[] = {&vm->buf[a[1]], &f, &n};
    add_kernel(vm, a[0], args); // found: xgraph-use-unordered-with-alloc
}
static void op_free(vm_t *vm, const int16_t *a)
{
    VM_CHECK(vm, cudaGraphAddMemFreeNode(&vm->node[vm->nnodes++], vm->cur, vm->pending, vm->npending, vm->buf[a[0]]));
    vm->npending = 0;
}
static void op_inst(vm_t *vm, const int16_t *a)
{
    VM_CHECK(vm, cudaGraphInstantiateWithFlags(&vm->exec[a[0]], vm->graph[a[0]], 0));
    if (!a[1]) return;
    VM_CHECK(vm, cudaGraphDestroy(vm->graph[a[0]]));
    vm->graph[a[0]] = NULL;
}
static void op_launch(vm_t *vm, const int16_t *a) { VM_CHECK(vm, cudaGraphLaunch(vm->exec[a[0]], vm->stream[a[1]])); }
static void op_record(vm_t *vm, const int16_t *a) { VM_CHECK(vm, cudaEventRecord(vm->event[a[0]], vm->stream[a[1]])); }
static void op_wait(vm_t *vm, const int16_t *a) { VM_CHECK(vm, cudaStreamWaitEvent(vm->stream[a[1]], vm->event[a[0]], 0)); }
static void op_sync(vm_t *vm, const int16_t *a) { VM_CHECK(vm, cudaStreamSynchronize(vm->stream[a[0]])); }

typedef void (*handler_t)(vm_t *, const int16_t *);
static handler_t dispatch[OP__COUNT];

static void bind_handlers(void)
{
    static int bound;
    if (bound++) return;
    dispatch[OP_NEWGRAPH] = op_newgraph, dispatch[OP_ALLOC] = op_alloc, dispatch[OP_ZERO] = op_zero, dispatch[OP_MAP] = op_map;
    dispatch[OP_SCALE] = op_scale, dispatch[OP_FREE] = op_free, dispatch[OP_DEP] = op_dep, dispatch[OP_INST] = op_inst;
    dispatch[OP_LAUNCH] = op_launch, dispatch[OP_RECORD] = op_record, dispatch[OP_WAIT] = op_wait, dispatch[OP_SYNC] = op_sync;
}

static int execute(vm_t *vm, const int16_t *text)
{
    bind_handlers();
    for (vm->pc = text; *vm->pc != OP_HALT; vm->pc += op_length[*vm->pc], ++vm->steps) {
        if (*vm->pc < 0 || *vm->pc >= OP__COUNT || !dispatch[*vm->pc]) return -1;
        if (getenv("VM_TRACE")) fprintf(stderr, "%4lld %s\n", (long long)(vm->pc - text), op_name[*vm->pc]);
        dispatch[*vm->pc](vm, vm->pc + 1);
    }
    return 0;
}

int main(void)
{
    vm_t *vm = (vm_t *)memset(malloc(sizeof(vm_t)), 0, sizeof(vm_t));
    float *host = (float *)malloc(N_ELEMENTS * sizeof *host);
    for (int i = 0; i < S_COUNT; ++i) VM_CHECK(vm, cudaStreamCreateWithFlags(vm->stream + i, cudaStreamNonBlocking));
    for (int i = 0; i < E_COUNT; ++i) VM_CHECK(vm, cudaEventCreateWithFlags(vm->event + i, cudaEventDisableTiming));
    VM_CHECK(vm, cudaMalloc((void **)&vm->buf[B_OUTPUT], N_ELEMENTS * sizeof(float)));

    int rc = execute(vm, code);
    if (rc == 0) {
        VM_CHECK(vm, cudaMemcpy(host, vm->buf[B_OUTPUT], N_ELEMENTS * sizeof(float), cudaMemcpyDeviceToHost));
        printf("host[0] = %f after %llu instructions\n", host[0], vm->steps);
    }

    for (int i = G_COUNT; i-- > 0;) {
        if (vm->exec[i]) VM_CHECK(vm, cudaGraphExecDestroy(vm->exec[i]));
        if (vm->graph[i]) VM_CHECK(vm, cudaGraphDestroy(vm->graph[i]));
    }
    for (int i = 0; i < S_COUNT; ++i) VM_CHECK(vm, cudaStreamDestroy(vm->stream[i]));
    for (int i = 0; i < E_COUNT; ++i) VM_CHECK(vm, cudaEventDestroy(vm->event[i]));
    VM_CHECK(vm, cudaFree(vm->buf[B_OUTPUT]));
    free(host);
    free(vm);
    return rc;
}
