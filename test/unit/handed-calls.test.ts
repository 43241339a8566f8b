/**
 * Calls of CUDA that a helper is handed, and helpers that an argument of the program makes run more often: where a finding stands,
 * and how sure it is. Algorithms of the library over memory that the device sees too.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>
__global__ void k(float *p) { p[0] = 1; }
template <class Call, class... Args> void invoke(const char *, Call call, Args &&...args) {
  const cudaError_t e = call(std::forward<Args>(args)...);
  if (e != cudaSuccess) std::exit(1);
}
template <class F> void apart(F work) { work(); }
#define INVOKE(f, ...) invoke(#f, [&](auto &&...a) { return f(std::forward<decltype(a)>(a)...); }, __VA_ARGS__)
`;

/** The lines, without the spaces around them, that errors stand in. */
async function errorLines(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(head + text);
  const lines = (head + text).split('\n');
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ span }) => lines[(head + text).slice(0, span.start).split('\n').length - 1]!.trim());
}

const begin = 'int main() { cudaStream_t s = nullptr; float *p, *q;';
const helper = 'static void drop(float *p, cudaStream_t s) {\n  INVOKE(cudaFreeAsync, p, s);\n}\n';

describe('a finding stands', () => {
  it.each([
    [
      'where the macro is used that hands the call on',
      '',
      'INVOKE(cudaMallocAsync, (void **)&p, 4, s); INVOKE(cudaFreeAsync, p, s);\nINVOKE(cudaFreeAsync, p, s); // late',
    ],
    [
      'where the function is handed on',
      '',
      'invoke("a", cudaMallocAsync, (void **)&p, 4, s); invoke("b", cudaFreeAsync, p, s);\ninvoke("c", cudaFreeAsync, p, s); // late',
    ],
    [
      'at the call of a helper that uses the macro',
      helper,
      'cudaMallocAsync((void **)&p, 4, s); cudaMallocAsync((void **)&q, 4, s); drop(q, s); drop(p, s);\ndrop(p, s); // late',
    ],
    [
      'in the lambda that a helper runs',
      '',
      'apart([&] { cudaMallocAsync((void **)&p, 4, s); });\napart([&] { cudaFreeAsync(p, s); });\napart([&] { cudaFreeAsync(p, s); }); // late',
    ],
    [
      'at the call of a helper whose lambda another helper runs',
      'static void drop(float *p, cudaStream_t s) {\n  apart([&] { cudaFreeAsync(p, s); });\n}\n',
      'cudaMallocAsync((void **)&p, 4, s); cudaMallocAsync((void **)&q, 4, s); drop(q, s); drop(p, s);\ndrop(p, s); // late',
    ],
  ])('%s', async (_, before, body) => {
    const lines = await errorLines(`${before}${begin}\n${body}\n}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('// late');
  });
});

describe('an algorithm over pinned memory', () => {
  it.each([
    ['generate', 'std::generate(p, p + 4, [i = 0]() mutable { return 0.5f * i++; });'],
    ['fill', 'std::fill(p, p + 4, 0.0f);'],
    ['iota', 'std::iota(p, p + 4, 0.0f);'],
    ['copy', 'std::copy(p, p + 4, v.begin());'],
    ['accumulate', 'v[0] = std::accumulate(p, p + 4, 0.0f);'],
  ])('%s is understood, and what has to be waited for is', async (_, use) => {
    const text = (
      wait: string,
    ) => `int main() { std::vector<float> v(4); float *p, *d; cudaStream_t s; cudaStreamCreate(&s);
cudaMallocHost((void **)&p, 16); cudaMalloc((void **)&d, 16); ${use} cudaMemcpyAsync(p, d, 16, cudaMemcpyDeviceToHost, s);
${wait} ${use} cudaStreamSynchronize(s); cudaFree(d); cudaFreeHost(p); cudaStreamDestroy(s); }`;
    const late = await analyseText(head + text(''));
    expect(late.gaps).toEqual([]);
    expect(late.findings).toHaveLength(1);
    const right = await analyseText(head + text('cudaStreamSynchronize(s);'));
    expect(right.gaps).toEqual([]);
    expect(right.findings).toEqual([]);
  });
});

const open = 'cudaStream_t s; cudaStreamCreate(&s); float *p;';
const close = 'cudaStreamSynchronize(s); cudaStreamDestroy(s);';
const use = 'static void use(float *p, cudaStream_t s) {\n  k<<<1, 1, 0, s>>>(p);\n}\n';
const recorded = `cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMallocAsync((void **)&p, 4, s);
k<<<1, 1, 0, s>>>(p); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0);`;
const launched = 'cudaGraphLaunch(e, s); // late\n';
const destroyed = 'cudaStreamSynchronize(s); cudaGraphExecDestroy(e); cudaGraphDestroy(g);';

describe('what every run does is an error, whatever else', () => {
  it.each([
    [
      'an argument makes the helper run once more',
      'cudaMallocAsync((void **)&p, 4, s); cudaFreeAsync(p, s);\nuse(p, s); // late\nif (argc > 1) use(nullptr, s);',
    ],
    [
      'an argument says how often the helper runs',
      'int n = argc > 1 ? atoi(argv[1]) : 3; cudaMallocAsync((void **)&p, 4, s); for (int i = 0; i < n; i++) use(p, s); cudaFreeAsync(p, s);\nuse(p, s); // late\n',
    ],
    [
      'an argument says how often a graph is launched',
      `int n = argc > 1 ? atoi(argv[1]) : 3; ${recorded} for (int i = 0; i < n; i++) {\n${launched}} cudaFreeAsync(p, s); ${destroyed} use(nullptr, s);`,
    ],
    [
      'a graph is launched at least so often',
      `int n = std::max(3, argc - 1); ${recorded} for (int i = 0; i < n; i++) {\n${launched}} cudaFreeAsync(p, s); ${destroyed} use(nullptr, s);`,
    ],
    [
      'a graph is launched so often within bounds',
      `int n = std::clamp(argc > 1 ? atoi(argv[1]) : 3, 1, 100); ${recorded} for (int i = 0; i < n; i++) {\n${launched}} cudaFreeAsync(p, s); ${destroyed} use(nullptr, s);`,
    ],
    [
      'options say how often a graph is launched',
      `int n = 3; for (int i = 1; i < argc; i++) if (argv[i][0] == 'n') n = atoi(argv[++i]); ${recorded} for (int i = 0; i < n; i++) {\n${launched}} cudaFreeAsync(p, s); ${destroyed} use(nullptr, s);`,
    ],
  ])('%s', async (_, body) => {
    const lines = await errorLines(`${use}int main(int argc, char **argv) { ${open}\n${body}\n${close} }`);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('// late');
  });

  it.each([
    [
      'only an argument makes it happen',
      'cudaMallocAsync((void **)&p, 4, s); cudaFreeAsync(p, s); if (argc > 1) use(p, s);',
    ],
    [
      'nobody knows how often it is launched',
      `int n = atoi(argv[1]); ${recorded} for (int i = 0; i < n; i++) {\n${launched}} cudaFreeAsync(p, s); ${destroyed} use(nullptr, s);`,
    ],
  ])('but not where %s', async (_, body) => {
    expect(await errorLines(`${use}int main(int argc, char **argv) { ${open}\n${body}\n${close} }`)).toEqual([]);
  });
});
