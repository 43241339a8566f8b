/** What tests are run with, when that is what somebody edits: results that are kept hang on it. */

import { expect, it } from 'vitest';
import { testEngine } from '../support/engine.ts';

const head = '#include <cuda_runtime.h>\n';

it.each<[what: string, program: (edited: string) => string, wrong: string, right: string]>([
  [
    'the types of a typed test',
    (types) => `using Numbers = ::testing::Types<${types}>;
template <class T> class Work : public ::testing::Test { protected: void SetUp() override { cudaMalloc(&p, 8); } void TearDown() override { cudaFree(p); } T *p{}; };
TYPED_TEST_SUITE(Work, Numbers);
TYPED_TEST(Work, Frees) { if (sizeof(TypeParam) == 4) cudaFree(this->p); }`,
    'int',
    'double',
  ],
  [
    'the values of a test',
    (
      values,
    ) => `class Work : public ::testing::TestWithParam<int> { protected: void SetUp() override { cudaMalloc(&p, 4); } void TearDown() override { cudaFree(p); } int *p{}; };
TEST_P(Work, Frees) { if (GetParam() == 4) cudaFree(p); }
INSTANTIATE_TEST_SUITE_P(All, Work, testing::Values(${values}));`,
    '4',
    '5',
  ],
  [
    'the fixture of a suite',
    (fixture) => `struct One { float *p{}; One() { cudaMalloc(&p, 4); } ~One() { cudaFree(p); } };
struct Two { float *p{}; Two() { cudaMalloc(&p, 4); } };
BOOST_FIXTURE_TEST_SUITE(work, ${fixture})
BOOST_AUTO_TEST_CASE(frees) { cudaFree(p); }
BOOST_AUTO_TEST_SUITE_END()`,
    'One',
    'Two',
  ],
  [
    'what an environment does',
    (
      end,
    ) => `struct Env : ::testing::Environment { static inline int *p; void SetUp() override { cudaMalloc(&p, 4); } void TearDown() override { ${end} } };
TEST(Work, Frees) { cudaFree(Env::p); }`,
    'cudaFree(p);',
    '',
  ],
  [
    'the type of a benchmark',
    (
      type,
    ) => `template <class T> void f(benchmark::State &state) { T *q; cudaMalloc(&q, 8); if (sizeof(T) == 8) cudaFree(q); cudaFree(q); }
BENCHMARK_TEMPLATE(f, ${type});`,
    'double',
    'float',
  ],
])('%s', async (_what, program, wrong, right) => {
  const engine = await testEngine();
  const rules = (edited: string): readonly string[] =>
    engine
      .analyse({ file: 'edited.cu', text: head + program(edited), language: 'cuda' })
      .findings.map(({ rule }) => rule);
  for (const round of [1, 2]) {
    expect([round, ...rules(wrong)]).toEqual([round, 'malloc-double-free']);
    expect([round, ...rules(right)]).toEqual([round]);
  }
});
