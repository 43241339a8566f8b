/** CUDA runtime: allocation, devices, pools. */

import { errorNumbers } from './cuda-errors.ts';
import type { ModelEffect, ModelFile, ModelRow } from './model.ts';
import { innerStructures, membersInOrder } from './structures.ts';

/** Arrays for textures: their handle stands for the memory, which is laid out as CUDA likes. */
const arrays: readonly ModelRow[] = [
  ...['cudaMallocArray', 'cudaMalloc3DArray', 'cudaMallocMipmappedArray'].map(madeArray),
  ...['cuArrayCreate', 'cuArray3DCreate', 'cuMipmappedArrayCreate'].map(madeArray),
  ...['cudaFreeArray', 'cudaFreeMipmappedArray', 'cuArrayDestroy', 'cuMipmappedArrayDestroy'].map((name) =>
    unsafe(name, { verb: 'memory.free', pointer: 'arg0' }),
  ),
];

function madeArray(name: string): ModelRow {
  return unsafe(name, { verb: 'memory.allocate', origin: 'device', pointer: '*arg0' });
}

/** A call that is refused while a stream of the thread captures (H200, CUDA 13.0). */
function unsafe(name: string, effect: ModelEffect): ModelRow {
  return { name, returns: 'status', effects: [effect], unsafeInCapture: true };
}

