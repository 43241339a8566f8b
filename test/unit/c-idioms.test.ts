/** What people write who think in C: tables, unions, lists that run through their members, functions asked for by name. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <vector>
static float *make() { float *p; cudaMalloc(&p, 4); return p; }
`;

/** What it is; what stands before `f`; the mistaken body of `f`; the right one. */
const rows: readonly (readonly [what: string, before: string, bad: string, good: string])[] = [
  [
    'members of a union lie in one place',
    'typedef struct { union { void *raw; float *numbers; } at; int n; } buffer;',
    'buffer b; b.at.raw = make(); buffer c = b; cudaFree(c.at.numbers); cudaFree(b.at.raw);',
    'buffer b; b.at.raw = make(); buffer c = b; c.at.numbers = make(); cudaFree(c.at.numbers); cudaFree(b.at.raw);',
  ],
  [
    'a union without a name, and how large it is',
    'struct slot { union { uint32_t word; unsigned char bytes[4]; }; uint32_t next; };',
    'float *p = make(); if (sizeof(struct slot) == 8) cudaFree(p); cudaFree(p);',
    'float *p = make(); if (sizeof(struct slot) == 8) cudaFree(p); else cudaFree(p);',
  ],
  [
    'elements named by their index',
    'enum { FIRST, SECOND }; static const int count[] = { [FIRST] = 1, [SECOND] = 2 };',
    'float *p = make(); for (int i = 0; i < count[SECOND]; i++) cudaFree(p);',
    'float *p = make(); for (int i = 0; i < count[FIRST]; i++) cudaFree(p);',
  ],
  [
    'parts of a braced list from a macro',
    '#define TIMES(n) .part = { .times = n }\nstruct row { int kind; struct { int times; } part; }; static const struct row rows[] = { { .kind = 0, TIMES(1) }, { .kind = 1, TIMES(2) } };',
    'float *p = make(); for (int i = 0; i < rows[1].part.times; i++) cudaFree(p);',
    'float *p = make(); for (int i = 0; i < rows[0].part.times; i++) cudaFree(p);',
  ],
  [
    'braces within a named part of an element',
    'struct row { int kind; struct { int from, to; } range; }; static const struct row rows[] = { { .kind = 0, .range = { 1, 3 } } };',
    'float *p = make(); for (int i = rows[0].range.from; i < rows[0].range.to; i++) cudaFree(p);',
    'float *p = make(); for (int i = rows[0].range.from + 1; i < rows[0].range.to; i++) cudaFree(p);',
  ],
  [
    'from a member to the object around it',
    `#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
struct link { struct link *next; }; struct item { float *memory; struct link link; };`,
    'struct item i = {}; i.memory = make(); struct link *l = &i.link; cudaFree(container_of(l, struct item, link)->memory); cudaFree(i.memory);',
    'struct item i = {}; i.memory = make(); struct link *l = &i.link; cudaFree(container_of(l, struct item, link)->memory);',
  ],
  [
    'a table of members',
    'struct options { int first, second; }; struct entry { size_t at; int value; }; static const struct entry entries[] = { { offsetof(options, second), 2 }, { offsetof(options, first), 1 } };',
    'options o = {}; for (const entry &e : entries) *(int *)((char *)&o + e.at) = e.value; float *p = make(); for (int i = 0; i < o.second; i++) cudaFree(p);',
    'options o = {}; for (const entry &e : entries) *(int *)((char *)&o + e.at) = e.value; float *p = make(); for (int i = 0; i < o.first; i++) cudaFree(p);',
  ],
  [
    'arrays copied as bytes',
    '',
    'float *a[2] = { make(), make() }, *b[2]; memcpy(b, a, sizeof a); cudaFree(a[0]); cudaFree(a[1]); cudaFree(b[1]);',
    'float *a[2] = { make(), make() }, *b[2]; memcpy(b, a, sizeof a); cudaFree(a[0]); cudaFree(b[1]);',
  ],
  [
    'constants of a width',
    '#define BIT(i) (UINT32_C(1) << (i))',
    'float *p = make(); if (BIT(2) & UINT64_C(4)) cudaFree(p); cudaFree(p);',
    'float *p = make(); if (BIT(1) & UINT64_C(4)) cudaFree(p); cudaFree(p);',
  ],
  [
    'what the compiler is told to expect',
    '#define unlikely(x) __builtin_expect(!!(x), 0)',
    'float *p = make(); if (unlikely(p)) cudaFree(p); cudaFree(p);',
    'float *p = make(); if (unlikely(!p)) cudaFree(p); cudaFree(p);',
  ],
  [
    'a thread of POSIX',
    '#include <pthread.h>\nstatic void *drop(void *memory) { cudaFree(memory); return nullptr; }',
    'float *p = make(); pthread_t t; pthread_create(&t, nullptr, drop, p); pthread_join(t, nullptr); cudaFree(p);',
    'float *p = make(); pthread_t t; pthread_create(&t, nullptr, drop, p); pthread_join(t, nullptr);',
  ],
  [
    'bits of a set',
    'struct builder { using mask = std::bitset<8>; static mask of(int i) { mask m; m.set(i); m[i + 1] = true; return m; } static size_t count(mask m) { size_t n = 0; for (size_t i = 0; i < m.size(); i++) n += m.test(i); return n; } };',
    'float *p = make(); for (size_t i = 0; i < builder::count(builder::of(3)); i++) cudaFree(p);',
    'float *p = make(); for (size_t i = 1; i < builder::count(builder::of(3)); i++) cudaFree(p);',
  ],
  [
    'another name for a type inside a class',
    'struct pool { typedef std::vector<float *> list; list all; void add() { all.push_back(make()); } };',
    'pool b; b.add(); if (b.all.size() == 1) cudaFree(b.all[0]); cudaFree(b.all[0]);',
    'pool b; b.add(); if (b.all.size() != 1) cudaFree(b.all[0]); cudaFree(b.all[0]);',
  ],
  [
    'several names for one type',
    'typedef struct thing { float *memory; } thing_t, *thing_p;',
    'thing_t t = { make() }; thing_p p = &t; cudaFree(p->memory); cudaFree(t.memory);',
    'thing_t t = { make() }; thing_p p = &t; cudaFree(p->memory);',
  ],
  [
    'structures that have their names from a typedef alone',
    'typedef struct { size_t at, bytes; } part; typedef struct { part k, v; } layer; typedef struct { float *memory; layer of[2]; } model;',
    'model m; m.memory = make(); m.of[1].v.at = 2; for (size_t i = 0; i < m.of[1].v.at; i++) cudaFree(m.memory);',
    'model m; m.memory = make(); m.of[1].v.at = 1; for (size_t i = 0; i < m.of[1].v.at; i++) cudaFree(m.memory);',
  ],
  [
    'braces that are left out',
    'typedef struct { struct { int from, to; } range; int times[2]; } row;',
    'row r = { 0, 1, 2, 3 }, none = { 0 }; float *p = make(); for (int i = none.range.to; i < r.times[0]; i++) cudaFree(p);',
    'row r = { 0, 1, 2, 3 }, none = { 0 }; float *p = make(); for (int i = none.range.to; i < r.range.to; i++) cudaFree(p);',
  ],
  [
    'memory of the device that the host copies',
    '#include <cstring>\nstatic float *both() { float *p; cudaMallocManaged(&p, 4); return p; }',
    'float *a = both(), *b = both(); memcpy(b, a, 4); cudaFree(a); cudaFree(b); cudaFree(b);',
    'float *a = both(), *b = both(); memcpy(b, a, 4); cudaFree(a); cudaFree(b);',
  ],
  [
    'a type as the argument of a macro',
    '#define AT(o, type, place) ((type *)((o)->base + (place)))\nstruct arena { char *base; };\nstatic char *room() { char *p; cudaMalloc(&p, 64); return p; }',
    'arena x = { room() }, *o = &x; cudaMemset(AT(o, float, 4), 0, 4); cudaMemset(AT(o, const int, 8), 0, 4); cudaFree(AT(o, unsigned char, 0)); cudaFree(o->base);',
    'arena x = { room() }, *o = &x; cudaMemset(AT(o, float, 4), 0, 4); cudaMemset(AT(o, const int, 8), 0, 4); cudaFree(AT(o, struct arena, 0));',
  ],
  [
    'a cast to the name of a type, with what is cast in parentheses',
    'typedef unsigned long long word; static const word code[] = { (word)(3) | (word)(1) << 8 };',
    'float *p = make(); for (word i = 2; i < (code[0] & 0xff); i++) cudaFree(p); cudaFree(p);',
    'float *p = make(); for (word i = 2; i < (code[0] & 0xff); i++) cudaFree(p);',
  ],
  [
    'arguments without a name',
    '#include <cstdarg>\nstatic void drop(int count, ...) { va_list list; va_start(list, count); for (int i = 0; i < count; i++) cudaFree(va_arg(list, float *)); va_end(list); }',
    'float *p = make(), *q = make(); drop(2, p, q); cudaFree(q);',
    'float *p = make(), *q = make(); drop(1, p, q); cudaFree(q);',
  ],
  [
    'a list of arguments that another function goes through',
    '#include <cstdarg>\nstatic void all(va_list list) { float *p; while ((p = va_arg(list, float *)) != nullptr) cudaFree(p); }\nstatic void drop(int, ...);\nstatic void drop(int first, ...) { va_list list; va_start(list, first); all(list); va_end(list); }',
    'float *p = make(), *q = make(); drop(0, p, q, nullptr); cudaFree(q);',
    'float *p = make(), *q = make(); drop(0, p, nullptr, q); cudaFree(q);',
  ],
  [
    'structures that are called like containers',
    'struct queue { float *ring[4]; unsigned head, tail; }; struct list { struct list *next; float *memory; };',
    'queue q = {}; q.ring[q.head++ % 4] = make(); list l = { nullptr, q.ring[q.tail++ % 4] }; cudaFree(l.memory); if (q.head == q.tail) cudaFree(q.ring[0]);',
    'queue q = {}; q.ring[q.head++ % 4] = make(); list l = { nullptr, q.ring[q.tail++ % 4] }; cudaFree(l.memory); if (q.head != q.tail) cudaFree(q.ring[0]);',
  ],
  [
    'a macro that is a braced list',
    'typedef struct { float *memory; int left; } block;\n#define BLOCK_INIT { nullptr, 0 }',
    'block b = BLOCK_INIT; b.memory = make(); float *p = b.memory; cudaFree(p); b = (block)BLOCK_INIT; if (!b.memory) cudaFree(p);',
    'block b = BLOCK_INIT; b.memory = make(); float *p = b.memory; cudaFree(p); b = (block)BLOCK_INIT; if (b.memory) cudaFree(p);',
  ],
  [
    'how many rows a table of functions has',
    'typedef struct { const char *name; void (*run)(float *); } row; static void drop(float *p) { cudaFree(p); } static const row rows[] = { { "drop", drop }, { "again", drop } };',
    'float *p = make(); for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) rows[i].run(p);',
    'float *p = make(); for (size_t i = 1; i < sizeof rows / sizeof rows[0]; i++) rows[i].run(p);',
  ],
  [
    'a union that only a function knows',
    '',
    'union local { void *raw; float *numbers; }; local u; u.raw = make(); cudaFree(u.numbers); cudaFree(u.raw);',
    'union local { void *raw; float *numbers; }; local u; u.raw = make(); cudaFree(u.numbers);',
  ],
];

