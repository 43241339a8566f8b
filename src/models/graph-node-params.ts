/** What the parameter structures of graph nodes say: the same for adding a node, setting its parameters, and for executables. */

import type { ModelEffect } from './model.ts';

/** Where in a pitched memory a box begins: x in bytes, y, bytes in a row, z, rows in a slice. */
const boxStart = (params: string, side: 'src' | 'dst'): readonly string[] => [
  `${params}.${side}Pos.x`,
  `${params}.${side}Pos.y`,
  `${params}.${side}Ptr.pitch`,
  `${params}.${side}Pos.z`,
  `${params}.${side}Ptr.ysize`,
];

const driverBoxStart = (params: string, side: 'src' | 'dst'): readonly string[] => [
  `${params}.${side}XInBytes`,
  `${params}.${side}Y`,
  `${params}.${side}Pitch`,
  `${params}.${side}Z`,
  `${params}.${side}Height`,
];

/** `cudaMemcpy3DParms`. */
export const copy3d = (params: string): Partial<ModelEffect> => ({
  kind: 'memcpy',
  label: 'memcpy',
  reads: [`${params}.srcPtr.ptr`],
  writes: [`${params}.dstPtr.ptr`],
  readsAt: boxStart(params, 'src'),
  writesAt: boxStart(params, 'dst'),
  bytes: [`${params}.extent.width`, `${params}.extent.height`, `${params}.extent.depth`],
});

/** `CUDA_MEMCPY3D`: each side is a device or a host address. */
export const driverCopy3d = (params: string): Partial<ModelEffect> => ({
  kind: 'memcpy',
  label: 'memcpy',
  reads: [`${params}.srcDevice`, `${params}.srcHost`],
  writes: [`${params}.dstDevice`, `${params}.dstHost`],
  readsAt: driverBoxStart(params, 'src'),
  writesAt: driverBoxStart(params, 'dst'),
  bytes: [`${params}.WidthInBytes`, `${params}.Height`, `${params}.Depth`],
});

/** `cudaKernelNodeParams`, `CUDA_KERNEL_NODE_PARAMS`. */
export const kernel = (params: string): Partial<ModelEffect> => ({
  kind: 'kernel',
  function: `${params}.func`,
  kernelArguments: `${params}.kernelParams`,
  argumentBuffer: `${params}.extra`,
  grid: `${params}.gridDim`,
  block: `${params}.blockDim`,
});

/** `cudaMemsetParams`, `CUDA_MEMSET_NODE_PARAMS`. */
export const memset = (params: string): Partial<ModelEffect> => ({
  kind: 'memset',
  label: 'memset',
  writes: [`${params}.dst`],
  writesPitch: `${params}.pitch`,
  bytes: [`${params}.width`, `${params}.height`, `${params}.elementSize`],
});

/** What a node does, by its type, from `cudaGraphNodeParams`. */
export const nodeCases = (common: ModelEffect, params: string): Readonly<Record<string, readonly ModelEffect[]>> => ({
  cudaGraphNodeTypeKernel: [{ ...common, ...kernel(`${params}.kernel`) }],
  cudaGraphNodeTypeMemcpy: [
    { ...common, ...copy3d(`${params}.memcpy.copyParams`), direction: `${params}.memcpy.copyParams.kind` },
  ],
  cudaGraphNodeTypeMemset: [{ ...common, ...memset(`${params}.memset`) }],
  cudaGraphNodeTypeHost: [
    { ...common, kind: 'host', function: `${params}.host.fn`, userData: `${params}.host.userData` },
  ],
  cudaGraphNodeTypeGraph: [
    { ...common, kind: 'child', child: `${params}.graph.graph`, moved: `${params}.graph.ownership` },
  ],
  cudaGraphNodeTypeEmpty: [{ ...common, kind: 'empty', label: 'empty' }],
  cudaGraphNodeTypeWaitEvent: [{ ...common, kind: 'eventWait', event: `${params}.eventWait.event` }],
  cudaGraphNodeTypeEventRecord: [{ ...common, kind: 'eventRecord', event: `${params}.eventRecord.event` }],
  cudaGraphNodeTypeExtSemaphoreSignal: [{ ...common, kind: 'semaphoreSignal', label: 'signal semaphore' }],
  cudaGraphNodeTypeExtSemaphoreWait: [{ ...common, kind: 'semaphoreWait', label: 'wait semaphore' }],
  cudaGraphNodeTypeMemAlloc: [
    {
      ...common,
      kind: 'memAlloc',
      pointer: `${params}.alloc.dptr`,
      bytes: [`${params}.alloc.bytesize`],
      properties: `${params}.alloc`,
    },
  ],
  cudaGraphNodeTypeMemFree: [{ ...common, kind: 'memFree', free: `${params}.free.dptr` }],
  cudaGraphNodeTypeConditional: [
    {
      ...common,
      kind: 'conditional',
      label: 'conditional',
      bodies: `${params}.conditional.phGraph_out`,
      bodyCount: `${params}.conditional.size`,
    },
  ],
});
