/** Tests and benchmarks as libraries have them written: fixtures by other macros, values and types they are run with, suites, what they leave. */

import { describe, expect, it } from 'vitest';
import { graphDocument } from '../../src/scene/graph-document.ts';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <tuple>
__global__ void k(float *p) { p[0] = 1.0f; }
`;

const found = async (text: string): Promise<readonly string[]> =>
  (await analyseText(head + text)).findings
    .filter(({ severity }) => severity !== 'hint')
    .map(({ rule, severity }) => `${severity} ${rule}`);

const gaps = async (text: string): Promise<readonly string[]> =>
  (await analyseText(head + text)).gaps.map(({ kind, name }) => `${kind} ${name}`);

const members = 'cudaStream_t one{}, two{}; float *p{};';
const ready = 'cudaStreamCreateWithFlags(&one, 1); cudaStreamCreateWithFlags(&two, 1); cudaMalloc(&p, 64);';
const over = 'cudaStreamDestroy(one); cudaStreamDestroy(two); cudaFree(p);';
const races = 'k<<<1, 1, 0, one>>>(p); k<<<1, 1, 0, two>>>(p); cudaDeviceSynchronize();';
const waits = 'k<<<1, 1, 0, one>>>(p); cudaStreamSynchronize(one); k<<<1, 1, 0, two>>>(p); cudaDeviceSynchronize();';
const race = 'warning stream-conflicting-access';
const byConstructor = `namespace lib { class Work { protected: Work() { ${ready} } ~Work() { ${over} } ${members} }; }`;
const byState = `class Work : public benchmark::Fixture { public: void SetUp(benchmark::State &state) override { ${ready} }
  void TearDown(benchmark::State &) override { ${over} } ${members} };`;

describe('a fixture', () => {
  it.each([
    ['Catch2', byConstructor, 'TEST_CASE_METHOD(lib::Work, "two streams write", "[streams][slow]")'],
    ['doctest', byConstructor, 'TEST_CASE_FIXTURE(lib::Work, "2 streams write")'],
    ['google-benchmark', byState, 'BENCHMARK_F(Work, Writes)(benchmark::State &state)'],
    ['google-benchmark, registered later', byState, 'BENCHMARK_DEFINE_F(Work, Writes)(benchmark::State &state)'],
  ])('of %s is made around the test', async (_library, fixture, test) => {
    expect(await found(`${fixture}\n${test} { ${races} }`)).toEqual([race]);
    expect(await found(`${fixture}\n${test} { ${waits} }`)).toEqual([]);
    expect(await found(`${fixture}\n${test} { cudaFree(p); }`)).toEqual(['error malloc-double-free']);
  });

  it('has a body that goes by what it measures', async () => {
    const test = (body: string): string =>
      `${byState}\nBENCHMARK_F(Work, Frees)(benchmark::State &state) { for (auto _ : state) { ${body} } }`;
    expect(await found(test('float *q; cudaMalloc(&q, state.range(0)); cudaFree(q); cudaFree(q);'))).toEqual([
      'error malloc-double-free',
    ]);
    expect(await found(test('float *q; cudaMalloc(&q, state.range(0)); cudaFree(q);'))).toEqual([]);
  });

  it('is seen in a suite that is a block', async () => {
    const suite = (body: string): string =>
      `${byConstructor}\nTEST_SUITE("streams") { TEST_CASE_FIXTURE(lib::Work, "writes") { ${body} } TEST_CASE("nothing") { float *q; cudaMalloc(&q, 4); cudaFree(q); } }`;
    expect(await found(suite(races))).toEqual([race]);
    expect(await found(suite(waits))).toEqual([]);
  });

  it('is made ready by its suite, once', async () => {
    const suite = `class Work : public ::testing::Test { protected:
  static void SetUpTestSuite() { ${ready} }
  static void TearDownTestSuite() { ${over} }
  static inline cudaStream_t one{}, two{}; static inline float *p{}; };`;
    expect(await found(`${suite}\nTEST_F(Work, Races) { ${races} }`)).toEqual([race]);
    expect(await found(`${suite}\nTEST_F(Work, Waits) { ${waits} }`)).toEqual([]);
    expect(await found(`${suite}\nTEST_F(Work, Frees) { cudaFree(p); }`)).toEqual(['error malloc-double-free']);
  });
});

describe('an environment', () => {
  const environment = `class Device final : public ::testing::Environment { public: Device() { instance = this; }
  void SetUp() override { ${ready} } void TearDown() override { ${over} } ${members} static inline Device *instance = nullptr; };
