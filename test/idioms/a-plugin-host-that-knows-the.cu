// A plugin host that knows the runtime only by name: dlsym fills a table of functions; every call goes through it, with retries.
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1 << 18, THREADS = 64 };
static const size_t bytes = WIDTH * sizeof(double);

__global__ void advect_kernel(const double *x, double *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] * x[i]; }
__global__ void compute_forces_kernel(const double *x, double *y, double alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }
__global__ void deposit_mass_kernel(const double *x, double *y, double alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }
__global__ void apply_damping_kernel(double *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = data[i] * 2; }

#define RUNTIME_FUNCTIONS(F)                                                                     \
    F(cudaStreamBeginCapture, (cudaStream_t, cudaStreamCaptureMode))                             \
    F(cudaStreamEndCapture, (cudaStream_t, cudaGraph_t *))                                       \
    F(cudaFreeAsync, (void *, cudaStream_t))                                                     \
    F(cudaGraphDestroy, (cudaGraph_t))                                                           \
    F(cudaGraphExecDestroy, (cudaGraphExec_t))                                                   \
    F(cudaGraphLaunch, (cudaGraphExec_t, cudaStream_t))                                          \
    F(cudaEventRecord, (cudaEvent_t, cudaStream_t))                                              \
    F(cudaStreamSynchronize, (cudaStream_t))                                                     \
    F(cudaStreamDestroy, (cudaStream_t))                                                         \
    F(cudaEventDestroy, (cudaEvent_t))

static struct runtime {
#define F(name, args) cudaError_t (*name) args;
    RUNTIME_FUNCTIONS(F)
#undef F
    void *library;
} rt;

static bool runtime_open(struct runtime *r, const char *path)
{
    const char *missing = NULL;
    r->library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
#define F(name, args) \
    if (!(*(void **)&r->name = dlsym(r->library ? r->library : RTLD_DEFAULT, #name))) missing = missing ? missing : #name;
    RUNTIME_FUNCTIONS(F)
#undef F
    if (missing) fprintf(stderr, "no %s: %s\n", missing, dlerror());
    return !missing;
}

#define RT(name, ...)                                                                                  \
    do {                                                                                               \
        cudaError_t rt_rc;                                                                             \
        int tries = 3;                                                                                 \
        while ((rt_rc = rt.name(__VA_ARGS__)) == cudaErrorNotReady && --tries > 0)                     \
            ;                                                                                          \
        if (rt_rc != cudaSuccess) {                                                                    \
            fprintf(stderr, #name " = %d\n", (int)rt_rc);                                              \
            exit(1);                                                                                   \
        }                                                                                              \
    } while (0)

struct sim {
    cudaGraphExec_t exec;
    cudaStream_t stream[2];
    cudaEvent_t first, second;
    double *input, *grid, *output, *result;
};

static inline unsigned blocks(int n) { return (unsigned)((n + THREADS - 1) / THREADS); }

static void construct(struct sim *s)
{
    double *mass;
    cudaGraph_t graph = NULL;
    cudaStream_t q = s->stream[0];
    RT(cudaStreamBeginCapture, q, cudaStreamCaptureModeGlobal);
    cudaMallocAsync((void **)&s->grid, bytes, q);
    cudaMemcpyAsync(s->grid, s->input, bytes, cudaMemcpyHostToDevice, q);
    cudaMallocAsync((void **)&mass, bytes, q);
    advect_kernel<<<blocks(WIDTH), THREADS, 0, q>>>(s->grid, mass, WIDTH);
    compute_forces_kernel<<<blocks(WIDTH), THREADS, 0, q>>>(mass, s->grid, 3.0, WIDTH);
    RT(cudaFreeAsync, mass, q);
    RT(cudaStreamEndCapture, q, &graph);
    if (cudaGraphInstantiate(&s->exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch) != cudaSuccess) abort();
    RT(cudaGraphDestroy, graph);
}

static void run(struct sim *s)
{
    cudaStream_t q = s->stream[0];
    RT(cudaGraphLaunch, s->exec, q);
    deposit_mass_kernel<<<blocks(WIDTH), THREADS, 0, q>>>(s->grid, s->output, 0.5, WIDTH);
    RT(cudaEventRecord, s->first, q);
    cudaStreamWaitEvent(s->stream[1], s->first, 0);
    RT(cudaGraphLaunch, s->exec, s->stream[1]); // only wrong // found: perf-launch-stream-switch
    apply_damping_kernel<<<blocks(WIDTH), THREADS, 0, s->stream[1]>>>(s->output, WIDTH); // only wrong
    RT(cudaEventRecord, s->second, s->stream[1]); // only wrong
    cudaStreamWaitEvent(q, s->second, 0); // only wrong
    RT(cudaGraphLaunch, s->exec, q); // only right
    apply_damping_kernel<<<blocks(WIDTH), THREADS, 0, q>>>(s->output, WIDTH); // only right
    RT(cudaFreeAsync, s->grid, q);
    RT(cudaStreamSynchronize, q);
    cudaMemcpy(s->result, s->output, bytes, cudaMemcpyDeviceToHost);
    printf("result[0] = %f\n", s->result[0]);
}

int main(void)
{
    struct sim *s = (struct sim *)calloc(1, sizeof(struct sim));
    if (!runtime_open(&rt, NULL)) return EXIT_FAILURE;
    s->input = (double *)malloc(bytes);
    for (int i = 0; i < WIDTH; ++i) s->input[i] = (i % 164) * 0.5;
    if (cudaMalloc((void **)&s->output, bytes) != cudaSuccess) return EXIT_FAILURE;
    s->result = (double *)malloc(bytes);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&s->stream[i]);
    cudaEventCreateWithFlags(&s->first, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&s->second, cudaEventDisableTiming);
    construct(s);
    run(s);
    RT(cudaGraphExecDestroy, s->exec);
    for (int i = 0; i < 2; i++) RT(cudaStreamDestroy, s->stream[i]);
    RT(cudaEventDestroy, s->first);
    RT(cudaEventDestroy, s->second);
    cudaFree(s->output);
    free(s->input);
    free(s->result);
    free(s);
    if (rt.library) dlclose(rt.library);
    return 0;
}
