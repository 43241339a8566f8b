/** What memory of graphs is called in messages, and the calls and results that they name. */

import { expect, test } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
template <class P> static void ask(P &params) {
  params.bytesize = 256;
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
}
struct Plan { cudaGraph_t graph; cudaMemAllocNodeParams memory = {}; cudaGraphNode_t node; };
`;

async function messages(body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(
    `${head}\nint main() {\ncudaGraphNode_t a, b, c; cudaGraph_t g; cudaGraphCreate(&g, 0);\n${body}\n}\n`,
  );
  return findings.map(({ message }) => message);
}

test('memory is not called after the place in the parameters of another node', async () => {
  const found = await messages(
    'cudaMemAllocNodeParams mp = {}; ask(mp); cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &mp); cudaMemsetParams ms = {}; ms.dst = mp.dptr; ms.elementSize = 1; ms.width = 257; ms.height = 1; cudaGraphAddMemsetNode(&b, g, &a, 1, &ms); cudaGraphAddMemFreeNode(&c, g, &b, 1, mp.dptr);',
  );
  expect(found).toEqual(['257 bytes are more than `mp.dptr` has: it was allocated with 256 bytes.']);
});

test('parameters in an object are called after it', async () => {
  const found = await messages(
    'Plan plan; plan.graph = g; ask(plan.memory); cudaGraphAddMemAllocNode(&plan.node, g, nullptr, 0, &plan.memory); cudaGraphAddMemFreeNode(&b, g, &plan.node, 1, (char *)plan.memory.dptr + 8);',
  );
  expect(found).toEqual([
    '`plan.memory.dptr` does not come from an allocation node, or this is not its first byte: this call returns cudaErrorInvalidValue.',
  ]);
});

test('calls and results are named as the API has them that was called', async () => {
  const found = await messages(
    'CUstream s; cuStreamCreate(&s, 0); CUdeviceptr p; cuMemAllocAsync(&p, 64, s); cuMemsetD8Async(p, 0, 64, s); cuMemFree(p); cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL); cuMemAlloc(&p, 4);',
  );
  expect(found[0]).toMatch(/^`cuMemFree` does not wait for the device: /);
  expect(found[1]).toMatch(/^cuMemAlloc is not allowed .*CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED/);
});