const rows: readonly ModelRow[] = [
  {
    name: 'cudaMalloc',
    returns: 'status',
    effects: [{ verb: 'memory.allocate', origin: 'device', pointer: '*arg0', bytes: ['arg1'] }],
    unsafeInCapture: true,
  },
  {
    name: 'cudaMallocManaged',
    returns: 'status',
    effects: [{ verb: 'memory.allocate', origin: 'managed', pointer: '*arg0', bytes: ['arg1'] }],
    unsafeInCapture: true,
  },
  {
    name: 'cudaMallocPitch',
    returns: 'status',
    effects: [
      { verb: 'write.number', target: '*arg1', label: 'pitch' },
      { verb: 'memory.allocate', origin: 'device', pointer: '*arg0', bytes: ['*arg1', 'arg3'] },
    ],
    unsafeInCapture: true,
  },
  {
    name: 'cudaMallocHost',
    returns: 'status',
    effects: [{ verb: 'memory.allocate', origin: 'host', pointer: '*arg0', bytes: ['arg1'] }],
    unsafeInCapture: true,
  },
  {
    name: 'cudaHostAlloc',
    returns: 'status',
    effects: [{ verb: 'memory.allocate', origin: 'host', pointer: '*arg0', bytes: ['arg1'] }],
    unsafeInCapture: true,
  },
  { name: 'cudaFree', returns: 'status', effects: [{ verb: 'memory.free', pointer: 'arg0' }], unsafeInCapture: true },
  {
    name: 'cudaFreeHost',
    returns: 'status',
    effects: [{ verb: 'memory.freeHost', pointer: 'arg0' }],
    unsafeInCapture: true,
  },
  {
    name: 'cudaMalloc3D',
    returns: 'status',
    effects: [
      { verb: 'write.number', target: 'arg0.pitch', label: 'pitch' },
      { verb: 'write.value', target: 'arg0.xsize', value: 'arg1.width' },
      { verb: 'write.value', target: 'arg0.ysize', value: 'arg1.height' },
      {
        verb: 'memory.allocate',
        origin: 'device',
        pointer: 'arg0.ptr',
        bytes: ['arg0.pitch', 'arg1.height', 'arg1.depth'],
      },
    ],
    unsafeInCapture: true,
  },
  // The device sees mapped host memory under an address of its own: the same memory.
  {
    name: 'cudaHostGetDevicePointer',
    returns: 'status',
    effects: [{ verb: 'write.value', target: '*arg0', value: 'arg1' }],
  },
  { name: 'cudaGetSymbolAddress', returns: 'status', effects: [{ verb: 'symbol.address' }] },
  ...arrays,
  // What another process has allocated; closed once for each time that it was opened.
  {
    name: 'cudaIpcOpenMemHandle',
    returns: 'status',
    effects: [{ verb: 'memory.allocate', origin: 'device', pointer: '*arg0' }],
  },
  { name: 'cudaIpcCloseMemHandle', returns: 'status', effects: [{ verb: 'memory.free', pointer: 'arg0' }] },
  {
    name: 'cudaHostRegister',
    returns: 'status',
    effects: [{ verb: 'host.pin', pointer: 'arg0' }],
    unsafeInCapture: true,
  },
  // Measured (H100, CUDA 13.0): it returns when all work of the device is over, in streams that do not block and on other memory too.
  {
    name: 'cudaHostUnregister',
    returns: 'status',
    effects: [{ verb: 'host.unpin', pointer: 'arg0' }],
    unsafeInCapture: true,
    waitsInFact: true,
  },
  {
    name: 'cudaMallocAsync',
    arity: 3,
    returns: 'status',
    effects: [{ verb: 'memory.allocateAsync', pointer: '*arg0', bytes: ['arg1'], stream: 'arg2' }],
  },
  {
    name: 'cudaMallocAsync',
    arity: 4,
    returns: 'status',
    effects: [{ verb: 'memory.allocateAsync', pointer: '*arg0', bytes: ['arg1'], pool: 'arg2', stream: 'arg3' }],
  },
  {
    name: 'cudaMallocFromPoolAsync',
    returns: 'status',
    effects: [{ verb: 'memory.allocateAsync', pointer: '*arg0', bytes: ['arg1'], pool: 'arg2', stream: 'arg3' }],
  },
  {
    name: 'cudaFreeAsync',
    returns: 'status',
    effects: [{ verb: 'memory.freeAsync', pointer: 'arg0', stream: 'arg1' }],
  },
  {
    name: 'cudaDeviceGetDefaultMemPool',
    returns: 'status',
    effects: [{ verb: 'pool.default', pool: '*arg0', device: 'arg1' }],
  },
  {
    name: 'cudaDeviceGetMemPool',
    returns: 'status',
    effects: [{ verb: 'pool.current', pool: '*arg0', device: 'arg1' }],
  },
  {
    name: 'cudaMemGetDefaultMemPool',
    returns: 'status',
    effects: [{ verb: 'pool.default', pool: '*arg0', device: 'arg1.id' }],
  },
  {
    name: 'cudaMemGetMemPool',
    returns: 'status',
    effects: [{ verb: 'pool.current', pool: '*arg0', device: 'arg1.id' }],
  },
  {
    name: 'cudaDeviceSetMemPool',
    returns: 'status',
    effects: [{ verb: 'pool.set', pool: 'arg1', device: 'arg0' }],
  },
  {
    name: 'cudaMemSetMemPool',
    returns: 'status',
    effects: [{ verb: 'pool.set', pool: 'arg2', device: 'arg0.id' }],
  },
  {
    name: 'cudaMemPoolImportFromShareableHandle',
    returns: 'status',
    effects: [{ verb: 'pool.create', pool: '*arg0', imported: true }],
  },
  {
    name: 'cudaMemPoolSetAccess',
    returns: 'status',
    effects: [{ verb: 'pool.access', pool: 'arg0', access: 'arg1', count: 'arg2' }],
  },
  {
    name: 'cudaMemPoolCreate',
    returns: 'status',
    unsafeInCapture: true,
    effects: [{ verb: 'pool.create', pool: '*arg0', properties: 'arg1' }],
  },
  ...['cudaMemPoolDestroy', 'cuMemPoolDestroy'].map((name) => unsafe(name, { verb: 'pool.destroy', pool: 'arg0' })),
  { name: 'make_cudaPitchedPtr', returns: { record: { ptr: 'arg0', pitch: 'arg1', xsize: 'arg2', ysize: 'arg3' } } },
  { name: 'make_cudaExtent', returns: { record: { width: 'arg0', height: 'arg1', depth: 'arg2' } } },
  { name: 'make_cudaPos', returns: { record: { x: 'arg0', y: 'arg1', z: 'arg2' } } },
  { name: 'cudaGetDevice', returns: 'status', effects: [{ verb: 'write.device', target: '*arg0' }] },
  { name: 'cudaSetDevice', returns: 'status', effects: [{ verb: 'device.set', device: 'arg0' }] },
  { name: 'cudaDeviceReset', returns: 'status', effects: [{ verb: 'device.reset' }] },
  { name: 'cudaGetLastError', returns: 'lastError', effects: [{ verb: 'error.clear' }] },
  { name: 'cudaPeekAtLastError', returns: 'lastError' },
  {
    name: 'cudaDeviceCanAccessPeer',
    returns: 'status',
    effects: [{ verb: 'query.peerAccess', target: '*arg0' }],
  },
  { name: 'cudaGetDeviceCount', returns: 'status', effects: [{ verb: 'write.unknown', target: '*arg0' }] },
  { name: 'cudaGetDeviceProperties', returns: 'status', effects: [{ verb: 'write.unknown', target: '*arg0' }] },
  // Most ask whether a device can do something, and a device of today can.
  { name: 'cudaDeviceGetAttribute', returns: 'status', effects: [{ verb: 'write.likely', target: '*arg0' }] },
  { name: 'cuDeviceGetAttribute', returns: 'status', effects: [{ verb: 'write.likely', target: '*arg0' }] },
  { name: 'cudaDriverGetVersion', returns: 'status', effects: [{ verb: 'write.unknown', target: '*arg0' }] },
  { name: 'cudaRuntimeGetVersion', returns: 'status', effects: [{ verb: 'write.unknown', target: '*arg0' }] },
  {
    name: 'cudaMemGetInfo',
    returns: 'status',
    effects: [
      { verb: 'write.unknown', target: '*arg0' },
      { verb: 'write.unknown', target: '*arg1' },
    ],
  },
  {
    name: 'cudaPointerGetAttributes',
    returns: 'status',
    effects: [
      { verb: 'query.pointer', target: '*arg0', pointer: 'arg1' },
      { verb: 'query.memory', pointer: 'arg1' },
    ],
  },
  { name: 'cudaMemPoolGetAttribute', returns: 'status', effects: [{ verb: 'write.unknown', target: '*arg2' }] },
  {
    name: 'cudaOccupancyMaxActiveBlocksPerMultiprocessor',
    returns: 'status',
    effects: [{ verb: 'write.unknown', target: '*arg0' }],
  },
  {
    name: 'cudaOccupancyMaxPotentialBlockSize',
    returns: 'status',
    effects: [
      { verb: 'write.unknown', target: '*arg0' },
      { verb: 'write.unknown', target: '*arg1' },
    ],
  },
];

