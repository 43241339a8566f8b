/** `sizeof(*owner)` is the size of what it owns, not its own. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
struct Free { void operator()(void *p) const { cudaFree(p); } };
template <class T> using device_ptr = std::unique_ptr<T, Free>;
struct Three { float v[3]; };`;

const row = (what: string, before: string, size: string, bytes: number): Row => {
  const body = (set: number) => `${before} char *d; cudaMalloc(&d, ${size}); cudaMemset(d, 0, ${set}); cudaFree(d);`;
  return [what, 'copy-out-of-range', '', body(bytes + 1), body(bytes)];
};

describeRows('the size of what an owner has', head, [
  row('of one object', 'auto p = std::make_unique<double>(1.0);', 'sizeof(*p)', 8),
  row('of a structure that is shared', 'auto p = std::make_shared<Three>();', 'sizeof(*p)', 12),
  row('by another name', 'device_ptr<short> p;', 'sizeof(*p)', 2),
  row('of an array', 'int p[5];', 'sizeof(*p)', 4),
]);
