/** An array is a pointer to its first element wherever one is wanted. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
struct Buffer { int *p; void fill(cudaStream_t s) { cudaMemsetAsync(p, 0, 64, s); } };
struct Command { unsigned char op; unsigned char queue : 4; union { struct { int *p; size_t n; } fill; int number; }; };
cudaStream_t q[2]; int *d, *e;
void begin() {
  for (auto &each : q) cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking);
  cudaMalloc(&d, 64); cudaMalloc(&e, 64);
}
void end() { cudaDeviceSynchronize(); cudaFree(d); cudaFree(e); }
void submit(const Command *c) {
  for (;; ++c) switch (c->op) {
    case 1: cudaMemsetAsync(c->fill.p, 0, c->fill.n, q[c->queue]); break;
    default: return;
  }
}`;

const race = 'stream-conflicting-access';
const commands = (second: string): string => `begin(); Command list[3] = {};
  list[0].op = 1; list[0].queue = 0; list[0].fill = {d, 64};
  list[1].op = 1; list[1].queue = 1; list[1].fill = {${second}, 64};
  submit(list); end();`;
const buffers = (work: string): string => `begin(); Buffer b[2]; b[0].p = d; b[1].p = e; ${work} end();`;

describeRows('arrows on arrays', head, [
  ['a list of commands that a function is given', race, '', commands('d'), commands('e')],
  [
    'a member',
    race,
    '',
    buffers('cudaMemsetAsync(b->p, 0, 64, q[0]); cudaMemsetAsync(d, 0, 64, q[1]);'),
    buffers('cudaMemsetAsync(b->p, 0, 64, q[0]); cudaMemsetAsync((b + 1)->p, 0, 64, q[1]);'),
  ],
  ['a method', race, '', buffers('b->fill(q[0]); b[0].fill(q[1]);'), buffers('b->fill(q[0]); b[1].fill(q[1]);')],
  [
    'a member that is stored to',
    race,
    '',
    buffers('b->p = e; b[0].fill(q[0]); b[1].fill(q[1]);'),
    buffers('b->p = d; b[0].fill(q[0]); b[1].fill(q[1]);'),
  ],
]);
