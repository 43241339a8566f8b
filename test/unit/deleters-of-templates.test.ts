/** Owners whose deleter is a template over a number that the function around them was given. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
enum class Kind { Device, Pinned };
template <Kind K> struct Deleter {
  void operator()(void *p) const { if constexpr (K == Kind::Pinned) cudaFreeHost(p); else cudaFree(p); }
};
template <class T, Kind K> using Ptr = std::unique_ptr<T[], Deleter<K>>;
template <class T, Kind K> Ptr<T, K> make(size_t n) {
  void *p = nullptr;
  if constexpr (K == Kind::Device) cudaMalloc(&p, n * sizeof(T));
  if constexpr (K == Kind::Pinned) cudaHostAlloc(&p, n * sizeof(T), 0);
  return Ptr<T, K>(static_cast<T *>(p));
}
template <class T> struct Staging {
  explicit Staging(size_t n) : host(make<T, Kind::Pinned>(n)), device(make<T, Kind::Device>(n)) {}
  T *release() { device.reset(); return host.release(); }
  Ptr<T, Kind::Pinned> host;
  Ptr<T, Kind::Device> device;
};`;

describeRows('deleters of templates', head, [
  [
    'what a function hands out, in another owner',
    'malloc-mismatched-free',
    '',
    'Ptr<int, Kind::Device> kept; { auto host = make<int, Kind::Pinned>(64); kept.reset(host.release()); }',
    'Ptr<int, Kind::Pinned> kept; { auto host = make<int, Kind::Pinned>(64); kept.reset(host.release()); }',
  ],
  [
    'members of a class',
    'malloc-mismatched-free',
    '',
    'Ptr<int, Kind::Device> kept; { Staging<int> s(64); kept.reset(s.release()); }',
    'Ptr<int, Kind::Pinned> kept; { Staging<int> s(64); kept.reset(s.release()); }',
  ],
]);
