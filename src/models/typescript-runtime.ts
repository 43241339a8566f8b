/** `graphmem/runtime`: CUDA's runtime API as TypeScript says it, results returned instead of written through pointers. */

import { cudaGraphModel } from './cuda-graph.ts';
import { cudaMemoryModel } from './cuda-memory.ts';
import { cudaStreamModel } from './cuda-stream.ts';
import type { ModelEffect, ModelFile, ModelRow } from './model.ts';

const row = (name: string, ...effects: ModelEffect[]): ModelRow => ({ name, effects });

const node = (name: string, effect: Partial<ModelEffect>): ModelRow =>
  row(name, { verb: 'node.add', node: 'return', graph: 'arg0', dependencies: 'arg1', ...effect });

const kernel = (at: string): Partial<ModelEffect> => ({
  kind: 'kernel',
  function: `${at}.func`,
  readLists: [`${at}.reads`],
  writeLists: [`${at}.writes`],
});

const rows: readonly ModelRow[] = [
  row('cudaGraphCreate', { verb: 'graph.create', graph: 'return' }),
  row('cudaGraphDestroy', { verb: 'graph.destroy', graph: 'arg0' }),
  row('cudaGraphClone', { verb: 'graph.clone', graph: 'return', source: 'arg0' }),
  node('cudaGraphAddEmptyNode', { kind: 'empty', label: 'empty' }),
  node('cudaGraphAddKernelNode', kernel('arg2')),
  node('cudaGraphAddMemcpyNode1D', {
    kind: 'memcpy',
    label: 'memcpy',
    writes: ['arg2'],
    reads: ['arg3'],
    bytes: ['arg4'],
  }),
  node('cudaGraphAddMemsetNode', {
    kind: 'memset',
    label: 'memset',
    writes: ['arg2.dst'],
    bytes: ['arg2.width', 'arg2.height', 'arg2.elementSize'],
  }),
  node('cudaGraphAddHostNode', { kind: 'host', function: 'arg2' }),
  node('cudaGraphAddChildGraphNode', { kind: 'child', child: 'arg2' }),
  node('cudaGraphAddEventRecordNode', { kind: 'eventRecord', event: 'arg2' }),
  node('cudaGraphAddEventWaitNode', { kind: 'eventWait', event: 'arg2' }),
  row('cudaGraphAddMemAllocNode', {
    verb: 'node.add',
    node: 'return.node',
    graph: 'arg0',
    dependencies: 'arg1',
    kind: 'memAlloc',
    pointer: 'return.dptr',
    bytes: ['arg2.bytesize'],
  }),
  node('cudaGraphAddMemFreeNode', { kind: 'memFree', free: 'arg2' }),
  row('cudaGraphAddDependencies', { verb: 'edges.add', graph: 'arg0', from: 'arg1', to: 'arg2' }),
  row('cudaGraphRemoveDependencies', { verb: 'edges.remove', graph: 'arg0', from: 'arg1', to: 'arg2' }),
  row('cudaGraphDestroyNode', { verb: 'node.destroy', node: 'arg0' }),
  row('cudaGraphInstantiate', { verb: 'exec.instantiate', exec: 'return', graph: 'arg0', flags: 'arg1' }),
  row('cudaGraphExecDestroy', { verb: 'exec.destroy', exec: 'arg0' }),
  row('cudaGraphLaunch', { verb: 'exec.launch', exec: 'arg0', stream: 'arg1' }),
  row('cudaGraphUpload', { verb: 'exec.upload', exec: 'arg0', stream: 'arg1' }),
  row('cudaDeviceGraphMemTrim', { verb: 'device.trim', device: 'arg0' }),
  row('cudaStreamCreate', { verb: 'stream.create', stream: 'return' }),
  row('cudaStreamCreateWithFlags', { verb: 'stream.create', stream: 'return', flags: 'arg0' }),
  row('cudaStreamDestroy', { verb: 'stream.destroy', stream: 'arg0' }),
  row('cudaStreamSynchronize', { verb: 'host.synchronise', scope: 'stream', handle: 'arg0' }),
  row('cudaDeviceSynchronize', { verb: 'host.synchronise', scope: 'device' }),
  row('cudaEventCreate', { verb: 'event.create', event: 'return' }),
  row('cudaEventDestroy', { verb: 'event.destroy', event: 'arg0' }),
  row('cudaEventSynchronize', { verb: 'host.synchronise', scope: 'event', handle: 'arg0' }),
  row('cudaEventRecord', { verb: 'event.record', event: 'arg0', stream: 'arg1' }),
  row('cudaStreamWaitEvent', { verb: 'stream.wait', stream: 'arg0', event: 'arg1' }),
  row('cudaStreamBeginCapture', { verb: 'capture.begin', stream: 'arg0', mode: 'arg1' }),
  row('cudaStreamEndCapture', { verb: 'capture.end', stream: 'arg0', graph: 'return' }),
  row('cudaLaunchKernel', { verb: 'stream.operation', stream: 'arg1', ...kernel('arg0') } as ModelEffect),
  row('cudaMalloc', { verb: 'memory.allocate', origin: 'device', pointer: 'return', bytes: ['arg0'] }),
  row('cudaFree', { verb: 'memory.free', pointer: 'arg0' }),
  row('cudaMallocAsync', { verb: 'memory.allocateAsync', pointer: 'return', bytes: ['arg0'], stream: 'arg1' }),
  row('cudaFreeAsync', { verb: 'memory.freeAsync', pointer: 'arg0', stream: 'arg1' }),
  row('cudaMemcpyAsync', {
    verb: 'stream.operation',
    stream: 'arg4',
    kind: 'memcpy',
    label: 'memcpy',
    writes: ['arg0'],
    reads: ['arg1'],
    bytes: ['arg2'],
  }),
  row('cudaMemsetAsync', {
    verb: 'stream.operation',
    stream: 'arg3',
    kind: 'memset',
    label: 'memset',
    writes: ['arg0'],
    bytes: ['arg2'],
  }),
];

export const typescriptRuntimeModel: ModelFile = {
  name: 'typescript-runtime',
  rows: rows.map((each) => (/^cudaMalloc$|^cudaFree$/.test(each.name) ? { ...each, unsafeInCapture: true } : each)),
  constants: { ...cudaGraphModel.constants, ...cudaStreamModel.constants, ...cudaMemoryModel.constants },
};
