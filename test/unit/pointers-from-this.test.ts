/** `this->shared_from_this()` of classes that know their holder by a base of a base; static functions of bases by another name of a class. */

import { describeRows, type Row, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <utility>
float *make() { float *p; cudaMallocAsync(&p, 4, 0); return p; }
__global__ void work(float *p) { *p = 1; }
void run(float *p) { work<<<1, 1>>>(p); }
void drop(float *p) { cudaFreeAsync(p, 0); }
struct Executor : std::enable_shared_from_this<Executor> {
  int id;
  explicit Executor(int i) : id(i) {}
  virtual ~Executor() = default;
  std::shared_ptr<const Executor> self() const { return this->shared_from_this(); }
};
template <class Concrete> struct Base : Executor {
  explicit Base(int i) : Executor(i) {}
  template <class... A> static std::shared_ptr<Concrete> create(A &&...a) {
    return std::shared_ptr<Concrete>(new Concrete(std::forward<A>(a)...));
  }
};
namespace gpu {
struct Device : Base<Device> {
  explicit Device(int i) : Base<Device>(i) {}
};
}
using Named = gpu::Device;
`;

const rows: readonly Row[] = [
  whenKnown('in a method of the base', 'auto e = std::make_shared<gpu::Device>(3);', 'e->self()->id == 3'),
  whenKnown('asked of the object', 'auto e = std::make_shared<Executor>(3);', 'e->shared_from_this()->id == 3'),
  whenKnown(
    'cast back',
    'auto e = gpu::Device::create(3);',
    'std::static_pointer_cast<const gpu::Device>(e->self())->id == 3',
  ),
  whenKnown(
    'made by a static function of a base',
    'using Local = gpu::Device; auto e = Local::create(3);',
    'e->id == 3',
  ),
  whenKnown('by a name of the program', 'auto e = Named::create(3);', 'e->self().get() == e.get()'),
];

describeRows('an object that knows its holder', head, rows);
