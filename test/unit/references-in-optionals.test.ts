/** `std::optional<std::reference_wrapper<T>>`: what a look-up gives that may find nothing. It refers to the object and owns none. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>
class Image {
public:
  explicit Image(size_t bytes) { cudaMallocAsync(&p_, bytes, 0); }
  Image(Image &&o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  ~Image() { if (p_) cudaFreeAsync(p_, 0); }
  char *data() const { return p_; }
private:
  char *p_ = nullptr;
};
static std::optional<std::reference_wrapper<Image>> find(std::optional<Image> &slot) {
  if (!slot) return std::nullopt;
  return std::ref(*slot);
}
static Image &at(std::optional<Image> &slot) {
  auto found = find(slot);
  if (!found) throw std::out_of_range("nothing there");
  return found->get();
}`;

const begin = 'std::optional<Image> slot; slot.emplace(64);';
const use = 'cudaMemsetAsync(p, 0, 4, 0);';

describeRows('an optional reference', head, [
  ['owns nothing', 'async-use-after-free', '', '', `${begin} if (!find(slot)) return 1; auto again = find(slot);`],
  [
    'leads to the object by its arrow',
    'async-use-after-free',
    '',
    `${begin} auto f = find(slot); char *p = f->get().data(); slot.reset(); ${use}`,
    `${begin} auto f = find(slot); char *p = f->get().data(); ${use} slot.reset();`,
  ],
  [
    'leads to the object by its value',
    'async-use-after-free',
    '',
    `${begin} auto f = find(slot); char *p = f.value().get().data(); slot.reset(); ${use}`,
    `${begin} auto f = find(slot); Image &i = *f; char *p = i.data(); ${use} slot.reset();`,
  ],
  [
    'leads to the object through a function that gives it back',
    'async-use-after-free',
    '',
    `${begin} char *p = at(slot).data(); slot.reset(); ${use}`,
    `${begin} char *p = at(slot).data(); ${use} slot.reset();`,
  ],
]);
