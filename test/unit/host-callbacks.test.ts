/** What functions of the host store that streams and graphs call: nobody here knows when, so that nothing certain follows from it. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <atomic>
#include <vector>
struct Report { int calls = 0; int size = 8; std::vector<int> seen; void finish() { calls = 1; } };
static int calls; static std::atomic<int> counted{0};
static void fill(Report *report) { report->calls = 4; }
static void CUDART_CB global(void *) { ++calls; }
static void CUDART_CB atomic(void *) { counted.fetch_add(1); }
static void CUDART_CB member(void *data) { Report *report = static_cast<Report *>(data); report->calls++; }
static void CUDART_CB method(void *data) { static_cast<Report *>(data)->finish(); }
static void CUDART_CB further(void *data) { fill((Report *)data); }
static void CUDART_CB number(void *data) { *static_cast<int *>(data) += 1; }
static void CUDART_CB pushed(void *data) { static_cast<Report *>(data)->seen.push_back(1); }
static cudaGraphExec_t graphOf(cudaHostFn_t f, void *data) {
  cudaGraph_t g; cudaGraphExec_t e; cudaGraphNode_t n; cudaHostNodeParams h = {}; h.fn = f; h.userData = data;
  cudaGraphCreate(&g, 0); cudaGraphAddHostNode(&n, g, nullptr, 0, &h); cudaGraphInstantiate(&e, g, 0); cudaGraphDestroy(g); return e; }
`;

/** What it is; what is called; what it is given; what it changes is asked for by. */
const rows: readonly (readonly [what: string, called: string, given: string, asked: string])[] = [
  ['a global', 'global', 'nullptr', 'calls == 0'],
  ['an atomic', 'atomic', 'nullptr', 'counted == 0'],
  ['a member', 'member', '&report', 'report.calls == 0'],
  ['what a method changes', 'method', '&report', 'report.calls == 0'],
  ['what a further function changes', 'further', '&report', 'report.calls == 0'],
  ['a number', 'number', '&own', 'own == 0'],
  ['how many there are', 'pushed', '&report', 'report.seen.empty()'],
  ['what a lambda changes', '[](void *) { calls = 2; }', 'nullptr', 'calls == 0'],
];

const said = async (body: string): Promise<readonly string[]> => {
  const { findings } = await analyseText(`${head}
int main() { Report report; int own = 0; cudaStream_t s; cudaStreamCreate(&s); float *f; cudaMalloc(&f, 4);
${body} cudaStreamDestroy(s); return 0; }`);
  return findings.map(({ rule, severity }) => `${severity} ${rule}`);
};

describe('what a host function stores is not certain:', () => {
  for (const [what, called, given, asked] of rows) {
    it(`${what}, called by a stream`, async () => {
      const start = `cudaLaunchHostFunc(s, ${called}, ${given}); cudaStreamSynchronize(s);`;
      expect(await said(`${start} cudaFree(f); if (${asked}) cudaFree(f);`)).toEqual(['warning malloc-double-free']);
      expect(await said(`${start} if (report.size != 8) cudaFree(f); cudaFree(f);`)).toEqual([]);
      expect(await said(`${start} if (${asked}) return 1; cudaFree(f); cudaFree(f);`)).toEqual([
        'error malloc-double-free',
      ]);
    });
    it(`${what}, called by a graph in each of several rounds`, async () => {
      const rounds = (last: string): string =>
        `cudaGraphExec_t e = graphOf(${called}, ${given}); for (int i = 0; i < 3; i++) { calls = 0;
  cudaGraphLaunch(e, s); cudaStreamSynchronize(s); if (${asked}) break; if (i > 0) { ${last} } } cudaGraphExecDestroy(e);`;
      expect(await said(rounds('cudaFree(f);'))).toEqual(['error malloc-double-free']);
      expect(await said(rounds('cudaMemset(f, 0, 4);'))).toEqual([]);
    });
  }
});

/** What is given to a function that frees it, where it must not: that is said, and no leak besides. */
it.each([
  ['alone', '[](void *memory) { cudaFree(memory); }', 'q'],
  [
    'in an object',
    '[](void *data) { auto *held = static_cast<Held *>(data); cudaFree(held->q); delete held; }',
    'new Held{q}',
  ],
])('memory that a function of the stream frees is not lost: %s', async (_, called, given) => {
  const free = (body: string): string => `struct Held { float *q; }; float *q; cudaMallocAsync(&q, 4, s); ${body}`;
  expect(await said(free(`cudaLaunchHostFunc(s, ${called}, ${given});`))).toEqual(['error graph-host-node-cuda-call']);
  expect(await said(free(`cudaLaunchHostFunc(s, [](void *) {}, ${given});`))).toContain('warning async-leak');
});
