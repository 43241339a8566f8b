/** What is said of a mistake, and with how much conviction, whatever else the program does beside it: with the mistake and without. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
__global__ void produce(float *p) { p[threadIdx.x] = 1; }
__global__ void consume(const float *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }
static float *make(cudaStream_t s) { float *p; cudaMallocAsync((void **)&p, 4096, s); return p; }
static void capture(cudaStream_t stream, float *a, float *b, cudaStream_t other) {
  cudaGraph_t g; cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  produce<<<1, 32, 0, stream>>>(a); produce<<<1, 32, 0, other>>>(b);
  cudaStreamEndCapture(stream, &g); cudaGraphDestroy(g);
}
`;

const start = `int main(int argc, char **argv) { cudaStream_t s, t, b; cudaEvent_t event; float *x = nullptr, *y = nullptr, *z;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaStreamCreate(&b);
  cudaEventCreate(&event);
`;

/** What it is; what is said; the mistaken body of `main`, in which `s` and `t` are streams that wait for nobody; the right one. */
const rows: readonly (readonly [what: string, said: readonly string[], bad: string, good: string])[] = [
  [
    'streams that race for memory, behind a choice about other memory',
    ['warning stream-conflicting-access'],
    'if (argc > 1) cudaMalloc(&x, 4); cudaMalloc(&y, 4096); produce<<<1, 32, 0, s>>>(y); produce<<<1, 32, 0, t>>>(y); cudaDeviceSynchronize(); cudaFree(x); cudaFree(y);',
    'if (argc > 1) cudaMalloc(&x, 4); cudaMalloc(&y, 4096); produce<<<1, 32, 0, s>>>(y); produce<<<1, 32, 0, s>>>(y); cudaDeviceSynchronize(); cudaFree(x); cudaFree(y);',
  ],
  [
    'a memset that is too long, behind a choice about other memory',
    ['error copy-out-of-range'],
    'if (argc > 1) cudaMalloc(&x, 4); cudaMalloc(&y, 1024); cudaMemset(y, 0, 4096); cudaFree(x); cudaFree(y);',
    'if (argc > 1) cudaMalloc(&x, 4); cudaMalloc(&y, 4096); cudaMemset(y, 0, 4096); cudaFree(x); cudaFree(y);',
  ],
  [
    'rows of a copy that are more than there is room for',
    ['error copy-out-of-range'],
    'cudaMalloc(&x, 4096); cudaMalloc(&y, 1024); cudaMemcpy2DAsync(y, 32, x, 64, 32, 64, cudaMemcpyDeviceToDevice, s); cudaFree(x); cudaFree(y);',
    'cudaMalloc(&x, 4096); cudaMalloc(&y, 1024); cudaMemcpy2DAsync(y, 32, x, 64, 32, 32, cudaMemcpyDeviceToDevice, s); cudaFree(x); cudaFree(y);',
  ],
  [
    'launches in two streams, behind a choice that is about neither',
    ['hint perf-launch-stream-switch'],
    'if (argc > 1) cudaMalloc(&x, 4); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMallocAsync(&y, 4096, s); produce<<<1, 32, 0, s>>>(y); cudaFreeAsync(y, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaGraphLaunch(e, t); cudaDeviceSynchronize(); cudaFree(x);',
    'if (argc > 1) cudaMalloc(&x, 4); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMallocAsync(&y, 4096, s); produce<<<1, 32, 0, s>>>(y); cudaFreeAsync(y, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); cudaGraphLaunch(e, s); cudaDeviceSynchronize(); cudaFree(x);',
  ],
  [
    'what one helper allocates twice, used when both are gone: each is said',
    ['error async-use-after-free', 'error async-use-after-free'],
    'x = make(s); y = make(s); cudaFreeAsync(x, s); cudaFreeAsync(y, s); consume<<<1, 32, 0, s>>>(x, y);',
    'x = make(s); y = make(s); consume<<<1, 32, 0, s>>>(x, y); cudaFreeAsync(x, s); cudaFreeAsync(y, s);',
  ],
  [
    'memory that is never freed, beside a mistake with other memory',
    ['error async-use-after-free', 'warning async-leak'],
    'x = make(s); y = make(s); produce<<<1, 32, 0, s>>>(x); cudaFreeAsync(y, s); produce<<<1, 32, 0, s>>>(y);',
    'x = make(s); y = make(s); produce<<<1, 32, 0, s>>>(x); produce<<<1, 32, 0, s>>>(y); cudaFreeAsync(y, s); cudaFreeAsync(x, s);',
  ],
  [
    'memory that would be freed if the call were not refused is no leak',
    ['error malloc-interior-free'],
    'cudaMalloc(&y, 4096); y += 4; cudaFree(y);',
    'cudaMalloc(&y, 4096); cudaFree(y);',
  ],
  [
    'memory that a graph would free if the graph came to be is no leak',
    ['error capture-unjoined'],
    'cudaGraph_t g, h; cudaGraphExec_t e, f; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMallocAsync(&x, 4096, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaFreeAsync(x, s); cudaEventRecord(event, s); cudaStreamWaitEvent(t, event, 0); cudaMemsetAsync(nullptr, 0, 0, t); cudaStreamEndCapture(s, &h); cudaGraphLaunch(e, s); cudaDeviceSynchronize();',
    'cudaGraph_t g, h; cudaGraphExec_t e, f; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMallocAsync(&x, 4096, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaFreeAsync(x, s); cudaStreamEndCapture(s, &h); cudaGraphInstantiate(&f, h, 0); cudaGraphLaunch(e, s); cudaGraphLaunch(f, s); cudaDeviceSynchronize();',
  ],
  [
    'memory of cudaMalloc that cudaFreeAsync frees while another stream uses it',
    ['error async-use-free-race'],
    'cudaMalloc(&y, 4096); produce<<<1, 32, 0, s>>>(y); cudaFreeAsync(y, t);',
    'cudaMalloc(&y, 4096); produce<<<1, 32, 0, s>>>(y); cudaEventRecord(event, s); cudaStreamWaitEvent(t, event, 0); cudaFreeAsync(y, t);',
  ],
  [
    'a graph that is moved into another one when it has an executable',
    ['error moved-child-misuse'],
    `cudaGraph_t g, c; cudaGraphExec_t e; cudaGraphNode_t inner; cudaGraphCreate(&g, 0); cudaGraphCreate(&c, 0); cudaGraphInstantiate(&e, c, 0);
    cudaGraphNodeParams n = {}; n.type = cudaGraphNodeTypeGraph; n.graph.graph = c; n.graph.ownership = cudaGraphChildGraphOwnershipMove; cudaGraphAddNode(&inner, g, nullptr, nullptr, 0, &n);`,
    `cudaGraph_t g, c; cudaGraphExec_t e; cudaGraphNode_t inner; cudaGraphCreate(&g, 0); cudaGraphCreate(&c, 0); cudaGraphInstantiate(&e, c, 0); cudaGraphExecDestroy(e);
    cudaGraphNodeParams n = {}; n.type = cudaGraphNodeTypeGraph; n.graph.graph = c; n.graph.ownership = cudaGraphChildGraphOwnershipMove; cudaGraphAddNode(&inner, g, nullptr, nullptr, 0, &n);`,
  ],
  [
    'the default stream used while a blocking stream captures',
    ['error capture-legacy-stream-use'],
    'cudaMalloc(&x, 4096); cudaMalloc(&y, 4096); capture(b, x, y, 0); cudaFree(x); cudaFree(y);',
    'cudaMalloc(&x, 4096); cudaMalloc(&y, 4096); capture(s, x, y, 0); cudaFree(x); cudaFree(y);',
  ],
];

