/**
 * Streams that unseen code gives or may have changed: nothing is said that only rests on two of them not being the same, and
 * what is wrong whichever they are is still said.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <array>
#include <cuda_runtime.h>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
class Pool {
  cudaStream_t stream_ = 0;
public:
  float *take() { float *p = nullptr; cudaMallocAsync((void **)&p, 4, stream_); cudaMemsetAsync(p, 0, 4, stream_); return p; }
  void give(float *p) { cudaFreeAsync(p, stream_); }
};
struct Owner { Owner() { cudaStreamCreate(&s); } ~Owner() { cudaStreamDestroy(s); } cudaStream_t s{}; };
struct Plain { cudaStream_t s{}; };
using Owners = std::array<Owner, 2>;
static void capture(cudaStream_t s) { cudaGraph_t g; if (cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)) return; k<<<1, 1, 0, s>>>(nullptr); cudaStreamEndCapture(s, &g); }
struct Library { Library(Pool *pool); void run(); };
void update(cudaStream_t *stream);
struct Context;
cudaStream_t streamOf(Context *context);
cudaStream_t nextStream(Context *context);
template <typename T> struct Streams { static cudaStream_t get(Streams<T> *s); static cudaStream_t current(); };
cudaStream_t other() { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); return s; }
`;

/** What it is; the rule that `bad` breaks; the function that is wrong; the one that is right. */
type Row = readonly [what: string, rule: string, bad: string, good: string];

const changed: readonly Row[] = [
  [
    'a member of an object that an unseen one was given',
    'async-use-before-alloc',
    'void f() { Pool pool; cudaStream_t s = other(); float *p = pool.take(); Library l(&pool); k<<<1, 1, 0, s>>>(p); pool.give(p); }',
    'void f() { Pool pool; float *p = pool.take(); Library l(&pool); pool.give(p); float *q = pool.take(); l.run(); pool.give(q); }',
  ],
  [
    'a variable whose address was given away',
    'async-free-before-alloc',
    'void f() { cudaStream_t s = other(), t = other(); float *p; cudaMallocAsync((void **)&p, 4, s); update(&s); k<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, t); }',
    'void f() { cudaStream_t s = other(); float *p; cudaMallocAsync((void **)&p, 4, s); update(&s); k<<<1, 1, 0, s>>>(p); cudaStream_t t = s; update(&s); cudaFreeAsync(p, t); cudaStreamSynchronize(s); }',
  ],
];

const given: readonly Row[] = [
  [
    'a function, asked about one object',
    'stream-conflicting-access',
    'void f(Context *c, Context *d, const float *host) { float *p; cudaMalloc(&p, 4); cudaMemcpyAsync(p, host, 4, cudaMemcpyHostToDevice, streamOf(c)); k<<<1, 1, 0, streamOf(d)>>>(p); cudaDeviceSynchronize(); cudaFree(p); }',
    'void f(Context *c, const float *host) { float *p; cudaMalloc(&p, 4); cudaMemcpyAsync(p, host, 4, cudaMemcpyHostToDevice, streamOf(c)); auto s = streamOf(c); k<<<1, 1, 0, s>>>(p); cudaStreamSynchronize(streamOf(c)); cudaFree(p); }',
  ],
  [
    'a function that hands out another each time',
    'stream-conflicting-access',
    'void f(Context *c, const float *host) { float *p; cudaMalloc(&p, 4); cudaMemcpyAsync(p, host, 4, cudaMemcpyHostToDevice, nextStream(c)); k<<<1, 1, 0, nextStream(c)>>>(p); cudaDeviceSynchronize(); cudaFree(p); }',
    'void f(Context *c, const float *host) { float *p; cudaMalloc(&p, 4); cudaStream_t s = nextStream(c); cudaMemcpyAsync(p, host, 4, cudaMemcpyHostToDevice, s); k<<<1, 1, 0, s>>>(p); cudaDeviceSynchronize(); cudaFree(p); }',
  ],
  [
    'a static getter of a class template',
    'async-free-before-alloc',
    'void f(Streams<int> *s) { float *p; cudaMallocAsync((void **)&p, 4, Streams<int>::get(s)); cudaStream_t t = other(); cudaFreeAsync(p, t); }',
    'static void use(Streams<int> *s, float *p) { k<<<1, 1, 0, Streams<int>::get(s)>>>(p); } void f(Streams<int> *s) { float *p; cudaMallocAsync((void **)&p, 4, Streams<int>::get(s)); use(s, p); cudaFreeAsync(p, Streams<int>::get(s)); cudaMallocAsync((void **)&p, 4, Streams<int>::current()); cudaFreeAsync(p, Streams<int>::current()); }',
  ],
];

