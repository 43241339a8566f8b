/**
 * RMM's streams and owners of memory (RMM 25.06, `rmm/device_buffer.hpp`, `device_uvector.hpp`, `device_scalar.hpp`): memory is allocated and freed in the
 * stream that the object remembers, and growing makes another stream the one that is remembered. Whatever the memory comes from, it may be used
 * as what is allocated in that stream.
 */

export const rmmStreams = `#pragma once
namespace rmm {
class cuda_stream_view {
  cudaStream_t stream_ = 0;
 public:
  cuda_stream_view() {}
  cuda_stream_view(cudaStream_t stream) : stream_(stream) {}
  cudaStream_t value() const { return stream_; }
  cudaStream_t get() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  void synchronize() const { cudaStreamSynchronize(stream_); }
  void synchronize_no_throw() const { cudaStreamSynchronize(stream_); }
};
static const cuda_stream_view cuda_stream_default;
static const cuda_stream_view cuda_stream_legacy(cudaStreamLegacy);
static const cuda_stream_view cuda_stream_per_thread(cudaStreamPerThread);
class cuda_stream {
  cudaStream_t stream_ = 0;
 public:
  enum class flags { sync_default = 0, non_blocking = 1 };
  cuda_stream() { cudaStreamCreate(&stream_); }
  cuda_stream(flags flag) { cudaStreamCreateWithFlags(&stream_, static_cast<unsigned>(flag)); }
  cuda_stream(const cuda_stream &) = delete;
  cuda_stream(cuda_stream &&other) : stream_(other.stream_) { other.stream_ = 0; }
  cuda_stream &operator=(cuda_stream &&other) {
    if (stream_) cudaStreamDestroy(stream_);
    stream_ = other.stream_;
    other.stream_ = 0;
    return *this;
  }
  ~cuda_stream() { if (stream_) cudaStreamDestroy(stream_); }
  bool is_valid() const { return stream_ != 0; }
  cudaStream_t value() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  cuda_stream_view view() const { return cuda_stream_view(stream_); }
  operator cuda_stream_view() const { return cuda_stream_view(stream_); }
  void synchronize() const { cudaStreamSynchronize(stream_); }
  void synchronize_no_throw() const { cudaStreamSynchronize(stream_); }
};
}
`;

