/**
 * CUDA calls that ask or set something which no ordering or lifetime hangs on: they succeed, and what they write is not known
 * from the text. Runtime API 13.0 and driver API 13.0, by their reference manuals.
 */

import type { ModelFile, ModelRow } from './model.ts';
import { batchOfMemoryOperations } from './stream-work.ts';

/** A call that writes through these parameters, and about which objects it asks: their type, and which parameters they are. */
const query = (name: string, targets: readonly number[], asked?: Asked): ModelRow => ({
  name,
  returns: 'status',
  effects: [
    ...targets.map((target) => ({ verb: 'write.unknown', target: `*arg${target}` })),
    ...(asked ? [{ verb: 'query.handles', type: asked[0], handles: asked.slice(1).map((each) => `arg${each}`) }] : []),
  ],
});

type Asked = readonly ['stream' | 'event' | 'graph' | 'exec' | 'pool', ...(readonly number[])];

const pairs: readonly (readonly [name: string, targets: readonly number[], asked?: Asked])[] = [
  ['StreamGetFlags', [1], ['stream', 0]],
  ['StreamGetPriority', [1], ['stream', 0]],
  ['StreamGetId', [1], ['stream', 0]],
  ['StreamGetDevice', [1], ['stream', 0]],
  ['StreamGetAttribute', [2], ['stream', 0]],
  ['StreamSetAttribute', [], ['stream', 0]],
  ['StreamCopyAttributes', [], ['stream', 0, 1]],
  ['EventElapsedTime', [0], ['event', 1, 2]],
  ['GraphGetId', [1], ['graph', 0]],
  ['GraphNodeGetContainingGraph', [1]],
  ['GraphNodeGetToolsId', [1]],
  ['GraphNodeGetLocalId', [1]],
  ['GraphKernelNodeGetAttribute', [2]],
  ['GraphKernelNodeSetAttribute', []],
  ['GraphKernelNodeCopyAttributes', []],
  ['GraphMemcpyNodeGetParams', [1]],
  ['GraphMemsetNodeGetParams', [1]],
  ['GraphHostNodeGetParams', [1]],
  ['GraphEventRecordNodeGetEvent', [1]],
  ['GraphEventWaitNodeGetEvent', [1]],
  ['GraphExecGetFlags', [1], ['exec', 0]],
  ['GraphExecGetId', [1], ['exec', 0]],
  ['GraphDebugDotPrint', [], ['graph', 0]],
  ['GraphReleaseUserObject', []],
  ['GraphRetainUserObject', []],
  ['UserObjectRetain', []],
  ['UserObjectRelease', []],
  ['MemPoolGetAttribute', [2], ['pool', 0]],
  ['MemPoolSetAttribute', [], ['pool', 0]],
  ['MemPoolGetAccess', [0], ['pool', 1]],
  ['MemPoolTrimTo', [], ['pool', 0]],
  ['MemPoolExportToShareableHandle', [0], ['pool', 1]],
  ['MemPoolExportPointer', [0]],
  ['MemPoolImportPointer', [0]],
];

const unsafe = { unsafeInCapture: true } as const;
/** Those of the calls above that are refused while a stream of the thread captures (H200, CUDA 13.0). */
const refused: ReadonlySet<string> = new Set(['MemPoolSetAttribute', 'MemPoolTrimTo']);

const both = (name: string): readonly string[] => [`cuda${name}`, `cu${name}`];

/** Operations on memory that the stream waits for or writes. */
const memoryOperations: readonly (readonly [name: string, place: { tells: string } | { awaits: string }])[] = [
  '32',
  '64',
].flatMap((bits) => [
  [`cuStreamWaitValue${bits}`, { awaits: 'arg1' }],
  [`cuStreamWriteValue${bits}`, { tells: 'arg1' }],
]);

/** A kernel by its name in a module or library: the kernel of that name in the text, where there is one. */
const kernelByName = (name: string): ModelRow => ({
  name,
  returns: 'status',
  effects: [{ verb: 'write.kernel', target: '*arg0', name: 'arg2' }],
});

/** A function of the driver by its name. */
const entryPoint = (name: string): ModelRow => ({
  name,
  returns: 'status',
  effects: [{ verb: 'write.function', target: '*arg1', name: 'arg0' }],
});

/** What one kernel handle is made of another: the same kernel. */
const sameKernel = (name: string): ModelRow => ({
  name,
  returns: 'status',
  effects: [{ verb: 'write.value', target: '*arg0', value: 'arg1' }],
});

/** What an address leads to. */
const askedOfMemory = (name: string, pointer: string): ModelRow => ({
  name,
  returns: 'status',
  effects: [{ verb: 'write.pointees' }, { verb: 'query.memory', pointer }],
});

