/** Calls that a capture forbids: those on arrays, pools, textures and modules as those on memory; and what a capturing stream refuses in every mode. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
__global__ void idle() {}
static cudaStream_t s, o; static cudaGraph_t g, h; static cudaGraphExec_t x; static cudaGraphNode_t n; static float *d;
static cudaArray_t array; static cudaChannelFormatDesc format; static cudaMemPool_t pool; static cudaMemPoolProps props; static CUmodule module;
static void begin(cudaStreamCaptureMode mode) { cudaStreamBeginCapture(s, mode); idle<<<1, 1, 0, s>>>(); }
static void end() { cudaStreamEndCapture(s, &g); }
static void make() { cudaStreamCreate(&s); cudaStreamCreate(&o); cudaMallocManaged(&d, 64); cudaGraphCreate(&h, 0); cudaGraphAddEmptyNode(&n, h, nullptr, 0); cudaGraphInstantiate(&x, h, 0); }
`;
const rule = 'capture-unsafe-call';
/** Refused in the global mode, and fine in the relaxed one. */
const row = (what: string, before: string, call: string, after = ''): Row => [
  what,
  rule,
  '',
  `make(); ${before} begin(cudaStreamCaptureModeGlobal); ${call} end();`,
  `make(); ${before} begin(cudaStreamCaptureModeRelaxed); ${call} end(); ${after}`,
];

describeRows('calls that a capture forbids', head, [
  row('an array is made', '', 'cudaMallocArray(&array, &format, 4, 4);', 'cudaFreeArray(array);'),
  row('an array is freed', 'cudaMallocArray(&array, &format, 4, 4);', 'cudaFreeArray(array);'),
  row('a pool is destroyed', 'cudaMemPoolCreate(&pool, &props);', 'cudaMemPoolDestroy(pool);'),
  row(
    'a pool is trimmed',
    'cudaMemPoolCreate(&pool, &props);',
    'cudaMemPoolTrimTo(pool, 0);',
    'cudaMemPoolDestroy(pool);',
  ),
  row('a module is unloaded', 'cuModuleLoad(&module, "m");', 'cuModuleUnload(module);'),
  row(
    'advice on managed memory',
    '',
    'cudaMemAdvise(d, 64, cudaMemAdviseSetReadMostly, cudaMemLocation{cudaMemLocationTypeDevice, 0});',
  ),
  row(
    'an executable that was launched is destroyed',
    'cudaGraphLaunch(x, o); cudaStreamSynchronize(o);',
    'cudaGraphExecDestroy(x);',
  ),
  ['a module is loaded', '', '', '', 'make(); begin(cudaStreamCaptureModeGlobal); cuModuleLoad(&module, "m"); end();'],
]);

/** Refused in the stream that captures, fine in another one. */
const inStream = (what: string, call: (stream: string) => string): Row => [
  what,
  rule,
  '',
  `make(); begin(cudaStreamCaptureModeRelaxed); ${call('s')} end();`,
  `make(); begin(cudaStreamCaptureModeRelaxed); ${call('o')} end();`,
];

describeRows('in a stream that captures, whatever the mode', head, [
  inStream('an executable is uploaded', (stream) => `cudaGraphUpload(x, ${stream});`),
  inStream('managed memory is attached', (stream) => `cudaStreamAttachMemAsync(${stream}, d, 0, cudaMemAttachSingle);`),
]);