/** A constructor takes the stream and, behind it, what the memory comes from. */
export const rmmBuffers = `#pragma once
#include <rmm/cuda_stream_view.hpp>
namespace rmm {
class device_buffer {
  void *data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
  cudaStream_t stream_ = 0;
  void make(size_t bytes) {
    if (bytes != 0) cudaMallocAsync(&data_, bytes, stream_);
    size_ = bytes;
    capacity_ = bytes;
  }
  void take(device_buffer &other) {
    data_ = other.data_;
    size_ = other.size_;
    capacity_ = other.capacity_;
    stream_ = other.stream_;
    other.data_ = nullptr;
    other.size_ = 0;
    other.capacity_ = 0;
    other.stream_ = 0;
  }
  void move_to(size_t bytes) {
    void *before = data_;
    data_ = nullptr;
    if (bytes != 0) cudaMallocAsync(&data_, bytes, stream_);
    if (before) {
      if (size_ != 0 && bytes != 0) cudaMemcpyAsync(data_, before, size_ < bytes ? size_ : bytes, cudaMemcpyDeviceToDevice, stream_);
      cudaFreeAsync(before, stream_);
    }
    capacity_ = bytes;
  }
 public:
  device_buffer() {}
  device_buffer(size_t bytes, cudaStream_t stream, void *memory = nullptr) : stream_(stream) { make(bytes); }
  device_buffer(const void *source, size_t bytes, cudaStream_t stream, void *memory = nullptr) : stream_(stream) {
    make(bytes);
    if (bytes != 0) cudaMemcpyAsync(data_, source, bytes, cudaMemcpyDefault, stream_);
  }
  device_buffer(const device_buffer &other, cudaStream_t stream, void *memory = nullptr) : stream_(stream) {
    make(other.size_);
    if (size_ != 0) cudaMemcpyAsync(data_, other.data_, size_, cudaMemcpyDefault, stream_);
  }
  device_buffer(const device_buffer &) = delete;
  device_buffer(device_buffer &&other) { take(other); }
  device_buffer &operator=(device_buffer &&other) {
    if (data_) cudaFreeAsync(data_, stream_);
    take(other);
    return *this;
  }
  ~device_buffer() { if (data_) cudaFreeAsync(data_, stream_); }
  void *data() { return data_; }
  const void *data() const { return data_; }
  size_t size() const { return size_; }
  size_t ssize() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool is_empty() const { return size_ == 0; }
  cuda_stream_view stream() const { return cuda_stream_view(stream_); }
  void set_stream(cudaStream_t stream) { stream_ = stream; }
  void reserve(size_t bytes, cudaStream_t stream) {
    stream_ = stream;
    if (capacity_ == 0 || bytes > capacity_) move_to(bytes);
  }
  void resize(size_t bytes, cudaStream_t stream) {
    stream_ = stream;
    if (capacity_ == 0 || bytes > capacity_) move_to(bytes);
    size_ = bytes;
  }
  void shrink_to_fit(cudaStream_t stream) {
    stream_ = stream;
    if (size_ != capacity_) move_to(size_);
  }
};
template <class T> class device_uvector : public device_buffer {
 public:
  typedef T value_type;
  typedef T *iterator;
  typedef size_t size_type;
  device_uvector(size_t count, cudaStream_t stream, void *memory = nullptr) : device_buffer(count * sizeof(T), stream) {}
  device_uvector(const device_uvector &other, cudaStream_t stream, void *memory = nullptr) : device_buffer(other, stream) {}
  device_uvector(const device_uvector &) = delete;
  device_uvector(device_uvector &&other) : device_buffer(std::move(other)) {}
  device_uvector &operator=(device_uvector &&other) {
    device_buffer::operator=(std::move(other));
    return *this;
  }
  T *data() { return static_cast<T *>(device_buffer::data()); }
  const T *data() const { return static_cast<const T *>(device_buffer::data()); }
  T *begin() { return data(); }
  T *end() { return data() + size(); }
  const T *begin() const { return data(); }
  const T *end() const { return data() + size(); }
  const T *cbegin() const { return data(); }
  const T *cend() const { return data() + size(); }
  T *element_ptr(size_t i) { return data() + i; }
  const T *element_ptr(size_t i) const { return data() + i; }
  T element(size_t i, cudaStream_t stream) const {
    T value;
    cudaMemcpyAsync(&value, data() + i, sizeof(T), cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    return value;
  }
  T front_element(cudaStream_t stream) const { return element(0, stream); }
  T back_element(cudaStream_t stream) const { return element(size() - 1, stream); }
  void set_element_to_zero_async(size_t i, cudaStream_t stream) { cudaMemsetAsync(data() + i, 0, sizeof(T), stream); }
  void set_element_async(size_t i, const T &value, cudaStream_t stream) {
    cudaMemcpyAsync(data() + i, &value, sizeof(T), cudaMemcpyDefault, stream);
  }
  void set_element(size_t i, const T &value, cudaStream_t stream) {
    set_element_async(i, value, stream);
    cudaStreamSynchronize(stream);
  }
  size_t size() const { return device_buffer::size() / sizeof(T); }
  size_t capacity() const { return device_buffer::capacity() / sizeof(T); }
  bool is_empty() const { return device_buffer::size() == 0; }
  void reserve(size_t count, cudaStream_t stream) { device_buffer::reserve(count * sizeof(T), stream); }
  void resize(size_t count, cudaStream_t stream) { device_buffer::resize(count * sizeof(T), stream); }
  void shrink_to_fit(cudaStream_t stream) { device_buffer::shrink_to_fit(stream); }
  device_buffer release() { return std::move(*static_cast<device_buffer *>(this)); }
};
template <class T> class device_scalar : public device_buffer {
 public:
  explicit device_scalar(cudaStream_t stream) : device_buffer(sizeof(T), stream) {}
  device_scalar(const T &value, cudaStream_t stream, void *memory = nullptr) : device_buffer(sizeof(T), stream) { set_value_async(value, stream); }
  device_scalar(device_scalar &&other) : device_buffer(std::move(other)) {}
  T *data() { return static_cast<T *>(device_buffer::data()); }
  const T *data() const { return static_cast<const T *>(device_buffer::data()); }
  T value(cudaStream_t stream) const {
    T value;
    cudaMemcpyAsync(&value, data(), sizeof(T), cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    return value;
  }
  void set_value_async(const T &value, cudaStream_t stream) {
    cudaMemcpyAsync(data(), &value, sizeof(T), cudaMemcpyDefault, stream);
  }
  void set_value_to_zero_async(cudaStream_t stream) { cudaMemsetAsync(data(), 0, sizeof(T), stream); }
};
}
`;