const kernels: readonly ModelRow[] = [
  ...['cuModuleGetFunction', 'cuLibraryGetKernel', 'cudaLibraryGetKernel'].map(kernelByName),
  ...['cudaGetDriverEntryPoint', 'cudaGetDriverEntryPointByVersion', 'cuGetProcAddress'].map(entryPoint),
  ...['cuKernelGetFunction', 'cudaGetFuncBySymbol', 'cudaGetKernel'].map(sameKernel),
];

/** Families that only ask, load or describe: what they write through pointers is not known. */
const families = [
  'cuTexRef cuTexObject cuSurfRef cuSurfObject cuModule cuLibrary cuLink cuCtx cuDevice cuFunc cuKernel cuPointer cuIpc',
  'cuOccupancy cuArray cuMipmappedArray cuProfiler cuLogs cuCoredump cuDriverGetVersion cuMemGet cuMemHostGet cuMemRangeGet',
  'cuMemAdvise cuGetExportTable cuExternalMemory cuImportExternal cuDestroyExternal cuTensorMap cuGreenCtx',
  'cuMemAddress cuMemCreate cuMemRelease cuMemMap cuMemUnmap cuMemSetAccess cuMemExport cuMemImport cuMemRetain cuMulticast',
  'cuDevResource cuDevSmResource cuFlushGPUDirect cuCheckpoint cuGraphicsMap cuGraphicsUnmap cuGraphicsResource',
  'cudaIpc cudaDeviceGet cudaDeviceSet cudaDeviceRegister cudaDeviceUnregister cudaDeviceDisablePeer cudaDeviceFlush',
  'cudaChooseDevice cudaSetValidDevices cudaGetDevice cudaFunc cudaOccupancy cudaArray cudaMipmappedArray cudaMalloc3DArray',
  'cudaMallocArray cudaMallocMipmappedArray cudaFreeArray cudaFreeMipmappedArray cudaGetMipmappedArray cudaHostGetFlags',
  'cudaCreateTextureObject cudaDestroyTextureObject cudaGetTextureObject cudaCreateSurfaceObject cudaDestroySurfaceObject',
  'cudaGetSurfaceObject cudaGetChannelDesc cudaCreateChannelDesc cudaBindTexture cudaUnbindTexture cudaGetTexture',
  'cudaMemRangeGet cudaMemGetInfo cudaPointerGet cudaGetSymbol cudaGetExportTable cudaLibrary cudaKernel',
  'cudaImportExternal cudaExternalMemory cudaDestroyExternal cudaGraphicsMap cudaGraphicsUnmap cudaGraphicsResource cudaLogs',
  'cudaGraphExternalSemaphores cuGraphExternalSemaphores cuGraphBatchMemOpNodeGet cudaCtx cudaDriverGet cudaRuntimeGet',
].flatMap((line) => line.split(' '));

export const cudaQueriesModel: ModelFile = {
  name: 'cuda-queries',
  rows: [
    ...both('UserObjectCreate').map(
      (name): ModelRow => ({
        name,
        returns: 'status',
        effects: [
          { verb: 'write.unknown', target: '*arg0' },
          { verb: 'callback.keep', function: 'arg2' },
        ],
      }),
    ),
    ...pairs.flatMap(([name, targets, asked]) =>
      both(name).map((full) =>
        refused.has(name) ? { ...query(full, targets, asked), ...unsafe } : query(full, targets, asked),
      ),
    ),
    // Refused during a capture where loading is not (H200, CUDA 13.0).
    ...['cuModuleUnload', 'cuLibraryUnload', 'cudaLibraryUnload'].map(
      (name): ModelRow => ({ name, returns: 'status', ...unsafe }),
    ),
    ...kernels,
    ...families.map(
      (family): ModelRow => ({ name: `${family}*`, returns: 'status', effects: [{ verb: 'write.pointees' }] }),
    ),
    ...memoryOperations.map(
      ([name, place]): ModelRow => ({
        name,
        returns: 'status',
        effects: [
          {
            verb: 'stream.operation',
            stream: 'arg0',
            kind: 'batchMemOp',
            label: 'memory operation',
            touches: ['arg1'],
            ...place,
          },
        ],
      }),
    ),
    {
      name: 'cuStreamBatchMemOp',
      returns: 'status',
      effects: [
        {
          verb: 'stream.operation',
          stream: 'arg0',
          kind: 'batchMemOp',
          label: 'memory operations',
          ...batchOfMemoryOperations('arg2', 'arg1'),
        },
      ],
    },
    // The handle of a device is its number.
    { name: 'cuDeviceGet', returns: 'status', effects: [{ verb: 'write.value', target: '*arg0', value: 'arg1' }] },
    askedOfMemory('cuPointerGetAttribute', 'arg2'),
    askedOfMemory('cuPointerGetAttributes', 'arg3'),
    query('cuStreamGetCtx', [1], ['stream', 0]),
    query('cuGraphConditionalHandleCreate', [0]),
  ],
};
