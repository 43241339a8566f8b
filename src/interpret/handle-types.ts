/** Types of CUDA's and its libraries' handles, by their names. */

import type { TypeReference } from '../program/program.ts';
import type { HandleType } from '../trace/event.ts';

const handleTypes: ReadonlyMap<string, HandleType> = new Map(
  Object.entries({
    cudaStream_t: 'stream',
    CUstream: 'stream',
    cudaEvent_t: 'event',
    CUevent: 'event',
    cudaGraph_t: 'graph',
    CUgraph: 'graph',
    cudaGraphNode_t: 'node',
    CUgraphNode: 'node',
    cudaGraphExec_t: 'exec',
    CUgraphExec: 'exec',
    cudaMemPool_t: 'pool',
    CUmemoryPool: 'pool',
    cublasHandle_t: 'library',
    cublasLtHandle_t: 'library',
    cufftHandle: 'library',
    cudnnHandle_t: 'library',
    cusparseHandle_t: 'library',
    curandGenerator_t: 'library',
    cusolverDnHandle_t: 'library',
  } satisfies Readonly<Record<string, HandleType>>),
);

/** Whether it is the name of such a type. */
export function isHandleName(name: string): boolean {
  return handleTypes.has(name);
}

/** The handle a type stands for. */
export function handleTypeOf(type: TypeReference | null): HandleType | null {
  return type && type.pointers === 0 && type.extents.length === 0 ? (handleTypes.get(type.name) ?? null) : null;
}

/** Handles that are numbers to the compiler; all others are pointers. */
const numbers: ReadonlySet<string> = new Set(['cufftHandle']);

/** Whether a type is that of a handle that the compiler takes for a pointer. */
export function isPointerToOpaque(type: TypeReference): boolean {
  return handleTypeOf(type) !== null && !numbers.has(type.name);
}
