// Actors: a producer and a consumer, each with a mailbox and a thread of its own, exchange messages that are variants.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

constexpr int kNumElements = 4096;
constexpr int kBlockSize = 128;
constexpr std::size_t kBytes = kNumElements * sizeof(float);

__global__ void toGray(const float *src, float *dst, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i] * src[i];
}

constexpr int divUp(int a, int b) { return (a + b - 1) / b; }

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

template <class T>
class Mailbox {
public:
    void send(T message)
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            messages_.push_back(std::move(message));
        }
        arrived_.notify_one();
    }

    T receive()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        arrived_.wait(lock, [this] { return !messages_.empty(); });
        T first = std::move(messages_.front());
        messages_.pop_front();
        return first;
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<T> messages_;
};

struct Build {
    std::promise<float *> mask;
};
struct Connect {
    float *mask;
    float *output;
    std::promise<void> done;
};
struct Launch {
    std::promise<void> done;
};
struct Flush {
    std::promise<void> done;
};
struct Quit {};
using Message = std::variant<Build, Connect, Launch, Flush, Quit>;

// What both actors do: messages are handled one after another, in the thread of the actor.
class Actor {
public:
    explicit Actor(cudaEvent_t ready) : ready_(ready)
    {
        cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    }
    virtual ~Actor() = default;
    Actor(const Actor &) = delete;

    void start() { thread_ = std::thread(&Actor::loop, this); }
    void stop()
    {
        inbox_.send(Quit{});
        thread_.join();
        cudaGraphExecDestroy(exec_);
        cudaStreamDestroy(stream_);
    }

    template <class M, class R = void>
    std::future<R> ask(M message, std::promise<R> M::*answer)
    {
        std::future<R> future = (message.*answer).get_future();
        inbox_.send(std::move(message));
        return future;
    }

protected:
    virtual void build(Build &) {}
    virtual void connect(Connect &) {}

    void launch(Launch &message)
    {
        cudaGraphLaunch(exec_, stream_);
        message.done.set_value();
    }

    cudaEvent_t ready_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;

private:
    void loop()
    {
        for (bool isRunning = true; isRunning;) {
            Message message = inbox_.receive();
            std::visit(Overloaded{
                           [this](Build &each) { build(each); },
                           [this](Connect &each) { connect(each); },
                           [this](Launch &each) { launch(each); },
                           [this](Flush &each) {
                               cudaStreamSynchronize(stream_);
                               each.done.set_value();
                           },
                           [&isRunning](Quit) { isRunning = false; },
                       },
                       message);
        }
    }

    Mailbox<Message> inbox_;
    std::thread thread_;
};

class Producer final : public Actor {
public:
    Producer(cudaEvent_t ready, std::vector<float> input) : Actor(ready), input_(std::move(input)) {}

private:
    void build(Build &message) override
    {
        cudaGraph_t graph = nullptr;
        cudaGraphNode_t alloc, copy, record;
        cudaGraphCreate(&graph, 0);
        cudaMemAllocNodeParams memory = {};
        memory.poolProps.allocType = cudaMemAllocationTypePinned;
        memory.poolProps.location.type = cudaMemLocationTypeDevice;
        memory.bytesize = kBytes;
        cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &memory);

        cudaMemcpy3DParms params = {};
        params.srcPtr = make_cudaPitchedPtr(input_.data(), kBytes, kNumElements, 1);
        params.dstPtr = make_cudaPitchedPtr(memory.dptr, kBytes, kNumElements, 1);
        params.extent = make_cudaExtent(kBytes, 1, 1);
        params.kind = cudaMemcpyHostToDevice;
        cudaGraphAddMemcpyNode(&copy, graph, &alloc, 1, &params);
        cudaGraphAddEventRecordNode(&record, graph, &copy, 1, ready_);
        cudaGraphInstantiate(&exec_, graph, 0);
        cudaGraphDestroy(graph);
        message.mask.set_value(static_cast<float *>(memory.dptr));
    }

    std::vector<float> input_;
};

class Consumer final : public Actor {
public:
    using Actor::Actor;
    ~Consumer() override { cudaGraphDestroy(graph_); }

private:
    void connect(Connect &message) override
    {
        cudaGraphNode_t wait, gray, gone;
        cudaGraphCreate(&graph_, 0);
        cudaGraphAddEventWaitNode(&wait, graph_, nullptr, 0, ready_);
        int n = kNumElements;
        void *args[] = {&message.mask, &message.output, &n};
        cudaKernelNodeParams params = {};
        params.func = reinterpret_cast<void *>(toGray);
        params.gridDim = dim3(divUp(kNumElements, kBlockSize), 1, 1);
        params.blockDim = dim3(kBlockSize, 1, 1);
        params.kernelParams = args;
        cudaGraphAddKernelNode(&gray, graph_, nullptr, 0, &params); // only wrong // found: xgraph-use-unordered-with-alloc
        const std::vector<cudaGraphNode_t> before = {gray, wait}; // only wrong
        cudaGraphAddKernelNode(&gray, graph_, &wait, 1, &params); // only right
        const std::vector<cudaGraphNode_t> before = {gray}; // only right
        cudaGraphAddMemFreeNode(&gone, graph_, before.data(), before.size(), message.mask);
        cudaGraphInstantiate(&exec_, graph_, 0);
        message.done.set_value();
    }

    cudaGraph_t graph_ = nullptr;
};

int main()
{
    cudaEvent_t ready;
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    float *output = nullptr;
    cudaMalloc(&output, kBytes);
    std::vector<float> input(kNumElements), result(kNumElements);
    for (int i = 0; i < kNumElements; ++i) input[i] = static_cast<float>(i % 126) * 0.5f;

    {
        Producer producer(ready, input);
        Consumer consumer(ready);
        producer.start();
        consumer.start();

        float *mask = producer.ask(Build{}, &Build::mask).get();
        consumer.ask(Connect{mask, output, {}}, &Connect::done).get();
        for (int round = 0; round < 3; ++round) {
            producer.ask(Launch{}, &Launch::done).get();
            consumer.ask(Launch{}, &Launch::done).get();
            consumer.ask(Flush{}, &Flush::done).get();
        }
        producer.ask(Flush{}, &Flush::done).get();
        consumer.ask(Flush{}, &Flush::done).get();
        cudaMemcpy(result.data(), output, kBytes, cudaMemcpyDeviceToHost);
        std::printf("result[0] = %f\n", result[0]);
        producer.stop();
        consumer.stop();
    }
    cudaEventDestroy(ready);
    cudaFree(output);
    return 0;
}
