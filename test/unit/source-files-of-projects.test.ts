/** A program is read with the source files of its project that define what it leaves open, whatever they are called. */

import { describe, expect, it } from 'vitest';
import { createSourcesNear } from '../../src/base/sources-near.ts';
import { createEngine } from '../../src/pipeline.ts';
import { createRelevance } from '../../src/relevance/relevance.ts';
import { seemsToDefine } from '../../src/syntax/companions.ts';
import { readGrammar, testEngine } from '../support/engine.ts';
import { type Files, readerOf } from '../support/files-in-memory.ts';

const near = (files: Files) => () => Object.keys(files).filter((name) => /\.(?:cu|cpp)$/.test(name));

/** What is found in `main.cu` and the files read with it: rule and file, with the names of what was not understood. */
async function found(files: Files): Promise<readonly string[]> {
  const engine = await testEngine();
  const text = files['main.cu'] ?? '';
  const input = { file: 'main.cu', text, language: 'cuda' as const, readInclude: readerOf(files) };
  const { findings, gaps } = engine.analyse({ ...input, sourcesNear: near(files) });
  return [...findings.map(({ rule, span }) => `${rule} ${span.file}`), ...gaps.map(({ name }) => `? ${name}`)];
}

const cuda = '#include <cuda_runtime.h>\n';
const kernels = `__global__ void scale(float *p, int n) { if (threadIdx.x < n) p[threadIdx.x] *= 2.f; }
__global__ void sum(const float *a, float *b, int n) { if (threadIdx.x < n) b[threadIdx.x] += a[threadIdx.x]; }
`;

