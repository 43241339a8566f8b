/** Members of CUDA's structures, as `driver_types.h` and `cuda.h` of CUDA 13.0 declare them. */

const memset = ['dst', 'pitch', 'value', 'elementSize', 'width', 'height'];
const host = ['fn', 'userData'];
const location = ['type', 'id'];
const poolProperties = ['allocType', 'handleTypes', 'location', 'win32SecurityAttributes', 'maxSize', 'usage'];
const allocation = ['poolProps', 'accessDescs', 'accessDescCount', 'bytesize', 'dptr'];
const access = ['location', 'flags'];
const runtimeKernel = ['func', 'gridDim', 'blockDim', 'sharedMemBytes', 'kernelParams', 'extra'];
const driverGrid = ['gridDimX', 'gridDimY', 'gridDimZ', 'blockDimX', 'blockDimY', 'blockDimZ', 'sharedMemBytes'];
const driverKernel = ['func', ...driverGrid, 'kernelParams', 'extra', 'kern', 'ctx'];
const conditional = ['handle', 'type', 'size', 'phGraph_out'];
const edge = ['from_port', 'to_port', 'type', 'reserved'];
const copySide = (side: string, between: readonly string[]): readonly string[] => [
  ...['XInBytes', 'Y', 'Z', 'LOD', 'MemoryType', 'Host', 'Device', 'Array'].map((each) => side + each),
  ...between,
  `${side}Pitch`,
  `${side}Height`,
];
const flatSide = (side: string): readonly string[] =>
  ['XInBytes', 'Y', 'MemoryType', 'Host', 'Device', 'Array', 'Pitch'].map((each) => side + each);

/** In order, for `{a, b}`. */
export const membersInOrder: Readonly<Record<string, readonly string[]>> = {
  cudaMemLocation: location,
  CUmemLocation: location,
  cudaExtent: ['width', 'height', 'depth'],
  cudaPos: ['x', 'y', 'z'],
  cudaPitchedPtr: ['ptr', 'pitch', 'xsize', 'ysize'],
  cudaMemPoolProps: poolProperties,
  CUmemPoolProps: poolProperties,
  cudaMemAccessDesc: access,
  CUmemAccessDesc: access,
  CUmemAllocationProp: ['type', 'requestedHandleTypes', 'location', 'win32HandleMetaData', 'allocFlags'],
  cudaMemAllocNodeParams: allocation,
  cudaMemAllocNodeParamsV2: allocation,
  CUDA_MEM_ALLOC_NODE_PARAMS: allocation,
  cudaMemFreeNodeParams: ['dptr'],
  CUDA_MEM_FREE_NODE_PARAMS: ['dptr'],
  cudaMemsetParams: memset,
  cudaMemsetParamsV2: memset,
  CUDA_MEMSET_NODE_PARAMS: [...memset, 'ctx'],
  cudaKernelNodeParams: runtimeKernel,
  cudaKernelNodeParamsV2: runtimeKernel,
  CUDA_KERNEL_NODE_PARAMS: driverKernel,
  cudaMemcpy3DParms: ['srcArray', 'srcPos', 'srcPtr', 'dstArray', 'dstPos', 'dstPtr', 'extent', 'kind'],
  cudaMemcpy3DPeerParms: [
    ...['srcArray', 'srcPos', 'srcPtr', 'srcDevice'],
    ...['dstArray', 'dstPos', 'dstPtr', 'dstDevice', 'extent'],
  ],
  cudaMemcpyNodeParams: ['flags', 'reserved', 'copyParams'],
  CUDA_MEMCPY_NODE_PARAMS: ['flags', 'reserved', 'copyCtx', 'copyParams'],
  CUDA_MEMCPY2D: [...flatSide('src'), ...flatSide('dst'), 'WidthInBytes', 'Height'],
  CUDA_MEMCPY3D: [
    ...copySide('src', ['reserved0']),
    ...copySide('dst', ['reserved1']),
    ...['WidthInBytes', 'Height', 'Depth'],
  ],
  cudaHostNodeParams: host,
  cudaHostNodeParamsV2: host,
  CUDA_HOST_NODE_PARAMS: host,
  cudaChildGraphNodeParams: ['graph', 'ownership'],
  CUDA_CHILD_GRAPH_NODE_PARAMS: ['graph', 'ownership'],
  cudaEventRecordNodeParams: ['event'],
  CUDA_EVENT_RECORD_NODE_PARAMS: ['event'],
  cudaEventWaitNodeParams: ['event'],
  CUDA_EVENT_WAIT_NODE_PARAMS: ['event'],
  cudaConditionalNodeParams: conditional,
  CUDA_CONDITIONAL_NODE_PARAMS: [...conditional, 'ctx'],
  cudaGraphNodeParams: ['type'],
  CUgraphNodeParams: ['type'],
  cudaGraphEdgeData: edge,
  CUgraphEdgeData: edge,
  cudaGraphInstantiateParams: ['flags', 'uploadStream', 'errNode_out', 'result_out'],
  CUDA_GRAPH_INSTANTIATE_PARAMS: ['flags', 'hUploadStream', 'hErrNode_out', 'result_out'],
  cudaLaunchConfig_t: ['gridDim', 'blockDim', 'dynamicSmemBytes', 'stream', 'attrs', 'numAttrs'],
  CUlaunchConfig: [...driverGrid, 'hStream', 'attrs', 'numAttrs'],
  cudaLaunchAttribute: ['id', 'pad', 'val'],
};

/** Members that are structures themselves, by the names that only they have; `structure.member` where two have one. */
export const innerStructures: Readonly<Record<string, string>> = {
  location: 'cudaMemLocation',
  poolProps: 'cudaMemPoolProps',
  srcPtr: 'cudaPitchedPtr',
  dstPtr: 'cudaPitchedPtr',
  srcPos: 'cudaPos',
  dstPos: 'cudaPos',
  extent: 'cudaExtent',
  copyParams: 'cudaMemcpy3DParms',
  kernel: 'cudaKernelNodeParams',
  memset: 'cudaMemsetParams',
  host: 'cudaHostNodeParams',
  graph: 'cudaChildGraphNodeParams',
  eventRecord: 'cudaEventRecordNodeParams',
  eventWait: 'cudaEventWaitNodeParams',
  alloc: 'cudaMemAllocNodeParams',
  free: 'cudaMemFreeNodeParams',
  conditional: 'cudaConditionalNodeParams',
  'CUgraphNodeParams.kernel': 'CUDA_KERNEL_NODE_PARAMS',
  'CUgraphNodeParams.memcpy': 'CUDA_MEMCPY_NODE_PARAMS',
  'CUDA_MEMCPY_NODE_PARAMS.copyParams': 'CUDA_MEMCPY3D',
};
