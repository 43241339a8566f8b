/**
 * Mistakes as people make them in programs of the kind that is public: a call left out, in code with macros that check,
 * buffers in chunks, helpers that build a whole graph, and options on the command line.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <vector>
__global__ void work(float *out, const float *in, int n) { out[0] = in[0] * n; }
__global__ void fill(float *p) { p[0] = 1; }
bool flag(int argc, char **argv, const char *name);
`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const early = 'host-buffer-used-before-sync';
const inFlight = 'host-buffer-freed-in-flight';
const race = 'stream-conflicting-access';
const tooLong = 'copy-out-of-range';

/** Everything in front of the copy back; `CHECK` is a macro of a header that is not there. */
const begun = `float *h, *d; CHECK(cudaMallocHost(&h, 4096)); CHECK(cudaMalloc(&d, 4096)); cudaStream_t s; CHECK(cudaStreamCreate(&s));
CHECK(cudaMemsetAsync(d, 0, 4096, s)); CHECK(cudaMemcpyAsync(h, d, 4096, cudaMemcpyDeviceToHost, s));`;
const read = 'float first = h[0];';
const wait = 'CHECK(cudaStreamSynchronize(s));';

const hostRows: readonly Row[] = [
  [
    'behind a macro that checks and is not seen',
    early,
    '',
    `${begun} CHECK(cudaGetLastError()); CHECK(cudaSetDevice(0)); ${read}`,
    `${begun} CHECK(cudaGetLastError()); ${wait} CHECK(cudaSetDevice(0)); ${read}`,
  ],
  [
    'behind a function that is given the status and a text',
    early,
    'void check(cudaError_t status, const char *what, int line);',
    `${begun} check(cudaGetLastError(), "copy", 7); ${read}`,
    `${begun} check(cudaStreamSynchronize(s), "copy", 7); ${read}`,
  ],
  [
    'behind a long calculation of the host',
    early,
    'static float reference(int n) { float sum = 0; for (int i = 0; i < n; i++) sum += std::sqrt((float)i); return sum; }',
    `${begun} float expected = reference(1 << 24); ${read}`,
    `${begun} float expected = reference(1 << 24); ${wait} ${read}`,
  ],
  [
    'in chunks of a size that is not known',
    early,
    '',
    `int n = (int)rint(atof("7")); ${begun} for (int i = 0; i < 2; i++) CHECK(cudaMemcpyAsync(h + i * n / 2, d + i * n / 2, 512, cudaMemcpyDeviceToHost, s)); ${read}`,
    `int n = (int)rint(atof("7")); ${begun} for (int i = 0; i < 2; i++) CHECK(cudaMemcpyAsync(h + i * n / 2, d + i * n / 2, 512, cudaMemcpyDeviceToHost, s)); ${wait} ${read}`,
  ],
  [
    'at a place that is not known, of all that is copied',
    early,
    '',
    `${begun} float some = h[rand() % 8];`,
    `${begun} ${wait} float some = h[rand() % 8];`,
  ],
  [
    'written again for the next copy',
    early,
    'static void constant(float *p, int n, float v) { for (int i = 0; i < n; i++) p[i] = v; }',
    `${begun} CHECK(cudaStreamSynchronize(s)); CHECK(cudaMemcpyAsync(d, h, 4096, cudaMemcpyHostToDevice, s)); constant(h, 1024, 2);`,
    `${begun} CHECK(cudaStreamSynchronize(s)); CHECK(cudaMemcpyAsync(d, h, 4096, cudaMemcpyHostToDevice, s)); ${wait} constant(h, 1024, 2);`,
  ],
];

const captured = `struct note { int seen; }; static void look(void *p) { ((note *)p)->seen = 1; }
static void launch(cudaStream_t s, bool waits) { note n = {0}; cudaGraph_t g; cudaGraphExec_t e;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaLaunchHostFunc(s, look, &n); cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s); if (waits) cudaStreamSynchronize(s); cudaGraphExecDestroy(e); cudaGraphDestroy(g); }`;

