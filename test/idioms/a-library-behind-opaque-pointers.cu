// A library with a C interface: handles are opaque pointers that are cast to objects of C++ inside, errors are kept for the thread.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>

// ---- gp.h ------------------------------------------------------------------------------------------------------------------
extern "C" {
typedef struct gp_session_st *gp_session;
typedef struct gp_buffer_st *gp_buffer;
typedef enum { GP_OK = 0, GP_BAD_HANDLE = -1, GP_NO_MEMORY = -2, GP_CUDA = -3 } gp_status;

gp_status gp_session_create(int32_t elements, gp_session *out);
gp_status gp_session_destroy(gp_session session);
gp_status gp_session_set_input(gp_session session, float (*generate)(int32_t, void *), void *user);
gp_status gp_session_compile(gp_session session, gp_buffer *frame);
gp_status gp_session_run(gp_session session, gp_buffer frame);
gp_status gp_session_read(gp_session session, const float **values);
const char *gp_last_error(void);
}

// ---- session.hpp --------------------------------------------------------------------------------------------------------------
namespace gp {

constexpr int kBlock = 64;

__global__ void gammaCorrect(float *__restrict__ data, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) data[i] *= alpha;
}
__global__ void threshold(const float *__restrict__ src, float *__restrict__ dst, float alpha, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) dst[i] = alpha * src[i];
}

thread_local std::string last_error;

struct failure {
    gp_status status;
    cudaError_t code;
};

static void throw_if(cudaError_t code)
{
    if (code != cudaSuccess) throw failure{GP_CUDA, code};
}

class Session {
    struct Impl {
        std::int32_t elements;
        float *input = nullptr, *result = nullptr, *frame = nullptr, *output = nullptr;
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t exec = nullptr;
        cudaStream_t producer = nullptr, consumer = nullptr;
        cudaEvent_t produced = nullptr, consumed = nullptr;
        std::size_t bytes() const { return sizeof(float) * elements; }
        unsigned grid() const { return (elements + kBlock - 1) / kBlock; }
    };

public:
    static constexpr std::uint32_t kMagic = 0x47505353u;

    explicit Session(std::int32_t elements) : impl_(new Impl{elements})
    {
        throw_if(cudaMallocHost(&impl_->input, impl_->bytes()));
        throw_if(cudaMalloc(reinterpret_cast<void **>(&impl_->output), impl_->bytes()));
        throw_if(cudaMallocHost(&impl_->result, impl_->bytes()));
        throw_if(cudaStreamCreate(&impl_->producer));
        throw_if(cudaStreamCreate(&impl_->consumer));
        throw_if(cudaEventCreateWithFlags(&impl_->produced, cudaEventDisableTiming));
        throw_if(cudaEventCreateWithFlags(&impl_->consumed, cudaEventDisableTiming));
    }
    ~Session()
    {
        magic_ = 0;
        cudaGraphExecDestroy(impl_->exec);
        cudaGraphDestroy(impl_->graph);
        cudaStreamDestroy(impl_->producer);
        cudaStreamDestroy(impl_->consumer);
        cudaEventDestroy(impl_->produced);
        cudaEventDestroy(impl_->consumed);
        cudaFree(impl_->output);
        cudaFreeHost(impl_->input);
        cudaFreeHost(impl_->result);
    }

