/** What a hover says of the graph and the nodes of a program. */

import { expect, it } from 'vitest';
import { testEngine } from '../support/engine.ts';

const text = `#include <cuda_runtime.h>
__global__ void fill(float *p) { p[0] = 1; }
int main() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 64;
  cudaGraphNode_t take, run, again;
  cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &params);
  void *arguments[] = {&params.dptr};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)fill;
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&run, graph, &take, 1, &kernel);
  cudaGraphAddKernelNode(&again, graph, &run, 1, &kernel);
}
`;

it.each([
  ['graph, nullptr', 'graph', /3 nodes, 2 edges: 1 alloc, 2 kernels/],
  ['take, graph', 'take', /\*\*`take`\*\* — alloc node, line 11/],
  ['run, graph', 'run', /\*\*`run`\*\* — kernel node `fill`, line 16\n\n- after: `take`\n- before: `again`/],
])('at "%s" it describes %s', async (place, _name, expected) => {
  const engine = await testEngine();
  const analysis = engine.analyse({ file: 'a.cu', text, language: 'cuda' });
  expect(analysis.hover(text.indexOf(place))?.markdown).toMatch(expected);
});