/** A graph in which a moved child allocates `x`, and what else is in the child and then in `g`. */
const child = (rest: string, inside = ''): string =>
  `cudaGraph_t g, c; cudaGraphExec_t e; cudaGraphCreate(&g, 0); cudaGraphCreate(&c, 0);
  cudaMemAllocNodeParams a = {}; a.poolProps.allocType = cudaMemAllocationTypePinned; a.poolProps.location.type = cudaMemLocationTypeDevice; a.bytesize = 4096;
  cudaGraphNode_t alloc, inner, use, free; cudaGraphAddMemAllocNode(&alloc, c, nullptr, 0, &a); x = (float *)a.dptr;
  void *args[] = {&x}; cudaKernelNodeParams k = {}; k.func = (void *)produce; k.gridDim = 1; k.blockDim = 32; k.kernelParams = args;
  cudaGraphAddKernelNode(&use, c, &alloc, 1, &k); ${inside}
  cudaGraphNodeParams n = {}; n.type = cudaGraphNodeTypeGraph; n.graph.graph = c; n.graph.ownership = cudaGraphChildGraphOwnershipMove;
  cudaGraphAddNode(&inner, g, nullptr, nullptr, 0, &n);
  ${rest}
  cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s);`;

const behind = 'cudaGraphAddKernelNode(&use, g, &inner, 1, &k);';
const freed = 'cudaGraphAddMemFreeNode(&free, g, &use, 1, x);';
const ofChild: typeof rows = [
  [
    'memory that a child graph allocates, used beside it',
    ['error graph-use-before-alloc'],
    child(
      'cudaGraphAddKernelNode(&use, g, nullptr, 0, &k); cudaGraphNode_t both[] = {inner, use}; cudaGraphAddMemFreeNode(&free, g, both, 2, x);',
    ),
    child(behind + freed),
  ],
  [
    'memory that a child graph allocates, freed beside its use',
    ['error graph-use-free-race'],
    child(`${behind} cudaGraphAddMemFreeNode(&free, g, &inner, 1, x);`),
    child(behind + freed),
  ],
  [
    'memory that a child graph allocates and frees, used behind it',
    ['error graph-use-after-free'],
    child(behind, 'cudaGraphAddMemFreeNode(&free, c, &use, 1, x);'),
    child('', 'cudaGraphAddMemFreeNode(&free, c, &use, 1, x);'),
  ],
];

