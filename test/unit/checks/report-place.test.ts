/** In which line a finding stands when the CUDA call is in a helper. */

import { expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = '#include <cuda_runtime.h>\n__global__ void k(float *p) { p[0] = 1; }\n';

/** The lines, of the text behind `head`, that errors stand in. */
async function errorLines(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(head + text);
  const all = head + text;
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ span }) => all.split('\n')[all.slice(0, span.start).split('\n').length - 1]!.trim());
}

const call = (line: string): string =>
  `int main() { float *p; cudaMallocAsync(&p, 4, 0); cudaFreeAsync(p, 0);\n${line}\n}`;

it('in the helper, when one place calls it', async () => {
  expect(await errorLines(`static void run(float *p) {\n  k<<<1, 1>>>(p);\n}\n${call('run(p);')}`)).toEqual([
    'k<<<1, 1>>>(p);',
  ]);
});

it('at the call, when several do', async () => {
  const main = 'int main() { float *p; cudaMallocAsync(&p, 4, 0);\nrun(p);\ncudaFreeAsync(p, 0);\nrun(p); // late\n}';
  expect(await errorLines(`static void run(float *p) {\n  k<<<1, 1>>>(p);\n}\n${main}`)).toEqual(['run(p); // late']);
});

it('at the call of the one that hands on, when several call that', async () => {
  const helpers = 'static void launch(float *p) {\n  k<<<1, 1>>>(p);\n}\nstatic void run(float *p) { launch(p); }\n';
  const main = 'int main() { float *p; cudaMallocAsync(&p, 4, 0);\nrun(p);\ncudaFreeAsync(p, 0);\nrun(p); // late\n}';
  expect(await errorLines(helpers + main)).toEqual(['run(p); // late']);
});

it('at the call of a lambda, when another lambda calls it, too', async () => {
  const main = `int main() { float *p; cudaMallocAsync(&p, 4, 0);
auto run = [](float *q) {
  k<<<1, 1>>>(q);
};
[&] { run(p); }();
cudaFreeAsync(p, 0);
run(p); // late
}`;
  expect(await errorLines(main)).toEqual(['run(p); // late']);
});

it('in a lambda that only calls itself', async () => {
  const main = `int main() { float *p; cudaMallocAsync(&p, 4, 0); cudaFreeAsync(p, 0);
std::function<void(int)> run = [&](int depth) {
  if (depth > 0) run(depth - 1);
  else k<<<1, 1>>>(p);
};
run(1);
}`;
  expect(await errorLines(`#include <functional>\n${main}`)).toEqual(['else k<<<1, 1>>>(p);']);
});

it('in a step that does more, although several call it', async () => {
  const helpers = `static void launch(float *p) {\n  k<<<1, 1>>>(p);\n}
static void step(float *q) {\n float *p; cudaMallocAsync(&p, 4, 0);\n cudaFreeAsync(p, 0);\n  launch(p);\n}\n`;
  expect(await errorLines(`${helpers}int main() {\nstep(nullptr);\nstep(nullptr);\n}`)).toEqual(['k<<<1, 1>>>(p);']);
});

it('at the call of a builder that chooses twice what it does', async () => {
  const builder = `#include <variant>
struct Use { float *p; };
struct Clear { float *p; };
struct Flow {
  cudaStream_t stream;
  Flow &operator<<(std::variant<Use, Clear> what) {
    std::visit([this](auto &each) { add(each); }, what);
    return *this;
  }
  void add(Use &use) {
    int *unused = nullptr;
    k<<<1, 1, 0, stream>>>(use.p);
  }
  void add(Clear &clear) { cudaMemsetAsync(clear.p, 0, 4, stream); }
};
`;
  const main = `int main() { float *p, *q; Flow flow{0}; cudaMallocAsync(&p, 4, 0); cudaMallocAsync(&q, 4, 0);
flow << Clear{p} << Use{p};
cudaFreeAsync(p, 0);
flow << Clear{q};
flow << Use{p}; // late
cudaFreeAsync(q, 0); }`;
  expect(await errorLines(builder + main)).toEqual(['flow << Use{p}; // late']);
});