/** Functions that say or ask something of managed memory, which has to be there: which argument it is. */
const aboutMemory: readonly (readonly [name: string, pointer: string, target?: string])[] = [
  ['cudaMemAdvise', 'arg0'],
  ['cuMemAdvise', 'arg0'],
  ['cudaStreamAttachMemAsync', 'arg1'],
  ['cuStreamAttachMemAsync', 'arg1'],
  ['cudaMemRangeGetAttribute', 'arg3', '*arg0'],
  ['cuMemRangeGetAttribute', 'arg3', '*arg0'],
];

/** Refused in a stream that captures, in every mode (H200, CUDA 13.0). */
const attached: readonly ModelEffect[] = [
  { verb: 'query.handles', type: 'stream', handles: ['arg0'] },
  { verb: 'capture.refuse', stream: 'arg0' },
];

const silent = [
  'cudaFuncSetAttribute',
  'cudaFuncSetCacheConfig',
  'cudaDeviceSetLimit',
  'cudaDeviceEnablePeerAccess',
  'cudaInitDevice',
  'cudaProfilerStart',
  'cudaProfilerStop',
  'cudaSetDeviceFlags',
  'cudaDeviceGetStreamPriorityRange',
];

const poolProps = ['allocType', 'handleTypes', 'location.type'];
const kernelParams = ['func', 'sharedMemBytes', 'kernelParams', 'extra'];
const memsetParams = ['dst', 'pitch', 'value', 'elementSize', 'width', 'height'];
/** Of what an allocation node is asked for, and the address that it writes there. */
const allocationParams = [
  ...['bytesize', 'accessDescs', 'accessDescCount', 'dptr'],
  ...poolProps.map((each) => `poolProps.${each}`),
];
/** Of a node of any kind. */
const nodeParams = [
  ...allocationParams.map((each) => `alloc.${each}`),
  ...kernelParams.map((each) => `kernel.${each}`),
  ...memsetParams.map((each) => `memset.${each}`),
  'free.dptr',
];
const edgeData = ['from_port', 'to_port', 'type'];