const otherRows: readonly Row[] = [
  [
    'a callback in a graph whose launch outlives what it is given',
    inFlight,
    captured,
    'cudaStream_t s; cudaStreamCreate(&s); launch(s, false); cudaStreamSynchronize(s);',
    'cudaStream_t s; cudaStreamCreate(&s); launch(s, true); cudaStreamSynchronize(s);',
  ],
  [
    'a blocking copy does not wait for a stream that does not block',
    race,
    '',
    'float *d, h[4]; cudaMalloc(&d, 16); cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); fill<<<1, 1, 0, s>>>(d); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);',
    'float *d, h[4]; cudaMalloc(&d, 16); cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); fill<<<1, 1, 0, s>>>(d); cudaStreamSynchronize(s); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);',
  ],
  [
    'a buffer too small, in a program with options',
    tooLong,
    'static void run(int n) { size_t bytes = n * sizeof(float); float *d; cudaMalloc(&d, SIZE); std::vector<float> h(n); cudaMemcpy(d, h.data(), bytes, cudaMemcpyHostToDevice); if (h[0] > 1) h[0] = 1; cudaFree(d); }',
    'if (flag(argc, argv, "help")) return 0; run(1024);',
    'if (flag(argc, argv, "help")) return 0; run(1024);',
  ],
  [
    'pinned memory freed twice',
    'malloc-double-free',
    'static void release(float *a, float *b) { cudaFreeHost(a); cudaFreeHost(b); }',
    'float *a, *b; cudaMallocHost(&a, 4); cudaMallocHost(&b, 4); release(a, a);',
    'float *a, *b; cudaMallocHost(&a, 4); cudaMallocHost(&b, 4); release(a, b); cudaMallocHost(&a, 4); release(a, nullptr);',
  ],
  [
    'in one round of a loop that counts down from a number that is not known',
    'malloc-double-free',
    'static int devices() { int n = 0; cudaGetDeviceCount(&n); return n; }',
    'float *h; cudaMallocHost(&h, 4); for (int i = devices() - 1; i >= 0; --i) if (i == 0) { cudaFreeHost(h); cudaFreeHost(h); }',
    'float *h; cudaMallocHost(&h, 4); for (int i = devices() - 1; i >= 0; --i) if (i == 0) cudaFreeHost(h);',
  ],
  [
    'a library whose handle was not given the stream',
    race,
    '#include <cublas_v2.h>\nstatic cublasHandle_t b; static float *x, *y; static cudaStream_t s; static void begin() { cublasCreate(&b); cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); cudaMalloc(&x, 64); cudaMalloc(&y, 64); }',
    'float one = 1; begin(); fill<<<1, 1, 0, s>>>(x); cublasSaxpy(b, 16, &one, x, 1, y, 1); cudaDeviceSynchronize();',
    'float one = 1; begin(); cublasSetStream(b, s); fill<<<1, 1, 0, s>>>(x); cublasSaxpy(b, 16, &one, x, 1, y, 1); cudaDeviceSynchronize();',
  ],
  [
    'complex numbers counted as real ones',
    tooLong,
    '',
    'using T = std::complex<float>; std::vector<T> v(16, 0); T *d; cudaMalloc(&d, sizeof(float) * v.size()); cudaMemcpy(d, v.data(), sizeof(T) * v.size(), cudaMemcpyHostToDevice);',
    'using T = std::complex<float>; std::vector<T> v(16, 0); T *d; cudaMalloc(&d, sizeof(T) * v.size()); cudaMemcpy(d, v.data(), sizeof(T) * v.size(), cudaMemcpyHostToDevice);',
  ],
];

const objects = `struct item { cudaEvent_t done; };
struct queue { item *take(); item *first(); };
struct pipeline { cudaGraphExec_t exec; cudaGraph_t graph; cudaStream_t stream; queue items; void rebuild(); void step(); };
`;