describe('what another source file defines', () => {
  it('is known where the file only declares it', async () => {
    const files = (rest: string): Files => ({
      'main.cu': `${cuda}void fill(float *p, cudaStream_t s);\nextern "C" void drop(float *p, cudaStream_t s);
int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync((void **)&p, 1024, s); fill(p, s); drop(p, s); ${rest}
  cudaStreamSynchronize(s); cudaStreamDestroy(s); }\n`,
      'work.cu': `${cuda}${kernels}void fill(float *p, cudaStream_t s) { scale<<<1, 256, 0, s>>>(p, 256); }\n`,
      'memory.cpp': `${cuda}extern "C" void drop(float *p, cudaStream_t s) { cudaFreeAsync(p, s); }\n`,
    });
    expect(await found(files('fill(p, s);'))).toEqual(['async-use-after-free main.cu']);
    expect(await found(files(''))).toEqual([]);
  });

  it('may be a kernel', async () => {
    const files = (second: string): Files => ({
      'main.cu': `#include "kernels.cuh"
int main() { cudaStream_t a, b; cudaStreamCreate(&a); cudaStreamCreate(&b); float *p, *q; cudaMalloc(&p, 1024); cudaMalloc(&q, 1024);
  scale<<<1, 256, 0, a>>>(p, 256);\n  sum<<<1, 256, 0, b>>>(${second}, q, 256);
  cudaDeviceSynchronize(); cudaFree(p); cudaFree(q); cudaStreamDestroy(a); cudaStreamDestroy(b); }\n`,
      'kernels.cuh': `${cuda}__global__ void scale(float *p, int n);\n__global__ void sum(const float *a, float *b, int n);\n`,
      'device_code.cu': `#include "kernels.cuh"\n${kernels}`,
    });
    expect(await found(files('p'))).toEqual(['stream-conflicting-access main.cu']);
    expect(await found(files('q'))).toEqual([]);
  });

  it('may be spread over several files, through a base class or globals', async () => {
    const files = (rest: string): Files => ({
      'main.cu': `#include "engine.h"\nint main() { begin(); auto e = makeEngine(); e->launch(); e->close(); ${rest} end(); }\n`,
      'engine.h': `${cuda}#include <memory>\nextern cudaStream_t work;\nvoid begin();\nvoid end();
class Engine { public: virtual ~Engine() = default; virtual void launch() = 0; virtual void close() = 0; };
std::unique_ptr<Engine> makeEngine();\n`,
      'state.cu': `#include "engine.h"\ncudaStream_t work;\nvoid end() { cudaStreamSynchronize(work); cudaStreamDestroy(work); }\n`,
      'first.cu': `#include "engine.h"\nvoid begin() { cudaStreamCreate(&work); }\n`,
      'gpu_engine.cu': `#include "engine.h"\nnamespace { class Gpu : public Engine { float *p; public:
  Gpu() { cudaMallocAsync((void **)&p, 64, work); } void launch() override { cudaMemsetAsync(p, 0, 64, work); }
  void close() override { cudaFreeAsync(p, work); } }; }
std::unique_ptr<Engine> makeEngine() { return std::make_unique<Gpu>(); }\n`,
    });
    expect(await found(files('e->launch();'))).toEqual(['async-use-after-free main.cu']);
    expect(await found(files(''))).toEqual([]);
  });

  it('may be a table of functions that the program only declares', async () => {
    const files = (rest: string): Files => ({
      'main.cu': `#include "ops.h"\nint main() { float *p = gpu.take(64); gpu.give(p); ${rest} }\n`,
      'ops.h': `${cuda}struct Ops { float *(*take)(size_t); void (*give)(float *); };\nextern const Ops gpu;\n`,
      'backend.cu': `#include "ops.h"\nstatic float *take(size_t n) { float *p; cudaMalloc(&p, n); return p; }
static void give(float *p) { cudaFree(p); }\nconst Ops gpu = {take, give};\n`,
    });
    expect(await found(files('gpu.give(p);'))).toEqual(['malloc-double-free main.cu']);
    expect(await found(files(''))).toEqual([]);
  });

  it('is read for tests, too', async () => {
    const files = (rest: string): Files => ({
      'main.cu': `#include "pool.h"\nTEST(Pool, Gives) { Pool p; p.take(512); p.give(); ${rest} }\n`,
      'pool.h': `${cuda}class Pool { public: Pool(); ~Pool(); void take(size_t n); void give(); cudaStream_t s; void *p; };\n`,
      'memory.cu': `#include "pool.h"\nPool::Pool() { cudaStreamCreate(&s); }\nPool::~Pool() { cudaStreamSynchronize(s); cudaStreamDestroy(s); }
void Pool::take(size_t n) { cudaMallocAsync(&p, n, s); }\nvoid Pool::give() { cudaFreeAsync(p, s); }\n`,
    });
    expect(await found(files('p.give();'))).toEqual(['async-double-free main.cu']);
    expect(await found(files(''))).toEqual([]);
    const catching = (rest: string) =>
      files(rest)['main.cu']!.replace('TEST(Pool, Gives)', 'TEST_CASE("it gives", "[pool]")');
    expect(await found({ ...files(''), 'main.cu': catching('p.give();') })).toEqual(['async-double-free main.cu']);
    expect(await found({ ...files(''), 'main.cu': catching('') })).toEqual([]);
  });

  it('may be a template that is made for some types there', async () => {
    const files = (rest: string): Files => ({
      'main.cu': `#include "buffer.h"\nint main() { Buffer<float> b(16); b.drop(); ${rest} }\n`,
      'buffer.h': `${cuda}template <typename T> struct Buffer { T *p; Buffer(int n); void drop(); };
extern template struct Buffer<float>;\nextern template void *make<int>(int);\n`,
      'made.cu': `#include "buffer.h"\ntemplate <typename T> Buffer<T>::Buffer(int n) { cudaMalloc(&p, n * sizeof(T)); }
template <typename T> void Buffer<T>::drop() { cudaFree(p); }\ntemplate struct Buffer<float>;\n`,
    });
    expect(await found(files('b.drop();'))).toEqual(['malloc-double-free main.cu']);
    expect(await found(files(''))).toEqual([]);
  });

  it('is left out where it belongs to another program, or where two files define it', async () => {
    const files: Files = {
      'main.cu': `${cuda}void drop(float *p);\nint main() { float *p; cudaMalloc(&p, 64); drop(p); cudaFree(p); }\n`,
      'other.cu': `${cuda}void drop(float *p) { cudaFree(p); }\nint main() { float *p; cudaMalloc(&p, 64); drop(p); }\n`,
    };
    expect(await found(files)).toEqual(['? drop']);
    const first = `${cuda}void drop(float *p) { cudaFree(p); }\n`;
    const second = `${cuda}void drop(float *p) { cudaMemset(p, 0, 64); }\n`;
    expect(await found({ ...files, 'other.cu': first })).toEqual(['malloc-double-free main.cu']);
    expect(await found({ ...files, 'other.cu': first, 'third.cu': second })).toEqual(['? drop']);
  });
});

