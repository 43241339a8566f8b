/**
 * Libraries that work on a stream they were given: cuBLAS, cuFFT, cuDNN and the like with their handle, NCCL, NVSHMEM and CUB with an
 * argument, Thrust and RMM with an execution policy.
 *
 * A name with a `*` stands for every function that begins, and ends, so; exact names come first. What a call does to the memory it
 * is given is not known unless the row says so. Sources: the libraries' reference manuals of CUDA 13.0, NCCL 2.28, CCCL 3.0.
 */

import { blasRoutines } from './blas-routines.ts';
import { compressionRoutines } from './compression-routines.ts';
import { cubAlgorithms } from './cub-algorithms.ts';
import { dnnRoutines } from './dnn-routines.ts';
import type { ModelEffect, ModelFile, ModelRow } from './model.ts';
import { nvshmem, nvshmemQueries } from './nvshmem.ts';
import { thrustAlgorithms } from './thrust-algorithms.ts';

/** Prefix, the call that makes a handle, the call that gives it a stream. */
const libraries: readonly (readonly [string, string, string])[] = [
  ['cublas', 'cublasCreate', 'cublasSetStream'],
  ['cublasLt', 'cublasLtCreate', 'cublasLtSetStream'],
  ['cufft', 'cufftCreate', 'cufftSetStream'],
  ['cudnn', 'cudnnCreate', 'cudnnSetStream'],
  ['cusparse', 'cusparseCreate', 'cusparseSetStream'],
  ['curand', 'curandCreateGenerator', 'curandSetStream'],
  ['cusolverDn', 'cusolverDnCreate', 'cusolverDnSetStream'],
];

const effectOf = (name: string, effect: ModelEffect): ModelRow => ({ name, returns: 'status', effects: [effect] });

/** What a library's calls use from then on; cuBLAS lets go of it when it is given a stream. */
const workspaces: readonly ModelRow[] = [
  ...['', '_v2'].map((version) =>
    effectOf(`cublasSetWorkspace${version}`, { verb: 'library.setWorkspace', library: 'arg0', workspace: 'arg1' }),
  ),
  effectOf('cufftSetWorkArea', { verb: 'library.setWorkspace', library: 'arg0', workspace: 'arg1' }),
];

const handles: readonly ModelRow[] = libraries.flatMap(([prefix, create, setStream]): ModelRow[] => [
  ...['', '_v2'].flatMap((version) => [
    effectOf(`${create}${version}`, { verb: 'library.create', library: '*arg0' }),
    effectOf(`${setStream}${version}`, {
      verb: 'library.setStream',
      library: 'arg0',
      stream: 'arg1',
      dropsWorkspace: prefix === 'cublas',
    }),
    effectOf(`${setStream.replace('Set', 'Get')}${version}`, { verb: 'library.getStream', library: 'arg0' }),
  ]),
  ...['Destroy', 'Set'].map((word) => ({ name: `${prefix}${word}*`, returns: 'status' })),
  ...['Get', 'Create'].map((word) => effectOf(`${prefix}${word}*`, { verb: 'library.answer' })),
  // How much memory a routine wants: nothing is done with what is given.
  ...['_bufferSize', '_bufferSizeExt'].map((end) => effectOf(`${prefix}*${end}`, { verb: 'library.answer' })),
  effectOf(`${prefix}*`, { verb: 'library.call', library: 'arg0' }),
]);

/** Work whose accesses the manual names, on the stream of the handle in the first argument. */
const reading = (name: string, reads: readonly string[], writes: readonly string[]): ModelRow =>
  effectOf(name, {
    verb: 'library.call',
    library: 'arg0',
    kind: 'kernel',
    label: name.replace('*', ''),
    reads,
    writes,
  });

const transforms: readonly ModelRow[] = [
  ...['cufftPlan1d', 'cufftPlan2d', 'cufftPlan3d', 'cufftPlanMany'].map((name) =>
    effectOf(name, { verb: 'library.create', library: '*arg0' }),
  ),
  ...['cufftMakePlan*', 'cufftEstimate*'].map((name) => effectOf(name, { verb: 'library.answer' })),
  ...['cufftExecC2C', 'cufftExecZ2Z', 'cufftExecR2C', 'cufftExecD2Z'].map((name) => reading(name, ['arg1'], ['arg2'])),
  reading('curandGenerate*', [], ['arg1']),
];

/** Copies between host and device: the last argument of the `Async` forms is a stream. */
const blasCopies: readonly ModelRow[] = [
  ['cublasSetVector', 'arg4', 'arg2', 'arg6'],
  ['cublasGetVector', 'arg4', 'arg2', 'arg6'],
  ['cublasSetMatrix', 'arg5', 'arg3', 'arg7'],
  ['cublasGetMatrix', 'arg5', 'arg3', 'arg7'],
].flatMap(([name = '', writes = '', reads = '', stream = '']) => {
  const copy = { verb: 'stream.operation', kind: 'memcpy', label: 'memcpy', writes: [writes], reads: [reads] };
  return [effectOf(name, { ...copy, stream: 'legacy', blocking: true }), effectOf(`${name}Async`, { ...copy, stream })];
});

