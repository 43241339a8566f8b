/** CUDA runtime: graph construction, instantiation, launch. Shapes of CUDA 11, 12 and 13. */

import { copy3d, kernel, memset, nodeCases } from './graph-node-params.ts';
import type { ModelEffect, ModelFile, ModelRow } from './model.ts';

/** `cudaGraphAdd<Kind>Node(&node, graph, dependencies, count, …)`. */
const explicit = (name: string, effect: Partial<ModelEffect>): ModelRow => ({
  name,
  returns: 'status',
  effects: [{ verb: 'node.add', node: '*arg0', graph: 'arg1', dependencies: 'arg2', count: 'arg3', ...effect }],
});

/** `cudaGraphAddNode` in its shapes: the effect depends on `params.type`. */
const anyNode = (name: string, arity: number, count: string, params: string): ModelRow => {
  const edges = { verb: 'node.add', node: '*arg0', graph: 'arg1', dependencies: 'arg2', count };
  const common = arity === 6 ? { ...edges, edgeData: 'arg3' } : edges;
  return {
    name,
    arity,
    returns: 'status',
    select: {
      path: `${params}.type`,
      cases: nodeCases(common, params),
    },
  };
};

const rows: readonly ModelRow[] = [
  { name: 'cudaGraphCreate', returns: 'status', effects: [{ verb: 'graph.create', graph: '*arg0' }] },
  { name: 'cudaGraphDestroy', returns: 'status', effects: [{ verb: 'graph.destroy', graph: 'arg0' }] },
  { name: 'cudaGraphClone', returns: 'status', effects: [{ verb: 'graph.clone', graph: '*arg0', source: 'arg1' }] },
  { name: 'cudaGraphDestroyNode', returns: 'status', effects: [{ verb: 'node.destroy', node: 'arg0' }] },
  explicit('cudaGraphAddEmptyNode', { kind: 'empty', label: 'empty' }),
  explicit('cudaGraphAddKernelNode', kernel('arg4')),
  explicit('cudaGraphAddMemcpyNode', { ...copy3d('arg4'), direction: 'arg4.kind' }),
  explicit('cudaGraphAddMemcpyNode1D', {
    kind: 'memcpy',
    label: 'memcpy',
    writes: ['arg4'],
    reads: ['arg5'],
    bytes: ['arg6'],
    direction: 'arg7',
  }),
  explicit('cudaGraphAddMemcpyNodeToSymbol', {
    kind: 'memcpy',
    label: 'memcpy',
    reads: ['arg5'],
    bytes: ['arg6'],
    symbolWrites: 'arg4',
    symbolOffset: 'arg7',
  }),
  explicit('cudaGraphAddMemcpyNodeFromSymbol', {
    kind: 'memcpy',
    label: 'memcpy',
    writes: ['arg4'],
    bytes: ['arg6'],
    symbolReads: 'arg5',
    symbolOffset: 'arg7',
  }),
  explicit('cudaGraphAddMemsetNode', memset('arg4')),
  explicit('cudaGraphAddHostNode', { kind: 'host', function: 'arg4.fn', userData: 'arg4.userData' }),
  explicit('cudaGraphAddChildGraphNode', { kind: 'child', child: 'arg4' }),
  explicit('cudaGraphAddEventRecordNode', { kind: 'eventRecord', event: 'arg4' }),
  explicit('cudaGraphAddEventWaitNode', { kind: 'eventWait', event: 'arg4' }),
  explicit('cudaGraphAddExternalSemaphoresSignalNode', { kind: 'semaphoreSignal', label: 'signal semaphore' }),
  explicit('cudaGraphAddExternalSemaphoresWaitNode', { kind: 'semaphoreWait', label: 'wait semaphore' }),
  explicit('cudaGraphAddMemAllocNode', {
    kind: 'memAlloc',
    pointer: 'arg4.dptr',
    bytes: ['arg4.bytesize'],
    properties: 'arg4',
  }),
  explicit('cudaGraphAddMemFreeNode', { kind: 'memFree', free: 'arg4' }),
  anyNode('cudaGraphAddNode', 5, 'arg3', 'arg4'),
  anyNode('cudaGraphAddNode', 6, 'arg4', 'arg5'),
  anyNode('cudaGraphAddNode_v2', 6, 'arg4', 'arg5'),
  {
    name: 'cudaGraphAddDependencies',
    arity: 4,
    returns: 'status',
    effects: [{ verb: 'edges.add', graph: 'arg0', from: 'arg1', to: 'arg2', count: 'arg3' }],
  },
  {
    name: 'cudaGraphAddDependencies',
    arity: 5,
    returns: 'status',
    effects: [{ verb: 'edges.add', graph: 'arg0', from: 'arg1', to: 'arg2', count: 'arg4', edgeData: 'arg3' }],
  },
  {
    name: 'cudaGraphAddDependencies_v2',
    arity: 5,
    returns: 'status',
    effects: [{ verb: 'edges.add', graph: 'arg0', from: 'arg1', to: 'arg2', count: 'arg4', edgeData: 'arg3' }],
  },
  {
    name: 'cudaGraphRemoveDependencies',
    arity: 4,
    returns: 'status',
    effects: [{ verb: 'edges.remove', graph: 'arg0', from: 'arg1', to: 'arg2', count: 'arg3' }],
  },
  {
    name: 'cudaGraphRemoveDependencies',
    arity: 5,
    returns: 'status',
    effects: [{ verb: 'edges.remove', graph: 'arg0', from: 'arg1', to: 'arg2', count: 'arg4' }],
  },
  {
    name: 'cudaGraphNodeSetEnabled',
    returns: 'status',
    effects: [{ verb: 'node.enable', exec: 'arg0', node: 'arg1', enabled: 'arg2' }],
  },
  {
    name: 'cudaGraphNodeGetEnabled',
    returns: 'status',
    effects: [
      { verb: 'write.unknown', target: '*arg2' },
      { verb: 'node.enable', exec: 'arg0', node: 'arg1' },
    ],
  },
  {
    name: 'cudaGraphGetNodes',
    returns: 'status',
    effects: [
      { verb: 'graph.nodes', graph: 'arg0', list: 'arg1', count: '*arg2' },
      { verb: 'query.handles', type: 'graph', handles: ['arg0'] },
    ],
  },
  {
    name: 'cudaGraphNodeGetType',
    returns: 'status',
    effects: [{ verb: 'query.nodeType', node: 'arg0', target: '*arg1' }],
  },
  {
    name: 'cudaGraphChildGraphNodeGetGraph',
    returns: 'status',
    effects: [{ verb: 'node.child', node: 'arg0', graph: '*arg1' }],
  },
  {
    name: 'cudaGraphMemAllocNodeGetParams',
    returns: 'status',
    effects: [{ verb: 'node.parameters', node: 'arg0', pointer: 'arg1.dptr' }],
  },
  {
    name: 'cudaGraphMemFreeNodeGetParams',
    returns: 'status',
    effects: [{ verb: 'node.parameters', node: 'arg0', pointer: '*arg1' }],
  },

  {
    name: 'cudaGraphInstantiate',
    arity: [2, 3],
    returns: 'status',
    effects: [{ verb: 'exec.instantiate', exec: '*arg0', graph: 'arg1', flags: 'arg2' }],
  },
  {
    name: 'cudaGraphInstantiate',
    arity: 5,
    returns: 'status',
    effects: [{ verb: 'exec.instantiate', exec: '*arg0', graph: 'arg1' }],
  },
  {
    name: 'cudaGraphInstantiateWithFlags',
    returns: 'status',
    effects: [{ verb: 'exec.instantiate', exec: '*arg0', graph: 'arg1', flags: 'arg2' }],
  },
  {
    name: 'cudaGraphInstantiateWithParams',
    returns: 'status',
    effects: [
      {
        verb: 'exec.instantiate',
        exec: '*arg0',
        graph: 'arg1',
        flags: 'arg2.flags',
        uploadStream: 'arg2.uploadStream',
      },
    ],
  },
  { name: 'cudaGraphExecDestroy', returns: 'status', effects: [{ verb: 'exec.destroy', exec: 'arg0' }] },
  { name: 'cudaGraphLaunch', returns: 'status', effects: [{ verb: 'exec.launch', exec: 'arg0', stream: 'arg1' }] },
  { name: 'cudaGraphUpload', returns: 'status', effects: [{ verb: 'exec.upload', exec: 'arg0', stream: 'arg1' }] },
  {
    name: 'cudaGraphExecUpdate',
    returns: 'status',
    effects: [{ verb: 'exec.update', exec: 'arg0', graph: 'arg1', result: 'arg2.result', legacyResult: '*arg3' }],
  },
  { name: 'cudaDeviceGraphMemTrim', returns: 'status', effects: [{ verb: 'device.trim', device: 'arg0' }] },
  {
    name: 'cudaDeviceGetGraphMemAttribute',
    returns: 'status',
    effects: [{ verb: 'query.graphMemory', device: 'arg0', attribute: 'arg1', target: '*arg2' }],
  },
  {
    name: 'cudaDeviceSetGraphMemAttribute',
    returns: 'status',
    effects: [{ verb: 'device.setAttribute', device: 'arg0', attribute: 'arg1', value: '*arg2' }],
  },
];