export const cudaMemoryModel: ModelFile = {
  name: 'cuda-memory',
  rows: [
    ...rows,
    ...silent.map((name): ModelRow => ({ name, returns: 'status' })),
    ...aboutMemory.map(
      ([name, pointer, target]): ModelRow => ({
        name,
        returns: 'status',
        effects: [
          { verb: 'memory.ask', pointer },
          ...(target ? [{ verb: 'write.unknown', target }] : []),
          ...(name.includes('Stream') ? attached : []),
        ],
        ...(name.endsWith('Advise') ? { unsafeInCapture: true } : {}),
      }),
    ),
  ],
  pure: ['cudaGetErrorString', 'cudaGetErrorName'],
  constants: {
    ...errorNumbers,
    cudaMemcpyHostToHost: 0,
    cudaMemcpyHostToDevice: 1,
    cudaMemcpyDeviceToHost: 2,
    cudaMemcpyDeviceToDevice: 3,
    cudaMemcpyDefault: 4,
    cudaMemAllocationTypeInvalid: 0,
    cudaMemAllocationTypePinned: 1,
    cudaMemLocationTypeInvalid: 0,
    cudaMemLocationTypeDevice: 1,
    cudaMemLocationTypeHost: 2,
    cudaMemLocationTypeHostNuma: 3,
    cudaMemLocationTypeHostNumaCurrent: 4,
    cudaMemHandleTypeNone: 0,
    cudaMemHandleTypePosixFileDescriptor: 1,
    cudaMemHandleTypeWin32: 2,
    cudaMemHandleTypeWin32Kmt: 4,
    cudaMemHandleTypeFabric: 8,
    cudaMemAccessFlagsProtNone: 0,
    cudaMemAccessFlagsProtRead: 1,
    cudaMemAccessFlagsProtReadWrite: 3,
    cudaHostAllocDefault: 0,
    cudaHostAllocPortable: 1,
    cudaHostAllocMapped: 2,
    cudaMemAttachGlobal: 1,
    cudaMemoryTypeUnregistered: 0,
    cudaMemoryTypeHost: 1,
    cudaMemoryTypeDevice: 2,
    cudaMemoryTypeManaged: 3,
    cudaMemPoolAttrReleaseThreshold: 4,
    EXIT_SUCCESS: 0,
    EXIT_FAILURE: 1,
    NULL: 0,
    nullptr: 0,
    true: 1,
    false: 0,
    UINT64_MAX: 18446744073709552000,
    ULLONG_MAX: 18446744073709552000,
    ULONG_MAX: 18446744073709552000,
    UINTPTR_MAX: 18446744073709552000,
    INT64_MAX: 9223372036854776000,
    LLONG_MAX: 9223372036854776000,
    LONG_MAX: 9223372036854776000,
    SSIZE_MAX: 9223372036854776000,
    PTRDIFF_MAX: 9223372036854776000,
    INTPTR_MAX: 9223372036854776000,
    INT64_MIN: -9223372036854776000,
    LLONG_MIN: -9223372036854776000,
    LONG_MIN: -9223372036854776000,
    INT_MIN: -2147483648,
    INT32_MIN: -2147483648,
    INT_MAX: 2147483647,
    UINT_MAX: 4294967295,
    INT8_MAX: 127,
    INT16_MAX: 32767,
    INT32_MAX: 2147483647,
    UINT8_MAX: 255,
    UINT16_MAX: 65535,
    UINT32_MAX: 4294967295,
    CHAR_BIT: 8,
    SCHAR_MAX: 127,
    UCHAR_MAX: 255,
    SHRT_MAX: 32767,
    USHRT_MAX: 65535,
    SIZE_MAX: 18446744073709552000,
    npos: 18446744073709552000,
    RAND_MAX: 2147483647,
  },
  structures: membersInOrder,
  innerStructures,
  plainMembers: {
    cudaMemAllocNodeParams: allocationParams,
    CUDA_MEM_ALLOC_NODE_PARAMS: allocationParams,
    cudaGraphNodeParams: nodeParams,
    CUgraphNodeParams: nodeParams,
    cudaMemPoolProps: poolProps,
    CUmemPoolProps: poolProps,
    cudaMemsetParams: memsetParams,
    CUDA_MEMSET_NODE_PARAMS: memsetParams,
    cudaKernelNodeParams: kernelParams,
    CUDA_KERNEL_NODE_PARAMS: kernelParams,
    cudaHostNodeParams: ['fn', 'userData'],
    CUDA_HOST_NODE_PARAMS: ['fn', 'userData'],
    cudaLaunchConfig_t: ['dynamicSmemBytes', 'stream', 'attrs', 'numAttrs'],
    CUlaunchConfig: ['sharedMemBytes', 'hStream', 'attrs', 'numAttrs'],
    cudaGraphInstantiateParams: ['flags'],
    CUDA_GRAPH_INSTANTIATE_PARAMS: ['flags'],
    cudaGraphEdgeData: edgeData,
    CUgraphEdgeData: edgeData,
  },
};
