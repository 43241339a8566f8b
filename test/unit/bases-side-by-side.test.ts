/** Bases that stand side by side have members of one name: plain classes, and instances of one template. An object has both. */

import { describeRows } from '../support/right-and-wrong.ts';

const work = `#include <cuda_runtime.h>
__global__ void work(float *data) { data[threadIdx.x] = 1.0f; }
`;

const plain = `
struct StreamPart {
  cudaStream_t handle;
  StreamPart() { cudaStreamCreate(&handle); }
  ~StreamPart() { cudaStreamDestroy(handle); }
};
struct EventPart {
  cudaEvent_t handle;
  EventPart() { cudaEventCreate(&handle); }
  ~EventPart() { cudaEventDestroy(handle); }
  void record(cudaStream_t stream) { cudaEventRecord(handle, stream); }
};
struct Lane : StreamPart, EventPart {
  cudaStream_t stream() const { return StreamPart::handle; }
  void mark() { record(stream()); }
  void wait(const Lane &other) { cudaStreamWaitEvent(stream(), other.EventPart::handle, 0); }
};
`;

const instances = `
struct Stream {
  using Type = cudaStream_t;
  static void make(Type *out) { cudaStreamCreate(out); }
  static void end(Type handle) { cudaStreamDestroy(handle); }
};
struct Event {
  using Type = cudaEvent_t;
  static void make(Type *out) { cudaEventCreate(out); }
  static void end(Type handle) { cudaEventDestroy(handle); }
};
template <class Traits> struct Slot {
  typename Traits::Type handle{};
  Slot() { Traits::make(&handle); }
  ~Slot() { Traits::end(handle); }
  Slot(const Slot &) = delete;
  typename Traits::Type get() const { return handle; }
};
struct Lane : private Slot<Stream>, private Slot<Event> {
  cudaStream_t stream() const { return Slot<Stream>::handle; }
  cudaEvent_t event() const { return Slot<Event>::get(); }
  void mark() { cudaEventRecord(event(), stream()); }
  void wait(const Lane &other) { cudaStreamWaitEvent(stream(), other.event(), 0); }
};
`;

const template = instances
  .replace(
    'struct Lane : private Slot<Stream>, private Slot<Event> {',
    'template <class Traits> struct LaneOf : private Slot<Traits>, private Slot<Event> {',
  )
  .replaceAll('const Lane &', 'const LaneOf &')
  .concat('using Lane = LaneOf<Stream>;\n');

const lanes = (between: string): string => `float *data;
  cudaMalloc(&data, 128);
  {
    Lane first, second;
    work<<<1, 32, 0, first.stream()>>>(data);
    ${between}
    work<<<1, 32, 0, second.stream()>>>(data);
    cudaStreamSynchronize(second.stream());
    cudaStreamSynchronize(first.stream());
  }
  cudaFree(data);`;

describeRows('members of one name', work, [
  [
    'in plain classes',
    'stream-conflicting-access',
    plain,
    lanes('first.mark();'),
    lanes('first.mark(); second.wait(first);'),
  ],
  [
    'in a class template',
    'stream-conflicting-access',
    template,
    lanes('first.mark();'),
    lanes('first.mark(); second.wait(first);'),
  ],
  [
    'in instances of one template',
    'stream-conflicting-access',
    instances,
    lanes('first.mark();'),
    lanes('first.mark(); second.wait(first);'),
  ],
]);
