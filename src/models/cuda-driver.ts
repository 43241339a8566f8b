/** CUDA driver API: the twins of the runtime's calls. Where the arguments agree, the row is the runtime's under another name. */

import { driverErrorNumbers } from './cuda-errors.ts';
import { cudaGraphModel } from './cuda-graph.ts';
import { cudaMemoryModel } from './cuda-memory.ts';
import { cudaStreamModel } from './cuda-stream.ts';
import { driverWork } from './driver-work.ts';
import { driverCopy3d } from './graph-node-params.ts';
import type { ModelFile, ModelRow } from './model.ts';

/** Runtime names whose driver twins take the same arguments in the same order. */
const sameShape: readonly (readonly [string, string])[] = [
  ['cudaGraphCreate', 'cuGraphCreate'],
  ['cudaGraphDestroy', 'cuGraphDestroy'],
  ['cudaGraphClone', 'cuGraphClone'],
  ['cudaGraphDestroyNode', 'cuGraphDestroyNode'],
  ['cudaGraphAddEmptyNode', 'cuGraphAddEmptyNode'],
  ['cudaGraphAddKernelNode', 'cuGraphAddKernelNode'],
  ['cudaGraphAddMemsetNode', 'cuGraphAddMemsetNode'],
  ['cudaGraphAddHostNode', 'cuGraphAddHostNode'],
  ['cudaGraphAddChildGraphNode', 'cuGraphAddChildGraphNode'],
  ['cudaGraphAddEventRecordNode', 'cuGraphAddEventRecordNode'],
  ['cudaGraphAddEventWaitNode', 'cuGraphAddEventWaitNode'],
  ['cudaGraphAddMemAllocNode', 'cuGraphAddMemAllocNode'],
  ['cudaGraphAddMemFreeNode', 'cuGraphAddMemFreeNode'],
  ['cudaGraphAddNode', 'cuGraphAddNode'],
  ['cudaGraphAddDependencies', 'cuGraphAddDependencies'],
  ['cudaGraphRemoveDependencies', 'cuGraphRemoveDependencies'],
  ['cudaGraphInstantiate', 'cuGraphInstantiate'],
  ['cudaGraphInstantiateWithFlags', 'cuGraphInstantiateWithFlags'],
  ['cudaGraphGetNodes', 'cuGraphGetNodes'],
  ['cudaGraphNodeGetType', 'cuGraphNodeGetType'],
  ['cudaGraphNodeSetEnabled', 'cuGraphNodeSetEnabled'],
  ['cudaGraphNodeGetEnabled', 'cuGraphNodeGetEnabled'],
  ['cudaGraphExecDestroy', 'cuGraphExecDestroy'],
  ['cudaGraphLaunch', 'cuGraphLaunch'],
  ['cudaGraphUpload', 'cuGraphUpload'],
  ['cudaGraphExecUpdate', 'cuGraphExecUpdate'],
  ['cudaDeviceGraphMemTrim', 'cuDeviceGraphMemTrim'],
  ['cudaGraphChildGraphNodeGetGraph', 'cuGraphChildGraphNodeGetGraph'],
  ['cudaGraphMemAllocNodeGetParams', 'cuGraphMemAllocNodeGetParams'],
  ['cudaGraphMemFreeNodeGetParams', 'cuGraphMemFreeNodeGetParams'],
  ['cudaGraphAddExternalSemaphoresSignalNode', 'cuGraphAddExternalSemaphoresSignalNode'],
  ['cudaGraphAddExternalSemaphoresWaitNode', 'cuGraphAddExternalSemaphoresWaitNode'],
  ['cudaDeviceGetGraphMemAttribute', 'cuDeviceGetGraphMemAttribute'],
  ['cudaDeviceSetGraphMemAttribute', 'cuDeviceSetGraphMemAttribute'],
  ['cudaDeviceGetDefaultMemPool', 'cuDeviceGetDefaultMemPool'],
  ['cudaDeviceGetMemPool', 'cuDeviceGetMemPool'],
  ['cudaMemGetDefaultMemPool', 'cuMemGetDefaultMemPool'],
  ['cudaMemGetMemPool', 'cuMemGetMemPool'],
  ['cudaMemPoolCreate', 'cuMemPoolCreate'],
  ['cudaMemPoolSetAccess', 'cuMemPoolSetAccess'],
  ['cudaMemPoolImportFromShareableHandle', 'cuMemPoolImportFromShareableHandle'],
  ['cudaStreamAddCallback', 'cuStreamAddCallback'],
  ['cudaEventRecordWithFlags', 'cuEventRecordWithFlags'],
  ['cudaEventQuery', 'cuEventQuery'],
  ['cudaStreamCreateWithFlags', 'cuStreamCreate'],
  ['cudaStreamCreateWithPriority', 'cuStreamCreateWithPriority'],
  ['cudaStreamDestroy', 'cuStreamDestroy'],
  ['cudaStreamSynchronize', 'cuStreamSynchronize'],
  ['cudaStreamQuery', 'cuStreamQuery'],
  ['cudaStreamWaitEvent', 'cuStreamWaitEvent'],
  ['cudaEventCreateWithFlags', 'cuEventCreate'],
  ['cudaEventDestroy', 'cuEventDestroy'],
  ['cudaEventRecord', 'cuEventRecord'],
  ['cudaEventSynchronize', 'cuEventSynchronize'],
  ['cudaDeviceSynchronize', 'cuCtxSynchronize'],
  ['cudaLaunchHostFunc', 'cuLaunchHostFunc'],
  ['cudaMalloc', 'cuMemAlloc'],
  ['cudaFree', 'cuMemFree'],
  ['cudaMallocHost', 'cuMemAllocHost'],
  ['cudaHostAlloc', 'cuMemHostAlloc'],
  ['cudaFreeHost', 'cuMemFreeHost'],
  ['cudaMallocManaged', 'cuMemAllocManaged'],
  ['cudaMallocPitch', 'cuMemAllocPitch'],
  ['cudaHostRegister', 'cuMemHostRegister'],
  ['cudaHostUnregister', 'cuMemHostUnregister'],
  ['cudaHostGetDevicePointer', 'cuMemHostGetDevicePointer'],
  ['cudaMallocAsync', 'cuMemAllocAsync'],
  ['cudaMallocFromPoolAsync', 'cuMemAllocFromPoolAsync'],
  ['cudaFreeAsync', 'cuMemFreeAsync'],
];

