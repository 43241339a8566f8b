// A video pipeline whose stages are plugins: a factory by name makes them from a configuration, slots listen to what the session signals.
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace video {

struct Error : std::runtime_error {
    Error(cudaError_t code, const char *what) : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code)), code(code) {}
    cudaError_t code;
};

inline void ensure(cudaError_t code, const char *what)
{
    if (code != cudaSuccess) throw Error(code, what);
}
#define ENSURE(expression) ::video::ensure((expression), #expression)

__global__ void rectify(const float *src, float *dst, float alpha, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) dst[i] = alpha * src[i];
}

__global__ void lowPass(const float *src, float *dst, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) dst[i] = -src[i];
}

// ---- signals -------------------------------------------------------------------------------------------------------
template <class... Args> class Signal {
public:
    using Slot = std::function<void(Args...)>;
    Signal &operator+=(Slot slot)
    {
        slots_.push_back(std::move(slot));
        return *this;
    }
    void emit(Args... args) const
    {
        for (const auto &slot : slots_) slot(args...);
    }

private:
    std::vector<Slot> slots_;
};

// ---- what a stage gets to see ----------------------------------------------------------------------------------------
enum class Lane : unsigned { Main, Side, Count };

struct Config {
    int elements = 1 << 16;
    int block = 256;
    float gain = 3.0f;
    std::vector<std::string> stages;

    std::size_t bytes() const { return elements * sizeof(float); }
    int grid() const { return (elements + block - 1) / block; }
};

struct FrameContext {
    const Config &config;
    std::array<cudaStream_t, static_cast<unsigned>(Lane::Count)> lanes{};
    cudaEvent_t fork = nullptr, join = nullptr;
    float *pixels_in = nullptr, *pixels_out = nullptr, *statistics = nullptr;
    std::map<std::string, float *> planes;

    cudaStream_t operator[](Lane lane) const { return lanes[static_cast<unsigned>(lane)]; }
};

class IStage {
public:
    virtual ~IStage() = default;
    virtual void record(FrameContext &frame) = 0;
};

class StageFactory {
public:
    using Maker = std::function<std::unique_ptr<IStage>(const Config &)>;
    static StageFactory &instance()
    {
        static StageFactory factory;
        return factory;
    }
    template <class Stage> bool enroll(const std::string &name)
    {
        return makers_.emplace(name, [](const Config &config) { return std::make_unique<Stage>(config); }).second;
    }
    std::unique_ptr<IStage> make(const std::string &name, const Config &config) const
    {
        auto found = makers_.find(name);
        if (found == makers_.end()) throw std::out_of_range("no stage " + name);
        return found->second(config);
    }

private:
    std::map<std::string, Maker> makers_;
};
#define VIDEO_PLUGIN(Type, name) static const bool Type##_is_enrolled = ::video::StageFactory::instance().enroll<Type>(name)

// ---- the stages ------------------------------------------------------------------------------------------------------
class StageBase : public IStage {
public:
    explicit StageBase(const Config &config) : config_(config) {}

protected:
    const Config &config_;
};

struct Acquire : StageBase {
    using StageBase::StageBase;
    void record(FrameContext &frame) override
    {
        float *window = nullptr;
        ENSURE(cudaMallocAsync(&window, config_.bytes(), frame[Lane::Main]));
        ENSURE(cudaMemcpyAsync(window, frame.pixels_in, config_.bytes(), cudaMemcpyHostToDevice, frame[Lane::Main]));
        frame.planes.insert_or_assign("window", window);
    }
};
VIDEO_PLUGIN(Acquire, "acquire");

struct Fork : StageBase {
    using StageBase::StageBase;
    void record(FrameContext &frame) override
    {
        ENSURE(cudaEventRecord(frame.fork, frame[Lane::Main]));
        ENSURE(cudaStreamWaitEvent(frame[Lane::Side], frame.fork, 0));
    }
};
VIDEO_PLUGIN(Fork, "fork");

struct Envelope : StageBase {
    using StageBase::StageBase;
    void record(FrameContext &frame) override
    {
        auto &envelope = frame.planes["envelope"];
        ENSURE(cudaMallocAsync(&envelope, config_.bytes(), frame[Lane::Main]));
    }
};
VIDEO_PLUGIN(Envelope, "envelope");

struct Rectify : StageBase {
    using StageBase::StageBase;
    void record(FrameContext &frame) override
    {
        float *window = frame.planes.at("window"), *envelope = frame.planes.at("envelope");
        rectify<<<config_.grid(), config_.block, 0, frame[Lane::Main]>>>(window, envelope, config_.gain, config_.elements);
    }
};
VIDEO_PLUGIN(Rectify, "rectify");

