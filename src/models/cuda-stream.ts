/** CUDA runtime: streams, events, capture, synchronisation. */

import type { ModelEffect, ModelFile, ModelRow } from './model.ts';

const sizeAt = (grid: string, block: string): Partial<ModelEffect> => ({ grid, block });

const rows: readonly ModelRow[] = [
  { name: 'cudaStreamCreate', returns: 'status', effects: [{ verb: 'stream.create', stream: '*arg0' }] },
  {
    name: 'cudaStreamCreateWithFlags',
    returns: 'status',
    effects: [{ verb: 'stream.create', stream: '*arg0', flags: 'arg1' }],
  },
  {
    name: 'cudaStreamCreateWithPriority',
    returns: 'status',
    effects: [{ verb: 'stream.create', stream: '*arg0', flags: 'arg1' }],
  },
  // Streams of a green context.
  ...['cudaExecutionCtxStreamCreate', 'cuGreenCtxStreamCreate'].map(
    (name): ModelRow => ({
      name,
      returns: 'status',
      effects: [{ verb: 'stream.create', stream: '*arg0', flags: 'arg2' }],
    }),
  ),
  { name: 'cudaStreamDestroy', returns: 'status', effects: [{ verb: 'stream.destroy', stream: 'arg0' }] },
  { name: 'cudaEventCreate', returns: 'status', effects: [{ verb: 'event.create', event: '*arg0' }] },
  { name: 'cudaEventCreateWithFlags', returns: 'status', effects: [{ verb: 'event.create', event: '*arg0' }] },
  { name: 'cudaEventDestroy', returns: 'status', effects: [{ verb: 'event.destroy', event: 'arg0' }] },
  {
    name: 'cudaEventRecord',
    arity: 1,
    returns: 'status',
    effects: [{ verb: 'event.record', event: 'arg0', stream: 'legacy' }],
  },
  { name: 'cudaEventRecord', returns: 'status', effects: [{ verb: 'event.record', event: 'arg0', stream: 'arg1' }] },
  {
    name: 'cudaEventRecordWithFlags',
    returns: 'status',
    effects: [{ verb: 'event.record', event: 'arg0', stream: 'arg1', flags: 'arg2' }],
  },
  // The guide writes this name; no toolkit has it.
  {
    name: 'cudaStreamRecordEvent',
    returns: 'status',
    effects: [{ verb: 'event.record', event: 'arg0', stream: 'arg1' }],
  },
  {
    name: 'cudaStreamWaitEvent',
    returns: 'status',
    effects: [{ verb: 'stream.wait', stream: 'arg0', event: 'arg1', flags: 'arg2' }],
  },
  {
    name: 'cudaStreamSynchronize',
    returns: 'status',
    effects: [{ verb: 'host.synchronise', scope: 'stream', handle: 'arg0' }],
  },
  {
    name: 'cudaStreamQuery',
    returns: 'status',
    effects: [{ verb: 'host.synchronise', scope: 'stream', handle: 'arg0', query: true }],
  },
  {
    name: 'cudaEventSynchronize',
    returns: 'status',
    effects: [{ verb: 'host.synchronise', scope: 'event', handle: 'arg0' }],
  },
  {
    name: 'cudaEventQuery',
    returns: 'status',
    effects: [{ verb: 'host.synchronise', scope: 'event', handle: 'arg0', query: true }],
  },
  { name: 'cudaDeviceSynchronize', returns: 'status', effects: [{ verb: 'host.synchronise', scope: 'device' }] },
  { name: 'cudaThreadSynchronize', returns: 'status', effects: [{ verb: 'host.synchronise', scope: 'device' }] },
  { name: 'cudaCtxResetPersistingL2Cache', returns: 'status' },
  {
    name: 'cudaLaunchHostFunc',
    returns: 'status',
    effects: [{ verb: 'stream.operation', stream: 'arg0', kind: 'host', function: 'arg1', userData: 'arg2' }],
  },
  {
    name: 'cudaStreamAddCallback',
    returns: 'status',
    unsafeInCapture: true,
    effects: [{ verb: 'stream.operation', stream: 'arg0', kind: 'host', function: 'arg1', userData: 'arg2' }],
  },
  {
    name: 'cudaLaunchKernel',
    returns: 'status',
    effects: [
      {
        verb: 'stream.operation',
        stream: 'arg5',
        kind: 'kernel',
        function: 'arg0',
        kernelArguments: 'arg3',
        ...sizeAt('arg1', 'arg2'),
      },
    ],
  },
  {
    name: 'cudaLaunchCooperativeKernel',
    returns: 'status',
    effects: [
      {
        verb: 'stream.operation',
        stream: 'arg5',
        kind: 'kernel',
        function: 'arg0',
        kernelArguments: 'arg3',
        ...sizeAt('arg1', 'arg2'),
        cooperative: true,
      },
    ],
  },
  {
    name: 'cudaLaunchKernelExC',
    returns: 'status',
    effects: [
      {
        verb: 'stream.operation',
        stream: 'arg0.stream',
        kind: 'kernel',
        function: 'arg1',
        kernelArguments: 'arg2',
        ...sizeAt('arg0.gridDim', 'arg0.blockDim'),
        attributes: 'arg0.attrs',
        attributeCount: 'arg0.numAttrs',
      },
    ],
  },
  {
    name: 'cudaLaunchKernelEx',
    returns: 'status',
    effects: [
      {
        verb: 'stream.operation',
        stream: 'arg0.stream',
        kind: 'kernel',
        function: 'arg1',
        directArguments: 'arg2',
        ...sizeAt('arg0.gridDim', 'arg0.blockDim'),
        attributes: 'arg0.attrs',
        attributeCount: 'arg0.numAttrs',
      },
    ],
  },
];

export const cudaStreamModel: ModelFile = {
  name: 'cuda-stream',
  rows,
  constants: {
    cudaStreamDefault: 0,
    cudaStreamLegacy: 1,
    cudaStreamPerThread: 2,
    cudaStreamNonBlocking: 1,
    cudaEventDefault: 0,
    cudaEventBlockingSync: 1,
    cudaEventDisableTiming: 2,
    cudaEventInterprocess: 4,
    cudaEventRecordDefault: 0,
    cudaEventRecordExternal: 1,
    cudaEventWaitDefault: 0,
    cudaEventWaitExternal: 1,
    cudaLaunchAttributeProgrammaticStreamSerialization: 6,
    cudaStreamCaptureModeGlobal: 0,
    cudaStreamCaptureModeThreadLocal: 1,
    cudaStreamCaptureModeRelaxed: 2,
    cudaStreamCaptureStatusNone: 0,
    cudaStreamCaptureStatusActive: 1,
    cudaStreamCaptureStatusInvalidated: 2,
  },
};
