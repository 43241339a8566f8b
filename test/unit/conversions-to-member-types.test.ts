/** Owners that become what traits call the handle: `operator typename Traits<Tag>::type()`. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
template <class Tag> struct Traits;
struct Pinned {};
struct InStream {};
template <> struct Traits<Pinned> {
  using type = int *;
  static type make(size_t n) { type p; cudaMallocHost(&p, n); return p; }
  static void drop(type p) { cudaFreeHost(p); }
};
template <> struct Traits<InStream> {
  using type = cudaStream_t;
  static type make(size_t) { type s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); return s; }
  static void drop(type s) { cudaStreamDestroy(s); }
};`;

const owner = (alias: string, type: string): string => `template <class Tag> class Owner {
  using T = Traits<Tag>;
  ${alias}
  typename T::type handle_;
public:
  explicit Owner(size_t n = 0) : handle_(T::make(n)) {}
  Owner(const Owner &) = delete;
  ~Owner() { T::drop(handle_); }
  operator ${type}() const { return handle_; }
};`;

const wrong = `Owner<InStream> s; Owner<Pinned> h(64); int *d; cudaMalloc(&d, 64); int *host = h;
  cudaMemcpyAsync(host, d, 64, cudaMemcpyDeviceToHost, s); int sum = host[0]; cudaStreamSynchronize(s); cudaFree(d); return sum;`;
const right = `Owner<InStream> s; Owner<Pinned> h(64); int *d; cudaMalloc(&d, 64); int *host = h;
  cudaMemcpyAsync(host, d, 64, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); int sum = host[0]; cudaFree(d); return sum;`;

describeRows('conversions to what a class calls a type', head, [
  ['by an alias of the class', 'host-buffer-used-before-sync', owner('', 'typename T::type'), wrong, right],
  ['by the traits', 'host-buffer-used-before-sync', owner('', 'typename Traits<Tag>::type'), wrong, right],
  [
    'by a name of its own',
    'host-buffer-used-before-sync',
    owner('using native = typename T::type;', 'native'),
    wrong,
    right,
  ],
]);
