/** Memory of the host that is used too late or too early; each mistake beside the program without it. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mpi.h>
#include "kernels.h"
__global__ void fill(int *a) { a[0] = 1; }
static void compare(int *a, int *b, const int n) { int sum = 0; for (int i = 0; i < n; i++) sum += a[i]; if (sum != b[0]) exit(1); }
`;

/** What it is; what stands before `f`; the mistaken body of \`f\`; the right one; the rule. */
const rows: readonly (readonly [what: string, before: string, bad: string, good: string, rule: string])[] = [
  [
    'pinned memory that is freed behind a function of the library, which waits for nothing',
    'inline void ok(cudaError_t e, std::source_location at = std::source_location::current()) { if (e) std::printf("%u", at.line()); }',
    'int *h, *d; ok(cudaMallocHost(&h, n)); ok(cudaMalloc(&d, n)); ok(cudaMemcpyAsync(d, h, n, cudaMemcpyHostToDevice, s)); ok(cudaFreeHost(h)); ok(cudaStreamSynchronize(s)); ok(cudaFree(d));',
    'int *h, *d; ok(cudaMallocHost(&h, n)); ok(cudaMalloc(&d, n)); ok(cudaMemcpyAsync(d, h, n, cudaMemcpyHostToDevice, s)); ok(cudaStreamSynchronize(s)); ok(cudaFreeHost(h)); ok(cudaFree(d));',
    'host-buffer-freed-in-flight',
  ],
  [
    'managed memory that is copied from after it has been freed',
    '',
    'char *d; cudaMallocManaged(&d, n); memset(d, 0, n); cudaFree(d); std::memcpy(out, d, n);',
    'char *d; cudaMallocManaged(&d, n); memset(d, 0, n); std::memcpy(out, d, n); cudaFree(d);',
    'malloc-use-after-free',
  ],
  [
    'an element of pinned memory that is written after it has been freed',
    '',
    'int *d; cudaMallocHost(&d, n); cudaFreeHost(d); d[0] = 1;',
    'int *d; cudaMallocHost(&d, n); d[0] = 1; cudaFreeHost(d);',
    'malloc-use-after-free',
  ],
  [
    'a member of an object in managed memory that is read after it has been freed',
    'struct box { int n; };',
    'box *b; cudaMallocManaged(&b, sizeof(box)); b->n = 3; cudaFree(b); out[0] = b->n;',
    'box *b; cudaMallocManaged(&b, sizeof(box)); b->n = 3; out[0] = b->n; cudaFree(b);',
    'malloc-use-after-free',
  ],
  [
    'memory that is allocated anew in each round',
    '',
    'int *d; for (int i = 0; i < n; i++) { cudaMallocManaged(&d, 4); cudaFree(d); d[0] = i; }',
    'int *d; for (int i = 0; i < n; i++) { cudaMallocManaged(&d, 4); d[0] = i; cudaFree(d); }',
    'malloc-use-after-free',
  ],
  [
    'results of a graph that a function compares behind a long loop of its own',
    '',
    `int m = 1 << 20; int *h = (int *)malloc(4 * m), *r = (int *)malloc(4 * m), *d; cudaMalloc(&d, 4 * m); cudaStream_t s; cudaStreamCreate(&s);
     cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); fill<<<1, 1, 0, s>>>(d);
     cudaMemcpyAsync(r, d, 4 * m, cudaMemcpyDefault, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0);
     cudaGraphLaunch(e, s); compare(h, r, m); cudaStreamSynchronize(s);`,
    `int m = 1 << 20; int *h = (int *)malloc(4 * m), *r = (int *)malloc(4 * m), *d; cudaMalloc(&d, 4 * m); cudaStream_t s; cudaStreamCreate(&s);
     cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); fill<<<1, 1, 0, s>>>(d);
     cudaMemcpyAsync(r, d, 4 * m, cudaMemcpyDefault, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0);
     cudaGraphLaunch(e, s); cudaStreamSynchronize(s); compare(h, r, m);`,
    'host-buffer-used-before-sync',
  ],
  [
    'a copy that is read when the time has been taken, but nobody has waited',
    '',
    `int *h, *d; cudaMallocHost(&h, 4); cudaMalloc(&d, 4); auto start = std::chrono::steady_clock::now(); fill<<<1, 1>>>(d); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost);
     auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count(); printf("%d %ld", h[0], time);`,
    `int *h, *d; cudaMallocHost(&h, 4); cudaMalloc(&d, 4); auto start = std::chrono::steady_clock::now(); fill<<<1, 1>>>(d); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); cudaStreamSynchronize(0);
     auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count(); printf("%d %ld", h[0], time);`,
    'host-buffer-used-before-sync',
  ],
  [
    'memory of the device that MPI sends while a kernel still writes it',
    '',
    'int *d; cudaStream_t s; cudaStreamCreateWithFlags(&s, 1); cudaMalloc(&d, 4); fill<<<1, 1, 0, s>>>(d); MPI_Isend(d, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);',
    'int *d; cudaStream_t s; cudaStreamCreateWithFlags(&s, 1); cudaMalloc(&d, 4); fill<<<1, 1, 0, s>>>(d); cudaStreamSynchronize(s); MPI_Isend(d, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);',
    'host-buffer-used-before-sync',
  ],
  [
    'memory of the device that MPI receives into while the last message is copied out of it',
    '',
    'int *h, *d; cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); cudaMallocHost(&h, 4); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(t); MPI_Recv(d, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);',
    'int *h, *d; cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); cudaMallocHost(&h, 4); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); MPI_Recv(d, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);',
    'host-buffer-used-before-sync',
  ],
  [
    'memory of the device that MPI receives into, in places that kernels leave alone as far as anybody can tell',
    '__global__ void inner(const int *a, int *b); __global__ void one(const int *a, int *b) { b[0] = a[0]; }',
    'int *d, *o; cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 4096); cudaMalloc(&o, 4096); one<<<1, 1, 0, s>>>(d, o); MPI_Recv(d, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);',
    'int *d, *o; cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 4096); cudaMalloc(&o, 4096); inner<<<1, 1, 0, s>>>(d, o); MPI_Recv(d, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r);',
    'host-buffer-used-before-sync',
  ],
  [
    'memory of the device that MPI is given after it has been freed',
    '',
    'int *d; cudaMalloc(&d, 4); cudaFree(d); MPI_Send(d, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);',
    'int *d; cudaMalloc(&d, 4); MPI_Send(d, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); cudaFree(d);',
    'malloc-use-after-free',
  ],
  [
    'a vector made of pinned memory before the copy into it is over',
    '',
    'int *h, *d; cudaStream_t s; cudaStreamCreate(&s); cudaMallocHost(&h, 64); cudaMalloc(&d, 64); cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); std::vector<int> v(h, h + 16);',
    'int *h, *d; cudaStream_t s; cudaStreamCreate(&s); cudaMallocHost(&h, 64); cudaMalloc(&d, 64); cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); std::vector<int> v(h, h + 16);',
    'host-buffer-used-before-sync',
  ],
  [
    'a set made of pinned memory before the copy into it is over',
    '',
    'int *h, *d; cudaStream_t s; cudaStreamCreate(&s); cudaMallocHost(&h, 64); cudaMalloc(&d, 64); cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); std::set<int> v(h, h + 16);',
    'int *h, *d; cudaStream_t s; cudaStreamCreate(&s); cudaMallocHost(&h, 64); cudaMalloc(&d, 64); cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); cudaStreamSynchronize(s); std::set<int> v(h, h + 16); if (v.empty()) cudaFree(d);',
    'host-buffer-used-before-sync',
  ],
  [
    'a copy of more than a vector has that was filled from pinned memory',
    '',
    'int *h, *d; cudaMallocHost(&h, 64); cudaMalloc(&d, 256); std::vector<int> v; v.assign(h, h + 16); cudaMemcpy(d, v.data(), 256, cudaMemcpyHostToDevice);',
    'int *h, *d; cudaMallocHost(&h, 64); cudaMalloc(&d, 256); std::vector<int> v; v.assign(h, h + 16); cudaMemcpy(d, v.data(), 64, cudaMemcpyHostToDevice);',
    'copy-out-of-range',
  ],
  [
    'a vector that a graph copies, made of pinned memory, and gone when it is launched',
    '',
    `int *h, *d; cudaMallocHost(&h, 64); cudaMalloc(&d, 64); cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e;
     { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); std::vector<int> v(h, h + 16); cudaMemcpyAsync(d, v.data(), 64, cudaMemcpyHostToDevice, s); cudaStreamEndCapture(s, &g); }
     cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s);`,
    `int *h, *d; cudaMallocHost(&h, 64); cudaMalloc(&d, 64); cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e;
     std::vector<int> v(h, h + 16); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMemcpyAsync(d, v.data(), 64, cudaMemcpyHostToDevice, s); cudaStreamEndCapture(s, &g);
     cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaStreamSynchronize(s);`,
    'baked-host-pointer-dead',
  ],
  [
    'a sum over all processes of what the device has not copied yet, behind an exchange',
    '',
    `double *h, *d, *x, sum; cudaMallocHost(&h, 8); cudaMalloc(&d, 8); cudaMalloc(&x, 8); cudaMemcpyAsync(h, d, 8, cudaMemcpyDeviceToHost); MPI_Sendrecv(x, 1, MPI_DOUBLE, 0, 0, x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
     MPI_Allreduce(h, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);`,
    `double *h, *d, *x, sum; cudaMallocHost(&h, 8); cudaMalloc(&d, 8); cudaMalloc(&x, 8); cudaMemcpyAsync(h, d, 8, cudaMemcpyDeviceToHost); MPI_Sendrecv(x, 1, MPI_DOUBLE, 0, 0, x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
     cudaStreamSynchronize(0); MPI_Allreduce(h, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);`,
    'host-buffer-used-before-sync',
  ],
  [
    'a function that nobody here knows, which may wait',
    'void finish();',
    'int *h, *d; cudaMallocHost(&h, 4); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); sleep_for(3); if (h[0]) return;',
    'int *h, *d; cudaMallocHost(&h, 4); cudaMalloc(&d, 4); cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost); finish(); if (h[0]) return;',
    'host-buffer-used-before-sync',
  ],
];

