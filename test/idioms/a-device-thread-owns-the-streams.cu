// A device thread owns the streams; others send it messages through a mailbox under a mutex and wait for the answer.
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1 << 16, TILE = WIDTH / 4, THREADS = 128 };
#define NBYTES (WIDTH * sizeof(int))
#define GRID ((WIDTH + THREADS - 1) / THREADS)

__global__ void silence(int *data, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] = i; }
__global__ void removeDc(int *data, int alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] *= alpha; }
__global__ void rectify(const int *input, int *output, int alpha, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) output[i] = alpha * input[i]; }

#define OK(call) do { cudaError_t ok_rc = (call); if (ok_rc) { fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(ok_rc)); abort(); } } while (0)

enum message_kind { M_OPEN, M_BUILD, M_ROUND, M_FETCH, M_CLOSE, M_QUIT };
struct message {
    enum message_kind kind;
    int argument;
};

struct device {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct message mail;
    bool full, answered;
    cudaStream_t compute, copy;
    cudaEvent_t e1, e2;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int *envelope, *output, *result;
};

static void device_open(struct device *d)
{
    OK(cudaMalloc((void **)&d->output, NBYTES));
    OK(cudaMallocHost((void **)&d->result, NBYTES));
    cudaStream_t *const streams[] = { &d->compute, &d->copy };
    for (auto *s : streams) OK(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&d->e1, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&d->e2, cudaEventDisableTiming));
}

static void device_build(struct device *d)
{
    OK(cudaStreamBeginCapture(d->compute, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync((void **)&d->envelope, NBYTES, d->compute));
    silence<<<GRID, THREADS, 0, d->compute>>>(d->envelope, WIDTH);
    removeDc<<<GRID, THREADS, 0, d->compute>>>(d->envelope, 2, WIDTH);
    OK(cudaStreamEndCapture(d->compute, &d->graph));
    OK(cudaGraphInstantiate(&d->exec, d->graph, 0));
}

static void device_round(struct device *d)
{
    OK(cudaGraphLaunch(d->exec, d->compute));
    OK(cudaEventRecord(d->e1, d->compute)); // only right
    OK(cudaStreamWaitEvent(d->copy, d->e1, 0)); // only right
    rectify<<<GRID, THREADS, 0, d->copy>>>(d->envelope, d->output, 2, WIDTH); // found: xgraph-use-unordered-with-alloc
    OK(cudaEventRecord(d->e2, d->copy));
    OK(cudaStreamWaitEvent(d->compute, d->e2, 0));
    OK(cudaFreeAsync(d->envelope, d->compute));
}

static void device_close(struct device *d)
{
    OK(cudaGraphExecDestroy(d->exec));
    OK(cudaGraphDestroy(d->graph));
    OK(cudaDeviceGraphMemTrim(0));
    OK(cudaStreamDestroy(d->compute));
    OK(cudaStreamDestroy(d->copy));
    OK(cudaEventDestroy(d->e1));
    OK(cudaEventDestroy(d->e2));
    OK(cudaFree(d->output));
    OK(cudaFreeHost(d->result));
}

static bool device_handle(struct device *d, const struct message *m)
{
    switch (m->kind) {
    case M_OPEN: device_open(d); return true;
    case M_BUILD: device_build(d); return true;
    case M_ROUND:
        for (int i = 0; i < m->argument; i++) device_round(d);
        return true;
    case M_FETCH:
        OK(cudaStreamSynchronize(d->compute));
        OK(cudaMemcpy(d->result, d->output, NBYTES, cudaMemcpyDeviceToHost));
        return true;
    case M_CLOSE: device_close(d); return true;
    case M_QUIT: break;
    }
    return false;
}

static void *device_main(void *arg)
{
    struct device *d = (struct device *)arg;
    for (bool running = true; running;) {
        pthread_mutex_lock(&d->lock);
        while (!d->full) pthread_cond_wait(&d->changed, &d->lock);
        const struct message m = d->mail;
        d->full = false;
        pthread_mutex_unlock(&d->lock);
        running = device_handle(d, &m);
        pthread_mutex_lock(&d->lock);
        d->answered = true;
        pthread_cond_broadcast(&d->changed);
        pthread_mutex_unlock(&d->lock);
    }
    return NULL;
}

static void device_send(struct device *d, enum message_kind kind, int argument)
{
    pthread_mutex_lock(&d->lock);
    d->mail = (struct message){ kind, argument };
    d->full = true;
    d->answered = false;
    pthread_cond_broadcast(&d->changed);
    while (!d->answered) pthread_cond_wait(&d->changed, &d->lock);
    pthread_mutex_unlock(&d->lock);
}

int main(void)
{
    static struct device device;
    struct device *d = &device;
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->changed, NULL);
    if (pthread_create(&d->thread, NULL, device_main, d) != 0) return 1;
    device_send(d, M_OPEN, 0);
    device_send(d, M_BUILD, 0);
    device_send(d, M_ROUND, 2);
    device_send(d, M_FETCH, 0);
    printf("result[0] = %d\n", d->result[0]);
    device_send(d, M_CLOSE, 0);
    device_send(d, M_QUIT, 0);
    pthread_join(d->thread, NULL);
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    return 0;
}
