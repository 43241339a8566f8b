// Tests that share helpers: choices in them that made no difference in two tests are left out in the others, until an edit makes them differ.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

bool verbose();
bool careful();
void note(const char *text);

__global__ void scale(float *data, int n) { if (threadIdx.x < n) data[threadIdx.x] *= 2.0f; }

static int log_level(int level) {
  int seen = level;
  if (verbose()) { seen = level + 1; note("verbose"); }
  if (seen > 3) seen = 3;
  return seen;
}

static void run(float *data, cudaStream_t stream, cudaStream_t other) {
  log_level(1);
  scale<<<1, 32, 0, stream>>>(data, 32);
  if (careful()) note("careful");
  scale<<<1, 32, 0, stream>>>(data, 32);
}

class Shared : public ::testing::Test {
 protected:
  void SetUp() override {
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMalloc(&data, 128);
  }
  void TearDown() override {
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
  }
  float *data = nullptr;
  cudaStream_t stream = nullptr;
  cudaStream_t other = nullptr;
};

TEST_F(Shared, Once) { run(data, stream, other); }

TEST_F(Shared, Twice) {
  run(data, stream, other);
  run(data, stream, other);
}

TEST_F(Shared, BesideAnother) {
  run(data, stream, other);
  scale<<<1, 32, 0, other>>>(data, 32);
}

TEST_F(Shared, BehindAnother) {
  scale<<<1, 32, 0, other>>>(data, 32);
  cudaStreamSynchronize(other);
  run(data, stream, other);
}

TEST_F(Shared, FreedEarly) {
  run(data, stream, other);
  if (careful()) cudaStreamSynchronize(stream);
  float *more;
  cudaMallocAsync(&more, 128, stream);
  run(more, stream, other);
  cudaFreeAsync(more, other);
}
