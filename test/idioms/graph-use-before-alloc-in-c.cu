/* Commands are recorded in lists (as kernels of operating systems keep theirs) and replayed into a capture. */
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_for_each_entry(pos, head, type, member)                                              \
    for (type *pos = list_entry((head)->next, type, member); &pos->member != (head);              \
         pos = list_entry(pos->member.next, type, member))
#define list_for_each_entry_safe(pos, tmp, head, type, member)                                    \
    for (type *pos = list_entry((head)->next, type, member), *tmp = list_entry(pos->member.next, type, member); \
         &pos->member != (head); pos = tmp, tmp = list_entry(tmp->member.next, type, member))

static inline void __list_add(struct list_head *n, struct list_head *prev, struct list_head *next)
{
    next->prev = n;
    n->next = next;
    n->prev = prev;
    prev->next = n;
}
static inline void list_add_tail(struct list_head *n, struct list_head *head) { __list_add(n, head->prev, head); }
static inline void list_del(struct list_head *e)
{
    e->next->prev = e->prev;
    e->prev->next = e->next;
    e->next = e->prev = NULL;
}
static inline void list_splice_tail_init(struct list_head *list, struct list_head *head)
{
    if (list->next == list) return;
    struct list_head *first = list->next, *last = list->prev, *at = head->prev;
    first->prev = at, at->next = first;
    last->next = head, head->prev = last;
    list->next = list->prev = list;
}

#define ELEMS (1 << 16)
#define NBYTES (ELEMS * sizeof(float))
#define PER_BLOCK 256
#define GRID ((ELEMS + PER_BLOCK - 1) / PER_BLOCK)

__global__ void rectify(const float *in, float *out, float k, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = k * in[i];
}
__global__ void low_pass(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = -in[i];
}
static unsigned g_ticks;
static void CUDART_CB tick(void *counter) { ++*(unsigned *)counter; }

struct device_ctx {
    cudaStream_t lanes[2];
    cudaEvent_t fork, join;
    float *window, *envelope, *stats, *in, *out;
};

struct cmd {
    uint8_t lane;
    int (*exec)(struct cmd *self, struct device_ctx *ctx);
    struct list_head link;
};
struct cmd_alloc { struct cmd base; float **where; };
struct cmd_free { struct cmd base; float **where; };
struct cmd_copy { float *const *to, *const *from; struct cmd base; enum cudaMemcpyKind kind; };
struct cmd_sync { struct cmd base; cudaEvent_t *event; uint8_t other; };
struct cmd_call { void (*launch)(struct device_ctx *, cudaStream_t); struct cmd base; };

