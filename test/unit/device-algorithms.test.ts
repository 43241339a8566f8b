/** What algorithms of CUB read and write, and launches behind a warm-up that was waited for. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cub/cub.cuh>
__global__ void fill(float *p) { p[0] = 1; }
static float *in, *out, *flags, h; static int *count; static void *room; static size_t bytes;
static cudaStream_t s, t;
static void begin() { cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaMalloc(&in, 400); cudaMalloc(&out, 400); cudaMalloc(&flags, 400); cudaMalloc(&count, 4); cudaMalloc(&room, 4096); bytes = 4096; }
`;
const race = 'stream-conflicting-access';

async function found(body: string): Promise<readonly string[]> {
  const text = `${head}int main() { begin(); ${body} }`;
  return (await analyseText(text)).findings.map(({ rule, span }) => `${rule} | ${text.slice(span.start, span.end)}`);
}

describe('algorithms of CUB', () => {
  const read = 'cudaMemcpyAsync(&h, out, 4, cudaMemcpyDeviceToHost, t)';
  const write = 'fill<<<1, 1, 0, t>>>(in)';

  it.each([
    ['a sum is read too early', 'cub::DeviceReduce::Sum(room, bytes, in, out, 100, s)', read],
    ['a scan is read too early', 'cub::DeviceScan::ExclusiveSum(room, bytes, in, out, 100, s)', read],
    ['a selection is read too early', 'cub::DeviceSelect::Flagged(room, bytes, in, flags, out, count, 100, s)', read],
    ['what is sorted is overwritten', 'cub::DeviceRadixSort::SortKeys(room, bytes, in, out, 100, 0, 32, s)', write],
    [
      'a workspace that is used twice',
      'cub::DeviceReduce::Max(room, bytes, in, out, 100, s)',
      'cudaMemsetAsync(room, 0, 8, t)',
    ],
  ])('%s', async (_what, work, use) => {
    expect(await found(`${work}; ${use};`)).toEqual([`${race} | ${use}`]);
    expect(await found(`${work}; cudaStreamSynchronize(s); ${use};`)).toEqual([]);
  });

  it('only ask for a size without a workspace', async () => {
    expect(await found(`cub::DeviceReduce::Sum(nullptr, bytes, in, out, 100, s); ${read};`)).toEqual([]);
  });

  it('nothing is known of those with an environment', async () => {
    expect(await found(`auto env = environment(); cub::DeviceReduce::Sum(in, out, 100, env); ${read};`)).toEqual([]);
  });
});

describe('a launch behind a warm-up', () => {
  const text = (
    wait: string,
  ): string => `cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    fill<<<1, 1, 0, s>>>(out); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0);
    for (int i = 0; i < 20; i++) cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    for (int i = 0; i < 100; i++) cudaGraphLaunch(e, s);
    ${wait} cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost);`;

  it('races with what does not wait for it', async () => {
    expect(await found(text(''))).toEqual([`${race} | cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost)`]);
    expect(await found(text('cudaStreamSynchronize(s);'))).toEqual([]);
  });

  it('is not called one whose event was recorded too early, where the host has waited for that event', async () => {
    const before = `cudaEvent_t e; cudaEventCreate(&e); fill<<<1, 1, 0, s>>>(in); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0);`;
    const after = 'fill<<<1, 1, 0, s>>>(out); fill<<<1, 1, 0, t>>>(out);';
    expect(await found(`${before} ${after}`)).toEqual(['event-recorded-too-early | fill<<<1, 1, 0, t>>>(out)']);
    const copy = 'cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost)';
    expect(await found(`${before} cudaStreamSynchronize(t); fill<<<1, 1, 0, s>>>(out); ${copy};`)).toEqual([
      `${race} | ${copy}`,
    ]);
  });
});