const silent = [
  'cudaGraphKernelNodeSetAttribute',
  'cudaGraphKernelNodeGetAttribute',
  'cudaGraphKernelNodeCopyAttributes',
  'cudaGraphRetainUserObject',
  'cudaGraphReleaseUserObject',
  'cudaUserObjectRelease',
  'cudaGraphConditionalHandleCreate',
  'cudaGraphSetConditional',
];

export const cudaGraphModel: ModelFile = {
  name: 'cuda-graph',
  rows: [...rows, ...silent.map((name): ModelRow => ({ name, returns: 'status' }))],
  constants: {
    cudaGraphInstantiateFlagAutoFreeOnLaunch: 1,
    cudaGraphInstantiateFlagUpload: 2,
    cudaGraphInstantiateFlagDeviceLaunch: 4,
    cudaGraphInstantiateFlagUseNodePriority: 8,
    cudaGraphExecUpdateSuccess: 0,
    cudaGraphExecUpdateError: 1,
    cudaGraphExecUpdateErrorTopologyChanged: 2,
    cudaGraphExecUpdateErrorNodeTypeChanged: 3,
    cudaGraphExecUpdateErrorFunctionChanged: 4,
    cudaGraphExecUpdateErrorParametersChanged: 5,
    cudaGraphExecUpdateErrorNotSupported: 6,
    cudaGraphExecUpdateErrorUnsupportedFunctionChange: 7,
    cudaGraphExecUpdateErrorAttributesChanged: 8,
    CU_GRAPH_EXEC_UPDATE_SUCCESS: 0,
    CU_GRAPH_EXEC_UPDATE_ERROR: 1,
    CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED: 2,
    CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED: 3,
    CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED: 4,
    CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED: 5,
    CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED: 6,
    CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE: 7,
    CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED: 8,
    cudaGraphNodeTypeKernel: 0,
    cudaGraphNodeTypeMemcpy: 1,
    cudaGraphNodeTypeMemset: 2,
    cudaGraphNodeTypeHost: 3,
    cudaGraphNodeTypeGraph: 4,
    cudaGraphNodeTypeEmpty: 5,
    cudaGraphNodeTypeWaitEvent: 6,
    cudaGraphNodeTypeEventRecord: 7,
    cudaGraphNodeTypeExtSemaphoreSignal: 8,
    cudaGraphNodeTypeExtSemaphoreWait: 9,
    cudaGraphNodeTypeMemAlloc: 10,
    cudaGraphNodeTypeMemFree: 11,
    cudaGraphNodeTypeConditional: 13,
    cudaGraphChildGraphOwnershipClone: 0,
    cudaGraphChildGraphOwnershipMove: 1,
    cudaGraphMemAttrUsedMemCurrent: 0,
    cudaGraphMemAttrUsedMemHigh: 1,
    cudaGraphMemAttrReservedMemCurrent: 2,
    cudaGraphMemAttrReservedMemHigh: 3,
    cudaGraphDependencyTypeDefault: 0,
    cudaGraphDependencyTypeProgrammatic: 1,
    cudaGraphKernelNodePortDefault: 0,
    cudaGraphKernelNodePortProgrammatic: 1,
    cudaGraphKernelNodePortLaunchCompletion: 2,
  },
};
