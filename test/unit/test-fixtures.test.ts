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

  const own = (fixture: string, test: string): string => `#include <cuda_runtime.h>
#include <gtest/gtest.h>
__global__ void k(float *p) { p[0] = 1.0f; }
${fixture}
${test}
`;
  const found = async (fixture: string, test: string): Promise<readonly string[]> =>
    (await analyseText(own(fixture, test))).findings.map(({ rule, severity }) => `${severity} ${rule}`);
  const unseen = `class Work : public Unseen { protected: Work() { cudaMalloc(&more, 64); } ~Work() { cudaFree(more); }
  void SetUp() override { Unseen::SetUp(); cudaStreamCreateWithFlags(&one, 1); cudaStreamCreateWithFlags(&two, 1); cudaMalloc(&data, 64); }
  void TearDown() override { cudaFree(data); cudaStreamDestroy(one); cudaStreamDestroy(two); Unseen::TearDown(); }
  cudaStream_t one{}, two{}; float *data{}, *more{}; };`;

  it.each([
    ['freed in the test and by TearDown', 'TEST_F(Work, Frees) { cudaFree(data); }', 'error malloc-double-free'],
    ['freed by the destructor, too', 'TEST_P(Work, Frees) { cudaFree(more); }', 'error malloc-double-free'],
    [
      'used in two streams that SetUp makes',
      'TEST_F(Work, Races) { k<<<1, 1, 0, one>>>(data); k<<<1, 1, 0, two>>>(data); cudaDeviceSynchronize(); }',
      'warning stream-conflicting-access',
    ],
  ])(
    'is run between what makes its fixture ready and what ends it, also where a base is not seen: %s',
    async (_what, test, expected) => {
      expect(await found(unseen, test)).toEqual([expected]);
    },
  );

  it.each([
    ['what is put back', 'TEST_F(Work, Frees) { cudaFree(data); data = nullptr; }'],
    [
      'what is ordered',
      'TEST_F(Work, Waits) { k<<<1, 1, 0, one>>>(data); cudaStreamSynchronize(one); k<<<1, 1, 0, two>>>(data); cudaStreamSynchronize(two); }',
    ],
  ])('finds nothing in a right one: %s', async (_what, test) => {
    expect(await found(unseen, test)).toEqual([]);
  });

  it('finds what the parts of a fixture do for one another', async () => {
    const base =
      'class Base : public ::testing::Test { protected: void SetUp() override { cudaMalloc(&data, 64); } float *data; };';
    const work = `${base}\nclass Work : public Base { protected: void TearDown() override { cudaFree(data); } };`;
    expect(await found(work, 'TEST_F(Work, Runs) { k<<<1, 1>>>(data); }')).toEqual([]);
    expect(await found(work, 'TEST_F(Work, Frees) { cudaFree(data); }')).toEqual(['error malloc-double-free']);
    const boost = 'struct Work { float *data; Work() { cudaMalloc(&data, 64); } ~Work() { cudaFree(data); } };';
    expect(await found(boost, 'BOOST_FIXTURE_TEST_CASE(Frees, Work) { cudaFree(data); }')).toEqual([
      'error malloc-double-free',
    ]);
  });

  it('is not run where SetUp leaves it out', async () => {
    const skipping = `class Work : public ::testing::Test { protected:
  void SetUp() override { int n = 0; cudaGetDeviceCount(&n); if (n < 2) { GTEST_SKIP() << "two are needed"; } cudaStreamCreate(&stream); cudaMalloc(&data, 64); }
  void TearDown() override { cudaFree(data); cudaStreamDestroy(stream); }
  cudaStream_t stream; float *data; };`;
    expect(await found(skipping, 'TEST_F(Work, Runs) { k<<<1, 1, 0, stream>>>(data); }')).toEqual([]);
    const always = skipping.replace('if (n < 2)', '');
    expect(await found(always, 'TEST_F(Work, Frees) { cudaFree(data); cudaFree(data); }')).toEqual([]);
  });

  it('says nothing of a fixture of which too little is seen', async () => {
    const elsewhere =
      'class Work : public ::testing::Test { protected: void SetUp() override; void TearDown() override; float *data = nullptr; cudaStream_t stream = nullptr; };';
    expect(
      await found(elsewhere, 'TEST_F(Work, Runs) { k<<<1, 1, 0, stream>>>(data); cudaFree(data); data = nullptr; }'),
    ).toEqual([]);
  });

  it('does not take a number below zero for what a global holds when a test runs', async () => {
    const global =
      'static int ranks = -1; struct Work : public ::testing::Test { void SetUp() override { cudaMalloc(&data, 64); } void TearDown() override { cudaFree(data); } char *data; };';
    const test =
      'TEST_F(Work, Runs) { int n = 4 / ranks; std::vector<char> host(n); cudaMemcpy(host.data(), data, n * sizeof(char), cudaMemcpyDeviceToHost); }';
    expect(await found(`#include <vector>\n${global}`, test)).toEqual([]);
  });
});
