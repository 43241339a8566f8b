// Two cooperating tasks (protothreads), a scheduler that runs them in turn, and a kernel-style list of what to release.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const int num_elements = 4 * 1024;
static const int block_size = 128;
static const size_t num_bytes = num_elements * sizeof(float);

#define HANDLE(expr)                                                                       \
    do {                                                                                   \
        const cudaError_t handle_rc = (expr);                                              \
        if (handle_rc != cudaSuccess)                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(handle_rc)); \
    } while (0)

/* lists */
struct list_head { struct list_head *next, *prev; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_for_each_entry_safe(pos, n, head, type, member)                              \
    for (pos = container_of((head)->next, type, member), n = container_of(pos->member.next, type, member); \
         &pos->member != (head);                                                           \
         pos = n, n = container_of(n->member.next, type, member))
static inline void list_init(struct list_head *h) { h->next = h->prev = h; }
static inline void list_add(struct list_head *e, struct list_head *h)
{
    e->next = h->next;
    e->prev = h;
    h->next->prev = e;
    h->next = e;
}
static inline void list_del(struct list_head *e) { e->prev->next = e->next; e->next->prev = e->prev; }

struct resource {
    enum { R_STREAM, R_EVENT, R_DEVICE, R_HOST, R_EXEC } kind;
    union { cudaStream_t stream; cudaEvent_t event; void *memory; cudaGraphExec_t exec; };
    struct list_head link;
};
static struct list_head resources = { &resources, &resources };

static struct resource *track(decltype(resource::kind) kind)
{
    struct resource *r = (struct resource *)calloc(1, sizeof *r);
    r->kind = kind;
    list_add(&r->link, &resources);
    return r;
}

static void release_all(void)
{
    struct resource *r, *next;
    list_for_each_entry_safe(r, next, &resources, struct resource, link) {
        list_del(&r->link);
        switch (r->kind) {
        case resource::R_STREAM: HANDLE(cudaStreamDestroy(r->stream)); break;
        case resource::R_EVENT: HANDLE(cudaEventDestroy(r->event)); break;
        case resource::R_DEVICE: HANDLE(cudaFree(r->memory)); break;
        case resource::R_EXEC: HANDLE(cudaGraphExecDestroy(r->exec)); break;
        case resource::R_HOST: free(r->memory); break;
        }
        free(r);
    }
}

/* protothreads */
struct task { int line; bool done; };
#define TASK_BEGIN(t) switch ((t)->line) { case 0:
#define TASK_YIELD(t) do { (t)->line = __LINE__; return; case __LINE__:; } while (0)
#define TASK_END(t) } (t)->done = true

__global__ void blur_rows(const float *x, float *y, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] * x[i]; }
__global__ void normalize_image(float *data, float alpha, int n) { const int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) data[i] *= alpha; }

static void CUDART_CB report_progress(void *counter) { ++*(int *)counter; }

struct frame {
    cudaStream_t main, side;
    cudaEvent_t fork, join;
    float *input, *result, *stats, *luma, *tmp;
    int callbacks;
    cudaGraph_t graph;
};

#define GRID ((num_elements + block_size - 1) / block_size)

static void main_task(struct task *t, struct frame *f)
{
    TASK_BEGIN(t);
    HANDLE(cudaMallocAsync((void **)&f->luma, num_bytes, f->main));
    HANDLE(cudaMemcpyAsync(f->luma, f->input, num_bytes, cudaMemcpyHostToDevice, f->main));
    HANDLE(cudaEventRecord(f->fork, f->main)); // only wrong
    TASK_YIELD(t); // only wrong
    HANDLE(cudaMallocAsync((void **)&f->tmp, num_bytes, f->main));
    blur_rows<<<GRID, block_size, 0, f->main>>>(f->luma, f->tmp, num_elements);
    HANDLE(cudaEventRecord(f->fork, f->main)); // only right
    TASK_YIELD(t);
    TASK_YIELD(t); // only right
    normalize_image<<<GRID, block_size, 0, f->main>>>(f->luma, 3.0f, num_elements);
    HANDLE(cudaLaunchHostFunc(f->main, report_progress, &f->callbacks));
    TASK_YIELD(t);
    HANDLE(cudaStreamWaitEvent(f->main, f->join, 0));
    HANDLE(cudaMemcpyAsync(f->result, f->tmp, num_bytes, cudaMemcpyDeviceToHost, f->main));
    HANDLE(cudaFreeAsync(f->tmp, f->main));
    HANDLE(cudaFreeAsync(f->luma, f->main));
    TASK_END(t);
}

static void side_task(struct task *t, struct frame *f)
{
    TASK_BEGIN(t);
    HANDLE(cudaStreamWaitEvent(f->side, f->fork, 0));
    TASK_YIELD(t);
    blur_rows<<<GRID, block_size, 0, f->side>>>(f->tmp, f->stats, num_elements); // found: graph-use-before-alloc
    TASK_YIELD(t);
    HANDLE(cudaEventRecord(f->join, f->side));
    TASK_END(t);
}

int main()
{
    static struct frame frame;
    struct frame *f = &frame;
    struct task tasks[2] = {};
    void (*const bodies[2])(struct task *, struct frame *) = { main_task, side_task };
    cudaGraphExec_t exec;

    HANDLE(cudaStreamCreateWithFlags(&f->main, cudaStreamNonBlocking));
    track(resource::R_STREAM)->stream = f->main;
    HANDLE(cudaStreamCreateWithFlags(&f->side, cudaStreamNonBlocking));
    track(resource::R_STREAM)->stream = f->side;
    HANDLE(cudaEventCreate(&f->fork));
    track(resource::R_EVENT)->event = f->fork;
    HANDLE(cudaEventCreate(&f->join));
    track(resource::R_EVENT)->event = f->join;
    track(resource::R_HOST)->memory = f->input = (float *)malloc(num_bytes);
    track(resource::R_HOST)->memory = f->result = (float *)malloc(num_bytes);
    for (int i = 0; i < num_elements; ++i) f->input[i] = (float)(i % 184) * 0.5f;
    HANDLE(cudaMalloc((void **)&f->stats, num_bytes));
    track(resource::R_DEVICE)->memory = f->stats;

    HANDLE(cudaStreamBeginCapture(f->main, cudaStreamCaptureModeRelaxed));
    for (bool busy = true; busy;) {
        busy = false;
        for (int i = 0; i < 2; ++i)
            if (!tasks[i].done) {
                bodies[i](&tasks[i], f);
                busy = true;
            }
    }
    HANDLE(cudaStreamEndCapture(f->main, &f->graph));
    HANDLE(cudaGraphInstantiate(&exec, f->graph, 0));
    track(resource::R_EXEC)->exec = exec;
    HANDLE(cudaGraphDestroy(f->graph));

    for (int iter = 0; iter < 2; iter++) HANDLE(cudaGraphLaunch(exec, f->main));
    HANDLE(cudaStreamSynchronize(f->main));
    printf("result[0] = %f after %d\n", f->result[0], f->callbacks);
    release_all();
    return 0;
}
