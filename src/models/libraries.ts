/**
 * Libraries that work on a stream they were given before: cuBLAS, cuFFT, cuDNN and the like.
 *
 * A name ending in `*` stands for every function that begins so; exact names come first.
 */

import type { ModelFile, ModelRow } from './model.ts';

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

const rows: readonly ModelRow[] = libraries.flatMap(([prefix, create, setStream]): ModelRow[] => [
  { name: create, returns: 'status', effects: [{ verb: 'library.create', library: '*arg0' }] },
  { name: `${create}_v2`, returns: 'status', effects: [{ verb: 'library.create', library: '*arg0' }] },
  { name: setStream, returns: 'status', effects: [{ verb: 'library.setStream', library: 'arg0', stream: 'arg1' }] },
  {
    name: `${setStream}_v2`,
    returns: 'status',
    effects: [{ verb: 'library.setStream', library: 'arg0', stream: 'arg1' }],
  },
  { name: `${prefix}Destroy*`, returns: 'status' },
  { name: `${prefix}Set*`, returns: 'status' },
  { name: `${prefix}Get*`, returns: 'status' },
  { name: `${prefix}Create*`, returns: 'status' },
  { name: `${prefix}*`, returns: 'status', effects: [{ verb: 'library.call', library: 'arg0' }] },
]);

/** NCCL's collectives take their stream last, their communicator in front of it. */
const nccl: readonly ModelRow[] = [
  'ncclAllReduce',
  'ncclBroadcast',
  'ncclReduce',
  'ncclAllGather',
  'ncclReduceScatter',
  'ncclSend',
  'ncclRecv',
  'ncclBcast',
].map((name): ModelRow => ({ name, returns: 'status', effects: [{ verb: 'library.call' }] }));

export const librariesModel: ModelFile = {
  name: 'libraries',
  rows: [...rows, ...nccl],
  pure: [
    'ncclGroupStart',
    'ncclGroupEnd',
    'ncclGetErrorString',
    'cublasGetStatusString',
    'nvtxRangePush',
    'nvtxRangePop',
    'nvtxRangePushA',
    'nvtxMark',
  ],
};
