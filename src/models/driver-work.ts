/** CUDA driver API: work in streams whose arguments differ from the runtime's. Driver API 13.0. */

import { driverCopy3d } from './graph-node-params.ts';
import type { ModelEffect, ModelRow } from './model.ts';
import {
  batchOf3dCopies,
  batchOfCopies,
  batchOfMemoryOperations,
  discards,
  prefetch,
  prefetches,
  work,
} from './stream-work.ts';

const copy: Partial<ModelEffect> = {
  kind: 'memcpy',
  label: 'memcpy',
  writes: ['arg0'],
  reads: ['arg1'],
  bytes: ['arg2'],
};
const peer: Partial<ModelEffect> = { ...copy, reads: ['arg2'], bytes: ['arg4'] };
const intoArray: Partial<ModelEffect> = { kind: 'memcpy', label: 'memcpy', reads: ['arg2'], bytes: ['arg3'] };
const outOfArray: Partial<ModelEffect> = { kind: 'memcpy', label: 'memcpy', writes: ['arg0'], bytes: ['arg3'] };
const flat: Partial<ModelEffect> = {
  ...driverCopy3d('arg0'),
  bytes: ['arg0.WidthInBytes', 'arg0.Height'],
  readsPitch: 'arg0.srcPitch',
  writesPitch: 'arg0.dstPitch',
};
/** The direction of these is in the structure, as types of memory. */
const deep: Partial<ModelEffect> = driverCopy3d('arg0');

const widths: readonly (readonly [string, number])[] = [
  ['8', 1],
  ['16', 2],
  ['32', 4],
];

/** A memset of so many elements. */
const fill = (elementBytes: number, ...extent: readonly string[]): Partial<ModelEffect> => ({
  kind: 'memset',
  label: 'memset',
  writes: ['arg0'],
  bytes: elementBytes === 1 ? extent : [...extent, elementBytes],
});

const copies: readonly ModelRow[] = [
  ...['cuMemcpyAsync', 'cuMemcpyHtoDAsync', 'cuMemcpyDtoHAsync', 'cuMemcpyDtoDAsync'].map((name) =>
    work(name, 'arg3', copy),
  ),
  ...['cuMemcpy', 'cuMemcpyHtoD', 'cuMemcpyDtoH'].map((name) => work(name, 'legacy', { ...copy, blocking: true })),
  work('cuMemcpyDtoD', 'legacy', copy),
  work('cuMemcpyPeer', 'legacy', peer),
  work('cuMemcpyPeerAsync', 'arg5', peer),
  ...['cuMemcpy2D', 'cuMemcpy2DUnaligned'].map((name) => work(name, 'legacy', { ...flat, blocking: true })),
  work('cuMemcpy2DAsync', 'arg1', flat),
  work('cuMemcpy3D', 'legacy', { ...deep, blocking: true }),
  work('cuMemcpy3DAsync', 'arg1', deep),
  work('cuMemcpy3DPeer', 'legacy', deep),
  work('cuMemcpy3DPeerAsync', 'arg1', deep),
  work('cuMemcpyHtoA', 'legacy', { ...intoArray, blocking: true }),
  work('cuMemcpyHtoAAsync', 'arg4', intoArray),
  work('cuMemcpyDtoA', 'legacy', intoArray),
  work('cuMemcpyAtoH', 'legacy', { ...outOfArray, blocking: true }),
  work('cuMemcpyAtoHAsync', 'arg4', outOfArray),
  work('cuMemcpyAtoD', 'legacy', outOfArray),
  work('cuMemcpyAtoA', 'legacy', { kind: 'memcpy', label: 'memcpy', bytes: ['arg4'] }),
];

/** Batches have an index of what failed before their stream in 12.8 and 12.9. */
const batches: readonly ModelRow[] = [
  ...[8, 9].map((arity) => work('cuMemcpyBatchAsync', `arg${arity - 1}`, batchOfCopies, arity)),
  ...[4, 5].map((arity) => work('cuMemcpy3DBatchAsync', `arg${arity - 1}`, batchOf3dCopies, arity)),
  work('cuMemPrefetchAsync', 'arg3', prefetch, 4),
  work('cuMemPrefetchAsync', 'arg4', prefetch, 5),
  work('cuMemPrefetchBatchAsync', 'arg7', prefetches),
  work('cuMemDiscardBatchAsync', 'arg4', discards),
  work('cuMemDiscardAndPrefetchBatchAsync', 'arg7', discards),
];

const fills: readonly ModelRow[] = widths.flatMap(([width, bytes]) => [
  work(`cuMemsetD${width}`, 'legacy', fill(bytes, 'arg2')),
  work(`cuMemsetD${width}Async`, 'arg3', fill(bytes, 'arg2')),
  work(`cuMemsetD2D${width}`, 'legacy', fill(bytes, 'arg3', 'arg4')),
  work(`cuMemsetD2D${width}Async`, 'arg5', fill(bytes, 'arg3', 'arg4')),
]);

const launches: readonly ModelRow[] = [
  work('cuLaunchKernel', 'arg8', {
    kind: 'kernel',
    function: 'arg0',
    kernelArguments: 'arg9',
    argumentBuffer: 'arg10',
  }),
  work('cuLaunchCooperativeKernel', 'arg8', {
    kind: 'kernel',
    function: 'arg0',
    kernelArguments: 'arg9',
    cooperative: true,
  }),
  work('cuLaunchKernelEx', 'arg0.hStream', {
    kind: 'kernel',
    function: 'arg1',
    kernelArguments: 'arg2',
    argumentBuffer: 'arg3',
    attributes: 'arg0.attrs',
    attributeCount: 'arg0.numAttrs',
  }),
];

const semaphores: readonly ModelRow[] = [
  work('cuSignalExternalSemaphoresAsync', 'arg3', {
    kind: 'semaphoreSignal',
    label: 'signal semaphore',
    tells: 'arg0[*]',
    listCount: 'arg2',
  }),
  work('cuWaitExternalSemaphoresAsync', 'arg3', {
    kind: 'semaphoreWait',
    label: 'wait semaphore',
    awaits: 'arg0[*]',
    listCount: 'arg2',
  }),
];

const nodes: readonly ModelRow[] = [
  {
    name: 'cuGraphAddBatchMemOpNode',
    returns: 'status',
    effects: [
      {
        verb: 'node.add',
        node: '*arg0',
        graph: 'arg1',
        dependencies: 'arg2',
        count: 'arg3',
        kind: 'batchMemOp',
        label: 'memory operations',
        ...batchOfMemoryOperations('arg4.paramArray', 'arg4.count'),
      },
    ],
  },
];

export const driverWork: readonly ModelRow[] = [...launches, ...copies, ...batches, ...fills, ...semaphores, ...nodes];
