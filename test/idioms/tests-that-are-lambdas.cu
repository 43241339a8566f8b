// Tests as lambdas that are given to texts: `"what it does"_test = [] { … }`, in a suite that is an object.
#include <boost/ut.hpp>
#include <cuda_runtime.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

enum { WIDTH = 1 << 16, THREADS = 128, BLOCKS = (WIDTH + THREADS - 1) / THREADS };
constexpr auto BYTES = WIDTH * sizeof(int);

__global__ void silence(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}

__global__ void removeDc(int *data, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}

__global__ void rectify(const int *input, int *output, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) output[i] = alpha * input[i];
}

namespace {

using namespace boost::ut;

void works(cudaError_t status)
{
    expect(that % (status == cudaSuccess)) << cudaGetErrorString(status);
}

struct Rig {
    cudaStream_t compute{}, copy{};
    cudaEvent_t e1{}, e2{};
    int *output{}, *result{}, *envelope{};
    cudaGraph_t graph{};
    cudaGraphExec_t exec{};

    Rig()
    {
        works(cudaMalloc(&output, BYTES));
        works(cudaMallocHost(&result, BYTES));
        works(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
        works(cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking));
        works(cudaEventCreateWithFlags(&e1, cudaEventDisableTiming));
        works(cudaEventCreateWithFlags(&e2, cudaEventDisableTiming)); // only right
    }
    ~Rig()
    {
        works(cudaGraphExecDestroy(exec));
        works(cudaGraphDestroy(graph));
        works(cudaDeviceGraphMemTrim(0));
        works(cudaStreamDestroy(compute));
        works(cudaStreamDestroy(copy));
        works(cudaEventDestroy(e1));
        works(cudaEventDestroy(e2)); // only right
        works(cudaFree(output));
        works(cudaFreeHost(result));
    }

    void capture()
    {
        works(cudaStreamBeginCapture(compute, cudaStreamCaptureModeGlobal));
        works(cudaMallocAsync(&envelope, BYTES, compute));
        silence<<<BLOCKS, THREADS, 0, compute>>>(envelope, WIDTH);
        removeDc<<<BLOCKS, THREADS, 0, compute>>>(envelope, 2, WIDTH);
        works(cudaStreamEndCapture(compute, &graph));
        works(cudaGraphInstantiate(&exec, graph, 0));
    }
};

const suite<"signals"> signals = [] {
    "an envelope is rectified beside the stream that made it"_test = [] {
        Rig rig;
        rig.capture();
        for (int round = 0; round < 2; ++round) {
            works(cudaGraphLaunch(rig.exec, rig.compute));
            works(cudaEventRecord(rig.e1, rig.compute)); // only right
            works(cudaStreamWaitEvent(rig.copy, rig.e1, 0)); // only right
            rectify<<<BLOCKS, THREADS, 0, rig.copy>>>(rig.envelope, rig.output, 2, WIDTH); // found: xgraph-use-unordered-with-alloc
            works(cudaEventRecord(rig.e1, rig.copy)); // only wrong
            works(cudaStreamWaitEvent(rig.compute, rig.e1, 0)); // only wrong
            works(cudaEventRecord(rig.e2, rig.copy)); // only right
            works(cudaStreamWaitEvent(rig.compute, rig.e2, 0)); // only right
            works(cudaFreeAsync(rig.envelope, rig.compute));
        }
        works(cudaStreamSynchronize(rig.compute));
        works(cudaMemcpy(rig.result, rig.output, BYTES, cudaMemcpyDeviceToHost));
        expect(rig.result[0] == 0_i);
    };
};

}  // namespace

int main() {}
