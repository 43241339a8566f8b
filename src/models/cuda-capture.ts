/** Stream capture in both APIs, in the shapes of CUDA 10 to 13. */

import type { ModelEffect, ModelFile, ModelRow } from './model.ts';

const row = (name: string, effect: ModelEffect, arity?: ModelRow['arity'], ...more: ModelEffect[]): ModelRow => ({
  name,
  ...(arity === undefined ? {} : { arity }),
  returns: 'status',
  effects: [effect, ...more],
});

/** The stream that is asked about. */
const asked = { verb: 'query.handles', type: 'stream', handles: ['arg0'] };

/** `cudaStreamUpdateCaptureDependencies`: 12.x without edge data, 13.0 with it; `flags` 1 replaces. */
const updates = (name: string): readonly ModelRow[] => {
  const effect = { verb: 'capture.update', stream: 'arg0', dependencies: 'arg1' };
  return [
    row(name, { ...effect, count: 'arg2' }, 3),
    row(name, { ...effect, count: 'arg2', flags: 'arg3' }, 4),
    row(name, { ...effect, count: 'arg3', flags: 'arg4' }, 5),
  ];
};

/** `cudaStreamGetCaptureInfo`: status and id only at first, then graph and dependencies, from 12.3 on edge data too. */
const questions = (name: string): readonly ModelRow[] => {
  const effect = { verb: 'capture.info', stream: 'arg0', status: '*arg1', id: '*arg2' };
  return [
    row(name, effect, [2, 3], asked),
    row(name, { ...effect, graph: '*arg3' }, 4),
    row(name, { ...effect, graph: '*arg3', dependencies: '*arg4' }, 5),
    row(name, { ...effect, graph: '*arg3', dependencies: '*arg4', count: '*arg5' }, 6),
    row(name, { ...effect, graph: '*arg3', dependencies: '*arg4', edges: '*arg5', count: '*arg6' }, 7),
  ];
};

const rows = (prefix: 'cuda' | 'cu'): readonly ModelRow[] => [
  // The guide's snippets leave the mode out.
  ...[`${prefix}StreamBeginCapture`, `${prefix}StreamBeginCapture_v2`].map((name) =>
    row(name, { verb: 'capture.begin', stream: 'arg0', mode: 'arg1' }),
  ),
  row(`${prefix}StreamBeginCaptureToGraph`, {
    verb: 'capture.begin',
    stream: 'arg0',
    graph: 'arg1',
    dependencies: 'arg2',
    count: 'arg4',
    mode: 'arg5',
  }),
  row(`${prefix}StreamEndCapture`, { verb: 'capture.end', stream: 'arg0', graph: '*arg1' }),
  row(`${prefix}ThreadExchangeStreamCaptureMode`, { verb: 'thread.captureMode', mode: '*arg0' }),
  row(`${prefix}StreamIsCapturing`, { verb: 'query.capture', stream: 'arg0', target: '*arg1' }, undefined, asked),
  ...['', '_v2', '_v3'].flatMap((version) => questions(`${prefix}StreamGetCaptureInfo${version}`)),
  ...['', '_v2'].flatMap((version) => updates(`${prefix}StreamUpdateCaptureDependencies${version}`)),
];

export const cudaCaptureModel: ModelFile = {
  name: 'cuda-capture',
  rows: [...rows('cuda'), ...rows('cu')],
  constants: {
    cudaStreamAddCaptureDependencies: 0,
    cudaStreamSetCaptureDependencies: 1,
    CU_STREAM_ADD_CAPTURE_DEPENDENCIES: 0,
    CU_STREAM_SET_CAPTURE_DEPENDENCIES: 1,
  },
};
