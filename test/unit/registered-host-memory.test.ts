/** Memory of the host that is registered with CUDA: kernels work on it in place, and the host reads it in other ways than by an index. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
#include <vector>
__global__ void fill(float *p) { p[threadIdx.x] = 1.0f; }
__global__ void total(const float *p, float *out) { out[0] = p[threadIdx.x]; }`;

const copied =
  'cudaStream_t s; cudaStreamCreate(&s); std::vector<float> f(64); cudaHostRegister(f.data(), 256, 0); float *d; cudaMalloc(&d, 256); float t = 0; cudaMemcpyAsync(f.data(), d, 256, cudaMemcpyDeviceToHost, s);';
const uploaded = copied.replace('f.data(), d, 256, cudaMemcpyDeviceToHost', 'd, f.data(), 256, cudaMemcpyHostToDevice');
const mapped =
  'cudaStream_t s; cudaStreamCreate(&s); float *h = (float *)malloc(256); cudaHostRegister(h, 256, cudaHostRegisterMapped); float *d, *o; cudaHostGetDevicePointer((void **)&d, h, 0); cudaMalloc(&o, 256);';
const wait = 'cudaStreamSynchronize(s);';
const early = 'host-buffer-used-before-sync';

const readings: readonly (readonly [string, string])[] = [
  ['loop over its values', 'for (float each : f) t += each;'],
  ['loop over references', 'for (const auto &each : f) t += each;'],
  ['front', 't = f.front();'],
  ['back', 't = f.back();'],
  ['at', 't = f.at(0);'],
  ['all given a value', 'f.assign(64, 3.0f);'],
];

const rows: readonly Row[] = [
  ...readings.map(([what, text]): Row => [what, early, '', `${copied} ${text} ${wait}`, `${copied} ${wait} ${text}`]),
  [
    'elements assigned in a loop',
    early,
    '',
    `${uploaded} for (auto &each : f) each = 2; ${wait}`,
    `${uploaded} for (auto &each : f) t += each; ${wait} for (auto &each : f) each = 2;`,
  ],
  [
    'read while a kernel writes it',
    early,
    '',
    `${mapped} fill<<<1, 64, 0, s>>>(d); float first = h[0]; ${wait}`,
    `${mapped} fill<<<1, 64, 0, s>>>(d); ${wait} float first = h[0];`,
  ],
  [
    'written while a kernel reads it',
    early,
    '',
    `${mapped} total<<<1, 64, 0, s>>>(d, o); h[0] = 2; ${wait}`,
    `${mapped} total<<<1, 64, 0, s>>>(d, o); float first = h[0]; ${wait} h[0] = 2;`,
  ],
  [
    'freed while a kernel writes it',
    'host-buffer-freed-in-flight',
    '',
    `${mapped} fill<<<1, 64, 0, s>>>(d); free(h); ${wait} cudaFree(o);`,
    `${mapped} fill<<<1, 64, 0, s>>>(d); ${wait} cudaHostUnregister(h); free(h); cudaFree(o);`,
  ],
  [
    'freed while a graph writes it',
    'host-buffer-freed-in-flight',
    'cudaGraphExec_t captured(float *d, cudaStream_t s) { cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); fill<<<1, 64, 0, s>>>(d); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphDestroy(g); return e; }',
    `${mapped} cudaGraphExec_t e = captured(d, s); cudaGraphLaunch(e, s); free(h); ${wait} cudaFree(o);`,
    `${mapped} cudaGraphExec_t e = captured(d, s); cudaGraphLaunch(e, s); ${wait} free(h); cudaFree(o);`,
  ],
];

describeRows('registered memory of the host', head, rows);

const both =
  'cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); float *d, *o; cudaMalloc(&d, 512); cudaMalloc(&o, 512);';
const array = `${both} std::vector<float> f(128); cudaHostRegister(f.data(), 512, cudaHostRegisterMapped);`;
const block = `${both} float *h = (float *)malloc(512), *m; cudaHostRegister(h, 512, cudaHostRegisterMapped); cudaHostGetDevicePointer((void **)&m, h, 0);`;
const done = 'cudaDeviceSynchronize(); cudaFree(d); cudaFree(o);';
const race = 'stream-conflicting-access';
const inTwoStreams = (what: string, begin: string, first: string, second: (stream: string) => string): Row => [
  what,
  race,
  '',
  `${begin} ${first} ${second('t')} ${done}`,
  `${begin} ${first} ${second('s')} ${done}`,
];

describeRows('registered memory of the host between streams', head, [
  inTwoStreams(
    'a copy reads what another one writes',
    array,
    'cudaMemcpyAsync(f.data(), d, 512, cudaMemcpyDeviceToHost, s);',
    (stream) => `cudaMemcpyAsync(o, f.data(), 512, cudaMemcpyHostToDevice, ${stream});`,
  ),
  inTwoStreams(
    'a kernel reads what another one writes',
    block,
    'fill<<<1, 64, 0, s>>>(m);',
    (stream) => `total<<<1, 64, 0, ${stream}>>>(h, o);`,
  ),
  inTwoStreams(
    'a copy writes what a kernel writes',
    block,
    'fill<<<1, 64, 0, s>>>(m);',
    (stream) => `cudaMemcpyAsync(h, d, 512, cudaMemcpyDeviceToHost, ${stream});`,
  ),
  [
    'parts that overlap, and parts that do not',
    race,
    '',
    `${array} cudaMemcpyAsync(f.data(), d, 256, cudaMemcpyDeviceToHost, s); cudaMemcpyAsync(f.data() + 32, d, 256, cudaMemcpyDeviceToHost, t); ${done}`,
    `${array} cudaMemcpyAsync(f.data(), d, 256, cudaMemcpyDeviceToHost, s); cudaMemcpyAsync(f.data() + 64, d, 256, cudaMemcpyDeviceToHost, t); ${done}`,
  ],
  [
    'kernels on two halves',
    '',
    'template <class T> __global__ void part(T *p, int from) { p[from + threadIdx.x] = 1; }',
    '',
    `${block} part<<<1, 64, 0, s>>>(m, 0); part<<<1, 64, 0, t>>>(m, 64); ${done}`,
  ],
  [
    'in steps of something else than it was made of',
    '',
    '',
    '',
    `${array} cudaMemcpyAsync(f.data(), d, 256, cudaMemcpyDeviceToHost, s); cudaMemcpyAsync((char *)f.data() + 256, d, 256, cudaMemcpyDeviceToHost, t); ${done}`,
  ],
  [
    'members of one object',
    '',
    'struct Both { float first[32]; float second[32]; };',
    '',
    `${both} Both b; cudaHostRegister(&b, sizeof b, 0); cudaMemcpyAsync(b.first, d, 128, cudaMemcpyDeviceToHost, s); cudaMemcpyAsync(b.second, d, 128, cudaMemcpyDeviceToHost, t); ${done}`,
  ],
  [
    'not registered, so that the copy is over when the call returns',
    '',
    '',
    '',
    `${both} std::vector<float> f(128); cudaMemcpyAsync(f.data(), d, 512, cudaMemcpyDeviceToHost, s); cudaMemcpyAsync(o, f.data(), 512, cudaMemcpyHostToDevice, t); ${done}`,
  ],
]);
