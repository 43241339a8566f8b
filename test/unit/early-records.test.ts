/** Events that are recorded before the work that they are waited for: where it is said, and what comes of it. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
__global__ void put(float *p) { p[threadIdx.x] = 1; }
__global__ void get(const float *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }
static cudaStream_t s, t; static cudaEvent_t e, f; static float *p, *q;
static void begin() { cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEventCreate(&e); cudaEventCreate(&f); cudaMalloc(&q, 128); cudaMallocAsync((void **)&p, 128, s); }
`;

async function found(body: string): Promise<readonly string[]> {
  const text = `${head}int main() { begin(); ${body} cudaDeviceSynchronize(); }`;
  const { findings } = await analyseText(text);
  return findings.map(({ rule, severity, span }) => `${severity} ${rule} | ${text.slice(span.start, span.end)}`);
}

const put = 'put<<<1, 32, 0, s>>>(p);';
const record = 'cudaEventRecord(e, s);';
const wait = 'cudaStreamWaitEvent(t, e, 0);';
const get = 'get<<<1, 32, 0, t>>>(p, q)';
const free = 'cudaFreeAsync(p, t)';

describe('an event that is recorded too early', () => {
  it('is what is wrong where the memory is freed behind the wait, too', async () => {
    expect(await found(`${record} ${put} ${wait} ${get}; ${free};`)).toEqual([
      `error event-recorded-too-early | ${get}`,
    ]);
    expect(await found(`${put} ${record} ${wait} ${get}; ${free};`)).toEqual([]);
  });

  it('is a race of the free where nothing else behind the wait uses the memory', async () => {
    expect(await found(`${record} ${put} ${wait} ${free};`)).toEqual([
      'error async-use-free-race | put<<<1, 32, 0, s>>>(p)',
    ]);
  });

  it('hides no other mistake with the memory', async () => {
    const late = 'get<<<1, 32, 0, t>>>(p, q + 0)';
    const rules = await found(`${record} ${put} ${wait} ${get}; ${free}; ${late};`);
    expect(rules).toContain(`error async-use-after-free | ${late}`);
    expect(rules).toContain('error async-use-free-race | put<<<1, 32, 0, s>>>(p)');
  });
});