/** Collectives that read all they send and write all they receive; others do that on one rank only. */
const collectives: readonly ModelRow[] = [
  ['ncclAllReduce', 'arg6'],
  ['ncclAllGather', 'arg5'],
  ['ncclReduceScatter', 'arg6'],
  ['ncclAlltoAll', 'arg5'],
].map(([name = '', stream = '']) =>
  effectOf(name, { verb: 'stream.operation', stream, kind: 'kernel', label: name, reads: ['arg0'], writes: ['arg1'] }),
);

const nccl: readonly ModelRow[] = [
  ...collectives,
  effectOf('ncclMemAlloc', { verb: 'memory.allocate', origin: 'device', pointer: '*arg0', bytes: ['arg1'] }),
  effectOf('ncclMemFree', { verb: 'memory.free', pointer: 'arg0' }),
  effectOf('ncclSend', {
    verb: 'stream.operation',
    stream: 'arg5',
    kind: 'kernel',
    label: 'ncclSend',
    reads: ['arg0'],
  }),
  effectOf('ncclRecv', {
    verb: 'stream.operation',
    stream: 'arg5',
    kind: 'kernel',
    label: 'ncclRecv',
    writes: ['arg0'],
  }),
  // What is sent is read by one rank only, or what is received is written by one only.
  ...[
    ['ncclBroadcast', 'arg0', 'arg1'],
    ['ncclScatter', 'arg0', 'arg1'],
  ].map(([name = '', touches = '', writes = '']) =>
    effectOf(name, {
      verb: 'stream.operation',
      stream: 'arg6',
      kind: 'kernel',
      label: name,
      touches: [touches],
      writes: [writes],
    }),
  ),
  ...[
    ['ncclReduce', 'arg7'],
    ['ncclGather', 'arg6'],
  ].map(([name = '', stream = '']) =>
    effectOf(name, {
      verb: 'stream.operation',
      stream,
      kind: 'kernel',
      label: name,
      reads: ['arg0'],
      touches: ['arg1'],
    }),
  ),
  effectOf('ncclBcast', { verb: 'library.call' }),
];

/** A policy: `stream` where the algorithm returns when it is done, `unawaitedStream` where it may return before. */
const policy = (name: string, field: 'stream' | 'unawaitedStream'): ModelRow => ({
  name,
  returns: { record: { [field]: 'arg0' } },
});

/** Policies that name no stream: the algorithm works in the default stream, and returns when it is done unless `false`. */
export const policiesWithoutStream: ReadonlyMap<string, boolean> = new Map([
  ['thrust::device', true],
  ['thrust::cuda::par', true],
  ['thrust::cuda::par_nosync', false],
  ['thrust::hip::par', true],
]);

const same = (name: string): ModelRow => ({ name, returns: 'arg0' });

const templates: readonly ModelRow[] = [
  policy('thrust::cuda::par.on', 'stream'),
  policy('thrust::cuda::par_nosync.on', 'unawaitedStream'),
  policy('thrust::hip::par.on', 'stream'),
  policy('rmm::exec_policy', 'stream'),
  policy('rmm::exec_policy_nosync', 'unawaitedStream'),
  // `thrust::cuda::par(allocator)` has the same method.
  { name: 'thrust::cuda::par', returns: { record: { allocator: 'arg0' } } },
  { name: 'thrust::cuda::par_nosync', returns: { record: { allocator: 'arg0' } } },
  ...['thrust::device_pointer_cast', 'thrust::raw_pointer_cast', 'thrust::device_ptr'].map(same),
  // Without its namespace it is found by the type of what it is given.
  same('raw_pointer_cast'),
  ...['thrust::make_*', 'thrust::tie'].map(
    (name): ModelRow => ({
      name,
      returns: { record: { first: 'arg0', second: 'arg1', third: 'arg2', fourth: 'arg3' } },
    }),
  ),
  { name: 'thrust::*', effects: [{ verb: 'library.call', waits: true, onlyWithMemory: true }] },
  effectOf('cub::Device*', { verb: 'library.call', askedWithoutWorkspace: 'arg0' }),
];

export const librariesModel: ModelFile = {
  name: 'libraries',
  rows: [
    ...workspaces,
    ...handles,
    ...transforms,
    ...blasCopies,
    ...blasRoutines,
    ...dnnRoutines,
    ...compressionRoutines,
    ...nccl,
    ...nvshmem,
    ...cubAlgorithms,
    ...thrustAlgorithms,
    ...templates,
  ],
  pure: [
    'ncclGroupStart',
    'ncclGroupEnd',
    'ncclGetErrorString',
    'cublasGetStatusString',
    'nvtxRangePush',
    'nvtxRangePop',
    'nvtxRangePushA',
    'nvtxMark',
    ...nvshmemQueries,
  ],
};