const schedule = `#include <functional>
#include <vector>
struct Schedule {
  std::vector<std::function<void(cudaStream_t)>> steps;
  void use(float *p) {
    steps.push_back([=](cudaStream_t s) { k<<<1, 1, 0, s>>>(p); });
  }
  void free(float *p) {
    steps.push_back([=](cudaStream_t s) { cudaFreeAsync(p, s); });
  }
  void run(cudaStream_t s) {
    for (auto &step : steps) step(s);
  }
};
`;

it('where work was made that runs later from one place', async () => {
  const main = `int main() { float *p; Schedule all; cudaMallocAsync(&p, 4, 0);
all.use(p); // in time
all.free(p);
all.use(p); // late
all.run(0); }`;
  expect(await errorLines(schedule + main)).toEqual(['all.use(p); // late']);
});

it('in the work, where one place makes it', async () => {
  const main = `int main() { float *p; Schedule all; cudaMallocAsync(&p, 4, 0);
all.free(p);
all.use(p);
all.run(0); }`;
  expect(await errorLines(schedule + main)).toEqual([
    'steps.push_back([=](cudaStream_t s) { k<<<1, 1, 0, s>>>(p); });',
  ]);
});

it('in the function that a table led to, when the same call leads to others', async () => {
  const helpers = `typedef void (*work)(float *);
static void none(float *) { cudaDeviceSynchronize(); }
static void use(float *p) {\n  k<<<1, 1>>>(p);\n}
static void dispatch(work f, float *p) { f(p); }
static void run(work f, float *p) { dispatch(f, p); }
`;
  const main = 'int main() { float *p; cudaMallocAsync(&p, 4, 0); cudaFreeAsync(p, 0);\nrun(none, p);\nrun(use, p);\n}';
  expect(await errorLines(helpers + main)).toEqual(['k<<<1, 1>>>(p);']);
});

const radio = (order: string): string => `static cudaStream_t from, to; static cudaEvent_t ready; static float *block;
static void receive() {
  cudaMallocAsync(&block, 4, from);
${order}
}
static void play() {
  cudaStreamWaitEvent(to, ready);
  k<<<1, 1, 0, to>>>(block);
  cudaFreeAsync(block, to);
}
int main() {
  cudaStreamCreateWithFlags(&from, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&to, cudaStreamNonBlocking);
  cudaEventCreate(&ready);
  receive();
  play();
  cudaDeviceSynchronize();
  receive();
  play();
  cudaDeviceSynchronize();
}`;

/** The lines of what a rule says, and of what it names beside. */
async function linesOf(text: string, wanted: string): Promise<readonly string[]> {
  const { findings } = await analyseText(head + text);
  const lineAt = (offset: number): string =>
    (head + text).split('\n')[(head + text).slice(0, offset).split('\n').length - 1]!.trim();
  return findings
    .filter(({ rule }) => rule === wanted)
    .flatMap(({ span, related }) => [span, ...related.map((each) => each.span)].map(({ start }) => lineAt(start)));
}

it('in the helper that records too early, although several places call it', async () => {
  const record = '  cudaEventRecord(ready, from);';
  const work = '  k<<<1, 1, 0, from>>>(block);';
  const readsOnly = radio(`${work}\n${record}\n${work}`).replace('  cudaFreeAsync(block, to);\n', '');
  expect(await linesOf(readsOnly, 'event-recorded-too-early')).toEqual([
    record.trim(),
    work.trim(),
    'k<<<1, 1, 0, to>>>(block);',
  ]);
  const right = radio(`${work}\n${record}`).replace('  cudaFreeAsync(block, to);\n', '');
  expect(await linesOf(right, 'event-recorded-too-early')).toEqual([]);
});

it('names the last record that comes too early', async () => {
  const main = `int main() { float *p; cudaStream_t s, t; cudaEvent_t one, two; cudaMalloc(&p, 4);
cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
cudaEventCreate(&one); cudaEventCreate(&two);
cudaEventRecord(one, s); // long ago
cudaStreamWaitEvent(t, one);
k<<<1, 1, 0, s>>>(p);
cudaEventRecord(two, s); // just before
k<<<1, 1, 0, s>>>(p); // not covered
cudaStreamWaitEvent(t, two);
k<<<1, 1, 0, t>>>(p);
cudaDeviceSynchronize(); cudaFree(p); }`;
  expect((await linesOf(main, 'event-recorded-too-early'))[2]).toBe('cudaEventRecord(two, s); // just before');
});