/** What it is; the rule; the mistaken and the right body of a method that nobody here calls. */
const memberRows: readonly (readonly [what: string, bad: string, good: string])[] = [
  [
    'an executable',
    'cudaGraphExecDestroy(exec); cudaGraphLaunch(exec, stream);',
    'cudaGraphLaunch(exec, stream); cudaGraphExecDestroy(exec);',
  ],
  [
    'a graph',
    'cudaGraphDestroy(graph); cudaGraphDestroy(graph);',
    'cudaGraphDestroy(graph); graph = nullptr; if (graph) cudaGraphDestroy(graph);',
  ],
  [
    'a stream',
    'if (stream) cudaStreamDestroy(stream); cudaStreamSynchronize(stream);',
    'if (stream) cudaStreamSynchronize(stream); cudaStreamDestroy(stream);',
  ],
  [
    'of which somebody may make another',
    'cudaGraphExecDestroy(exec); cudaGraphLaunch(exec, stream);',
    'cudaGraphExecDestroy(exec); rebuild(); cudaGraphLaunch(exec, stream);',
  ],
  [
    'of one object after the other',
    'item *i = items.first(); cudaEventDestroy(i->done); cudaEventSynchronize(i->done);',
    'while (item *i = items.take()) { cudaEventSynchronize(i->done); cudaEventDestroy(i->done); } for (int n = 0; n < 2; n++) { item *i = items.first(); cudaEventSynchronize(i->done); cudaEventDestroy(i->done); }',
  ],
];

describe('a member that nobody here sets is destroyed too early', () => {
  it.each(memberRows)('%s', async (_what, bad, good) => {
    const text = (body: string): string => `${head}${objects}void pipeline::step() { ${body} }`;
    const rules = async (body: string): Promise<readonly string[]> =>
      (await analyseText(text(body))).findings.map(({ rule, severity }) => `${severity} ${rule}`);
    expect(await rules(bad)).toEqual(['warning handle-use-after-destroy']);
    expect(await rules(good)).toEqual([]);
  });
});

async function found(before: string, body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}${before}\nint main(int argc, char **argv) {\n${body}\n}`);
  return [...new Set(findings.map(({ rule }) => rule))];
}

describe('the host does not wait', () => {
  it.each(hostRows)('%s', async (_what, rule, before, bad, good) => {
    expect(await found(before, bad)).toEqual([rule]);
    expect(await found(before, good)).toEqual([]);
  });

  it.each([
    ['a function without arguments', 'void settle();', 'settle();'],
    ['a function that is given the stream', 'void settle(cudaStream_t s);', 'settle(s);'],
    [
      'a function that is given a status and the stream',
      'void settle(int e, cudaStream_t s);',
      'settle(cudaSuccess, s);',
    ],
    ['a method', 'struct timer { void stop(); };', 'timer t; t.stop();'],
    [
      'a loop on memory of the device',
      'static volatile int *sign;',
      'cudaMallocManaged((void **)&sign, 4); while (*sign == 0);',
    ],
  ])('%s may wait where it is not seen', async (_what, before, call) => {
    expect(await found(before, `${begun} ${call} ${read}`)).toEqual([]);
  });
});

describe('other things left out', () => {
  it.each(otherRows)('%s', async (_what, rule, before, bad, good) => {
    expect(await found(before.replace('SIZE', 'n'), bad)).toEqual([rule]);
    expect(await found(before.replace('SIZE', 'bytes'), good)).toEqual([]);
  });

  it('a size that hangs on a choice before is not judged', async () => {
    const before =
      'int kind(); static size_t size() { switch (kind()) { case 1: return 1; case 2: return 2; default: return 4; } }';
    expect(
      await found(
        before,
        'float *d, h[64]; cudaMalloc(&d, 64 * size()); cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);',
      ),
    ).toEqual([]);
  });

  it('a blocking copy and a stream that somebody else made', async () => {
    const before = 'cudaStream_t given(); static float *d;';
    const body =
      'float h[4]; cudaMalloc(&d, 16); fill<<<1, 1, 0, given()>>>(d); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);';
    expect(await found(before, body)).toEqual([]);
  });
});

/** The lines that something is said of, each once a finding. */
async function lines(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(text);
  return findings.map(({ rule, span }) => `${rule} | ${text.slice(span.start, span.end).split('\n')[0]!.trim()}`);
}

describe('where it stands, and how often', () => {
  const build = (edge: string): string => `${head}static void build(cudaGraphExec_t *e, size_t bytes) {
  cudaGraph_t g; cudaGraphNode_t alloc, kernel, release; cudaGraphCreate(&g, 0);
  cudaMemAllocNodeParams params = {}; params.bytesize = bytes;
  params.poolProps.allocType = cudaMemAllocationTypePinned; params.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &params); float *data = (float *)params.dptr;
  void *args[] = {&data}; cudaKernelNodeParams k = {(void *)fill, 1, 1, 0, args, nullptr};
  cudaGraphAddKernelNode(&kernel, g, &alloc, 1, &k);
  cudaGraphAddMemFreeNode(&release, g, &${edge}, 1, data);
  cudaGraphInstantiate(e, g, 0); cudaGraphDestroy(g);
}
int main() {
  cudaGraphExec_t one, two; build(&one, 64); build(&two, 128);
  cudaGraphLaunch(one, 0); cudaGraphLaunch(two, 0); cudaDeviceSynchronize();
}`;

  it('a graph built wrong in a function that several call is wrong there, once', async () => {
    expect(await lines(build('alloc'))).toEqual([
      'graph-use-free-race | cudaGraphAddKernelNode(&kernel, g, &alloc, 1, &k)',
    ]);
    expect(await lines(build('kernel'))).toEqual([]);
  });

  it('its memory is called after the variable that took the address', async () => {
    const { findings } = await analyseText(build('alloc'));
    expect(findings.map(({ message }) => message.split(' ')[0])).toEqual(['`data`']);
  });

  it('two nodes of a function that has the memory, too', async () => {
    const text = `${head}static void build(cudaGraph_t g) { float *p; cudaMalloc(&p, 4); void *args[] = {&p}; cudaKernelNodeParams k = {(void *)fill, 1, 1, 0, args, nullptr};
  cudaGraphNode_t a, b; cudaGraphAddKernelNode(&a, g, nullptr, 0, &k);
  cudaGraphAddKernelNode(&b, g, nullptr, 0, &k); }