async function said(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(text);
  return findings.map(({ severity, rule }) => `${severity} ${rule}`).sort();
}

const end = '\n  cudaDeviceSynchronize(); return 0; }';

describe.each([...rows, ...ofChild])('%s', (_what, expected, bad, good) => {
  it('is said', async () => expect(await said(`${head}${start}${bad}${end}`)).toEqual(expected));
  it('is not said without the mistake', async () => expect(await said(`${head}${start}${good}${end}`)).toEqual([]));
});

describe('a capture of a stream that somebody else made', () => {
  it('may be lost to the default stream: the stream may be non-blocking', async () => {
    const text = `${head}void take(cudaStream_t stream, float *a, float *b) { capture(stream, a, b, 0); }`;
    expect(await said(text)).toEqual(['warning capture-legacy-stream-use']);
  });
});

describe('a run with more work than is ordered', () => {
  const repeated = (what: string, times: number): string => Array.from({ length: times }, () => what).join('\n');
  const program = (front: string, end: string): string => `${head}${start}cudaGraph_t g; cudaGraphExec_t e;
  cudaMallocAsync(&x, 4096, s); cudaMallocAsync(&y, 4096, s); ${front}
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); ${repeated('produce<<<1, 32, 0, s>>>(x);', 120)}
  cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0);
  ${repeated('cudaGraphLaunch(e, s);', 110)}
  ${end} cudaStreamSynchronize(s); return 0; }`;

  it('is judged as far as it is, and what is left out is told', async () => {
    const right = await analyseText(program('', 'cudaFreeAsync(x, s); cudaFreeAsync(y, s);'));
    expect(right.findings).toEqual([]);
    expect(right.gaps.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'budget main: too much work: the rest was not judged',
    ]);
    const bad = await said(program('cudaFreeAsync(y, s); produce<<<1, 32, 0, s>>>(y);', 'cudaFreeAsync(x, s);'));
    expect(bad).toEqual(['error async-use-after-free']);
  });
});

describe('an object from new that a callback works with', () => {
  it('is called as its pointer', async () => {
    const { findings } = await analyseText(`${head}struct D { int v; }; void count(void *p) { ((D *)p)->v++; }
${start}D *d = new D; cudaLaunchHostFunc(s, count, d); delete d; ${end}`);
    expect(findings.map(({ message }) => message.split(',')[0])).toEqual(['`count` is called with the address of `d`']);
  });
});

describe('a member of objects of which nobody knows how many there are', () => {
  it('is one thing on every path, with one name or another', async () => {
    const text = `${head}struct Slot { float *data; };
int main(int argc, char **argv) {
  cudaStream_t in, out; cudaStreamCreateWithFlags(&in, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&out, cudaStreamNonBlocking);
  cudaEvent_t begun; cudaEventCreate(&begun);
  int count = argc > 1 ? atoi(argv[1]) : 4;
  Slot *slots = new Slot[count];
  for (int i = 0; i < count; i++) {
    Slot &slot = slots[i];
    cudaMallocAsync(&slot.data, 4096, in);
    cudaEventRecord(begun, in); cudaStreamWaitEvent(out, begun, 0);
    produce<<<1, 32, 0, in>>>(slot.data);
    cudaFreeAsync(slot.data, out);
  }
  cudaDeviceSynchronize(); return 0; }`;
    expect(await said(text)).toEqual(['error async-use-free-race']);
  });
});

describe('a branch in which a program only checks something', () => {
  it('is passed by where nobody knows whether it is taken: what it checks need not hold', async () => {
    const text = `${head}int mode();
static void check(int rows) { if (mode() == 1) { if (rows % 128 != 0) throw 1; if (rows < 2) throw 2; } }
${start}check(1); cudaMallocAsync(&x, 4096, s); cudaFreeAsync(x, s); cudaFreeAsync(x, s);${end}`;
    expect(await said(text)).toEqual(['error async-double-free']);
  });
});
