/** Bodies of tests that see the members of a fixture, which is made ready before each of them. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (test: string): string => `#include <cuda_runtime.h>
#include <gtest/gtest.h>
__global__ void k(float *p) { p[0] = 1.0f; }
class Work : public ::testing::Test {
protected:
  void SetUp() override { cudaStreamCreate(&stream); cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking); cudaMalloc(&data, 64); }
  void TearDown() override { cudaFree(data); cudaStreamDestroy(stream); cudaStreamDestroy(other); }
  void work() { k<<<1, 1, 0, stream>>>(data); }
  cudaStream_t stream{}, other{};
  float *data{};
};
${test}
`;

const rules = async (test: string): Promise<readonly string[]> =>
  (await analyseText(program(test))).findings.map(({ rule }) => rule);

describe('a test in a fixture', () => {
  it.each([
    ['TEST_F(Work, Runs)', 'TEST_F(Work, Runs)'],
    ['BOOST_FIXTURE_TEST_CASE(Runs, Work)', 'BOOST_FIXTURE_TEST_CASE(Runs, Work)'],
  ])('knows its members and methods: %s', async (_what, head) => {
    expect(await rules(`${head} { work(); EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess); }`)).toEqual([]);
    expect(await rules(`${head} { cudaFree(data); work(); cudaStreamSynchronize(stream); }`)).toContain(
      'malloc-use-after-free',
    );
  });

  it('is no method that others call by its name', async () => {
    const own = 'void run(Work &w); TEST_F(Work, work) { cudaFree(data); data = nullptr; }';
    expect(await rules(`${own} TEST_F(Work, Twice) { work(); work(); cudaStreamSynchronize(stream); }`)).toEqual([]);
  });
});
