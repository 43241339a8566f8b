/** Graphs whose shape is read: which nodes they connect nobody knows, and no error is made of that. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <fstream>
#include <vector>
__global__ void put(float *p) { p[threadIdx.x] = 1; }
__global__ void get(const float *p, float *o) { o[threadIdx.x] = p[threadIdx.x]; }
static cudaGraphNode_t kernel(cudaGraph_t g, const std::vector<cudaGraphNode_t> &deps, void *f, void **args) {
  cudaKernelNodeParams k = {}; k.func = f; k.gridDim = 1; k.blockDim = 32; k.kernelParams = args;
  cudaGraphNode_t n; cudaGraphAddKernelNode(&n, g, deps.data(), deps.size(), &k); return n;
}
int main(int argc, char **argv) {
  cudaGraph_t g; cudaGraphCreate(&g, 0); float *o; cudaMalloc(&o, 4096); std::ifstream in(argv[1]);
  cudaMemAllocNodeParams a = {}; a.poolProps.allocType = cudaMemAllocationTypePinned; a.poolProps.location.type = cudaMemLocationTypeDevice;
  a.bytesize = 4096; cudaGraphNode_t an; cudaGraphAddMemAllocNode(&an, g, nullptr, 0, &a); float *p = (float *)a.dptr;
  void *pa[] = {&p}; void *ga[] = {&p, &o}; cudaGraphNode_t pn = kernel(g, {an}, (void *)put, pa); cudaGraphNode_t fn;
`;
const end = `
  cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize();
  cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaFree(o); return 0;
}`;
const reader = (deps: string): string =>
  `cudaGraphNode_t gn = kernel(g, ${deps}, (void *)get, ga); cudaGraphAddMemFreeNode(&fn, g, &gn, 1, p);`;

async function errorsIn(body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(head + body + end);
  return findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule);
}

describe('a graph of which a file says', () => {
  it.each([
    ['which node is in front', `cudaGraphNode_t ns[2] = {an, pn}; int i = atoi(argv[1]); ${reader('{ns[i]}')}`],
    [
      'which nodes are in front',
      `cudaGraphNode_t ns[2] = {an, pn}; int i; std::vector<cudaGraphNode_t> d; while (in >> i) d.push_back(ns[i]); ${reader('d')}`,
    ],
    [
      'it, kept as numbers first',
      `cudaGraphNode_t ns[2] = {an, pn}; std::vector<int> is; int i; while (in >> i) is.push_back(i); std::vector<cudaGraphNode_t> d; for (int k : is) d.push_back(ns[k]); ${reader('d')}`,
    ],
    [
      'each edge',
      `cudaGraphNode_t gn = kernel(g, {}, (void *)get, ga); std::vector<cudaGraphNode_t> ns{an, pn, gn}; int x, y; while (in >> x >> y) cudaGraphAddDependencies(g, &ns[x], &ns[y], 1); cudaGraphAddMemFreeNode(&fn, g, &gn, 1, p);`,
    ],
    [
      'a matrix',
      `cudaGraphNode_t gn = kernel(g, {}, (void *)get, ga); cudaGraphNode_t ns[3] = {an, pn, gn}; bool has[3][3]; for (auto &row : has) for (auto &each : row) in >> each; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) if (has[i][j]) cudaGraphAddDependencies(g, &ns[i], &ns[j], 1); cudaGraphAddMemFreeNode(&fn, g, &gn, 1, p);`,
    ],
  ])('%s', async (_what, body) => {
    expect(await errorsIn(body)).toEqual([]);
  });

  it.each([
    ['a file', 'std::vector<cudaGraphNode_t> d; int i; while (in >> i) d.push_back(pn);'],
    [
      'a text',
      "std::vector<cudaGraphNode_t> d; std::string s = argv[1]; for (char c : s) if (c == 'x') d.push_back(pn);",
    ],
    [
      'a text of C',
      "std::vector<cudaGraphNode_t> d; for (const char *c = argv[1]; *c; c++) if (*c == 'x') d.push_back(pn);",
    ],
    ['a function that is not seen', 'std::vector<cudaGraphNode_t> d; while (more()) d.push_back(pn);'],
    [
      'a count',
      'int n = count(); std::vector<cudaGraphNode_t> d; for (int i = 0; i < n; i++) if (wanted(i)) d.push_back(pn);',
    ],
  ])('nothing is said of a list that is as long as %s says', async (_what, list) => {
    const { findings } = await analyseText(`${head}${list} ${reader('d')}${end}`);
    expect(findings.map(({ rule }) => rule)).toEqual([]);
  });

  it('nothing is judged as it stands', async () => {
    expect(await errorsIn(reader('{}'))).toContain('graph-use-before-alloc');
    expect(await errorsIn(`cudaGraphNode_t ns[2] = {an, pn}; ${reader('{ns[1]}')}`)).toEqual([]);
    const twice =
      'cudaGraphNode_t ns[2] = {an, pn}; for (int i = 0; i < 2; i++) cudaGraphAddDependencies(g, &ns[i], &ns[1], 1);';
    expect(await errorsIn(`${twice} ${reader('{pn}')}`)).toContain('graph-cycle');
  });
});
