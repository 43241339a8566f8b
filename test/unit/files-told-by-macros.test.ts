/** What a file says hangs on what was defined before it is included: an implementation behind a header, and code for one type after another. */

import { describe, expect, it } from 'vitest';
import { testEngine } from '../support/engine.ts';

type Files = Readonly<Record<string, string>>;

/** Rules that are broken, with file and line. */
async function found(main: string, headers: Files): Promise<readonly string[]> {
  const engine = await testEngine();
  const files: Files = { ...headers, 'main.cu': `#include <cuda_runtime.h>\n${main}` };
  const readInclude = (name: string) => (files[name] === undefined ? undefined : { file: name, text: files[name] });
  const { findings } = engine.analyse({ file: 'main.cu', text: files['main.cu']!, language: 'cuda', readInclude });
  return findings.map(
    ({ rule, span }) => `${rule} ${span.file}:${files[span.file]?.slice(0, span.start).split('\n').length}`,
  );
}

const pool = `#ifndef POOL_H
#define POOL_H
#include <cuda_runtime.h>
#ifndef POOL_DEF
#define POOL_DEF extern
#endif
#ifdef __cplusplus
extern "C" {
#endif
POOL_DEF int pool_take(float **p);
POOL_DEF int pool_give(float *p);
#ifdef __cplusplus
}
#endif
#endif
#ifdef POOL_IMPLEMENTATION
#include "pool-parts.h"
int pool_take(float **p) { return cudaMalloc((void **)p, POOL_BYTES); }
int pool_give(float *p) { return DROP(p); }
#endif
`;
const parts =
  '#ifndef DROP\n#ifdef POOL_KEEPS\n#define DROP(p) 0\n#else\n#define DROP(p) cudaFree(p)\n#endif\n#endif\n';
const headers = { 'pool.h': pool, 'pool-parts.h': parts };

const useOf = (before: string, body: string): string =>
  `${before}\n#include "pool.h"\n#undef POOL_IMPLEMENTATION\nint main() { float *p; pool_take(&p); pool_give(p); ${body} return 0; }\n`;
const twice = 'pool_give(p);';

describe('a header that is told to define what it declares', () => {
  const implementation = '#define POOL_BYTES 64\n#define POOL_IMPLEMENTATION';
  it.each([
    ['does', implementation, twice, ['malloc-double-free main.cu:6']],
    ['is right where it is right', implementation, '', []],
    ['hands on what it was told', `${implementation}\n#define POOL_KEEPS`, 'cudaFree(p);', []],
    ['is told otherwise', `${implementation}\n#define DROP(p) (0)`, 'cudaFree(p);', []],
    ['is told no more', `${implementation}\n#undef POOL_IMPLEMENTATION`, twice, []],
    ['is told too late', '', `${twice}\n#define POOL_IMPLEMENTATION\n`, []],
  ])('%s', async (_what, before, body, expected) => {
    const all = await found(useOf(before, body), headers);
    expect(all.filter((each) => each.includes('double-free'))).toEqual(expected);
  });
});

const stack = `/* A stack of pointers to T, whose names begin with NAME. */
#ifndef T
#error "which type?"
#endif
#define JOINED_(a, b) a##_##b
#define JOINED(a, b) JOINED_(a, b)
#define OF(n) JOINED(NAME, n)
typedef struct {
  T *item[8];
  int top;
} OF(stack);
static void OF(push)(OF(stack) *s, T *p) { s->item[s->top++] = p; }
static T *OF(pop)(OF(stack) *s) { return s->item[--s->top]; }
#undef OF
#undef JOINED
#undef JOINED_
#undef T
#undef NAME
`;

const stacks = (body: string): string => `#define T float
#define NAME floats
#include "stack.inl"
#define T int
#define NAME ints
#include "stack.inl"
int main() {
  floats_stack f = {}; ints_stack n = {};
  for (int i = 0; i < 3; i++) {
    float *p; cudaMalloc(&p, 64); floats_push(&f, p);
    int *q; cudaMalloc(&q, 64); ints_push(&n, q);
  }
  ${body}
  while (f.top) cudaFree(floats_pop(&f));
  while (n.top) cudaFree(ints_pop(&n));
  return 0;
}
`;

describe('a file that is included for one type after another', () => {
  it('defines other things each time', async () => {
    const files = { 'stack.inl': stack };
    expect(await found(stacks('cudaFree(n.item[1]);'), files)).toEqual(['malloc-double-free main.cu:16']);
    expect(await found(stacks(''), files)).toEqual([]);
  });

  it('is a part of the other file, too, where it begins with a macro of that one', async () => {
    const files = {
      'steps.def': '// in order\n/* two */\nSTEP(take, cudaMalloc(&p, 64))\nSTEP(give, cudaFree(p))\n',
      'config.h': '#define ROUNDS 2\n',
    };
    const main = (body: string): string =>
      `#define CONFIG "config.h"\n#include CONFIG\nstatic float *p;\n#define STEP(name, call) static cudaError_t name(void) { return call; }\n` +
      `#include "steps.def"\nint main() { take(); ${body} return 0; }\n`;
    expect(await found(main('for (int i = 0; i < ROUNDS; i++) give();'), files)).toEqual([
      'malloc-double-free main.cu:7',
    ]);
    expect(await found(main('for (int i = 1; i < ROUNDS; i++) give();'), files)).toEqual([]);
  });

  it('is read once where it has a guard', async () => {
    const guarded = { 'take.h': '#pragma once\nstatic int give(float *p) { return cudaFree(p); }\n' };
    const main = (body: string): string =>
      `#include "take.h"\n#include "take.h"\nint main() { float *p; cudaMalloc(&p, 64); give(p); ${body} return 0; }\n`;
    expect(await found(main('give(p);'), guarded)).toEqual(['malloc-double-free main.cu:4']);
    expect(await found(main(''), guarded)).toEqual([]);
  });
});
