// The macros of a test library that is read with the program: classes with factories, registered before main, run by a runner.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace testlib {

class Test {
public:
    virtual ~Test() = default;
    void Run()
    {
        SetUp();
        if (!HasFatalFailure()) TestBody();
        TearDown();
    }
    static bool HasFatalFailure() { return hasFailed_; }
    static void RecordFailure(const std::string &text)
    {
        hasFailed_ = true;
        std::fprintf(stderr, "%s\n", text.c_str());
    }

protected:
    Test() { hasFailed_ = false; }
    virtual void SetUp() {}
    virtual void TearDown() {}

private:
    virtual void TestBody() = 0;
    static inline bool hasFailed_ = false;
};

class TestFactoryBase {
public:
    virtual ~TestFactoryBase() = default;
    virtual Test *CreateTest() = 0;
};

template <class TestClass>
class TestFactoryImpl final : public TestFactoryBase {
public:
    Test *CreateTest() override { return new TestClass; }
};

struct TestInfo {
    const char *suite;
    const char *name;
    std::unique_ptr<TestFactoryBase> factory;
};

class UnitTest {
public:
    static UnitTest &GetInstance()
    {
        static UnitTest instance;
        return instance;
    }

    const TestInfo *MakeAndRegister(const char *suite, const char *name, TestFactoryBase *factory)
    {
        auto info = std::make_unique<TestInfo>(TestInfo{suite, name, std::unique_ptr<TestFactoryBase>(factory)});
        return tests_.emplace_back(std::move(info)).get();
    }

    int Run()
    {
        int failed = 0;
        for (const auto &info : tests_) {
            std::printf("[ RUN      ] %s.%s\n", info->suite, info->name);
            const std::unique_ptr<Test> test(info->factory->CreateTest());
            test->Run();
            failed += Test::HasFatalFailure() ? 1 : 0;
        }
        return failed;
    }

private:
    std::vector<std::unique_ptr<TestInfo>> tests_;
};

// `return Fatal() = Message() << …;` leaves a function without a result, and takes what is put behind it.
class Message {
public:
    template <class T>
    Message &operator<<(const T &value)
    {
        text_ << value;
        return *this;
    }
    std::string str() const { return text_.str(); }

private:
    std::ostringstream text_;
};
struct Fatal {
    void operator=(const Message &message) const { Test::RecordFailure(message.str()); }
};

}  // namespace testlib

#define TESTLIB_CLASS_NAME_(suite, name) suite##_##name##_Test
#define TESTLIB_TEST_(suite, name, parent)                                                              \
    class TESTLIB_CLASS_NAME_(suite, name) : public parent {                                            \
    public:                                                                                             \
        TESTLIB_CLASS_NAME_(suite, name)() = default;                                                   \
                                                                                                        \
    private:                                                                                            \
        void TestBody() override;                                                                       \
        static const ::testlib::TestInfo *const info_;                                                  \
    };                                                                                                  \
    const ::testlib::TestInfo *const TESTLIB_CLASS_NAME_(suite, name)::info_ =                          \
        ::testlib::UnitTest::GetInstance().MakeAndRegister(                                             \
            #suite, #name, new ::testlib::TestFactoryImpl<TESTLIB_CLASS_NAME_(suite, name)>);           \
    void TESTLIB_CLASS_NAME_(suite, name)::TestBody()
#define TEST_F(fixture, name) TESTLIB_TEST_(fixture, name, fixture)
#define ASSERT_EQ(expected, actual) \
    if ((expected) == (actual))     \
        ;                           \
    else                            \
        return ::testlib::Fatal() = ::testlib::Message() << __FILE__ << ":" << __LINE__ << ": " #actual " "
#define RUN_ALL_TESTS() ::testlib::UnitTest::GetInstance().Run()

constexpr std::size_t KiB(std::size_t n) { return n << 10; }
constexpr std::size_t kBufferBytes = KiB(1024);
constexpr std::size_t kPartBytes = kBufferBytes / 16;
constexpr int kCount = kBufferBytes / sizeof(int);
constexpr int kPartCount = kPartBytes / sizeof(int);
constexpr int kThreads = 256;
constexpr int kBranches = 3;

__global__ void peakDetect(const int *input, int *output, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = input[i];
}

__global__ void lowPass(const int *input, int *output, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = input[i] + input[i];
}

__global__ void rectify(const int *input, int *output, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) output[i] = input[i] * input[i];
}

