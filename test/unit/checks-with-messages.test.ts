/** `ASSERT_EQ(call, cudaSuccess) << text(call)`: what is said where a check fails, and what a check looks at. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = '#include <cuda_runtime.h>\n#include <gtest/gtest.h>\n';

const said = async (text: string) => {
  const { findings, gaps } = await analyseText(head + text);
  return { rules: findings.map(({ rule }) => rule), gaps: gaps.map(({ name }) => name) };
};

describe('what stands behind a check of a library is not run where it holds', () => {
  it.each([
    'ASSERT_EQ(e, cudaSuccess)',
    'EXPECT_EQ(cudaSuccess, e)',
    'EXPECT_TRUE((e) == cudaSuccess)',
    'CHECK_EQ(e, cudaSuccess)',
  ])('%s', async (check) => {
    const macro = `#define TEST_CUDA(e) ${check} << "failed: " << cudaGetErrorString(e)\n`;
    const test = (frees: string) => `${macro}TEST(Buffers, Free) { float *p; TEST_CUDA(cudaMalloc(&p, 64)); ${frees} }`;
    expect(await said(test('TEST_CUDA(cudaFree(p));'))).toEqual({ rules: [], gaps: [] });
    expect((await said(test('TEST_CUDA(cudaFree(p)); TEST_CUDA(cudaFree(p));'))).rules).toEqual(['malloc-double-free']);
  });

  it('but is where a macro of the program has that name, or the text is what is asked for', async () => {
    const own = '#define CHECK(x) ((x), std::cerr)\n';
    expect((await said(`${own}void f(float *p) { CHECK(cudaFree(p)) << cudaFree(p); }`)).rules).toEqual([
      'malloc-double-free',
    ]);
    expect((await said('void f(float *p) { std::cerr << cudaFree(p) << cudaFree(p); }')).rules).toEqual([
      'malloc-double-free',
    ]);
  });
});

it('a check that compares an address is understood, and keeps nothing', async () => {
  const test = (end: string) =>
    `TEST(Buffers, Are) { float *p; cudaMalloc(&p, 64); ASSERT_NE(p, nullptr) << "none"; ${end} }`;
  expect(await said(test('cudaFree(p);'))).toEqual({ rules: [], gaps: [] });
  expect((await said(test('cudaFree(p); cudaFree(p);'))).rules).toEqual(['malloc-double-free']);
});
