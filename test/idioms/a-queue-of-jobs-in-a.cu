// A queue of jobs in a ring; each job names its stream, what it waits for and what it signals; launches by cudaLaunchKernelExC.
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 16384
#define PART (COUNT / 4)
#define TPB 64
#define NBYTES (COUNT * sizeof(double))

static void checked(cudaError_t rc)
{
    if (rc == cudaSuccess) return;
    fputs(cudaGetErrorString(rc), stderr);
    exit(EXIT_FAILURE);
}

__global__ void relu(const double *x, double *y, double alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = alpha * x[i]; }
__global__ void quantize(const double *x, double *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = -x[i]; }
__global__ void init_weights(double *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = i; }
__global__ void row_max(const double *x, double *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }

enum lane { COMPUTE, COPY, AUX, LANES };
enum signal { NOTHING = -1, READY, FORK, JOIN, QUANTIZED, SIGNALS };
enum what { ALLOC, KERNEL, SIGNAL, WAIT, RELEASE };

struct job {
    enum what what;
    enum lane lane;
    union {
        struct { double **memory; size_t bytes; };
        struct { const void *func; void *args[4]; int n; } kernel;
        enum signal signal;
    };
};

#define RING_SIZE 8u
struct ring {
    struct job jobs[RING_SIZE];
    unsigned head, tail;
};
static bool ring_full(const struct ring *r) { return r->head - r->tail == RING_SIZE; }
static bool ring_push(struct ring *r, const struct job *j)
{
    if (ring_full(r)) return false;
    r->jobs[r->head++ % RING_SIZE] = *j;
    return true;
}
static bool ring_pop(struct ring *r, struct job *j)
{
    if (r->head == r->tail) return false;
    *j = r->jobs[r->tail++ & (RING_SIZE - 1)];
    return true;
}

struct context {
    cudaStream_t lane[LANES];
    cudaEvent_t signal[SIGNALS];
    double *input, *result, *output, *partial, *bias, *hidden;
    struct ring ring;
};

static void run_job(struct context *c, struct job *j)
{
    cudaStream_t stream = c->lane[j->lane];
    switch (j->what) {
    case ALLOC: checked(cudaMallocAsync((void **)j->memory, j->bytes, stream)); break;
    case RELEASE: checked(cudaFreeAsync(*j->memory, stream)); break;
    case SIGNAL: checked(cudaEventRecord(c->signal[j->signal], stream)); break;
    case WAIT: checked(cudaStreamWaitEvent(stream, c->signal[j->signal], 0)); break;
    case KERNEL: {
        cudaLaunchAttribute attribute = {};
        attribute.id = cudaLaunchAttributePriority;
        attribute.val.priority = 0;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3((j->kernel.n + TPB - 1) / TPB);
        config.blockDim = dim3(TPB);
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
        checked(cudaLaunchKernelExC(&config, j->kernel.func, j->kernel.args)); // found: event-recorded-too-early
        break;
    }
    }
}

static void drain(struct context *c)
{
    struct job j;
    while (ring_pop(&c->ring, &j)) run_job(c, &j);
}

static void submit(struct context *c, struct job j)
{
    while (!ring_push(&c->ring, &j)) drain(c);
}

static struct job alloc_job(double **memory) { struct job j = { ALLOC, COMPUTE }; j.memory = memory; j.bytes = NBYTES; return j; }
static struct job release_job(double **memory) { struct job j = { RELEASE, COMPUTE }; j.memory = memory; return j; }
static struct job event_job(enum what what, enum lane lane, enum signal signal) { struct job j = { what, lane }; j.signal = signal; return j; }
static struct job kernel_job(enum lane lane, const void *func, int n, void *a, void *b, void *d, void *e)
{
    struct job j;
    memset(&j, 0, sizeof j);
    j.what = KERNEL;
    j.lane = lane;
    j.kernel.func = func;
    j.kernel.n = n;
    void *args[] = { a, b, d, e };
    memcpy(j.kernel.args, args, sizeof args);
    return j;
}

int main(void)
{
    static struct context context;
    struct context *c = &context;
    double half = 0.5;
    int count = COUNT, part = PART;

    c->input = (double *)malloc(NBYTES);
    c->result = (double *)malloc(NBYTES);
    for (int i = 0; i < COUNT; ++i) c->input[i] = (i % 97) * 0.5;
    checked(cudaMalloc((void **)&c->output, NBYTES));
    checked(cudaMalloc((void **)&c->partial, PART * sizeof(double)));
    for (int i = 0; i < LANES; i++) checked(cudaStreamCreateWithFlags(&c->lane[i], cudaStreamNonBlocking));
    for (int i = 0; i < SIGNALS; i++) checked(cudaEventCreate(&c->signal[i]));

    submit(c, alloc_job(&c->bias));
    submit(c, alloc_job(&c->hidden));
    submit(c, kernel_job(COMPUTE, (const void *)init_weights, COUNT, &c->bias, &count, nullptr, nullptr));
    submit(c, event_job(SIGNAL, COMPUTE, READY)); // only wrong
    submit(c, kernel_job(COMPUTE, (const void *)relu, COUNT, &c->bias, &c->hidden, &half, &count));
    submit(c, event_job(SIGNAL, COMPUTE, READY)); // only right
    submit(c, event_job(WAIT, COPY, READY));
    submit(c, kernel_job(COPY, (const void *)quantize, COUNT, &c->hidden, &c->output, &count, nullptr));
    submit(c, event_job(SIGNAL, COMPUTE, FORK));
    submit(c, event_job(WAIT, AUX, FORK));
    submit(c, kernel_job(AUX, (const void *)row_max, PART, &c->bias, &c->partial, &part, nullptr));
    submit(c, event_job(SIGNAL, AUX, JOIN));
    submit(c, event_job(WAIT, COMPUTE, JOIN));
    submit(c, event_job(SIGNAL, COPY, QUANTIZED));
    submit(c, event_job(WAIT, COMPUTE, QUANTIZED));
    submit(c, release_job(&c->hidden));
    submit(c, release_job(&c->bias));
    drain(c);

    checked(cudaStreamSynchronize(c->lane[COMPUTE]));
    checked(cudaStreamSynchronize(c->lane[COPY]));
    checked(cudaMemcpy(c->result, c->output, NBYTES, cudaMemcpyDeviceToHost));
    printf("result[0] = %f\n", c->result[0]);
    for (int i = 0; i < LANES; i++) checked(cudaStreamDestroy(c->lane[i]));
    for (int i = 0; i < SIGNALS; i++) checked(cudaEventDestroy(c->signal[i]));
    checked(cudaFree(c->output));
    checked(cudaFree(c->partial));
    free(c->input);
    free(c->result);
    return 0;
}