describe('names that only one of the files sees', () => {
  const pool = `#pragma once\n${cuda}struct Pool { float *p; cudaStream_t s; void begin(); void end(); };\n`;
  const body = `void Pool::begin() { report(1); cudaStreamCreate(&s); cudaMallocAsync((void **)&p, 64, s); }
void Pool::end() { free_it(p, s); }\n`;
  const program = (own: string, rest: string): string =>
    `#include "pool.h"\n${own}int main() { Pool pool; pool.begin(); pool.end(); ${rest} }\n`;
  const files = (main: string, own: string): Files => ({
    'main.cu': main,
    'pool.h': pool,
    'memory.cu': `#include "pool.h"\n${own}${body}`,
  });
  const freeing = 'static void free_it(float *p, cudaStream_t s) { cudaFreeAsync(p, s); }\n';
  const report = 'static void report(int) {}\n';

  it('may be the same in both', async () => {
    const rows = files(program(report + freeing, 'free_it(pool.p, pool.s);'), report + freeing);
    expect(await found(rows)).toEqual(['async-double-free main.cu']);
    expect(await found(files(program(report + freeing, ''), report + freeing))).toEqual([]);
  });

  it.each([
    ['functions', 'static void free_it(float *p, cudaStream_t s) { cudaMemsetAsync(p, 0, 64, s); }\n'],
    [
      'functions in a namespace without a name',
      'namespace { void free_it(float *p, cudaStream_t s) { cudaFreeAsync(p, s); cudaStreamSynchronize(s); } }\n',
    ],
  ])('may differ: %s', async (_, other) => {
    // Memory that the program's own function frees is freed once; that of the other file is freed there.
    const main = (rest: string) => program(freeing, rest);
    expect(await found(files(main('free_it(pool.p, pool.s);'), report + other))).toEqual(
      other.includes('Memset') ? [] : ['async-double-free main.cu'],
    );
  });

  it('may be macros, classes, constants and globals', async () => {
    const own = (bytes: number) => `#define FREE(p, s) cudaFreeAsync(p, s)
struct Holder { float *held; };
static Holder holder;
const int bytes = ${bytes};\n`;
    const theirs = `#define FREE(p, s) cudaMemsetAsync(p, 0, bytes, s)
struct Holder { int number; cudaStream_t s; };
static Holder holder;
const int bytes = 8;
static void report(int n) { holder.number = n; }
static void free_it(float *p, cudaStream_t s) { holder.s = s; FREE(p, holder.s); }\n`;
    const rest = 'holder.held = pool.p; FREE(holder.held, pool.s);';
    expect(await found(files(program(own(16), rest), theirs))).toEqual([]);
    expect(await found(files(program(own(16), `${rest} FREE(pool.p, pool.s);`), theirs))).toEqual([
      'async-double-free main.cu',
    ]);
  });

  it('may be declared before they are defined', async () => {
    const ahead = 'static void free_it(float *p, cudaStream_t s);\n';
    const other = `${report}static void free_it(float *p, cudaStream_t s) { cudaMemsetAsync(p, 0, 64, s); }\n`;
    const main = program(ahead, 'free_it(pool.p, pool.s); free_it(pool.p, pool.s);') + freeing;
    expect(await found(files(main, other))).toEqual(['async-double-free main.cu']);
    expect(await found(files(main.replace('free_it(pool.p, pool.s); ', ''), other))).toEqual([]);
  });

  it('may be kernels', async () => {
    const kernel = (what: string) => `static __global__ void touch(float *p) { ${what} }\n`;
    const main = `#include "pool.h"\n${kernel('p[0] = 1;')}int main() { Pool pool; pool.begin(); touch<<<1, 1, 0, pool.s>>>(pool.p); pool.end(); }\n`;
    const other = `${report}${kernel('p[1] = 2;')}static void free_it(float *p, cudaStream_t s) { touch<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, s); touch<<<1, 1, 0, s>>>(p); }\n`;
    expect(await found(files(main, other))).toEqual(['async-use-after-free memory.cu']);
    expect(await found(files(main, other.replace(/touch<<<1, 1, 0, s>>>\(p\); }/, '}')))).toEqual([]);
  });
});