const runtimeRows = [...cudaGraphModel.rows, ...cudaStreamModel.rows, ...cudaMemoryModel.rows];

/** Headers rename some calls by macro: `cuMemAlloc` is `cuMemAlloc_v2`. */
const versioned = (row: ModelRow): ModelRow[] => [row, { ...row, name: `${row.name}_v2` }];

const twins = sameShape.flatMap(([runtime, driver]) =>
  runtimeRows.filter((row) => row.name === runtime).flatMap((row) => versioned({ ...row, name: driver })),
);

const own: readonly ModelRow[] = [
  ...driverWork.flatMap(versioned),
  {
    name: 'cuGraphInstantiateWithParams',
    returns: 'status',
    effects: [
      {
        verb: 'exec.instantiate',
        exec: '*arg0',
        graph: 'arg1',
        flags: 'arg2.flags',
        uploadStream: 'arg2.hUploadStream',
      },
    ],
  },
  ...versioned({
    name: 'cuGraphAddMemcpyNode',
    returns: 'status',
    effects: [
      {
        verb: 'node.add',
        node: '*arg0',
        graph: 'arg1',
        dependencies: 'arg2',
        count: 'arg3',
        ...driverCopy3d('arg4'),
      },
    ],
  }),
];

const silent = ['cuInit', 'cuGetErrorString', 'cuGetErrorName'];

export const cudaDriverModel: ModelFile = {
  name: 'cuda-driver',
  rows: [...twins, ...own, ...silent.map((name): ModelRow => ({ name, returns: 'status' }))],
  constants: {
    ...driverErrorNumbers,
    CU_STREAM_DEFAULT: 0,
    CU_STREAM_NON_BLOCKING: 1,
    CU_STREAM_LEGACY: 1,
    CU_STREAM_PER_THREAD: 2,
    CU_STREAM_CAPTURE_MODE_GLOBAL: 0,
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL: 1,
    CU_STREAM_CAPTURE_MODE_RELAXED: 2,
    CU_EVENT_DEFAULT: 0,
    CU_EVENT_DISABLE_TIMING: 2,
    CU_EVENT_WAIT_EXTERNAL: 1,
    CU_EVENT_RECORD_EXTERNAL: 1,
    CU_EVENT_BLOCKING_SYNC: 1,
    CU_EVENT_INTERPROCESS: 4,
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH: 1,
    CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD: 2,
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH: 4,
    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY: 8,
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE: 0,
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE: 1,
    CU_GRAPH_NODE_TYPE_KERNEL: 0,
    CU_GRAPH_NODE_TYPE_MEMCPY: 1,
    CU_GRAPH_NODE_TYPE_MEMSET: 2,
    CU_GRAPH_NODE_TYPE_HOST: 3,
    CU_GRAPH_NODE_TYPE_GRAPH: 4,
    CU_GRAPH_NODE_TYPE_EMPTY: 5,
    CU_GRAPH_NODE_TYPE_WAIT_EVENT: 6,
    CU_GRAPH_NODE_TYPE_EVENT_RECORD: 7,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL: 8,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: 9,
    CU_GRAPH_NODE_TYPE_MEM_ALLOC: 10,
    CU_GRAPH_NODE_TYPE_MEM_FREE: 11,
    CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: 12,
    CU_GRAPH_NODE_TYPE_CONDITIONAL: 13,
    CU_MEM_ALLOCATION_TYPE_INVALID: 0,
    CU_MEM_ALLOCATION_TYPE_PINNED: 1,
    CU_MEM_LOCATION_TYPE_INVALID: 0,
    CU_MEM_LOCATION_TYPE_DEVICE: 1,
    CU_MEM_LOCATION_TYPE_HOST: 2,
    CU_MEM_HANDLE_TYPE_NONE: 0,
    CU_MEM_ACCESS_FLAGS_PROT_NONE: 0,
    CU_MEM_ACCESS_FLAGS_PROT_READ: 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE: 3,
    CU_MEM_ATTACH_GLOBAL: 1,
    CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT: 0,
    CU_GRAPH_MEM_ATTR_USED_MEM_HIGH: 1,
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT: 2,
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH: 3,
    CU_STREAM_CAPTURE_STATUS_NONE: 0,
    CU_STREAM_CAPTURE_STATUS_ACTIVE: 1,
    CU_STREAM_CAPTURE_STATUS_INVALIDATED: 2,
  },
};
