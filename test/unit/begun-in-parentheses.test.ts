/**
 * Variables whose type says nothing of a constructor, begun in parentheses or braces: `auto x(a)`, `auto x{a}`, `T &x(a)`. Each in a
 * program with one mistake, and in one without.
 */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <utility>
${memoryInAStream}
struct Own {
  float *p = nullptr;
  Own() : p(make()) {}
  Own(Own &&o) noexcept : p(o.p) { o.p = nullptr; }
  Own &operator=(Own &&o) noexcept { if (this != &o) { if (p) drop(p); p = o.p; o.p = nullptr; } return *this; }
  ~Own() { if (p) drop(p); }
};`;

const begin = 'cudaStreamCreate(&s);';
const end = 'cudaStreamSynchronize(s); cudaStreamDestroy(s);';

/** What is moved away lives on in `before`: there it may be used, and freed only once. */
const moved = (declaration: string): Row => [
  declaration,
  'async-use-after-free',
  '',
  `${begin} { Own a; { ${declaration} a = Own(); } float *p = a.p; a = Own(); run(p); } ${end}`,
  `${begin} { Own a; { ${declaration} a = Own(); run(before.p); run(a.p); } run(a.p); } ${end}`,
];

/** The same object under another name. */
const named = (declaration: string): Row => [
  declaration,
  'async-use-after-free',
  '',
  `${begin} { Own a; ${declaration} float *p = a.p; same = Own(); run(p); } ${end}`,
  `${begin} { Own a; ${declaration} same = Own(); run(a.p); } ${end}`,
];

describeRows('variables begun in parentheses', head, [
  moved('auto before = std::move(a);'),
  moved('auto before(std::move(a));'),
  moved('auto before{std::move(a)};'),
  moved('auto &old(a); auto before(std::move(old));'),
  named('auto &same(a);'),
  named('auto &same{a};'),
  named('Own &same(a);'),
  named('auto &&same(a);'),
]);

/** The memory of an object from outside is had in its own stream, which is the thread's own as likely as not. */
const copyOf = (other: string): string => `
struct Part { float *p; cudaStream_t stream; };
void copy(const Part &from) {
  cudaStream_t mine; cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking);
  float *q; cudaMallocAsync(&q, 64, from.stream);
  cudaMemcpyAsync(q, from.p, 64, cudaMemcpyDeviceToDevice, ${other});
  cudaStreamSynchronize(${other}); cudaFreeAsync(q, ${other}); cudaStreamDestroy(mine);
}`;

describeRows('memory of a stream of which nobody knows which it is', head, [
  ['in a stream that is made here', 'async-use-before-alloc', copyOf('mine'), 'return 0;', ''],
  ['in the own one of the thread', '', copyOf('cudaStreamPerThread'), '', 'return 0;'],
]);