#define UPCAST(c, type) container_of((c), struct type, base)
#define OR_RETURN(call)                                                                           \
    if (int rc_ = (int)(call)) { fprintf(stderr, "%s -> %s\n", #call, cudaGetErrorName((cudaError_t)rc_)); return -rc_; }

static int exec_alloc(struct cmd *c, struct device_ctx *ctx)
{
    OR_RETURN(cudaMallocAsync((void **)UPCAST(c, cmd_alloc)->where, NBYTES, ctx->lanes[c->lane]));
    return 0;
}
static int exec_free(struct cmd *c, struct device_ctx *ctx)
{
    float **p = UPCAST(c, cmd_free)->where;
    OR_RETURN(cudaFreeAsync(*p, ctx->lanes[c->lane]));
    return 0;
}
static int exec_copy(struct cmd *c, struct device_ctx *ctx)
{
    const struct cmd_copy *self = UPCAST(c, cmd_copy);
    OR_RETURN(cudaMemcpyAsync(*self->to, *self->from, NBYTES, self->kind, ctx->lanes[c->lane]));
    return 0;
}
static int exec_sync(struct cmd *c, struct device_ctx *ctx)
{
    struct cmd_sync *self = UPCAST(c, cmd_sync);
    OR_RETURN(cudaEventRecord(*self->event, ctx->lanes[self->other]));
    OR_RETURN(cudaStreamWaitEvent(ctx->lanes[c->lane], *self->event, 0));
    return 0;
}
static int exec_call(struct cmd *c, struct device_ctx *ctx)
{
    UPCAST(c, cmd_call)->launch(ctx, ctx->lanes[c->lane]);
    return 0;
}

static void launch_rectify(struct device_ctx *x, cudaStream_t s) { rectify<<<GRID, PER_BLOCK, 0, s>>>(x->window, x->envelope, 3.0f, ELEMS); }
static void launch_low_pass(struct device_ctx *x, cudaStream_t s) { low_pass<<<GRID, PER_BLOCK, 0, s>>>(x->envelope, x->stats, ELEMS); } // found: graph-use-before-alloc
static void launch_tick(struct device_ctx *x, cudaStream_t s) { (void)x; cudaLaunchHostFunc(s, tick, &g_ticks); }

#define NEW_CMD(type, fn, on, list, ...)                                                          \
    do {                                                                                          \
        struct type *n_ = (struct type *)calloc(1, sizeof(struct type));                          \
        n_->base.lane = (on), n_->base.exec = fn;                                                 \
        __VA_ARGS__;                                                                              \
        list_add_tail(&n_->base.link, list);                                                      \
    } while (0)

static int record(struct device_ctx *ctx, struct list_head *out)
{
    struct list_head head = LIST_HEAD_INIT(head), side = LIST_HEAD_INIT(side), tail = LIST_HEAD_INIT(tail);

    NEW_CMD(cmd_alloc, exec_alloc, 0, &head, n_->where = &ctx->window);
    NEW_CMD(cmd_copy, exec_copy, 0, &head, n_->to = &ctx->window, n_->from = &ctx->in, n_->kind = cudaMemcpyHostToDevice);
    NEW_CMD(cmd_sync, exec_sync, 1, &head, n_->event = &ctx->fork; n_->other = 0); // only wrong
    NEW_CMD(cmd_alloc, exec_alloc, 0, &head, n_->where = &ctx->envelope);
    NEW_CMD(cmd_call, exec_call, 0, &head, n_->launch = launch_rectify);

    NEW_CMD(cmd_sync, exec_sync, 1, &side, n_->event = &ctx->fork; n_->other = 0); // only right
    NEW_CMD(cmd_call, exec_call, 1, &side, n_->launch = launch_low_pass);

    NEW_CMD(cmd_call, exec_call, 0, &tail, n_->launch = launch_tick);
    NEW_CMD(cmd_sync, exec_sync, 0, &tail, n_->event = &ctx->join, n_->other = 1);
    NEW_CMD(cmd_copy, exec_copy, 0, &tail, { n_->to = &ctx->out; n_->from = &ctx->envelope; n_->kind = cudaMemcpyDeviceToHost; });
    NEW_CMD(cmd_free, exec_free, 0, &tail, n_->where = &ctx->envelope);
    NEW_CMD(cmd_free, exec_free, 0, &tail, n_->where = &ctx->window);

    list_splice_tail_init(&head, out);
    list_splice_tail_init(&side, out);
    list_splice_tail_init(&tail, out);
    return 0;
}

static int replay(struct device_ctx *ctx, struct list_head *cmds)
{
    list_for_each_entry(c, cmds, struct cmd, link) {
        int rc = c->exec(c, ctx);
        if (rc < 0) return rc;
    }
    return 0;
}

int main(void)
{
    static struct device_ctx ctx;
    static struct list_head cmds = LIST_HEAD_INIT(cmds);
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    int rc = 0;

    OR_RETURN(cudaMallocHost((void **)&ctx.in, NBYTES));
    for (float *p = ctx.in; p != ctx.in + ELEMS; ++p) *p = (float)((p - ctx.in) % 191);
    OR_RETURN(cudaMallocHost((void **)&ctx.out, NBYTES));
    OR_RETURN(cudaMalloc((void **)&ctx.stats, NBYTES));
    OR_RETURN(cudaMemset(ctx.stats, 0, NBYTES));
    OR_RETURN(cudaDeviceSynchronize());
    for (cudaStream_t *s = ctx.lanes; s < &ctx.lanes[2]; s++) OR_RETURN(cudaStreamCreate(s));
    OR_RETURN(cudaEventCreate(&ctx.fork));
    OR_RETURN(cudaEventCreate(&ctx.join));

    record(&ctx, &cmds);
    OR_RETURN(cudaStreamBeginCapture(ctx.lanes[0], cudaStreamCaptureModeRelaxed));
    rc = replay(&ctx, &cmds);
    OR_RETURN(cudaStreamEndCapture(ctx.lanes[0], &graph));
    if (rc) return EXIT_FAILURE;
    OR_RETURN(cudaGraphInstantiate(&exec, graph, 0));
    OR_RETURN(cudaGraphDestroy(graph));
    list_for_each_entry_safe(c, tmp, &cmds, struct cmd, link) {
        list_del(&c->link);
        free(c->exec == exec_copy ? (void *)UPCAST(c, cmd_copy) : c->exec == exec_call ? (void *)UPCAST(c, cmd_call) : (void *)c);
    }

    int round = 0;
again:
    OR_RETURN(cudaGraphLaunch(exec, ctx.lanes[0]));
    OR_RETURN(cudaStreamSynchronize(ctx.lanes[0]));
    if (++round != 3) goto again;
    printf("out[0] = %f, %u ticks\n", ctx.out[0], g_ticks);

    OR_RETURN(cudaGraphExecDestroy(exec));
    OR_RETURN(cudaDeviceGraphMemTrim(0));
    OR_RETURN(cudaStreamDestroy(ctx.lanes[0]));
    OR_RETURN(cudaStreamDestroy(ctx.lanes[1]));
    OR_RETURN(cudaEventDestroy(ctx.fork));
    OR_RETURN(cudaEventDestroy(ctx.join));
    OR_RETURN(cudaFree(ctx.stats));
    OR_RETURN(cudaFreeHost(ctx.in));
    OR_RETURN(cudaFreeHost(ctx.out));
    return rc;
}