describe('idioms of C', () => {
  it.each(rows)('%s', async (_what, before, bad, good) => {
    const right = await analyseText(`${head}${before}\nvoid f() { ${good} }\n`);
    expect(right.findings.map(({ message }) => message)).toEqual([]);
    expect(right.gaps.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([]);
    const wrong = await analyseText(`${head}${before}\nvoid f() { ${bad} }\n`);
    expect(wrong.findings.map(({ rule, certainty }) => `${rule} ${certainty}`)).toEqual(['malloc-double-free always']);
  });

  const asked = `${head}#include <dlfcn.h>
struct table { CUresult (*cuMemAllocAsync)(CUdeviceptr *, size_t, CUstream); CUresult (*drop)(CUdeviceptr, CUstream); };
`;
  const use =
    'CUdeviceptr p; t.cuMemAllocAsync(&p, 64, nullptr); t.drop(p, nullptr); t.drop(p, nullptr); cuCtxSynchronize(); }';

  it.each([
    [
      'dlsym',
      '*(void **)&t.cuMemAllocAsync = dlsym(h, "cuMemAllocAsync"); t.drop = (decltype(t.drop))dlsym(h, "cuMemFreeAsync");',
    ],
    [
      'an entry point',
      'cudaGetDriverEntryPoint("cuMemAllocAsync", (void **)&t.cuMemAllocAsync, 0, nullptr); cuGetProcAddress("cuMemFreeAsync", (void **)&t.drop, 12000, 0, nullptr);',
    ],
    ['a member that is called like the function', 'fill(&t); t.drop = cuMemFreeAsync;'],
  ])('a function asked for by name: %s', async (_what, asking) => {
    const { findings, gaps } = await analyseText(
      `${asked}void fill(table *t);\nvoid f(void *h) { table t; ${asking} ${use}\n`,
    );
    expect(findings.map(({ rule }) => rule)).toEqual(['async-double-free']);
    expect(gaps.map(({ name }) => name).filter((name) => name !== 'fill')).toEqual([]);
  });

  it('a library writes how much memory it needs', async () => {
    const { findings } = await analyseText(`#include <cub/cub.cuh>
void f(float *in, float *out, cudaStream_t s) { void *room = nullptr; size_t bytes = 0; cub::DeviceReduce::Sum(room, bytes, in, out, 8, s);
  if (bytes == 0) return; cudaMallocAsync(&room, bytes, s); cub::DeviceReduce::Sum(room, bytes, in, out, 8, s); cudaFreeAsync(room, s); cudaFreeAsync(room, s); }
`);
    expect(findings.map(({ rule }) => rule)).toEqual(['async-double-free']);
  });

  it('an address of the driver that nobody has seen may come from an allocation node', async () => {
    const { findings } = await analyseText(`${head}struct pending { CUdeviceptr at; };
pending *first();
int main() { CUgraph g; CUgraphNode n; cuGraphCreate(&g, 0); pending *p = first(); cuGraphAddMemFreeNode(&n, g, nullptr, 0, p->at); }
`);
    expect(findings.map(({ message }) => message)).toEqual([]);
  });

  it('an element that the text does not tell of an array that began as zero is not zero', async () => {
    const { findings } = await analyseText(`${head}__global__ void k(float *x) { x[0] = 1; }
unsigned place();
int main() { cudaGraph_t g; cudaGraphExec_t e; cudaGraphNode_t nodes[4] = {}; cudaGraphCreate(&g, 0);
  cudaMemAllocNodeParams a = {}; a.poolProps.allocType = cudaMemAllocationTypePinned; a.poolProps.location.type = cudaMemLocationTypeDevice; a.bytesize = 4; cudaGraphAddMemAllocNode(&nodes[0], g, nullptr, 0, &a);
  void *args[] = {&a.dptr}; cudaKernelNodeParams kp = {(void *)k, 1, 1, args, 0, 0};
  cudaGraphNode_t before[1] = {nodes[place()]}; cudaGraphAddKernelNode(&nodes[1], g, before, 1, &kp);
  cudaGraphAddMemFreeNode(&nodes[2], g, &nodes[1], 1, a.dptr);
  cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize(); }
`);
    expect(findings.map(({ message }) => message)).toEqual([]);
  });
});
