/** Two numbers that nobody knows, compared with each other twice: what the first answer leaves of the second. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const rules = async (text: string) => (await analyseText(text)).findings.map(({ rule }) => rule);

describe('what has been said of two numbers holds for their other comparisons', () => {
  it.each([
    ['more, and less', 'n > m', 'n < m'],
    ['the other way round', 'n > m', 'm > n'],
    ['not at most, and less', '!(n <= m)', 'n < m'],
    ['equal, and less', 'n == m', 'm < n'],
    ['with a number added to one of them', 'n + 1 > m', 'n + 3 < m'],
    ['with a number taken from the other', 'n < m - 4', 'm < n + 2'],
  ])('%s', async (_, first, second) => {
    const program = (again: string) => `#include <cuda_runtime.h>
void drop(int n, int m, float *p) { if (${first}) cudaFree(p); if (${again}) cudaFree(p); }`;
    expect(await rules(program(second))).toEqual([]);
    expect(await rules(program(`!(${second})`))).toEqual(['malloc-double-free']);
  });
});

it('a last part that is shorter than the others comes last', async () => {
  const program = (place: string) => `#include <cuda_runtime.h>
__global__ void scale(const float *x, float *z, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = x[i] * 2; }
int main(int count, char **texts) {
  int n = 1 << 20; if (count > 1) n = atoi(texts[1]);
  int part = n / 8, next = 0;
  float *h, *x, *z; cudaMallocHost(&h, n * sizeof(float)); cudaMalloc(&x, n * sizeof(float)); cudaMalloc(&z, n * sizeof(float));
  cudaStream_t streams[4]; for (int s = 0; s < 4; s++) cudaStreamCreate(&streams[s]);
  for (int at = 0; at < n; at += part) {
    int size = (at + part <= n) ? part : (n - at);
    cudaStream_t s = streams[next]; next = (next + 1) % 4;
    cudaMemcpyAsync(x + ${place}, h + at, size * sizeof(float), cudaMemcpyHostToDevice, s);
    scale<<<(size + 255) / 256, 256, 0, s>>>(x + ${place}, z + at, size);
    cudaMemcpyAsync(h + at, z + at, size * sizeof(float), cudaMemcpyDeviceToHost, s);
  }
  cudaDeviceSynchronize();
}`;
  expect(await rules(program('at'))).toEqual([]);
  expect(await rules(program('0'))).toContain('stream-conflicting-access');
});

it('a number is what it is, whatever it is', async () => {
  const program = (what: string) => `#include <cuda_runtime.h>
struct Layer { size_t most; bool fits(size_t n) { if (most == 0) { most = n; return true; } return n <= most; } };
void run(size_t n, float *p) { Layer layer{n}; cudaFree(p); if (${what}) cudaFree(p); }`;
  for (const wrong of ['layer.fits(n)', 'n == n', '!(n < n)', 'n - n == 0', 'n * 2 >= n * 2'])
    expect(await rules(program(wrong))).toEqual(['malloc-double-free']);
  for (const right of ['!layer.fits(n)', 'n != n', 'n > n', 'n - n > 0'])
    expect(await rules(program(right))).toEqual([]);
});

it('what is read twice may be two numbers, though it has one name', async () => {
  const program = (what: string) => `#include <cuda_runtime.h>
int get();
void run(float *p) { int last = 0; for (int i = 0; i < 2; i++) { int n = get(); if (n <= 0) return; if (i > 0 && ${what}) { cudaFree(p); } last = n; } cudaFree(p); }`;
  const certainties = async (what: string) =>
    (await analyseText(program(what))).findings.map(({ rule, certainty }) => `${rule} ${certainty}`);
  expect(await certainties('n == last')).not.toContain('malloc-double-free always');
  expect(await certainties('n == n')).toContain('malloc-double-free always');
});
