/** Calls that only ask or set something of an object need it as much as those that work with it. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
static cudaStream_t s, t; static cudaEvent_t start, stop; static float ms; static int number; static unsigned flags;
static void timed() { cudaEventCreate(&start); cudaEventCreate(&stop); cudaEventRecord(start); cudaEventRecord(stop); cudaEventSynchronize(stop); }
`;
const rule = 'handle-use-after-destroy';
const streams = 'cudaStreamCreate(&s); cudaStreamCreate(&t);';
const graph = 'cudaGraph_t g; cudaGraphNode_t n; cudaGraphCreate(&g, 0); cudaGraphAddEmptyNode(&n, g, nullptr, 0);';
const asked = (
  what: string,
  before: string,
  ask: string,
  destroy: string,
  after = '',
): [string, string, string, string, string] => [
  what,
  rule,
  '',
  `${before} ${destroy} ${ask} ${after}`,
  `${before} ${ask} ${destroy} ${after}`,
];

describeRows('asked of what is destroyed', head, [
  asked(
    'the time since an event',
    'timed();',
    'cudaEventElapsedTime(&ms, start, stop);',
    'cudaEventDestroy(start);',
    'cudaEventDestroy(stop);',
  ),
  asked(
    'the time until an event',
    'timed();',
    'cudaEventElapsedTime(&ms, start, stop);',
    'cudaEventDestroy(stop);',
    'cudaEventDestroy(start);',
  ),
  asked('the priority of a stream', streams, 'cudaStreamGetPriority(s, &number);', 'cudaStreamDestroy(s);'),
  asked('the flags of a stream', streams, 'cudaStreamGetFlags(s, &flags);', 'cudaStreamDestroy(s);'),
  asked(
    'whether a stream captures',
    streams,
    'cudaStreamCaptureStatus status; cudaStreamIsCapturing(s, &status);',
    'cudaStreamDestroy(s);',
  ),
  asked('what a stream is like', streams, 'cudaStreamCopyAttributes(t, s);', 'cudaStreamDestroy(s);'),
  asked(
    'memory that belongs to a stream',
    `${streams} float *m; cudaMallocManaged(&m, 64);`,
    'cudaStreamAttachMemAsync(s, m, 0, cudaMemAttachSingle);',
    'cudaStreamDestroy(s);',
    'cudaDeviceSynchronize(); cudaFree(m);',
  ),
  asked(
    'how many nodes a graph has',
    graph,
    'size_t count = 0; cudaGraphGetNodes(g, nullptr, &count);',
    'cudaGraphDestroy(g);',
  ),
  asked('what a graph looks like', graph, 'cudaGraphDebugDotPrint(g, "g.dot", 0);', 'cudaGraphDestroy(g);'),
  asked(
    'the flags of an executable',
    `${graph} cudaGraphExec_t x; cudaGraphInstantiate(&x, g, 0); cudaGraphDestroy(g);`,
    'unsigned long long bits; cudaGraphExecGetFlags(x, &bits);',
    'cudaGraphExecDestroy(x);',
  ),
  [
    'events made anew',
    '',
    '',
    '',
    'for (int i = 0; i < 3; i++) { timed(); cudaEventElapsedTime(&ms, start, stop); cudaEventDestroy(start); cudaEventDestroy(stop); }',
  ],
]);
