/**
 * Memory of the program's own that graphs copy: variables, members, arrays, vectors, what `malloc` and `new` give. A launch does
 * not wait for its copies; a copy in a stream, outside of a graph, waits by itself unless the memory is pinned.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>
__global__ void work(float *p) { p[0] = 1; }
struct State { float sum; float other; };
static cudaStream_t s; static float *d; static cudaGraph_t g; static cudaGraphExec_t e;
static void ready() { cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); }
static void begin() { cudaStreamCreate(&s); cudaMalloc(&d, 64); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); work<<<1, 1, 0, s>>>(d); }
static void copy(void *to, size_t bytes) { cudaMemcpyAsync(to, d, bytes, cudaMemcpyDeviceToHost, s); }
static void into(float &h) { cudaMemcpyAsync(&h, d, 4, cudaMemcpyDeviceToHost, s); }
static float twice(const float &x) { return 2 * x; }
void keep(float &x);
extern "C" int MPI_Allreduce(const void *, void *, int, int, int, int);
`;

const early = 'host-buffer-used-before-sync';
const inFlight = 'host-buffer-freed-in-flight';
const gone = 'baked-host-pointer-dead';
const wait = 'cudaStreamSynchronize(s);';
const launch = 'cudaGraphLaunch(e, s);';

/** What it is; the rule that `bad` breaks, and the text there; the two bodies of `main`. */
type Row = readonly [what: string, finding: string, bad: string, good: string];

/** What the graph copies to, and how the host reads that. */
function read(declared: string, to: string, bytes: number, use: string): readonly [bad: string, good: string] {
  const before = `${declared} begin(); copy(${to}, ${bytes}); ready(); ${launch}`;
  return [`${before} ${use}`, `${before} ${wait} ${use}`];
}

const readRows: readonly Row[] = [
  ['a plain variable', `${early} | h`, ...read('float h = 0;', '&h', 4, 'printf("%f", h);')],
  ['a condition over it', `${early} | h`, ...read('float h = 0;', '&h', 4, 'if (h > 1) return 1;')],
  ['what it is copied into', `${early} | h`, ...read('float h = 0;', '&h', 4, 'float mine = h; printf("%f", mine);')],
  ['what it is added to', `${early} | h`, ...read('float h = 0, all = 0;', '&h', 4, 'all += h;')],
  ['through a pointer', `${early} | *p`, ...read('float h = 0; float *p = &h;', 'p', 4, 'printf("%f", *p);')],
  ['in a function that takes a reference', `${early} | x`, ...read('float h = 0;', '&h', 4, 'printf("%f", twice(h));')],
  ['a member', `${early} | w.sum`, ...read('State w;', '&w.sum', 4, 'printf("%f", w.sum);')],
  ['a member of a whole object', `${early} | w.other`, ...read('State w;', '&w', 8, 'printf("%f", w.other);')],
  ['an element of an array', `${early} | a[1]`, ...read('float a[4];', 'a', 16, 'printf("%f", a[1]);')],
  ['a vector', `${early} | v[0]`, ...read('std::vector<float> v(4);', 'v.data()', 16, 'printf("%f", v[0]);')],
  ['what malloc gave', `${early} | m[0]`, ...read('float *m = (float *)malloc(16);', 'm', 16, 'printf("%f", m[0]);')],
  ['what new gave', `${early} | m[3]`, ...read('float *m = new float[4];', 'm', 16, 'printf("%f", m[3]);')],
  ['memcpy', `${early} | h`, ...read('float h[4], mine[4];', 'h', 16, 'memcpy(mine, h, 16); printf("%f", mine[0]);')],
  ['an algorithm', `${early} | h`, ...read('float h[4];', 'h', 16, 'float sum = std::accumulate(h, h + 4, 0.0f);')],
  ['MPI', `${early} | h`, ...read('float h[4], all[4];', 'h', 16, 'MPI_Allreduce(h, all, 4, 0, 0, 0);')],
];

function direct(to: string, bytes: number): string {
  return `cudaMemcpyAsync(${to}, d, ${bytes}, cudaMemcpyDeviceToHost, s)`;
}