static ::testing::Environment *const registered = ::testing::AddGlobalTestEnvironment(new Device);`;
  const test = (body: string): string =>
    `${environment}\nTEST(Streams, Run) { Device &device = *Device::instance; auto one = device.one, two = device.two; float *p = device.p; ${body} }`;

  it('is made ready in front of each test', async () => {
    expect(await found(test(races))).toEqual([race]);
    expect(await found(test(waits))).toEqual([]);
    expect(await found(test('cudaFree(p);'))).toEqual(['error malloc-double-free']);
  });
});

describe('tests that are lambdas', () => {
  const twice = '[] { float *q; cudaMalloc(&q, 4); cudaFree(q); cudaFree(q); }';
  const once = '[] { float *q; cudaMalloc(&q, 4); cudaFree(q); }';

  it.each([
    ['given to a text', (test: string) => `int main() { "frees"_test = ${test}; }`],
    ['given to what a function gave', (test: string) => `int main() { should("free") = ${test}; }`],
    ['in a suite', (test: string) => `const suite<"memory"> memory = [] { "frees"_test = ${test}; }; int main() {}`],
  ])('are run: %s', async (_what, program) => {
    expect(await found(program(twice))).toEqual(['error malloc-double-free']);
    expect(await found(program(once))).toEqual([]);
  });

  it.each([
    [
      'an operator of the program that keeps it',
      `struct Kept { template <class F> void operator=(F) {} }; Kept operator""_test(const char *, unsigned long) { return {}; } int main() { "frees"_test = ${twice}; }`,
    ],
    ['a variable that others ask', `Callback later = ${twice}; void use() { later(); } int main() {}`],
  ])('are not run by %s', async (_what, program) => {
    expect((await found(program)).filter((each) => each.startsWith('error'))).toEqual([]);
  });
});

describe('a suite of Boost.Test', () => {
  const buffers = `struct Base { ${members} Base() { ${ready} } ~Base() { ${over} } }; struct Work : Base {};`;
  const suite = (body: string): string =>
    `${buffers}\nBOOST_AUTO_TEST_CASE(before) { int p = 1; (void)p; }\nBOOST_FIXTURE_TEST_SUITE(work, Work)\nBOOST_AUTO_TEST_CASE(first) { ${waits} }
BOOST_AUTO_TEST_SUITE(inner)\nBOOST_AUTO_TEST_CASE(second) { ${body} }\nBOOST_AUTO_TEST_SUITE_END()\nBOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_CASE(behind) { float *p; cudaMalloc(&p, 4); cudaFree(p); }`;

  it('gives its tests a fixture, down to its end', async () => {
    expect(await found(suite(races))).toEqual([race]);
    expect(await found(suite(waits))).toEqual([]);
    expect(await found(suite('cudaFree(p);'))).toEqual(['error malloc-double-free']);
  });
});

describe('a benchmark that is registered', () => {
  const work = `template <class T> void work(benchmark::State &state) { T *q; cudaMalloc(&q, 4 * sizeof(T)); if (sizeof(T) == 8) cudaFree(q);
  while (state.KeepRunning()) {} cudaFree(q); }
