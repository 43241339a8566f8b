/** `#name` among other things in a macro's body: the text of the argument, which names a function of the driver, or tells cases apart. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <cstring>
struct table {
  decltype(&cuMemAllocAsync) MemAllocAsync;
  decltype(&cuMemFreeAsync) MemFreeAsync;
};
static table cu;
static void load(const char *name, void **into) { cudaGetDriverEntryPoint(name, into, cudaEnableDefault, nullptr); }`;

const once = 'CUdeviceptr p; cu.MemAllocAsync(&p, 64, 0); cu.MemFreeAsync(p, 0);';
const pair = (loaded: string): [string, string] => [
  `${loaded} ${once} cu.MemFreeAsync(p, 0); cudaDeviceSynchronize();`,
  `${loaded} ${once} cudaDeviceSynchronize();`,
];
const twice = 'async-double-free';
const both = 'LOAD(MemAllocAsync); LOAD(MemFreeAsync);';

const rows: readonly Row[] = [
  ['behind a literal', twice, '#define LOAD(name) load("cu" #name, (void **)&cu.name)', ...pair(both)],
  [
    'between literals',
    twice,
    '#define LOAD(name) load("" # name "", (void **)&cu.Mem ## name)\n#define M(name) load("cu" "Mem" #name, (void **)&cu.Mem##name)',
    ...pair('M(AllocAsync); M(FreeAsync);'),
  ],
  [
    'alone, handed on by another macro',
    twice,
    '#define ENTRY(text, name) load(text, (void **)&cu.name)\n#define NAMED(full, name) do { ENTRY(#full, name); } while (0)\n#define LOAD(name) NAMED(cu##name, name)',
    ...pair(both),
  ],
  [
    'in a statement',
    twice,
    '#define LOAD(name) do { const char *wanted = "cu" #name; load(wanted, (void **)&cu.name); } while (0)',
    ...pair(both),
  ],
  [
    'in a body that is not plain',
    twice,
    '#define LOAD(full, name) do { asm volatile(""); load(#full, (void **)&cu.name); } while (0)',
    ...pair('LOAD(cuMemAllocAsync, MemAllocAsync); LOAD(cuMemFreeAsync, MemFreeAsync);'),
  ],
  [
    'tells cases apart',
    'malloc-double-free',
    '#define IS(name, text) (strcmp(#name, text) == 0)',
    'float *p; cudaMalloc(&p, 4); cudaFree(p); if (IS(again, "again")) cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); if (IS(once, "again")) cudaFree(p); cudaFree(p);',
  ],
  [
    'a path to a member',
    'malloc-double-free',
    '#define IS(path, text) (strcmp(#path, text) == 0)\nstruct S { float *p; };',
    'S s, *t = &s; cudaMalloc(&s.p, 4); cudaFree(s.p); if (IS(s.p, "s.p") && IS(t->p, "t->p")) cudaFree(s.p);',
    'S s; cudaMalloc(&s.p, 4); if (IS(s.p, "t.p")) cudaFree(s.p); cudaFree(s.p);',
  ],
];

describeRows('the text of an argument', head, rows);

describe('the text of an argument', () => {
  it('leaves no gap in an error macro', async () => {
    const { gaps } = await analyseText(`#include <cuda_runtime.h>
#include <cstdio>
#define CHECK(x) do { if ((x) != cudaSuccess) std::printf("failed: " #x " in " __FILE__ "\\n"); } while (0)
int main() { float *p; CHECK(cudaMalloc(&p, 4)); CHECK(cudaFree(p)); }
`);
    expect(gaps).toEqual([]);
  });
});
