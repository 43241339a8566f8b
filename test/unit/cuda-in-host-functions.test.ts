/** Functions that a stream or a graph runs on the host must not call CUDA, neither themselves nor through others; another thread may. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <thread>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s", cudaGetErrorString(e)); exit(1); } } while (0)
struct Job { float *data; cudaStream_t stream; };
void release(void *p) { cudaFree(p); }
void checked(void *p) { CHECK(cudaFree(p)); }
void through(void *p) { release(p); }
void status(cudaStream_t, cudaError_t, void *p) { cudaMemset(p, 0, 4); }
void maybe(void *p) { Job *job = (Job *)p; if (job->stream) cudaStreamSynchronize(job->stream); }
void elsewhere(void *p) { std::thread(release, p).detach(); }
void elsewhereToo(void *p) { std::thread([p] { cudaFree(p); }).detach(); }
void prints(void *p) { printf("%p %s", p, cudaGetErrorString(cudaSuccess)); }
`;
const begin = 'cudaStream_t s; cudaStreamCreate(&s); float *d; cudaMalloc(&d, 64); Job job{d, s};';
const end = 'cudaStreamSynchronize(s); cudaFree(job.data);';
const given = (name: string) => `${begin} cudaLaunchHostFunc(s, ${name}, &job); ${end}`;
const rule = 'graph-host-node-cuda-call';

describeRows('host functions', head, [
  ['a free', rule, '', given('release'), given('prints')],
  ['a checked free', rule, '', given('checked'), given('elsewhere')],
  ['through another function', rule, '', given('through'), given('elsewhereToo')],
  ['behind a condition', rule, '', given('maybe'), ''],
  ['a lambda', rule, '', given('[](void *) { cudaDeviceSynchronize(); }'), given('[](void *) { puts("done"); }')],
  ['a callback of a stream', rule, '', `${begin} cudaStreamAddCallback(s, status, d, 0); ${end}`, ''],
  [
    'a node of a graph',
    rule,
    '',
    `${begin} cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaHostNodeParams p = {checked, d};
    cudaGraphAddHostNode(&n, g, nullptr, 0, &p); cudaGraphDestroy(g); ${end}`,
    `${begin} cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaHostNodeParams p = {prints, d};
    cudaGraphAddHostNode(&n, g, nullptr, 0, &p); cudaGraphDestroy(g); ${end}`,
  ],
  [
    'captured',
    rule,
    '',
    `${begin} cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaLaunchHostFunc(s, release, d);
    cudaStreamEndCapture(s, &g); cudaGraphDestroy(g); ${end}`,
    '',
  ],
]);

it('goes through functions that all call each other once, down to the one that calls CUDA', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
  const functions = names.map((name) => {
    const others = names.filter((each) => each !== name).map((each) => `x += ${each}(x);`);
    return `int ${name}(int x) { if (x) return 1; ${name === 'f39' ? 'cudaDeviceSynchronize();' : ''} ${others.join(' ')} return x; }`;
  });
  const { findings } = await analyseText(`#include <cuda_runtime.h>
${names.map((name) => `int ${name}(int);`).join('\n')}
${functions.join('\n')}
void CUDART_CB done(void *p) { f0(1); }
int main() {
  cudaStream_t s; cudaStreamCreate(&s); cudaLaunchHostFunc(s, done, nullptr);
  cudaStreamSynchronize(s); cudaStreamDestroy(s);
}`);
  expect(findings.map(({ rule }) => rule)).toContain('graph-host-node-cuda-call');
});