struct LowPass : StageBase {
    using StageBase::StageBase;
    void record(FrameContext &frame) override
    {
        lowPass<<<config_.grid(), config_.block, 0, frame[Lane::Side]>>>(frame.planes.at("envelope"), frame.statistics, config_.elements); // found: graph-use-before-alloc
        ENSURE(cudaLaunchHostFunc(frame[Lane::Main], &LowPass::finished, this));
    }

private:
    static void CUDART_CB finished(void *self) { ++static_cast<LowPass *>(self)->frames_; }
    int frames_ = 0;
};
VIDEO_PLUGIN(LowPass, "low-pass");

struct Present : StageBase {
    using StageBase::StageBase;
    void record(FrameContext &frame) override
    {
        ENSURE(cudaEventRecord(frame.join, frame[Lane::Side]));
        ENSURE(cudaStreamWaitEvent(frame[Lane::Main], frame.join, 0));
        ENSURE(cudaMemcpyAsync(frame.pixels_out, frame.planes.at("envelope"), config_.bytes(), cudaMemcpyDeviceToHost, frame[Lane::Main]));
        for (const char *name : {"envelope", "window"}) {
            auto plane = frame.planes.extract(name);
            ENSURE(cudaFreeAsync(plane.mapped(), frame[Lane::Main]));
        }
    }
};
VIDEO_PLUGIN(Present, "present");

// ---- the session -----------------------------------------------------------------------------------------------------
class Session {
public:
    Signal<cudaStream_t> opening;
    Signal<cudaStream_t, cudaGraph_t &> closing;

    explicit Session(Config config) : config_(std::move(config)), frame_{config_}
    {
        ENSURE(cudaMallocHost(&frame_.pixels_in, config_.bytes()));
        for (int i = 0; i < config_.elements; ++i) frame_.pixels_in[i] = float(i % 191) * 0.5f;
        ENSURE(cudaMallocHost(&frame_.pixels_out, config_.bytes()));
        ENSURE(cudaMalloc(&frame_.statistics, config_.bytes()));
        ENSURE(cudaMemset(frame_.statistics, 0, config_.bytes()));
        ENSURE(cudaDeviceSynchronize());
        for (auto &lane : frame_.lanes) ENSURE(cudaStreamCreate(&lane));
        for (auto member : {&FrameContext::fork, &FrameContext::join}) ENSURE(cudaEventCreate(&(frame_.*member)));
        for (const auto &name : config_.stages) stages_.push_back(StageFactory::instance().make(name, config_));
    }
    Session(const Session &) = delete;
    ~Session()
    {
        if (exec_) cudaGraphExecDestroy(exec_);
        cudaDeviceGraphMemTrim(0);
        for (auto lane : frame_.lanes) cudaStreamDestroy(lane);
        cudaEventDestroy(frame_.fork);
        cudaEventDestroy(frame_.join);
        cudaFree(frame_.statistics);
        cudaFreeHost(frame_.pixels_in);
        cudaFreeHost(frame_.pixels_out);
    }

    void prepare()
    {
        cudaGraph_t graph = nullptr;
        opening.emit(frame_[Lane::Main]);
        for (auto &stage : stages_) stage->record(frame_);
        closing.emit(frame_[Lane::Main], graph);
        ENSURE(cudaGraphInstantiate(&exec_, graph, 0));
        ENSURE(cudaGraphDestroy(graph));
    }
    float play(int frames)
    {
        while (frames-- > 0) {
            ENSURE(cudaGraphLaunch(exec_, frame_[Lane::Main]));
            ENSURE(cudaStreamSynchronize(frame_[Lane::Main]));
        }
        return frame_.pixels_out[0];
    }

private:
    Config config_;
    FrameContext frame_;
    std::vector<std::unique_ptr<IStage>> stages_;
    cudaGraphExec_t exec_ = nullptr;
};

} // namespace video

int main()
{
    using namespace video;
    try {
        Session session({.stages = {"acquire", "fork", "envelope", "rectify", "low-pass", "present"}}); // only wrong
        Session session({.stages = {"acquire", "envelope", "rectify", "fork", "low-pass", "present"}}); // only right
        session.opening += [](cudaStream_t lane) { ENSURE(cudaStreamBeginCapture(lane, cudaStreamCaptureModeRelaxed)); };
        session.closing += [](cudaStream_t lane, cudaGraph_t &graph) { ENSURE(cudaStreamEndCapture(lane, &graph)); };
        session.prepare();
        std::printf("%f\n", session.play(3));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
