/** Copies whose direction says of pageable memory of the host that it is memory of the device: as an H200 answered, for each pair of memories. */

import { expect, test } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const memories = `float *device, *pinned, *managed, *pooled, *registered = (float *)malloc(4096), *heap = (float *)malloc(4096);
  float array[1024], one[1]; std::vector<float> vector(1024); cudaStream_t s; cudaStreamCreate(&s);
  cudaMalloc(&device, 4096); cudaMallocHost(&pinned, 4096); cudaMallocManaged(&managed, 4096); cudaMallocAsync(&pooled, 4096, s);
  cudaHostRegister(registered, 4096, 0); cudaStreamSynchronize(s);`;
const ends = `cudaStreamSynchronize(s); cudaHostUnregister(registered); cudaFree(device); cudaFree(managed); cudaFreeHost(pinned);
  cudaFreeAsync(pooled, s); free(registered); free(heap);`;

async function refusals(copies: string): Promise<readonly string[]> {
  const text = `#include <cuda_runtime.h>\n#include <vector>\nint main() { ${memories}\n${copies}\n${ends} }\n`;
  const { findings } = await analyseText(text);
  return findings.filter(({ rule }) => rule === 'memcpy-kind-mismatch').map(({ message }) => message);
}

const pageable = ['array', 'heap', 'vector.data()', '&one[0]', 'array + 512'];
const others = ['device', 'pinned', 'managed', 'pooled', 'registered'];
const toDevice = ['cudaMemcpyHostToDevice', 'cudaMemcpyDeviceToDevice'];
const fromDevice = ['cudaMemcpyDeviceToHost', 'cudaMemcpyDeviceToDevice'];
const kinds = ['cudaMemcpyHostToHost', ...toDevice, 'cudaMemcpyDeviceToHost', 'cudaMemcpyDefault'];

test.each(kinds)('%s is refused for pageable memory that it says is on the device, and for no other', async (kind) => {
  for (const memory of pageable) {
    const isTo = toDevice.includes(kind);
    const isFrom = fromDevice.includes(kind);
    expect(await refusals(`cudaMemcpy(${memory}, device, 4, ${kind});`), `to ${memory}`).toHaveLength(isTo ? 1 : 0);
    expect(await refusals(`cudaMemcpyAsync(device, ${memory}, 4, ${kind}, s);`), memory).toHaveLength(isFrom ? 1 : 0);
  }
  for (const memory of others)
    expect(
      await refusals(`cudaMemcpy(${memory}, device, 4, ${kind}); cudaMemcpyAsync(device, ${memory}, 4, ${kind}, s);`),
    ).toEqual([]);
});

test('nodes of graphs, copies of boxes and of rows are refused, too', async () => {
  const found = await refusals(`cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n, m;
    cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, array, device, 64, cudaMemcpyHostToDevice);
    cudaMemcpy3DParms box = {}; box.srcPtr = make_cudaPitchedPtr(heap, 64, 64, 1);
    box.dstPtr = make_cudaPitchedPtr(device, 64, 64, 1); box.extent = make_cudaExtent(64, 1, 1);
    box.kind = cudaMemcpyDeviceToDevice; cudaGraphAddMemcpyNode(&m, g, &n, 1, &box);
    cudaMemcpy2D(array, 64, device, 64, 64, 2, cudaMemcpyHostToDevice); cudaMemcpy3D(&box); cudaGraphDestroy(g);`);
  expect(found).toEqual([
    'The copy says cudaMemcpyHostToDevice, but its destination, `array`, is memory of the host: the call fails with cudaErrorInvalidValue and copies nothing, unless the device can reach pageable memory.',
    'The copy says cudaMemcpyDeviceToDevice, but its source, `heap`, is memory of the host: the call fails with cudaErrorInvalidValue and copies nothing, unless the device can reach pageable memory.',
    'The copy says cudaMemcpyHostToDevice, but its destination, `array`, is memory of the host: the call fails with cudaErrorInvalidValue and copies nothing, unless the device can reach pageable memory.',
    'The copy says cudaMemcpyDeviceToDevice, but its source, `heap`, is memory of the host: the call fails with cudaErrorInvalidValue and copies nothing, unless the device can reach pageable memory.',
  ]);
});

test.each([
  [
    'memory of which nobody knows what it is',
    'void put(float *to, float *from) { cudaMemcpy(to, from, 64, cudaMemcpyDeviceToHost); }',
  ],
  [
    'an array in an object that somebody else made',
    'struct B { float in[64]; }; void put(B *b, float *d) { cudaMemcpy(b->in, d, 64, cudaMemcpyHostToDevice); }',
  ],
  [
    'a direction that hangs on something',
    'void put(float *d, bool down) { float a[64]; cudaMemcpy(a, d, 64, down ? cudaMemcpyDeviceToHost : cudaMemcpyDefault); }',
  ],
  [
    'a program that asks whether the device reaches all memory',
    'int main() { int all; cudaDeviceGetAttribute(&all, cudaDevAttrPageableMemoryAccess, 0); float a[64], *d; cudaMalloc(&d, 256); cudaMemcpy(a, d, 64, cudaMemcpyHostToDevice); cudaFree(d); }',
  ],
])('nothing is said of %s', async (_, text) => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>\n${text}\n`);
  expect(findings.filter(({ rule }) => rule === 'memcpy-kind-mismatch')).toEqual([]);
});
