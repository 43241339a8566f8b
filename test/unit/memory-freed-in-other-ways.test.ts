/** Memory that is given back by other calls than `cudaFree`, and used by other work than kernels and copies. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] += 1; }
cudaStream_t s; cudaArray_t a; cudaMipmappedArray_t m; float host[64], *p; cudaIpcMemHandle_t other; CUdeviceptr flag;`;

const twice = 'malloc-double-free';
const after = 'malloc-use-after-free';
const array = 'cudaChannelFormatDesc form = cudaCreateChannelDesc<float>(); cudaMallocArray(&a, &form, 64, 1);';
const open = 'cudaIpcOpenMemHandle((void **)&p, other, cudaIpcMemLazyEnablePeerAccess);';
const close = 'cudaIpcCloseMemHandle(p);';
const batch = `CUstreamBatchMemOpParams list[2] = {}; list[0].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
list[0].waitValue.address = flag; list[1].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32; list[1].writeValue.address = flag;`;

/** The number in memory, used before and after it is freed in the same stream. */
const freed = (work: string): readonly [string, string] => {
  const begin = `cuMemAllocAsync(&flag, 64, s); ${batch}`;
  return [`${begin} cuMemFreeAsync(flag, s); ${work}`, `${begin} ${work} cuMemFreeAsync(flag, s);`];
};

describeRows('memory freed in other ways', head, [
  [
    'an array',
    twice,
    '',
    `${array} cudaFreeArray(a); cudaFreeArray(a);`,
    `${array} cudaFreeArray(a); cudaFreeArray(nullptr);`,
  ],
  [
    'an array that is copied to',
    after,
    '',
    `${array} cudaFreeArray(a); cudaMemcpy2DToArray(a, 0, 0, host, 256, 256, 1, cudaMemcpyHostToDevice);`,
    `${array} cudaMemcpy2DToArray(a, 0, 0, host, 256, 256, 1, cudaMemcpyHostToDevice); cudaFreeArray(a);`,
  ],
  [
    'an array with levels',
    twice,
    'void make() { cudaChannelFormatDesc form = {}; cudaMallocMipmappedArray(&m, &form, make_cudaExtent(64, 64, 0), 2); }',
    'make(); cudaFreeMipmappedArray(m); cudaFreeMipmappedArray(m);',
    'make(); cudaFreeMipmappedArray(m); make(); cudaFreeMipmappedArray(m);',
  ],
  [
    'what another process gave',
    twice,
    '',
    `${open} k<<<1, 1>>>(p); ${close} ${close}`,
    `${open} k<<<1, 1>>>(p); ${close} ${open} ${close}`,
  ],
  [
    'what another process gave, used when it is closed',
    after,
    '',
    `${open} ${close} k<<<1, 1>>>(p);`,
    `${open} k<<<1, 1>>>(p); ${close}`,
  ],
  ['a number that a stream writes', 'async-use-after-free', '', ...freed('cuStreamWriteValue32(s, flag, 1, 0);')],
  [
    'a number that a stream waits for',
    'async-use-after-free',
    '',
    ...freed('cuStreamWaitValue64(s, flag, 1, CU_STREAM_WAIT_VALUE_GEQ);'),
  ],
  ['several at once', 'async-use-after-free', '', ...freed('cuStreamBatchMemOp(s, 2, list, 0);')],
  [
    'a node with several',
    'async-use-after-free',
    '',
    ...freed(`CUgraph g; CUgraphNode n; CUgraphExec x; cuGraphCreate(&g, 0); CUDA_BATCH_MEM_OP_NODE_PARAMS all = {};
all.count = 2; all.paramArray = list; cuGraphAddBatchMemOpNode(&n, g, nullptr, 0, &all); cuGraphInstantiate(&x, g, 0);
cuGraphLaunch(x, s);`),
  ],
]);