describe('an edit', () => {
  it('of the program or of another file is read as if it had always been so', async () => {
    const own = 'static int count; static void note(int n) { count = n; }\n#define SIZE 64\n';
    const start: Files = {
      'main.cu': `#include "pool.h"\n${own}int main() { Pool p; p.take(SIZE); p.give(); note(1); }\n`,
      'pool.h': `${cuda}struct Pool { void *p; cudaStream_t s; void take(int n); void give(); };\n`,
      'memory.cu': `#include "pool.h"\nstatic cudaEvent_t count;\n#define SIZE 8\nstatic void note(cudaStream_t s) { cudaEventRecord(count, s); }
void Pool::take(int n) { cudaStreamCreate(&s); cudaEventCreate(&count); note(s); cudaMallocAsync(&p, n * SIZE, s); }
void Pool::give() { note(s); cudaFreeAsync(p, s); }\n`,
    };
    const edits: readonly (readonly [string, (text: string) => string])[] = [
      ['main.cu', (text) => text.replace('note(1);', 'p.give();')],
      ['memory.cu', (text) => text.replace('void Pool::give', 'static int more;\nvoid Pool::give')],
      ['main.cu', (text) => text.replace('static int count;', 'static float more;')],
      ['memory.cu', (text) => text.replace('cudaFreeAsync(p, s);', '')],
      ['pool.h', (text) => text.replace('void give();', 'void give() { cudaFreeAsync(p, s); }')],
      ['memory.cu', (text) => text.replace(/void Pool::give.*/, '')],
      ['main.cu', (text) => text.replace('int main', 'int other')],
    ];
    const told = await createEngine(readGrammar);
    let files = start;
    const answers: string[] = [];
    for (const [file, edit] of [['main.cu', (text: string) => text] as const, ...edits]) {
      files = { ...files, [file]: edit(files[file]!) };
      const text = files['main.cu']!;
      const input = {
        file: 'main.cu',
        text,
        language: 'cuda' as const,
        readInclude: readerOf(files),
        sourcesNear: near(files),
      };
      const said = [told, await createEngine(readGrammar)].map((engine) => {
        const { findings, gaps } = engine.analyse(input);
        return JSON.stringify([findings.map(({ rule, message, span }) => [rule, message, span]), gaps]);
      });
      expect(said[0], `${file} after ${answers.length} edits`).toBe(said[1]);
      answers.push(said[1]!);
    }
    expect(new Set(answers).size).toBeGreaterThan(3);
  });
});

describe('what a text seems to define', () => {
  it('is told by its signs', () => {
    const text =
      'int f(int a) { return g(a); }\nvoid C<T>::run() const {}\nC::~C() {}\nstatic S s = {1};\nvoid h(int);\n';
    const names = seemsToDefine(text);
    expect(['f', 'C::run', 'C::C', 's'].filter((name) => !names.has(name))).toEqual([]);
    expect(['g', 'h'].filter((name) => names.has(name))).toEqual([]);
    expect(seemsToDefine(`${text}int main() {}`).size).toBe(0);
  });

  it('is found out soon where nothing is closed', () => {
    expect(seemsToDefine('f('.repeat(100_000)).size).toBe(0);
  });
});

describe('source files near a file', () => {
  const folders: Readonly<Record<string, readonly string[]>> = {
    '/p/app': ['main.cu', 'b.cu', 'notes.txt', 'a.h', 'kernels'],
    '/p/src': ['c.cpp', 'a.cu'],
    '/p/app/kernels': ['k.cu'],
    '/p/include': ['a.hpp', 'inside.cpp'],
    '/p/many': Array.from({ length: 60 }, (_, index) => `${index}.cu`),
  };
  const list = (folder: string) => folders[folder];

  it('lie beside it and in the usual folders', () => {
    expect(createSourcesNear(() => [], list)('/p/app/main.cu')).toEqual([
      'b.cu',
      'kernels/k.cu',
      '../src/a.cu',
      '../src/c.cpp',
    ]);
  });

  it('lie in the folders of headers, too', () => {
    const near = createSourcesNear(() => [], list)('/p/app/main.cu', ['/p/include/a.hpp']);
    expect(near).toContain('../include/inside.cpp');
  });

  it('are those of the compilation database, nearest first', () => {
    const compiled = ['/q/far.cu', '/p/src/a.cu', '/p/app/main.cu', '/p/app/b.cu', '/p/app/data.bin'];
    expect(createSourcesNear(() => compiled, list)('/p/app/main.cu')).toEqual([
      'b.cu',
      '../src/a.cu',
      '../../q/far.cu',
    ]);
  });

  it('are none where a folder holds too many for one program', () => {
    expect(createSourcesNear(() => [], list)('/p/many/1.cu')).not.toContain('2.cu');
  });

  it('make a program worth an analysis that names nothing of CUDA itself', () => {
    const files = { 'main.cpp': 'void run();\nint main() { run(); }', 'w.cu': 'void run() { cudaFree(nullptr); }' };
    const { isRelevant } = createRelevance();
    expect(isRelevant('main.cpp', files['main.cpp'], 'cuda', [], readerOf(files), near(files))).toBe(true);
    expect(isRelevant('lib.cpp', 'void run();\nvoid go() { run(); }', 'cuda', [], readerOf(files), near(files))).toBe(
      false,
    );
    expect(isRelevant('third.cpp', 'int main() { walk(); }', 'cuda', [], readerOf(files), near(files))).toBe(false);
  });
});
