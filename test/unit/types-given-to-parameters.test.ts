/** Parameters whose type is a template argument that says more than the value given: a reference, or a type that an object is converted to. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <utility>
#include <vector>
${memoryInAStream}
template <class A> struct Sink { void put(A a) const { a = make(); } };
template <class A> struct Reset { void put(A a) const { a = nullptr; } };
template <class A> struct Slot { std::function<void(A)> call; void emit(A a) const { call(a); } };
template <class... A> struct Signal {
  using Call = std::function<void(A...)>;
  std::vector<Call> calls;
  Signal &operator+=(Call call) { calls.push_back(std::move(call)); return *this; }
  void emit(A... a) const { for (const auto &each : calls) each(a...); }
};
struct Buffer {
  float *p;
  Buffer() : p(make()) {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { drop(p); }
  operator float *() const { return p; }
};
template <class... F> void launch(F... given) { (run(given), ...); }
template <class... F, class... A> void call(void (*)(F...), A &&...given) { launch<F...>(std::forward<A>(given)...); }
`;

/** `p` has been made by what is called, so that it may be used, and no longer when it has been freed. */
const filled = (what: string, body: string): Row => [
  what,
  'async-use-after-free',
  '',
  `cudaStreamCreate(&s); float *p = nullptr; ${body} drop(p); run(p);`,
  `cudaStreamCreate(&s); float *p = nullptr; ${body} run(p); drop(p);`,
];

describeRows('what is given for parameters of template arguments', head, [
  filled('a parameter of a class template for references', 'Sink<float *&> sink; sink.put(p);'),
  filled(
    'a function for references, which is handed one on',
    'Slot<float *&> slot; slot.call = [](float *&q) { q = make(); }; slot.emit(p);',
  ),
  filled(
    'a pack with a reference in it',
    'Signal<int, float *&> made; made += [](int, float *&q) { q = make(); }; made.emit(3, p);',
  ),
  [
    'a parameter of a class template for values is a copy',
    'async-use-after-free',
    '',
    'cudaStreamCreate(&s); float *p = make(); Reset<float *> reset; reset.put(p); drop(p); run(p);',
    'cudaStreamCreate(&s); float *p = make(); Reset<float *> reset; reset.put(p); run(p); drop(p);',
  ],
  [
    'objects that a pack of pointers is made of keep what they own',
    'async-double-free',
    '',
    'cudaStreamCreate(&s); { Buffer a; call(run, a); drop(a.p); }',
    'cudaStreamCreate(&s); { Buffer a; call(run, a); launch<float *>(a); }',
  ],
]);
