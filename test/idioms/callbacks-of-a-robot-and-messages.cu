// An executor of a robot: callbacks subscribe to topics, messages live in slots of a pool (handles with generations), lanes are picked by traits.
#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

namespace robot {

constexpr int kCells = 1024;
constexpr int kPart = kCells / 8;
constexpr int kBlock = 256;
constexpr std::size_t kBytes = kCells * sizeof(int);

[[noreturn]] static void die(cudaError_t code, int line)
{
    std::fprintf(stderr, "%s in line %d\n", cudaGetErrorString(code), line);
    std::exit(EXIT_FAILURE);
}
#define TRY(...)                                                                                                                           \
    if (cudaError_t code_ = (__VA_ARGS__); code_ != cudaSuccess) [[unlikely]]                                                              \
    ::robot::die(code_, __LINE__)

__global__ void advect_kernel(int const *x, int *y, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}
__global__ void deposit_mass_kernel(int const *x, int *y, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i];
}
__global__ void sample_density_kernel(int const *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
__global__ void apply_damping_kernel(int *data, int alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= alpha;
}

// ---- handles: 16 bits of index, 16 bits of generation ------------------------------------------------------------------
struct Message {
    std::uint32_t bits = 0;
    std::uint16_t index() const { return bits & 0xffffu; }
    std::uint16_t generation() const { return bits >> 16; }
    friend bool operator==(Message, Message) = default;
};

class MessagePool {
    struct Slot {
        int *data = nullptr;
        std::uint16_t generation = 1;
        std::int16_t next_free = -1;
    };

public:
    MessagePool()
    {
        for (std::size_t i = 0; i + 1 < slots_.size(); ++i) slots_[i].next_free = static_cast<std::int16_t>(i + 1);
    }
    Message acquire(cudaStream_t stream)
    {
        const auto at = static_cast<std::uint16_t>(free_);
        Slot &slot = slots_[at];
        free_ = slot.next_free;
        TRY(cudaMallocAsync(reinterpret_cast<void **>(&slot.data), kBytes, stream));
        return {static_cast<std::uint32_t>(slot.generation) << 16 | at};
    }
    int *peek(Message message) const { return slots_[message.index()].data; }
    bool alive(Message message) const { return slots_[message.index()].generation == message.generation(); }
    void drop(Message message, cudaStream_t stream)
    {
        if (!alive(message)) return;
        Slot &slot = slots_[message.index()];
        TRY(cudaFreeAsync(slot.data, stream));
        ++slot.generation;
        slot.next_free = std::exchange(free_, static_cast<std::int16_t>(message.index()));
    }

private:
    std::array<Slot, 8> slots_{};
    std::int16_t free_ = 0;
};

// ---- lanes -------------------------------------------------------------------------------------------------------------
struct control { static constexpr std::size_t lane = 0; };
struct mapping { static constexpr std::size_t lane = 1; };
struct sensing { static constexpr std::size_t lane = 2; };

class Executor {
public:
    using Callback = std::function<void(Executor &, Message)>;

    Executor()
    {
        for (auto &stream : streams_) TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (auto &event : events_) TRY(cudaEventCreate(&event));
    }
    ~Executor()
    {
        for (auto stream : streams_) cudaStreamDestroy(stream);
        for (auto event : events_) cudaEventDestroy(event);
    }
    Executor(Executor const &) = delete;

    template <class Group> cudaStream_t on() const { return streams_[Group::lane]; }
    // What is queued for To from now on comes after what is queued for From so far.
    template <class From, class To> void handoff()
    {
        cudaEvent_t event = events_[cursor_++ % events_.size()];
        TRY(cudaEventRecord(event, on<From>()));
        TRY(cudaStreamWaitEvent(on<To>(), event));
    }
    void subscribe(int topic, Callback callback) { callbacks_.emplace(topic, std::move(callback)); }
    void publish(int topic, Message message)
    {
        auto [first, last] = callbacks_.equal_range(topic);
        for (; first != last; ++first) first->second(*this, message);
    }
    MessagePool messages;

private:
    std::array<cudaStream_t, 3> streams_{};
    std::array<cudaEvent_t, 4> events_{};
    std::size_t cursor_ = 0;
    std::unordered_multimap<int, Callback> callbacks_;
};

enum Topic : int { ENERGY, VELOCITY, SETTLED };

constexpr unsigned blocks(int n) { return (n + kBlock - 1) / kBlock; }

} // namespace robot

int main()
{
    using namespace robot;
    int *output = nullptr, *partial = nullptr;
    TRY(cudaMalloc(reinterpret_cast<void **>(&output), kBytes));
    TRY(cudaMalloc(reinterpret_cast<void **>(&partial), kPart * sizeof(int)));
    std::vector<int> result(kCells);

    {
        Executor executor;
        executor.subscribe(ENERGY, [output](Executor &self, Message energy) {
            self.handoff<control, mapping>();
            deposit_mass_kernel<<<blocks(kCells), kBlock, 0, self.on<mapping>()>>>(self.messages.peek(energy), output, 2, kCells);
        });
        executor.subscribe(VELOCITY, [partial](Executor &self, Message velocity) {
            self.handoff<control, sensing>();
            sample_density_kernel<<<blocks(kPart), kBlock, 0, self.on<sensing>()>>>(self.messages.peek(velocity), partial, kPart);
            TRY(cudaGetLastError());
            self.handoff<sensing, control>();
        });
        executor.subscribe(SETTLED, [](Executor &self, Message energy) {
            self.handoff<mapping, control>();
            self.messages.drop(energy, self.on<control>()); // only wrong
            apply_damping_kernel<<<blocks(kCells), kBlock, 0, self.on<control>()>>>(self.messages.peek(energy), 2, kCells); // found: async-use-after-free
            self.messages.drop(energy, self.on<control>()); // only right
        });

        const Message velocity = executor.messages.acquire(executor.on<control>());
        const Message energy = executor.messages.acquire(executor.on<control>());
        TRY(cudaMemsetAsync(executor.messages.peek(velocity), 0, kBytes, executor.on<control>()));
        advect_kernel<<<blocks(kCells), kBlock, 0, executor.on<control>()>>>(executor.messages.peek(velocity), executor.messages.peek(energy), 2,
                                                                            kCells);
        executor.publish(ENERGY, energy);
        executor.publish(VELOCITY, velocity);
        executor.publish(SETTLED, energy);
        executor.messages.drop(velocity, executor.on<control>());
        TRY(cudaStreamSynchronize(executor.on<control>()));
        TRY(cudaMemcpy(result.data(), output, kBytes, cudaMemcpyDeviceToHost));
    }
    std::printf("%d\n", std::accumulate(result.begin(), result.end(), 0));
    TRY(cudaFree(output));
    TRY(cudaFree(partial));
    return 0;
}