void times(benchmark::State &state, int n) { float *q; cudaMalloc(&q, 4); for (int i = 0; i < n; i++) cudaFree(q); }`;

  it.each([
    [
      'for a type',
      'BENCHMARK_TEMPLATE(work, double)->Arg(8)->Unit(benchmark::kMicrosecond);',
      ['error malloc-double-free'],
    ],
    ['for another', 'BENCHMARK_TEMPLATE(work, float);', []],
    ['as an instance', 'BENCHMARK(work<double>)->Range(8, 64);', ['error malloc-double-free']],
    ['with a value', 'BENCHMARK_CAPTURE(times, twice, 2)->Iterations(1);', ['error malloc-double-free']],
    ['with another', 'BENCHMARK_CAPTURE(times, once, 1);', []],
  ])('is called as it is: %s', async (_what, registered, expected) => {
    const other = registered.includes('times')
      ? 'BENCHMARK_TEMPLATE(work, char);'
      : 'BENCHMARK_CAPTURE(times, once, 1);';
    expect(await found(`${work}\n${registered}\n${other}`)).toEqual(expected);
    expect(await gaps(`${work}\n${registered}\n${other}`)).toEqual([]);
  });
});

describe('the values that a test is run with', () => {
  const test = (values: string): string => `struct Shape { int streams; bool waits; };
class Work : public ::testing::TestWithParam<Shape> { protected: void SetUp() override { ${ready} } void TearDown() override { ${over} } ${members} };
TEST_P(Work, Runs) { const auto &shape = GetParam(); k<<<1, 1, 0, one>>>(p); if (shape.waits) cudaStreamSynchronize(one);
  k<<<1, 1, 0, shape.streams > 1 ? two : one>>>(p); cudaDeviceSynchronize(); }
INSTANTIATE_TEST_SUITE_P(Shapes, Work, ${values});`;

  it.each([
    ['one that races', '::testing::Values(Shape{2, false})', [race]],
    ['one that waits', '::testing::Values(Shape{2, true})', []],
    ['one stream', 'testing::Values(Shape{1, false})', []],
    ['a list', 'testing::ValuesIn({Shape{2, true}})', []],
  ])('are known: %s', async (_what, values, expected) => {
    expect(await found(test(values))).toEqual(expected);
  });

  it('are tried one after another', async () => {
    const several =
      '::testing::Values(Shape{1, false}, Shape{2, true}, Shape{2, false}), [](const auto &info) { return "x"; }';
    expect(await found(test(several))).toContain(race);
  });

  it('are put together', async () => {
    const pair = (second: string): string => `
class Work : public ::testing::TestWithParam<std::tuple<int, bool>> { protected: void SetUp() override { ${ready} } void TearDown() override { ${over} } ${members} };
TEST_P(Work, Runs) { const auto [streams, waits] = GetParam(); k<<<1, 1, 0, one>>>(p); if (waits) cudaStreamSynchronize(one);
  k<<<1, 1, 0, streams > 1 ? two : one>>>(p); cudaDeviceSynchronize(); }
INSTANTIATE_TEST_SUITE_P(Shapes, Work, testing::Combine(testing::Values(2), testing::Values(${second})));`;
    expect(await found(pair('false'))).toEqual([race]);
    expect(await found(pair('true'))).toEqual([]);
  });
});

describe('a typed test', () => {
  const test = (types: string): string => `${types}
template <class T> class Work : public ::testing::Test { protected:
  void SetUp() override { cudaMalloc(&p, 4 * sizeof(T)); } void TearDown() override { cudaFree(p); } T *p{}; };
