/** What a program asks its environment: in an ordinary run nothing is set, and nothing may hang on that. */

import { describe, expect, it } from 'vitest';
import { graphDocument } from '../../src/scene/graph-document.ts';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
__global__ void k(float *p) { p[0] = 1.0f; }
template <typename T> T setting(const char *name, T otherwise) {
  const char *text = std::getenv(name);
  return text ? static_cast<T>(std::atof(text)) : otherwise;
}
`;

const builds = (body: string): string => `${head}int main() {
  cudaGraph_t graph; cudaGraphExec_t exec; cudaGraphNode_t alloc, use, release;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams params = {}; params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice; params.bytesize = setting("BYTES", 4096);
  cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
  float *p = static_cast<float *>(params.dptr); void *arguments[] = {&p};
  cudaKernelNodeParams kernel = {}; kernel.func = reinterpret_cast<void *>(k); kernel.gridDim = dim3(1); kernel.blockDim = dim3(1); kernel.kernelParams = arguments;
  cudaGraphNode_t last = alloc;
  for (int round = 0; round < setting("ROUNDS", 3); round++) { cudaGraphAddKernelNode(&use, graph, &last, 1, &kernel); last = use; }
  cudaGraphAddMemFreeNode(&release, graph, &last, 1, params.dptr);
  cudaGraphInstantiate(&exec, graph, 0);
  ${body}
}`;

describe('settings of the environment', () => {
  it('are taken as not set: what a program builds then is what it has by default', async () => {
    const analysis = await analyseText(builds('cudaGraphLaunch(exec, 0); cudaDeviceSynchronize(); return 0;'));
    const [graph] = graphDocument(analysis.facts, analysis.sources, 'main').graphs;
    expect(graph?.nodes.map((node) => (node.kind === 'memAlloc' ? `memAlloc ${node.bytes}` : node.kind))).toEqual([
      'memAlloc 4096',
      'kernel',
      'kernel',
      'kernel',
      'memFree',
    ]);
    expect(analysis.findings).toEqual([]);
  });

  it('may be set all the same: what is wrong only then is said to be so on some paths', async () => {
    const body = `float *q; cudaMalloc(&q, 4); if (getenv("KEEP")) cudaFree(q); k<<<1, 1>>>(q); if (!getenv("KEEP")) cudaFree(q); return 0;`;
    const { findings } = await analyseText(`${head}int main() { ${body} }`);
    expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['warning malloc-use-after-free']);
  });

  it('are the same wherever they are asked for', async () => {
    const body = `float *q; cudaMalloc(&q, 4); if (getenv("KEEP")) cudaFree(q); if (!getenv("KEEP")) k<<<1, 1>>>(q); if (!getenv("KEEP")) cudaFree(q); return 0;`;
    const { findings } = await analyseText(`${head}int main() { ${body} }`);
    expect(findings).toEqual([]);
  });
});
