// Producer and consumer on the driver API's graph calls, memory from the runtime; stages made by one macro each.
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { kNumElements = 4096, kBlockSize = 128 };
static const size_t kBytes = kNumElements * sizeof(float);

__global__ void toGray(const float *src, float *dst, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i] * src[i];
}

struct state {
    CUcontext context;
    CUgraph producer, consumer;
    CUgraphExec run_producer, run_consumer;
    CUstream compute, copy;
    CUevent ready;
    CUdeviceptr mask;
    float *output, *input, *result;
};

static const char *describe(CUresult r)
{
    const char *text = nullptr;
    return cuGetErrorName(r, &text) == CUDA_SUCCESS ? text : "?";
}

#define DRV(...)                                                                      \
    if (CUresult drv_r = (__VA_ARGS__); drv_r != CUDA_SUCCESS) {                      \
        fprintf(stderr, "%s:%d: %s\n", __func__, __LINE__, describe(drv_r));          \
        goto fail;                                                                    \
    } else                                                                            \
        (void)0

#define STAGE(name) static int stage_##name(struct state *s)

STAGE(resources)
{
    DRV(cuStreamCreate(&s->compute, CU_STREAM_NON_BLOCKING));
    DRV(cuStreamCreate(&s->copy, CU_STREAM_NON_BLOCKING));
    DRV(cuEventCreate(&s->ready, CU_EVENT_DISABLE_TIMING));
    if (cudaMalloc((void **)&s->output, kBytes) != cudaSuccess) goto fail;
    s->result = (float *)malloc(kBytes);
    s->input = (float *)malloc(kBytes);
    for (int i = 0; i < kNumElements; ++i) s->input[i] = (float)(i % 126) * 0.5f;
    return 0;
fail:
    return -1;
}

STAGE(producer)
{
    CUgraphNode alloc, upload, record;
    DRV(cuGraphCreate(&s->producer, 0));
    {
        CUDA_MEM_ALLOC_NODE_PARAMS p = {};
        p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        p.poolProps.location.id = 0;
        p.bytesize = kBytes;
        DRV(cuGraphAddMemAllocNode(&alloc, s->producer, nullptr, 0, &p));
        s->mask = p.dptr;
    }
    {
        CUDA_MEMCPY3D p = {};
        p.srcMemoryType = CU_MEMORYTYPE_HOST;
        p.srcHost = s->input;
        p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        p.dstDevice = s->mask;
        p.WidthInBytes = kBytes;
        p.Height = p.Depth = 1;
        DRV(cuGraphAddMemcpyNode(&upload, s->producer, &alloc, 1, &p, s->context));
    }
    DRV(cuGraphAddEventRecordNode(&record, s->producer, &upload, 1, s->ready));
    DRV(cuGraphInstantiate(&s->run_producer, s->producer, 0));
    DRV(cuGraphDestroy(s->producer));
    return 0;
fail:
    return -1;
}

STAGE(consumer)
{
    CUgraphNode wait, gray, drop;
    CUfunction function;
    int n = kNumElements;
    void *args[] = { &s->mask, &s->output, &n };
    DRV(cuGraphCreate(&s->consumer, 0));
    DRV(cuGraphAddEventWaitNode(&wait, s->consumer, nullptr, 0, s->ready));
    if (cudaGetFuncBySymbol(&function, (const void *)toGray) != cudaSuccess) goto fail;
    {
        CUDA_KERNEL_NODE_PARAMS p = {};
        p.func = function;
        p.gridDimX = (kNumElements + kBlockSize - 1) / kBlockSize;
        p.gridDimY = p.gridDimZ = 1;
        p.blockDimX = kBlockSize;
        p.blockDimY = p.blockDimZ = 1;
        p.kernelParams = args;
        DRV(cuGraphAddKernelNode(&gray, s->consumer, nullptr, 0, &p)); // only wrong // found: xgraph-use-unordered-with-alloc
        DRV(cuGraphAddKernelNode(&gray, s->consumer, &wait, 1, &p)); // only right
    }
    {
        const CUgraphNode deps[] = { gray, wait }; // only wrong
        DRV(cuGraphAddMemFreeNode(&drop, s->consumer, deps, sizeof deps / sizeof *deps, s->mask)); // only wrong
        DRV(cuGraphAddMemFreeNode(&drop, s->consumer, &gray, 1, s->mask)); // only right
    }
    DRV(cuGraphInstantiateWithFlags(&s->run_consumer, s->consumer, 0));
    return 0;
fail:
    return -1;
}

STAGE(run)
{
    for (int iter = 0; iter < 3; ++iter) {
        DRV(cuGraphLaunch(s->run_producer, s->compute));
        DRV(cuGraphLaunch(s->run_consumer, s->copy));
        DRV(cuStreamSynchronize(s->copy));
    }
    DRV(cuStreamSynchronize(s->compute));
    DRV(cuStreamSynchronize(s->copy));
    if (cudaMemcpy(s->result, s->output, kBytes, cudaMemcpyDeviceToHost) != cudaSuccess) goto fail;
    printf("result[0] = %f\n", s->result[0]);
    return 0;
fail:
    return -1;
}

int main(void)
{
    static struct state state;
    int (*const stages[])(struct state *) = { stage_resources, stage_producer, stage_consumer, stage_run };
    int rc = 0;
    CUdevice device;

    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&state.context, device) || cuCtxSetCurrent(state.context)) return 1;
    for (unsigned i = 0; i < sizeof stages / sizeof *stages && rc == 0; i++) rc = stages[i](&state);

    cuGraphExecDestroy(state.run_producer);
    cuGraphExecDestroy(state.run_consumer);
    cuGraphDestroy(state.consumer);
    cuStreamDestroy(state.compute);
    cuStreamDestroy(state.copy);
    cuEventDestroy(state.ready);
    cudaFree(state.output);
    free(state.result);
    free(state.input);
    cuDevicePrimaryCtxRelease(device);
    return rc != 0;
}
