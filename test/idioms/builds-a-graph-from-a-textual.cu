// Builds a graph from a textual description: one line a node, "kind name what... : deps".
#include <cuda_runtime.h>
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double real;
#define SIZE_LOG2 18
#define SIZE (1 << SIZE_LOG2)
#define HEAD (SIZE >> 4)
#define BYTES(n) ((size_t)(n) * sizeof(real))
#define TPB 128

#define CHK(e) do { cudaError_t rc_ = (e); if (rc_ != cudaSuccess) { fprintf(stderr, "%s -> %s\n", #e, cudaGetErrorString(rc_)); exit(1); } } while (0)

__global__ void partial_sums(const real *x, real *y, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }
__global__ void square_array(const real *x, real *y, real alpha, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }

static const char pipeline_text[] =
    "alloc   a_input  input                       :\n"
    "upload  upload   input                       : a_input\n"
    "sums    sums     input output                : upload\n"
    "alloc   a_part0  part0                       : upload\n"
    "square  square0  input part0                 : a_part0\n"
    "alloc   a_part1  part1                       : upload\n"
    "square  square1  input part1                 : a_part1\n"
    "alloc   a_part2  part2                       : upload\n"
    "square  square2  input part2                 : a_part2\n"
    "empty   gather   -                           : square0 square1 square2\n"
    "free    f_part2  part2                       : gather\n"
    "free    f_part1  part1                       : gather\n"
    "free    f_part0  part0                       : gather\n"
    "fetch   fetch    input                       : upload\n"
    "free    f_input  input                       : sums gather fetch\n"
    "free    again    input                       : f_input\n" // only wrong
    ;

/* names -> pointers, open addressing */
enum { TABLE_SIZE = 64 };
typedef struct { char key[16]; void *value; int used; } slot_t;
typedef struct { slot_t slots[TABLE_SIZE]; } table_t;

static uint32_t fnv1a(const char *s)
{
    uint32_t h = 2166136261u;
    for (; *s; ++s) {
        h ^= (unsigned char)*s;
        h *= 16777619u;
    }
    return h;
}

static slot_t *table_find(table_t *t, const char *key, int create)
{
    for (uint32_t i = fnv1a(key), probes = 0; probes < TABLE_SIZE; ++i, ++probes) {
        slot_t *s = &t->slots[i & (TABLE_SIZE - 1)];
        if (s->used && strcmp(s->key, key) == 0) return s;
        if (!s->used) {
            if (!create) return NULL;
            s->used = 1;
            snprintf(s->key, sizeof s->key, "%s", key);
            return s;
        }
    }
    return NULL;
}

static void table_put(table_t *t, const char *key, void *value) { slot_t *s = table_find(t, key, 1); assert(s); s->value = value; }
static void *table_get(table_t *t, const char *key)
{
    slot_t *s = table_find(t, key, 0);
    if (!s) {
        fprintf(stderr, "unknown name '%s'\n", key);
        exit(2);
    }
    return s->value;
}

typedef struct {
    cudaGraph_t graph;
    table_t nodes, buffers;
    real *host_in, *host_out;
    int lines;
} builder_t;

static void build_line(builder_t *b, char *line)
{
    char *colon = strchr(line, ':');
    char kind[12], name[16], first[16] = "", second[16] = "";
    cudaGraphNode_t deps[8], node = NULL;
    size_t n = 0;

    if (!colon) return;
    *colon++ = '\0';
    int fields = sscanf(line, "%11s %15s %15s %15s", kind, name, first, second);
    if (fields < 3) exit(3);
    for (char *save = NULL, *dep = strtok_r(colon, " \t", &save); dep; dep = strtok_r(NULL, " \t", &save))
        deps[n++] = (cudaGraphNode_t)table_get(&b->nodes, dep);

    if (!strcmp(kind, "alloc")) {
        cudaMemAllocNodeParams p = {};
        p.poolProps.allocType = cudaMemAllocationTypePinned;
        p.poolProps.location.type = cudaMemLocationTypeDevice;
        p.bytesize = BYTES(SIZE);
        CHK(cudaGraphAddMemAllocNode(&node, b->graph, deps, n, &p));
        table_put(&b->buffers, first, p.dptr);
    } else if (!strcmp(kind, "free")) {
        CHK(cudaGraphAddMemFreeNode(&node, b->graph, deps, n, table_get(&b->buffers, first))); // found: graph-double-free-node
    } else if (!strcmp(kind, "upload") || !strcmp(kind, "fetch")) {
        const int up = kind[0] == 'u';
        void *dev = table_get(&b->buffers, first);
        CHK(cudaGraphAddMemcpyNode1D(&node, b->graph, deps, n, up ? dev : b->host_out, up ? (const void *)b->host_in : dev,
                                     BYTES(SIZE), up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost));
    } else if (!strcmp(kind, "empty")) {
        CHK(cudaGraphAddEmptyNode(&node, b->graph, deps, n));
    } else {
        const int sums = !strcmp(kind, "sums");
        int count = sums ? HEAD : SIZE;
        real factor = 2.0;
        void *in = table_get(&b->buffers, first), *out = table_get(&b->buffers, second);
        void *sums_args[] = { &in, &out, &count };
        void *square_args[] = { &in, &out, &factor, &count };
        cudaKernelNodeParams k = {};
        k.func = sums ? (void *)partial_sums : (void *)square_array;
        k.gridDim = dim3((count + TPB - 1) / TPB, 1, 1);
        k.blockDim = dim3(TPB, 1, 1);
        k.kernelParams = sums ? sums_args : square_args;
        CHK(cudaGraphAddKernelNode(&node, b->graph, deps, n, &k));
    }
    table_put(&b->nodes, name, node);
    b->lines++;
}

static void build_text(builder_t *b, const char *text)
{
    char line[128];
    while (*text) {
        size_t len = strcspn(text, "\n");
        assert(len < sizeof line);
        memcpy(line, text, len);
        line[len] = 0;
        build_line(b, line);
        text += len + (text[len] == '\n');
    }
}

int main(void)
{
    builder_t *b = (builder_t *)calloc(1, sizeof *b);
    real *output, *stats;
    cudaStream_t stream;
    cudaGraphExec_t exec;

    CHK(cudaMalloc((void **)&output, BYTES(HEAD)));
    CHK(cudaMalloc((void **)&stats, BYTES(SIZE)));
    CHK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    b->host_in = (real *)malloc(BYTES(SIZE));
    for (int i = 0; i < SIZE; ++i) b->host_in[i] = (i % 54) * 0.5;
    b->host_out = (real *)malloc(BYTES(SIZE));
    CHK(cudaMemset(output, 0, BYTES(HEAD)));
    CHK(cudaMemset(stats, 0, BYTES(SIZE)));
    CHK(cudaDeviceSynchronize());
    table_put(&b->buffers, "output", output);

    CHK(cudaGraphCreate(&b->graph, 0));
    build_text(b, pipeline_text);
    CHK(cudaGraphInstantiateWithFlags(&exec, b->graph, 0));
    CHK(cudaGraphLaunch(exec, stream));
    CHK(cudaStreamSynchronize(stream));
    printf("%d nodes, out[0] = %f\n", b->lines, b->host_out[0]);

    CHK(cudaGraphExecDestroy(exec));
    CHK(cudaGraphDestroy(b->graph));
    CHK(cudaStreamDestroy(stream));
    CHK(cudaFree(output));
    CHK(cudaFree(stats));
    free(b->host_in);
    free(b->host_out);
    free(b);
    return 0;
}