class SignalGraph : public testlib::Test {
protected:
    void SetUp() override
    {
        input_.resize(kCount);
        std::generate(input_.begin(), input_.end(), [i = 0]() mutable { return i++ % 101; });
        result_.resize(kCount);
        ASSERT_EQ(cudaSuccess, cudaMalloc(&output_, kPartBytes));
        ASSERT_EQ(cudaSuccess, cudaMalloc(&stats_, kBufferBytes)) << "for statistics";
        ASSERT_EQ(cudaSuccess, cudaStreamCreate(&stream_));
        ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
    }

    void TearDown() override
    {
        cudaGraphExecDestroy(exec_);
        cudaGraphDestroy(graph_);
        cudaStreamDestroy(stream_);
        cudaFree(output_);
        cudaFree(stats_);
    }

    using Nodes = std::initializer_list<cudaGraphNode_t>;

    void Alloc(cudaGraphNode_t &node, int *&memory, Nodes after)
    {
        cudaMemAllocNodeParams params;
        std::memset(&params, 0, sizeof(params));
        params.poolProps.allocType = cudaMemAllocationTypePinned;
        params.poolProps.location.type = cudaMemLocationTypeDevice;
        params.bytesize = kBufferBytes;
        ASSERT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&node, graph_, after.begin(), after.size(), &params));
        memory = static_cast<int *>(params.dptr);
    }

    void Free(cudaGraphNode_t &node, int *memory, Nodes after)
    {
        ASSERT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&node, graph_, after.begin(), after.size(), memory));
    }

    void Copy(cudaGraphNode_t &node, int *to, const int *from, cudaMemcpyKind kind, Nodes after)
    {
        ASSERT_EQ(cudaSuccess, cudaGraphAddMemcpyNode1D(&node, graph_, after.begin(), after.size(), to, from, kBufferBytes, kind));
    }

    void Kernel(cudaGraphNode_t &node, void (*kernel)(const int *, int *, int), int *from, int *to, int n, Nodes after)
    {
        void *args[] = {&from, &to, &n};
        cudaKernelNodeParams params = {};
        params.func = reinterpret_cast<void *>(kernel);
        params.gridDim = (n + kThreads - 1) / kThreads;
        params.blockDim = kThreads;
        params.kernelParams = args;
        ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph_, after.begin(), after.size(), &params)) << "with " << n;
    }

    cudaStream_t stream_ = nullptr;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::vector<int> input_, result_;
    int *output_ = nullptr, *stats_ = nullptr;
};

TEST_F(SignalGraph, FansOut)
{
    struct Branch {
        int *part = nullptr;
        cudaGraphNode_t alloc = nullptr, work = nullptr, gone = nullptr;
    } branches[kBranches];
    int *scratch = nullptr, *envelope = nullptr;
    cudaGraphNode_t born, in, peaks, room, low, joined, out, last, gone, end;

    Alloc(born, scratch, {});
    Copy(in, scratch, input_.data(), cudaMemcpyHostToDevice, {born});
    Kernel(peaks, peakDetect, scratch, output_, kPartCount, {in});
    Alloc(room, envelope, {peaks});
    Kernel(low, lowPass, scratch, envelope, kCount, {room});
    cudaGraphNode_t ends[kBranches];
    for (Branch &each : branches) {
        Alloc(each.alloc, each.part, {low});
        Kernel(each.work, rectify, scratch, each.part, kCount, {each.alloc});
        ends[&each - branches] = each.work;
    }
    ASSERT_EQ(cudaSuccess, cudaGraphAddEmptyNode(&joined, graph_, ends, kBranches));
    for (auto &[part, alloc, work, freed] : branches) Free(freed, part, {joined});
    Copy(out, result_.data(), scratch, cudaMemcpyDeviceToHost, {joined});
    Free(gone, scratch, {out}); // only wrong
    Kernel(last, peakDetect, scratch, stats_, kCount, {in}); // found: graph-use-free-race
    Free(gone, scratch, {out, last}); // only right
    Free(end, envelope, {gone});

    ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0));
    ASSERT_EQ(cudaSuccess, cudaGraphUpload(exec_, stream_));
    for (int round = 0; round < 2; ++round) ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec_, stream_)) << "round " << round;
    ASSERT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
}

int main()
{
    return RUN_ALL_TESTS();
}
