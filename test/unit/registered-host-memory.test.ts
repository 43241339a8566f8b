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
