import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <cstring>
#include <vector>
__global__ void consume(const float *data, float *out) { out[0] = data[0]; }`;

/** A kernel of the driver is given its arguments in a buffer, before or after they are freed. */
const launched = (buffer: string, address: string): readonly [string, string] => {
  const begin = `CUstream s; CUmodule module; CUfunction kernel; CUdeviceptr data, out;
cuStreamCreate(&s, 0); cuModuleLoad(&module, "kernels.cubin"); cuModuleGetFunction(&kernel, module, "use");
cuMemAllocAsync(&data, 64, s); cuMemAllocAsync(&out, 64, s);
${buffer}
void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, ${address}, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};`;
  const launch = 'cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, s, nullptr, extra);';
  const free = 'cuMemFreeAsync(data, s); cuMemFreeAsync(out, s);';
  return [`${begin}\n${free}\n${launch}`, `${begin}\n${launch}\n${free}`];
};

const after = 'async-use-after-free';

describeRows("a kernel's arguments in a buffer", head, [
  [
    'a structure',
    after,
    '',
    ...launched('struct { CUdeviceptr a, b; int n; } all = {data, out, 3}; size_t size = sizeof(all);', '&all'),
  ],
  ['the only one', after, '', ...launched('size_t size = sizeof(data);', '&data')],
  [
    'an array of addresses',
    after,
    '',
    ...launched('std::vector<CUdeviceptr> all{out, data}; size_t size = all.size() * sizeof(data);', 'all.data()'),
  ],
  [
    'bytes that are written one argument after the other',
    after,
    '',
    ...launched(
      `char all[64]; size_t size = 0;
*(CUdeviceptr *)&all[size] = out; size += sizeof(out);
*(CUdeviceptr *)&all[size] = data; size += sizeof(data);`,
      'all',
    ),
  ],
  [
    'bytes that are copied',
    after,
    '',
    ...launched('char all[64]; memcpy(all, &data, sizeof(data)); size_t size = sizeof(data);', 'all'),
  ],
  [
    'of a kernel node',
    'graph-use-free-race',
    '',
    ...(['alloc', 'used'].map(
      (last) => `cudaGraph_t graph; cudaGraphNode_t alloc, used, freed; float *out;
cudaGraphCreate(&graph, 0); cudaMalloc(&out, 64);
cudaMemAllocNodeParams memory = {};
memory.poolProps.allocType = cudaMemAllocationTypePinned;
memory.poolProps.location.type = cudaMemLocationTypeDevice;
memory.bytesize = 64;
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &memory);
struct { const void *data; float *out; } all = {memory.dptr, out};
size_t size = sizeof(all);
void *extra[] = {(void *)1, &all, (void *)2, &size, (void *)0};
cudaKernelNodeParams work = {};
work.func = (void *)consume; work.gridDim = work.blockDim = dim3(1);
work.extra = extra;
cudaGraphAddKernelNode(&used, graph, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&freed, graph, &${last}, 1, memory.dptr);`,
    ) as [string, string]),
  ],
]);

it('says that nobody knows what a list from elsewhere gives a kernel', async () => {
  const launch = (extra: string) => `#include <cuda.h>
void run(CUfunction kernel, CUstream s, void **list) {
  cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, s, nullptr, ${extra});
}`;
  expect((await analyseText(launch('list'))).gaps.map(({ kind }) => kind)).toContain('unknown argument');
  expect((await analyseText(launch('nullptr'))).gaps).toEqual([]);
});