int main() { cudaGraph_t g, h; cudaGraphCreate(&g, 0); cudaGraphCreate(&h, 0); build(g); build(h); }`;
    expect(await lines(text)).toEqual(['graph-conflicting-access | cudaGraphAddKernelNode(&b, g, nullptr, 0, &k)']);
  });

  it('memory that a caller hands in may be the caller’s affair', async () => {
    const text = `${head}static void two(float *p, float *q, cudaStream_t s, cudaStream_t t) { fill<<<1, 1, 0, s>>>(p);
  fill<<<1, 1, 0, t>>>(q); }
int main() { float *a, *b; cudaMalloc(&a, 4); cudaMalloc(&b, 4); cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t);
  two(a, b, s, t); cudaDeviceSynchronize();
  two(a, a, s, t); }`;
    expect(await lines(text)).toEqual(['stream-conflicting-access | two(a, a, s, t)']);
  });

  it('a stream that nobody can tell may have been waited for by an event of the default stream', async () => {
    const text = (wait: string): string => `${head}int outside();
int main() { int n = outside(); float *h, *d; cudaEvent_t e; cudaMallocHost(&h, 4); cudaMalloc(&d, 4); cudaEventCreate(&e);
  cudaStream_t *s = (cudaStream_t *)malloc(n * sizeof(cudaStream_t)); for (int i = 0; i < n; i++) cudaStreamCreate(&s[i]);
  cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s[n - 1]); cudaEventRecord(e, 0); ${wait}
  if (h[0] > 1) return 1; }`;
    expect(await lines(text('cudaEventSynchronize(e);'))).toEqual([]);
    expect(await lines(text(''))).toEqual(['host-buffer-used-before-sync | h[0]']);
  });

  it('a handle used again and again after it was destroyed is said once', async () => {
    const text = `${head}int main() { cudaStream_t s; float *p; cudaStreamCreate(&s); cudaMallocAsync(&p, 4, s);
  cudaStreamDestroy(s); fill<<<1, 1, 0, s>>>(p);
  cudaFreeAsync(p, s); cudaStreamSynchronize(s); }`;
    expect((await lines(text)).filter((line) => line.startsWith('handle'))).toHaveLength(1);
  });
});