const otherRows: readonly Row[] = [
  [
    'a source that is overwritten',
    `${early} | h`,
    `float h = 0; begin(); cudaMemcpyAsync(d, &h, 4, cudaMemcpyHostToDevice, s); ready(); for (int i = 0; i < 3; i++) { h = i; ${launch} } ${wait}`,
    `float h = 0; begin(); cudaMemcpyAsync(d, &h, 4, cudaMemcpyHostToDevice, s); ready(); for (int i = 0; i < 3; i++) { h = i; ${launch} ${wait} }`,
  ],
  [
    'a node that was added by hand',
    `${early} | h`,
    `float h = 0; cudaStreamCreate(&s); cudaMalloc(&d, 64); cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, &h, d, 4, cudaMemcpyDeviceToHost);
     cudaGraphInstantiate(&e, g, 0); ${launch} if (h > 1) return 1;`,
    `float h = 0; cudaStreamCreate(&s); cudaMalloc(&d, 64); cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, &h, d, 4, cudaMemcpyDeviceToHost);
     cudaGraphInstantiate(&e, g, 0); ${launch} ${wait} if (h > 1) return 1;`,
  ],
  [
    'a plain variable whose scope ends before the launch',
    `${gone} | ${direct('&h', 4)}`,
    `begin(); { float h; ${direct('&h', 4)}; } ready(); ${launch} ${wait}`,
    `float h; begin(); { ${direct('&h', 4)}; } ready(); ${launch} ${wait}`,
  ],
  [
    'memory that is freed before the launch',
    `${gone} | ${direct('m', 16)}`,
    `float *m = (float *)malloc(16); begin(); ${direct('m', 16)}; ready(); free(m); ${launch} ${wait}`,
    `float *m = (float *)malloc(16); begin(); ${direct('m', 16)}; ready(); ${launch} ${wait} free(m);`,
  ],
  [
    'memory that is deleted while the launch runs',
    `${inFlight} | cudaGraphLaunch(e, s)`,
    `float *m = new float[4]; begin(); copy(m, 16); ready(); ${launch} delete[] m; ${wait}`,
    `float *m = new float[4]; begin(); copy(m, 16); ready(); ${launch} ${wait} delete[] m;`,
  ],
  [
    'pinned memory that MPI reads',
    `${early} | h`,
    'float *h, all[4]; cudaMallocHost(&h, 16); cudaStreamCreate(&s); cudaMalloc(&d, 64); copy(h, 16); MPI_Allreduce(h, all, 4, 0, 0, 0);',
    `float *h, all[4]; cudaMallocHost(&h, 16); cudaStreamCreate(&s); cudaMalloc(&d, 64); copy(h, 16); ${wait} MPI_Allreduce(h, all, 4, 0, 0, 0);`,
  ],
];

async function findings(body: string): Promise<readonly string[]> {
  const text = `${head}int main() { ${body} }`;
  return (await analyseText(text)).findings.map(({ rule, span }) => `${rule} | ${text.slice(span.start, span.end)}`);
}

describe('the host reads what a launch copies', () => {
  it.each(readRows)('%s', async (_what, finding, bad, good) => {
    expect(await findings(bad)).toEqual([finding]);
    expect(await findings(good)).toEqual([]);
  });
});

describe('memory of the host and launches', () => {
  it.each(otherRows)('%s', async (_what, finding, bad, good) => {
    expect(await findings(bad)).toEqual([finding]);
    expect(await findings(good)).toEqual([]);
  });
});

describe('nothing is said', () => {
  const begun = 'State w; float h = 0, a[4]; begin(); copy(&h, 4); copy(&w.sum, 4); copy(a, 8); ready();';
  it.each([
    ['of an address', `${begun} ${launch} float *p = &h; ${wait} printf("%f", *p);`],
    ['of a reference', `${begun} ${launch} float &r = h; keep(h); ${wait} printf("%f", r);`],
    ['of another member, another element', `${begun} ${launch} printf("%f %f", w.other, a[2]); ${wait}`],
    ['of sizeof', `${begun} ${launch} printf("%zu", sizeof(h)); ${wait}`],
    ['before the launch', `${begun} printf("%f", h); ${launch} ${wait}`],
    [
      'of a copy in a stream, which waits by itself',
      'float h = 0, a[4]; cudaStreamCreate(&s); cudaMalloc(&d, 64); copy(&h, 4); copy(a, 16); printf("%f %f", h, a[0]);',
    ],
    ['of a variable that a function was given by reference', `float h; begin(); into(h); ready(); ${launch} ${wait}`],
    ['behind something that nobody sees', `${begun} ${launch} keep(a[3]); printf("%f", h);`],
  ])('%s', async (_what, body) => {
    expect(await findings(body)).toEqual([]);
  });
});
