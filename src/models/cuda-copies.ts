/**
 * CUDA runtime: copies, memsets, prefetches, external semaphores: work in a stream that reads and writes memory it is given.
 * Shapes of CUDA 11, 12 and 13 (runtime API 13.0, memory management). Of arrays it is only followed whether they are still there.
 */

import { copy3d } from './graph-node-params.ts';
import type { ModelEffect, ModelFile, ModelRow } from './model.ts';
import { batchOf3dCopies, batchOfCopies, discards, prefetch, prefetches, work } from './stream-work.ts';

const copy = (writes: string | null, reads: string | null, ...bytes: readonly string[]): Partial<ModelEffect> => ({
  kind: 'memcpy',
  label: 'memcpy',
  ...(writes === null ? {} : { writes: [writes] }),
  ...(reads === null ? {} : { reads: [reads] }),
  bytes,
});

const fill = (writes: string, ...bytes: readonly string[]): Partial<ModelEffect> => ({
  kind: 'memset',
  label: 'memset',
  writes: [writes],
  bytes,
});

const fillOfBox: Partial<ModelEffect> = {
  ...fill('arg0.ptr', 'arg2.width', 'arg2.height', 'arg2.depth'),
  // It begins where it is told to.
  writesAt: [0, 0, 'arg0.pitch', 0, 'arg0.ysize'],
};

const blocking = { blocking: true };

/** A copy in its two forms: `name…, direction` waits, `nameAsync…, direction, stream` does not. */
const bothForms = (name: string, effect: Partial<ModelEffect>, direction: number): readonly ModelRow[] => [
  work(name, 'legacy', { ...effect, direction: `arg${direction}`, ...blocking }),
  work(`${name}Async`, `arg${direction + 1}`, { ...effect, direction: `arg${direction}` }),
];

const peer3d: Partial<ModelEffect> = copy3d('arg0');

const copies: readonly ModelRow[] = [
  ...bothForms('cudaMemcpy', copy('arg0', 'arg1', 'arg2'), 3),
  ...bothForms('cudaMemcpy2D', { ...copy('arg0', 'arg2', 'arg4', 'arg5'), writesPitch: 'arg1', readsPitch: 'arg3' }, 6),
  ...bothForms('cudaMemcpyToSymbol', { ...copy(null, 'arg1', 'arg2'), symbolWrites: 'arg0', symbolOffset: 'arg3' }, 4),
  ...bothForms('cudaMemcpyFromSymbol', { ...copy('arg0', null, 'arg2'), symbolReads: 'arg1', symbolOffset: 'arg3' }, 4),
  ...bothForms('cudaMemcpyToArray', { ...copy(null, 'arg3', 'arg4'), touches: ['arg0'] }, 5),
  ...bothForms('cudaMemcpyFromArray', { ...copy('arg0', null, 'arg4'), touches: ['arg1'] }, 5),
  ...bothForms(
    'cudaMemcpy2DToArray',
    { ...copy(null, 'arg3', 'arg5', 'arg6'), readsPitch: 'arg4', touches: ['arg0'] },
    7,
  ),
  ...bothForms(
    'cudaMemcpy2DFromArray',
    { ...copy('arg0', null, 'arg5', 'arg6'), writesPitch: 'arg1', touches: ['arg2'] },
    7,
  ),
  work('cudaMemcpy2DArrayToArray', 'legacy', copy(null, null, 'arg6', 'arg7')),
  work('cudaMemcpyArrayToArray', 'legacy', copy(null, null, 'arg6')),
  work('cudaMemcpy3D', 'legacy', { ...copy3d('arg0'), direction: 'arg0.kind', ...blocking }),
  work('cudaMemcpy3DAsync', 'arg1', { ...copy3d('arg0'), direction: 'arg0.kind' }),
  work('cudaMemcpy3DPeer', 'legacy', peer3d),
  work('cudaMemcpy3DPeerAsync', 'arg1', peer3d),
  work('cudaMemcpyPeer', 'legacy', copy('arg0', 'arg2', 'arg4')),
  work('cudaMemcpyPeerAsync', 'arg5', copy('arg0', 'arg2', 'arg4')),
];

/** Batches: the stream comes last; 12.8 and 12.9 have an index of what failed before it, C++ has forms with one attribute. */
const batches: readonly ModelRow[] = [
  ...[6, 7, 8, 9].map((arity) => work('cudaMemcpyBatchAsync', `arg${arity - 1}`, batchOfCopies, arity)),
  ...[4, 5].map((arity) => work('cudaMemcpy3DBatchAsync', `arg${arity - 1}`, batchOf3dCopies, arity)),
];

/** A copy that says itself how its sides may be accessed. */
const attributed: readonly ModelRow[] = [
  work('cudaMemcpyWithAttributesAsync', 'arg4', copy('arg0', 'arg1', 'arg2')),
  work('cudaMemcpy3DWithAttributesAsync', 'arg2', {
    kind: 'memcpy',
    label: 'memcpy',
    writes: ['arg0.dst.op.ptr.ptr'],
    reads: ['arg0.src.op.ptr.ptr'],
  }),
];

const moves: readonly ModelRow[] = [
  work('cudaMemPrefetchAsync', 'arg3', prefetch, [3, 4]),
  work('cudaMemPrefetchAsync', 'arg4', prefetch, 5),
  ...[6, 8].map((arity) => work('cudaMemPrefetchBatchAsync', `arg${arity - 1}`, prefetches, arity)),
  work('cudaMemDiscardBatchAsync', 'arg4', discards),
  ...[6, 8].map((arity) => work('cudaMemDiscardAndPrefetchBatchAsync', `arg${arity - 1}`, discards, arity)),
];

const fills: readonly ModelRow[] = [
  work('cudaMemset', 'legacy', fill('arg0', 'arg2')),
  work('cudaMemsetAsync', 'arg3', fill('arg0', 'arg2')),
  work('cudaMemset2D', 'legacy', { ...fill('arg0', 'arg3', 'arg4'), writesPitch: 'arg1' }),
  work('cudaMemset2DAsync', 'arg5', { ...fill('arg0', 'arg3', 'arg4'), writesPitch: 'arg1' }),
  work('cudaMemset3D', 'legacy', fillOfBox),
  work('cudaMemset3DAsync', 'arg3', fillOfBox),
];

const semaphores: readonly ModelRow[] = ['', '_v2'].flatMap((version) => [
  work(`cudaSignalExternalSemaphoresAsync${version}`, 'arg3', {
    kind: 'semaphoreSignal',
    label: 'signal semaphore',
    tells: 'arg0[*]',
    listCount: 'arg2',
  }),
  work(`cudaWaitExternalSemaphoresAsync${version}`, 'arg3', {
    kind: 'semaphoreWait',
    label: 'wait semaphore',
    awaits: 'arg0[*]',
    listCount: 'arg2',
  }),
]);

export const cudaCopiesModel: ModelFile = {
  name: 'cuda-copies',
  rows: [...copies, ...batches, ...attributed, ...moves, ...fills, ...semaphores],
};