TYPED_TEST_SUITE(Work, Numbers);
TYPED_TEST(Work, Copies) { TypeParam host[4]; cudaMemcpy(host, this->p, 32, cudaMemcpyDeviceToHost);
  if (sizeof(TypeParam) == 1) cudaFree(this->p); }`;

  it.each([
    ['of the only type', 'using Numbers = ::testing::Types<double>;', []],
    ['of a smaller type', 'using Numbers = ::testing::Types<float>;', ['error copy-out-of-range']],
    ['of one of three', 'using Numbers = testing::Types<double, long, char>;', ['warning malloc-double-free']],
  ])('is made for the types that it is run with: %s', async (_what, types, expected) => {
    expect(await found(test(types))).toEqual(expected);
  });
});

describe('what a test leaves', () => {
  const capture = `cudaStreamCreate(&one); cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal); cudaMallocAsync(&p, 4, one);
  k<<<1, 1, 0, one>>>(p); cudaStreamEndCapture(one, &graph); cudaGraphInstantiate(&exec, graph, 0);`;
  const fixture = `class Work : public ::testing::Test { protected: void SetUp() override { ${capture} }
  void TearDown() override { cudaGraphExecDestroy(exec); cudaGraphDestroy(graph); cudaStreamDestroy(one); }
  cudaStream_t one; float *p; cudaGraph_t graph; cudaGraphExec_t exec; };`;

  it('is lost with its fixture', async () => {
    const test = (free: string): string =>
      `${fixture}\nTEST_F(Work, Runs) { cudaGraphLaunch(exec, one); ${free} cudaStreamSynchronize(one); }`;
    expect(await found(test(''))).toEqual(['warning xgraph-alloc-leak']);
    expect(await found(test('cudaFreeAsync(p, one);'))).toEqual([]);
  });

  it('is lost without one', async () => {
    const test = (free: string): string =>
      `TEST(Memory, Runs) { float *q; cudaMallocAsync(&q, 4, 0); k<<<1, 1>>>(q); ${free} cudaDeviceSynchronize(); }`;
    expect(await found(test(''))).toEqual(['warning async-leak']);
    expect(await found(test('cudaFreeAsync(q, 0);'))).toEqual([]);
  });

  it('stays where something of the program has it', async () => {
    const kept = 'static float *kept; TEST(Memory, Runs) { cudaMallocAsync(&kept, 4, 0); cudaDeviceSynchronize(); }';
    expect(await found(kept)).toEqual([]);
  });
});

describe('graphs that tests build', () => {
  const build =
    'cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphExecDestroy(e); cudaGraphDestroy(g);';
  const entries = async (text: string): Promise<readonly (string | undefined)[]> => {
    const { facts, sources } = await analyseText(head + text);
    return graphDocument(facts, sources).graphs.map(({ entry }) => entry);
  };

  it('are told by the names of the tests', async () => {
    const tests = `TEST(Graphs, One) { ${build} } TEST(Graphs, Two) { ${build} } TEST_CASE("the third", "[x]") { ${build} }`;
    expect(await entries(tests)).toEqual(['Graphs.One (TEST)', 'Graphs.Two (TEST)', 'the_third (TEST_CASE)']);
  });

  it('are there beside a main that only runs the tests', async () => {
    const main = 'int main(int argc, char **argv) { testing::InitGoogleTest(&argc, argv); return RUN_ALL_TESTS(); }';
    expect(await entries(`TEST(Graphs, One) { ${build} } ${main}`)).toEqual(['Graphs.One (TEST)']);
    expect(await entries(`TEST(Graphs, One) { ${build} } int main() { ${build} }`)).toEqual(['main']);
  });
});

describe('what tests compare', () => {
  it('is only looked at', async () => {
    const test = (check: string): string =>
      `TEST_CASE("owned") { float *q; cudaMalloc(&q, 4); std::unique_ptr<float, decltype(&cudaFree)> own(q, &cudaFree); ${check} k<<<1, 1>>>(own.get()); cudaDeviceSynchronize(); }`;
    for (const check of ['REQUIRE(own);', 'CHECK_FALSE(q == nullptr);', 'REQUIRE_NE(q, nullptr);', 'BOOST_CHECK(q);'])
      expect(await gaps(test(check))).toEqual([]);
  });
});
