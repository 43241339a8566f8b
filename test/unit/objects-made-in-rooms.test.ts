/** Objects that are made in memory that is there, `new (room) T(…)`, and types that are told apart by `std::any`. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <any>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <type_traits>
#include <typeindex>
#include <unordered_map>
#include <utility>
__global__ void work(float *p) { p[0] = 1; }
struct Buffer {
  float *p = nullptr;
  Buffer() { cudaMalloc(&p, 4); }
  Buffer(Buffer &&o) noexcept : p(std::exchange(o.p, nullptr)) {}
  ~Buffer() { if (p) cudaFree(p); }
};
`;

const maybe = `template <class T> class Maybe {
  alignas(T) unsigned char room[sizeof(T)];
  bool has = false;
public:
  Maybe() = default;
  Maybe(const Maybe &) = delete;
  template <class... A> T &emplace(A &&...a) { reset(); T *t = ::new (static_cast<void *>(room)) T(std::forward<A>(a)...); has = true; return *t; }
  T *operator->() { return reinterpret_cast<T *>(room); }
  void reset() { if (has) { reinterpret_cast<T *>(&room)->~T(); has = false; } }
  ~Maybe() { reset(); }
};
`;

const list = `template <class T> class List {
  T *data = nullptr; int count = 0, room = 0;
public:
  ~List() { for (int i = 0; i < count; i++) data[i].~T(); std::free(data); }
  void add(T &&t) {
    if (count == room) {
      int more = room ? 2 * room : 1;
      T *wider = static_cast<T *>(std::malloc(more * sizeof(T)));
      for (int i = 0; i < count; i++) { new (wider + i) T(std::move(data[i])); data[i].~T(); }
      std::free(data);
      data = wider; room = more;
    }
    new (&data[count++]) T(std::move(t));
  }
  T &operator[](int i) { return data[i]; }
};
`;

const command = `class Command {
  struct Table { void (*call)(void *); void (*destroy)(void *) noexcept; };
  template <class F> static constexpr Table table = {
    [](void *p) { (*static_cast<F *>(p))(); },
    [](void *p) noexcept { static_cast<F *>(p)->~F(); },
  };
  const Table *functions;
  alignas(std::max_align_t) std::byte room[64];
public:
  template <class F> explicit Command(F f) : functions(&table<F>) { ::new (static_cast<void *>(room)) F(std::move(f)); }
  Command(const Command &) = delete;
  ~Command() { functions->destroy(room); }
  void operator()() { functions->call(room); }
};
struct Work { float *p; void operator()() const { work<<<1, 1>>>(p); } };
`;

describeRows('new in memory that is there', head, [
  [
    'an object in bytes is used behind its end',
    'malloc-use-after-free',
    maybe,
    'Maybe<Buffer> b; b.emplace(); float *p = b->p; b.reset(); work<<<1, 1>>>(p);',
    'Maybe<Buffer> b; b.emplace(); float *p = b->p; work<<<1, 1>>>(p); b.reset();',
  ],
  [
    'an object that is made again where it was',
    'malloc-use-after-free',
    maybe,
    'Maybe<Buffer> b; b.emplace(); float *p = b->p; b.emplace(); work<<<1, 1>>>(p);',
    'Maybe<Buffer> b; b.emplace(); b.emplace(); work<<<1, 1>>>(b->p);',
  ],
  [
    'a list that grows by moving its elements',
    'malloc-double-free',
    list,
    'List<Buffer> l; l.add(Buffer()); l.add(Buffer()); cudaFree(l[0].p);',
    'List<Buffer> l; l.add(Buffer()); l.add(Buffer()); l.add(Buffer()); work<<<1, 1>>>(l[0].p); work<<<1, 1>>>(l[2].p);',
  ],
  [
    'what is called lies in bytes of its holder',
    'malloc-use-after-free',
    command,
    'float *p; cudaMalloc(&p, 4); Command c(Work{p}); cudaFree(p); c();',
    'float *p; cudaMalloc(&p, 4); Command c(Work{p}); c(); cudaFree(p);',
  ],
  [
    'an object in bytes that nobody ends frees nothing',
    'async-leak',
    `struct Scratch { float *p; cudaStream_t s; explicit Scratch(cudaStream_t t) : s(t) { cudaMallocAsync(&p, 4, s); } ~Scratch() { cudaFreeAsync(p, s); } };`,
    'cudaStream_t s; cudaStreamCreate(&s); { alignas(Scratch) char room[sizeof(Scratch)]; new (room) Scratch(s); } cudaStreamSynchronize(s); cudaStreamDestroy(s);',
    'cudaStream_t s; cudaStreamCreate(&s); { alignas(Scratch) char room[sizeof(Scratch)]; auto *t = new (room) Scratch(s); t->~Scratch(); } cudaStreamSynchronize(s); cudaStreamDestroy(s);',
  ],
  [
    'an arena of the program keeps what it is',
    '',
    `struct Arena { cudaStream_t s; float *p; };
void *operator new(std::size_t n, Arena *) { return std::malloc(n); }
struct Node { int v; };`,
    '',
    'Arena a; cudaStreamCreate(&a.s); cudaMallocAsync(&a.p, 4, a.s); Node *n = new (&a) Node{3}; (void)n; cudaFreeAsync(a.p, a.s); cudaStreamSynchronize(a.s); cudaStreamDestroy(a.s);',
  ],
]);

const closers = `struct Pinned { float *p; };
struct Device { float *p; };
struct Closers {
  std::unordered_map<std::type_index, std::function<void(const std::any &)>> by;
  template <class T, class F> void on(F f) { by[typeid(T)] = [f](const std::any &a) { f(std::any_cast<T>(a)); }; }
  void close(const std::any &a) { by.at(std::type_index(a.type()))(a); }
};
`;
const closing = (pinned: string): string => `Closers c;
c.on<Pinned>([](Pinned x) { ${pinned}(x.p); });
c.on<Device>([](Device x) { cudaFree(x.p); });
c.on<cudaStream_t>([](cudaStream_t s) { cudaStreamDestroy(s); });
Pinned h; cudaMallocHost(&h.p, 4); Device d; cudaMalloc(&d.p, 4); cudaStream_t s; cudaStreamCreate(&s);
for (const std::any &a : {std::any(h), std::any(d), std::any(s)}) c.close(a);`;

describeRows('what an any says it holds', head, [
  ['each is closed as its type is', 'malloc-mismatched-free', closers, closing('cudaFree'), closing('cudaFreeHost')],
]);