async function rulesIn(before: string, body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}${before}\nvoid f(int *out, int n) { ${body} }\n`);
  return findings.map(({ rule }) => rule);
}

describe('memory of the host', () => {
  it.each(rows)('%s', async (_what, before, bad, good, rule) => {
    expect(await rulesIn(before, bad)).toContain(rule);
    expect(await rulesIn(before, good)).toEqual([]);
  });
});

describe('pointers that a function is given', () => {
  it.each([
    ['a helper frees it twice', 'drop(p); drop(p);', 'drop(p); drop(q);', 'malloc-double-free'],
    [
      'it is used behind a helper that frees it',
      'drop(p); fill<<<1, 1>>>(p);',
      'fill<<<1, 1>>>(p); drop(p);',
      'malloc-use-after-free',
    ],
    [
      'a copy of it is freed, too',
      'int *r = p; drop(r); cudaFree(p);',
      'int *r = p; p = q; drop(r); cudaFree(p);',
      'malloc-double-free',
    ],
  ])('%s', async (_what, bad, good, rule) => {
    const rules = async (body: string): Promise<readonly string[]> => {
      const { findings } = await analyseText(
        `${head}static void drop(void *x) { cudaFree(x); }\nvoid f(int *p, int *q) { ${body} }\n`,
      );
      return findings.map((finding) => finding.rule);
    };
    expect(await rules(bad)).toContain(rule);
    expect(await rules(good)).toEqual([]);
  });
});
