/** Objects in pinned memory whose members the host reads and stores to, and references into memory of the device. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
struct Inner { float weight; };
struct Input { float position, target; Inner inner; };
template <class T> class Pinned {
public:
  Pinned() { cudaMallocHost((void **)&value_, sizeof(T)); }
  ~Pinned() { cudaFreeHost(value_); }
  Pinned(const Pinned &) = delete;
  T *operator->() { return value_; }
  T &operator*() { return *value_; }
  T &operator[](int i) { return value_[i]; }
  T &get() { return **this; }
  T *data() { return value_; }
private:
  T *value_ = nullptr;
};
`;

const raw =
  'cudaStream_t s; cudaStreamCreate(&s); Input *d, *h; cudaMalloc(&d, sizeof(Input)); cudaMallocHost(&h, sizeof(Input));';
const owned = 'cudaStream_t s; cudaStreamCreate(&s); Input *d; cudaMalloc(&d, sizeof(Input)); Pinned<Input> h;';
const send = (from: string): string => `cudaMemcpyAsync(d, ${from}, sizeof(Input), cudaMemcpyHostToDevice, s);`;
const wait = 'cudaStreamSynchronize(s);';

/** Stores to a member while the copy goes on, and when it is over; reading it meanwhile is right. */
function stored(what: string, setup: string, from: string, store: string, read: string): Row {
  return [
    what,
    'host-buffer-used-before-sync',
    '',
    `${setup} ${send(from)} ${store} ${wait} cudaFree(d);`,
    `${setup} ${send(from)} ${read} ${wait} ${store} cudaFree(d);`,
  ];
}

describeRows('members of what a copy reads', head, [
  stored('behind a pointer', raw, 'h', 'h->target = 1;', 'float now = h->target;'),
  stored('a member of a member', raw, 'h', 'h->inner.weight = 1;', 'float now = h->inner.weight;'),
  stored('counted up', raw, 'h', 'h->target += 1;', 'float now = h->target + 1;'),
  stored('of an element', raw, 'h', 'h[0].target = 1;', 'float now = h[0].target;'),
  stored('of a reference', `${raw} Input &in = *h;`, 'h', 'in.target = 1;', 'float now = in.target;'),
  stored('behind an arrow of its own', owned, 'h.data()', 'h->target = 1;', 'float now = h->target;'),
  stored('of what a star of its own gives', owned, 'h.data()', '(*h).target = 1;', 'float now = (*h).target;'),
  stored('of what a method gives', owned, 'h.data()', 'h.get().target = 1;', 'float now = h.get().target;'),
  stored('of what an index of its own gives', owned, 'h.data()', 'h[0].inner.weight = 1;', 'float now = h[0].target;'),
]);

describe('what reads through a reference that a function gives', () => {
  it.each([
    ['an index of its own', 'h[0]'],
    ['a star of its own', '*h'],
    ['a method', 'h.get()'],
  ])('is %s where it is used', async (_what, read) => {
    const text = `${head}int main() {
  cudaStream_t s; cudaStreamCreate(&s); float *d; cudaMalloc(&d, 4); Pinned<float> h;
  cudaMemcpyAsync(h.data(), d, 4, cudaMemcpyDeviceToHost, s);
  float &same = h[0];
  float sum = 1 + ${read};
  cudaStreamSynchronize(s);
  cudaFree(d);
}
`;
    const { findings } = await analyseText(text);
    expect(findings.map(({ rule }) => rule)).toEqual(['host-buffer-used-before-sync']);
    expect(findings[0]!.span.start).toBeGreaterThanOrEqual(text.indexOf('float sum'));
  });
});
