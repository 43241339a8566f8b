/** Graphs that are changed once they are instantiated, and addresses that nodes are given before they are filled in. */

import { expect, test } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const begin = `cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMalloc(&p, 4096); cudaGraph_t g; cudaGraphCreate(&g, 0);
  void *arguments[] = {&p}; cudaKernelNodeParams work = {}; work.func = (void *)k; work.gridDim = dim3(1); work.blockDim = dim3(32);
  work.kernelParams = arguments; cudaGraphNode_t a, b; cudaGraphExec_t x, y; cudaGraphAddKernelNode(&a, g, nullptr, 0, &work);`;
const run = 'cudaGraphLaunch(x, s); cudaStreamSynchronize(s);';
const change = 'cudaGraphAddKernelNode(&b, g, &a, 1, &work);';
const made = 'cudaGraphInstantiate(&x, g, 0);';

async function found(rule: string, body: string, functions = ''): Promise<readonly string[]> {
  const text = `#include <cuda_runtime.h>\n__global__ void k(float *p) { p[threadIdx.x] = 1; }\n${functions}\nint main() { ${body} }\n`;
  const { findings } = await analyseText(text);
  return findings.filter((each) => each.rule === rule).map(({ message }) => message);
}

test.each([
  ['a node more', change],
  ['another edge', `${change} ${made} cudaGraphRemoveDependencies(g, &a, &b, 1);`],
  ['other parameters', 'work.blockDim = dim3(64); cudaGraphKernelNodeSetParams(a, &work);'],
  ['a node less', 'cudaGraphDestroyNode(a);'],
])('%s in a graph that is instantiated, which only runs as it was', async (_, changed) => {
  expect(await found('graph-edited-after-instantiate', `${begin} ${made} ${changed} ${run}`)).toEqual([
    '`g` is changed after `x` was instantiated from it: the launch runs it as it was before.',
  ]);
});

test.each([
  ['before', `${change} ${made} ${run}`],
  ['taken in by another executable', `${made} ${change} cudaGraphInstantiate(&y, g, 0); ${run} cudaGraphLaunch(y, s);`],
  [
    'taken in by an update',
    `${made} ${change} cudaGraphExecUpdateResultInfo info; cudaGraphExecUpdate(x, g, &info); ${run}`,
  ],
  ['never launched again', `${made} ${run} ${change}`],
  ['taken in by a copy', `${made} ${change} cudaGraph_t h; cudaGraphClone(&h, g); ${run} cudaGraphDestroy(h);`],
  ['of the executable', `${made} work.blockDim = dim3(64); cudaGraphExecKernelNodeSetParams(x, a, &work); ${run}`],
  ['and handed to somebody who is not seen', `${made} ${change} unseen(g); ${run}`],
])('a change %s is not too late', async (_, changed) => {
  expect(await found('graph-edited-after-instantiate', `${begin} ${changed}`, 'void unseen(cudaGraph_t);')).toEqual([]);
});

const allocation = `cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphCreate(&g, 0); cudaMemAllocNodeParams m = {};
  m.poolProps.allocType = cudaMemAllocationTypePinned; m.poolProps.location.type = cudaMemLocationTypeDevice; m.bytesize = 4096;
  void *arguments[] = {&m.dptr}; cudaKernelNodeParams work = {}; work.func = (void *)k; work.gridDim = dim3(1); work.blockDim = dim3(32);
  work.kernelParams = arguments; cudaGraphNode_t a, b, f; cudaGraphExec_t x;`;
const node = 'cudaGraphAddKernelNode(&b, g, nullptr, 0, &work);';
const memory = 'cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &m);';
const rest = `cudaGraphAddDependencies(g, &a, &b, 1); cudaGraphAddMemFreeNode(&f, g, &b, 1, m.dptr); ${made} ${run}`;

test('the address of an allocation node is copied into arguments before it is there', async () => {
  expect(await found('graph-dptr-read-before-add', `${allocation} ${node} ${memory} ${rest}`)).toEqual([
    '`k` gets `m.dptr` before the allocation node has filled it in: arguments are copied when the kernel node is added.',
  ]);
});

test.each([
  ['behind the allocation node', `${memory} ${node} ${rest}`],
  ['and other arguments are set later', `${node} ${memory} cudaGraphKernelNodeSetParams(b, &work); ${rest}`],
  ['of another structure', `cudaMemAllocNodeParams n = m; ${node} cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &n);`],
])('a kernel node %s gets what it should', async (_, nodes) => {
  expect(await found('graph-dptr-read-before-add', `${allocation} ${nodes}`)).toEqual([]);
});