    bool valid() const { return magic_ == kMagic; }
    template <class Generate> void fill(Generate &&generate)
    {
        for (std::int32_t i = 0; i < impl_->elements; ++i) impl_->input[i] = generate(i);
    }
    float *compile()
    {
        Impl &self = *impl_;
        throw_if(cudaStreamBeginCapture(self.producer, cudaStreamCaptureModeThreadLocal));
        throw_if(cudaMallocAsync(reinterpret_cast<void **>(&self.frame), self.bytes(), self.producer));
        throw_if(cudaMemcpyAsync(self.frame, self.input, self.bytes(), cudaMemcpyHostToDevice, self.producer));
        gammaCorrect<<<self.grid(), kBlock, 0, self.producer>>>(self.frame, 2.0f, self.elements);
        throw_if(cudaStreamEndCapture(self.producer, &self.graph));
        throw_if(cudaGraphInstantiate(&self.exec, self.graph, 0));
        return self.frame;
    }
    void run(float *frame)
    {
        Impl &self = *impl_;
        throw_if(cudaGraphLaunch(self.exec, self.producer));
        throw_if(cudaEventRecord(self.produced, self.producer));
        throw_if(cudaStreamWaitEvent(self.consumer, self.produced, 0));
        threshold<<<self.grid(), kBlock, 0, self.consumer>>>(frame, self.output, 2.0f, self.elements); // found: xgraph-use-free-race
        gammaCorrect<<<self.grid(), kBlock, 0, self.consumer>>>(self.output, 2.0f, self.elements);
        throw_if(cudaEventRecord(self.consumed, self.consumer)); // only right
        throw_if(cudaStreamWaitEvent(self.producer, self.consumed, 0)); // only right
        throw_if(cudaFreeAsync(frame, self.producer));
        throw_if(cudaStreamSynchronize(self.producer));
    }
    const float *read()
    {
        throw_if(cudaMemcpy(impl_->result, impl_->output, impl_->bytes(), cudaMemcpyDeviceToHost));
        return impl_->result;
    }

private:
    std::uint32_t magic_ = kMagic;
    std::unique_ptr<Impl> impl_;
};

// ---- the boundary ------------------------------------------------------------------------------------------------------------
template <class Body> static gp_status guarded(Body &&body) noexcept
{
    try {
        last_error.clear();
        body();
        return GP_OK;
    } catch (const failure &failed) {
        last_error = cudaGetErrorString(failed.code);
        return failed.status;
    } catch (const std::bad_alloc &) {
        last_error = "out of memory";
        return GP_NO_MEMORY;
    }
}
static Session &unwrap(gp_session handle)
{
    auto *session = reinterpret_cast<Session *>(handle);
    if (!session || !session->valid()) throw failure{GP_BAD_HANDLE, cudaErrorInvalidResourceHandle};
    return *session;
}
static gp_session wrap(Session *session) { return reinterpret_cast<gp_session>(session); }

} // namespace gp

extern "C" {
gp_status gp_session_create(int32_t elements, gp_session *out)
{
    return gp::guarded([&] { *out = gp::wrap(new gp::Session(elements)); });
}
gp_status gp_session_destroy(gp_session session)
{
    return gp::guarded([&] { delete &gp::unwrap(session); });
}
gp_status gp_session_set_input(gp_session session, float (*generate)(int32_t, void *), void *user)
{
    return gp::guarded([&] { gp::unwrap(session).fill([&](int32_t at) { return generate(at, user); }); });
}
gp_status gp_session_compile(gp_session session, gp_buffer *frame)
{
    return gp::guarded([&] { *frame = reinterpret_cast<gp_buffer>(gp::unwrap(session).compile()); });
}
gp_status gp_session_run(gp_session session, gp_buffer frame)
{
    return gp::guarded([&] { gp::unwrap(session).run(reinterpret_cast<float *>(frame)); });
}
gp_status gp_session_read(gp_session session, const float **values)
{
    return gp::guarded([&] { *values = gp::unwrap(session).read(); });
}
const char *gp_last_error(void) { return gp::last_error.c_str(); }
}

// ---- a client in C -------------------------------------------------------------------------------------------------------------
#define GP(call)                                                                                                                           \
    do {                                                                                                                                   \
        if ((call) != GP_OK) {                                                                                                             \
            fprintf(stderr, "%s: %s\n", #call, gp_last_error());                                                                           \
            return 1;                                                                                                                      \
        }                                                                                                                                  \
    } while (0)

static float ramp(int32_t at, void *period) { return (float)(at % *(int *)period) * 0.5f; }

int main(void)
{
    gp_session session = NULL;
    gp_buffer frame = NULL;
    const float *values = NULL;
    int period = 13;
    GP(gp_session_create(4096 * 64, &session));
    GP(gp_session_set_input(session, ramp, &period));
    GP(gp_session_compile(session, &frame));
    GP(gp_session_run(session, frame));
    GP(gp_session_read(session, &values));
    printf("%f\n", values[0]);
    GP(gp_session_destroy(session));
    return 0;
}
