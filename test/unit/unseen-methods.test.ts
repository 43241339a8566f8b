/** What an unseen function or method may have put in the place of what is freed or destroyed. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include "elsewhere.h"
#include <memory>
struct Block { float *p; cudaStream_t s; void renew(); void look() const; };
struct Owner { Block inner; void renew(); void again() { cudaFree(inner.p); renew(); cudaFree(inner.p); } void once() { cudaFree(inner.p); inner.look(); } };
void renew(Block *block); void renewIt(Block &block); void look(const Block &block); void byValue(Block block); void anew(float *&p);
float *shared; void renewShared();
`;

const block = 'Block b; cudaMalloc(&b.p, 4); cudaStreamCreate(&b.s);';
const free = 'cudaFree(b.p);';

/** What it is; where the freed thing must still be there; where it may have been replaced. */
const rows: readonly (readonly [what: string, bad: string, good: string])[] = [
  ['a method of an object', `${block} ${free} b.look(); ${free}`, `${block} ${free} b.renew(); ${free}`],
  [
    'a method behind a pointer',
    `${block} Block *q = &b; ${free} q->look(); ${free}`,
    `${block} Block *q = &b; ${free} q->renew(); ${free}`,
  ],
  [
    'a method of an object of another',
    'Owner o; cudaMalloc(&o.inner.p, 4); o.once(); cudaFree(o.inner.p);',
    'Owner o; cudaMalloc(&o.inner.p, 4); o.again();',
  ],
  [
    'a method of an owned object',
    'auto b = std::make_unique<Block>(); cudaMalloc(&b->p, 4); cudaFree(b->p); b->look(); cudaFree(b->p);',
    'auto b = std::make_unique<Block>(); cudaMalloc(&b->p, 4); cudaFree(b->p); b->renew(); cudaFree(b->p);',
  ],
  [
    'a method of a class that is not seen',
    'Elsewhere e; cudaMalloc(&e.p, 4); cudaFree(e.p); cudaFree(e.p); e.renew();',
    'Elsewhere e; cudaMalloc(&e.p, 4); cudaFree(e.p); e.renew(); cudaFree(e.p);',
  ],
  ['a function with the address', `${block} ${free} byValue(b); ${free}`, `${block} ${free} renew(&b); ${free}`],
  ['a function with a reference', `${block} ${free} look(b); ${free}`, `${block} ${free} renewIt(b); ${free}`],
  [
    'a reference to the pointer',
    'float *p; cudaMalloc(&p, 4); cudaFree(p); unknownLook(p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); cudaFree(p); anew(p); cudaFree(p);',
  ],
  [
    'a global',
    'cudaMalloc(&shared, 4); cudaFree(shared); cudaFree(shared); renewShared();',
    'cudaMalloc(&shared, 4); cudaFree(shared); renewShared(); cudaFree(shared);',
  ],
];

const rulesIn = async (body: string): Promise<readonly string[]> =>
  (await analyseText(`${head}void f() { ${body} }`)).findings.map(({ rule }) => rule);

describe('what an unseen function may have replaced', () => {
  it.each(rows)('%s: what cannot have been replaced is freed twice', async (_what, bad) => {
    expect(await rulesIn(bad)).toContain('malloc-double-free');
  });

  it.each(rows)('%s: what may have been replaced is not', async (_what, _bad, good) => {
    expect(await rulesIn(good)).not.toContain('malloc-double-free');
  });

  it('a stream that is destroyed twice', async () => {
    const twice = `${block} cudaStreamDestroy(b.s);`;
    expect(await rulesIn(`${twice} b.look(); cudaStreamDestroy(b.s);`)).toContain('handle-use-after-destroy');
    expect(await rulesIn(`${twice} b.renew(); cudaStreamDestroy(b.s);`)).not.toContain('handle-use-after-destroy');
  });
});
