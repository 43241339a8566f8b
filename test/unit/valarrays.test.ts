/** `std::valarray`: as long as it says, its value before its length, gone with its scope. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <valarray>
__global__ void k(double *d) { d[threadIdx.x] *= 2; }
static double *d; static cudaStream_t s; static cudaGraph_t g; static cudaGraphExec_t x;
static void record(const std::valarray<double> &from) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(d, &from[0], from.size() * sizeof(double), cudaMemcpyHostToDevice, s);
  k<<<1, 16, 0, s>>>(d);
  cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&x, g, 0);
}`;

const begin = 'cudaStreamCreate(&s); cudaMalloc(&d, 16 * sizeof(double));';
const run = 'cudaGraphLaunch(x, s); cudaStreamSynchronize(s);';
const end = 'cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaFree(d); cudaStreamDestroy(s);';

describeRows('arrays of values', head, [
  [
    'gone before the launch',
    'baked-host-pointer-dead',
    '',
    `${begin} { std::valarray<double> a(0.5, 16); record(a); } ${run} ${end}`,
    `${begin} { std::valarray<double> a(0.5, 16); a += 2.0; record(a); ${run} } ${end}`,
  ],
  [
    'its length stands behind its value',
    'copy-out-of-range',
    '',
    `${begin} std::valarray<double> a(16.0, 32); record(a); ${run} ${end}`,
    `${begin} std::valarray<double> a(32.0, 16); record(a); ${run} ${end}`,
  ],
  [
    'its length alone, and a list',
    'copy-out-of-range',
    '',
    `${begin} std::valarray<double> a(17); record(a); ${run} ${end}`,
    `${begin} std::valarray<double> a(8), b{1.0, 2.0}; cudaMemcpy(d, &b[0], b.size() * sizeof(double), cudaMemcpyHostToDevice); record(a); ${run} ${end}`,
  ],
]);