const joined: Row[] = [
  [
    'a method of an object that nobody knows, which is given the other',
    'async-use-before-alloc',
    'struct Part; struct Lane { cudaStream_t raw = nullptr; cudaStream_t ptr() { return raw; } }; struct Work { Lane lane; std::vector<Part> parts; void f() { float *p; cudaMallocAsync((void **)&p, 4, lane.ptr()); k<<<1, 1, 0, parts[0].lane.ptr()>>>(p); parts[0].lane.wait(lane); cudaDeviceSynchronize(); cudaFreeAsync(p, lane.ptr()); } };',
    'struct Part; struct Lane { cudaStream_t raw = nullptr; cudaStream_t ptr() { return raw; } }; struct Work { Lane lane; std::vector<Part> parts; void f() { float *p; cudaMallocAsync((void **)&p, 4, lane.ptr()); parts[0].lane.wait(lane); k<<<1, 1, 0, parts[0].lane.ptr()>>>(p); cudaDeviceSynchronize(); cudaFreeAsync(p, lane.ptr()); } };',
  ],
  [
    'a method that is given the stream itself',
    'stream-conflicting-access',
    'struct Part; struct Work { Part *part; float *p; cudaStream_t mine; void f() { cudaMalloc(&p, 4); cudaMemsetAsync(p, 0, 4, mine); k<<<1, 1, 0, part->lane.ptr()>>>(p); part->lane.wait(mine); cudaDeviceSynchronize(); } };',
    'struct Part; struct Work { Part *part; float *p; cudaStream_t mine; void f() { cudaMalloc(&p, 4); cudaMemsetAsync(p, 0, 4, mine); part->lane.wait(mine); k<<<1, 1, 0, part->lane.ptr()>>>(p); cudaDeviceSynchronize(); } };',
  ],
];

/** The stream is given by an object that nobody sees, and so is the wait for it. */
const waited = (before: string, after: string): string =>
  `struct Case { Library *library; cudaStream_t mine = streamOf(nullptr); void f() { float *p; cudaMalloc(&p, 4); ${before} k<<<1, 1, 0, mine>>>(p); ${after} k<<<1, 1>>>(p); cudaDeviceSynchronize(); cudaFree(p); } };`;
joined.push([
  'a function that is given the stream in front of work in the default stream',
  'stream-conflicting-access',
  waited('settle(mine);', ''),
  waited('', 'settle(mine);'),
]);

const elements: readonly Row[] = [
  [
    'a container of an object that was made elsewhere',
    'capture-begin-legacy',
    'struct Set { std::vector<Plain> own; void start() { own.resize(2); capture(own[1].s); } }; void f() { Set s; s.start(); }',
    'struct Set { std::vector<Owner> own; Plain two[2]; void start() { capture(own[1].s); capture(two[1].s); } };',
  ],
  [
    'an array by another name',
    'capture-begin-legacy',
    'void f() { std::array<Plain, 2> a{}; capture(a[1].s); }',
    'struct Set { Owners own; void start() { capture(own[1].s); } }; void f() { Owners a; capture(a[1].s); Set s; s.start(); }',
  ],
];

describe.each([
  ['perhaps changed:', changed],
  ['an element of', elements],
  ['given by', given],
  ['perhaps made to wait by', joined],
] as const)('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, rule, bad, good) => {
    expect((await analyseText(head + good)).findings.map(({ message }) => message)).toEqual([]);
    expect((await analyseText(head + bad)).findings.map((finding) => finding.rule)).toContain(rule);
  });
});

describe('a stream of the program that something unseen is given', () => {
  const severities = async (between: string): Promise<readonly string[]> => {
    const body = `cudaStream_t s = other(); float *p; cudaMalloc(&p, 4); k<<<1, 1, 0, s>>>(p); ${between} k<<<1, 1>>>(p); cudaFree(p); cudaStreamDestroy(s);`;
    const { findings } = await analyseText(`${head}int main() { ${body} }`);
    return findings.map(({ severity, rule }) => `${severity} ${rule}`);
  };
  it('may have been waited for', async () => {
    expect(await severities('')).toEqual(['warning stream-conflicting-access']);
    expect(await severities('settle(s);')).toEqual(['hint stream-conflicting-access']);
  });
});

describe('an element that only a symbol names', () => {
  it('is called by the text of its index', async () => {
    const { findings } = await analyseText(
      `${head}void f(int i, cudaStream_t s) { float *a[64]; cudaMallocAsync((void **)&a[i], 4, s); cudaFreeAsync(a[i], s); float **b = a + 1; cudaMallocAsync((void **)&b[i], 4, s); cudaFreeAsync(b[i], s); cudaFreeAsync(b[i], s); cudaFreeAsync(a[i], s); }`,
    );
    expect(findings.map(({ message }) => /`[^`]*`/.exec(message)?.[0])).toEqual(['`a[1 + i]`', '`a[i]`']);
  });
});

describe('what is called on its own, and gets nothing but numbers', () => {
  const program = (between: string) => `${head}
struct Work { Elsewhere &streams; float *a; void run() {
  k<<<1, 1, 0, streams.side()>>>(a); ${between} k<<<1, 1, 0, streams.first()>>>(a); } };`;
  const rules = async (between: string) => (await analyseText(program(between))).findings.map(({ rule }) => rule);

  it.each(['streams.finish();', 'streams.wait(2);', 'finishAll();'])('may have waited: %s', async (between) => {
    expect(await rules(between)).toEqual([]);
  });

  it.each(['', 'if (streams.count() > 2) return;', 'const int n = streams.count();'])(
    'and has not, where it is asked: %s',
    async (between) => {
      expect(await rules(between)).toEqual(['stream-conflicting-access']);
    },
  );
});
