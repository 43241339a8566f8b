/** What an ordinary run, without arguments on the command line, does not come to: an argument says how often, or whether at all. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (join: string): string => `#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
__global__ void work() {}
static cudaStream_t streams[8];
static cudaEvent_t done;
static cudaGraph_t build(int length, int width) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  cudaEventRecord(done, streams[0]);
  for (int i = 1; i < width; i++) cudaStreamWaitEvent(streams[i], done);
  for (int i = 0; i < width; i++)
    for (int j = 0; j < length; j++) work<<<1, 1, 0, streams[i]>>>();
  for (int i = 1; i < width; i++) { cudaEventRecord(done, streams[i]); ${join} }
  cudaStreamEndCapture(streams[0], &graph);
  return graph;
}
int main(int argc, char **argv) {
  int format = 3, trials = 1, length = 20, width = 1, pattern = 0, stride = 1;
  if (argc > 1) format = atoi(argv[1]);
  if (argc > 2) trials = atoi(argv[2]);
  if (argc > 3) length = atoi(argv[3]);
  if (argc > 4) width = atoi(argv[4]);
  if (argc > 5) pattern = atoi(argv[5]);
  if (argc > 6) stride = atoi(argv[6]);
  if (format == 0 || format > 5 || pattern > 1 || stride < 1 || width < 1) return 0;
  for (int i = 0; i < width; i++) cudaStreamCreate(&streams[i]);
  cudaEventCreate(&done);
  for (int i = 0; i < trials; i++) { cudaGraph_t graph = build(length, width); cudaGraphDestroy(graph); }
  for (int i = 0; i < width; i++) cudaStreamDestroy(streams[i]);
  cudaEventDestroy(done);
}
`;

const rulesIn = async (text: string): Promise<readonly string[]> =>
  (await analyseText(text)).findings.map(({ rule }) => rule);

it('a number that the fifth of six arguments gives is looked at', async () => {
  expect(await rulesIn(program(''))).toContain('capture-unjoined');
  expect(await rulesIn(program('cudaStreamWaitEvent(streams[0], done);'))).toEqual([]);
});

/** Eight choices of numbers, and among them one that says whether memory is freed early. */
const switches = (argument: number, what: string): string => `#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void work(float *p) { p[0] = 1; }
int main(int argc, char **argv) {
  int a = 1, b = 2, c = 3, d = 4, early = 0;
  if (argc > 1) a = atoi(argv[1]);
  if (getenv("B")) b = 5;
  if (getenv("C")) c = 5;
  if (getenv("D")) d = 5;
  if (getenv("EARLY") || argc > ${argument}) early = 1;
  float *p; cudaMalloc(&p, 4);
  work<<<1, 1>>>(p); printf("%d %d %d %d\\n", a, b, c, d);
  cudaDeviceSynchronize();
  if (early) ${what}
  cudaFree(p);
}
`;

describe('a switch that an ordinary run leaves off', () => {
  it.each([2, 3])('is turned on where calls hang on it that no run has made', async (argument) => {
    expect(await rulesIn(switches(argument, 'cudaFree(p);'))).toContain('malloc-double-free');
    expect(await rulesIn(switches(argument, '{ cudaFree(p); return 0; }'))).toEqual([]);
  });
});

/** A check of two numbers at once, and a loop over one of them. */
const checked = (check: string): string => `#include <cuda_runtime.h>
#include <cstdlib>
static cudaStream_t streams[16];
int main(int argc, char **argv) {
  int a = atoi(argv[1]), n = atoi(argv[2]);
  ${check}
  cudaGraph_t graph;
  for (int i = 0; i < n; i++) cudaStreamCreate(&streams[i]);
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(streams[0], &graph);
}
`;

it('what several checks in one say of a number holds behind it', async () => {
  expect(await rulesIn(checked('if (a == 0 || n < 1) return 0;'))).toEqual([]);
  expect(await rulesIn(checked('if (!(a > 0 && !(n < 1))) return 0;'))).toEqual([]);
  expect(await rulesIn(checked('if (a == 0 || a < 1) return 0;'))).toEqual(['capture-begin-legacy']);
});
