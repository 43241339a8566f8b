/**
 * Memory from outside that reaches CUDA through functions of the program: what a wrapper frees is what the variable holds that
 * it was called with, until something else is stored there.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] = 1.0f; }
struct Holder { float *data; float *other; Holder *next; float **all; int count; void drop(); };
namespace memory { inline void release(void *p) { cudaFree(p); } }
static float *lasting;
float *take();
static void drop(void *p) { cudaFree(p); }
static void dropAsync(float *p, cudaStream_t s) { cudaFreeAsync(p, s); }
`;

const twice = 'malloc-double-free';

const rows: readonly (readonly [what: string, rule: string, bad: string, good: string])[] = [
  [
    'a member behind a pointer',
    twice,
    'void f(Holder *h) { drop(h->data); drop(h->data); }',
    'void f(Holder *h) { drop(h->data); drop(h->other); }',
  ],
  [
    'a member that is set anew',
    twice,
    'void f(Holder *h) { drop(h->data); h->other = take(); drop(h->data); }',
    'void f(Holder *h) { drop(h->data); h->data = take(); drop(h->data); }',
  ],
  [
    'a member of the object itself',
    twice,
    'void Holder::drop() { memory::release(data); memory::release(data); }',
    'void Holder::drop() { memory::release(data); memory::release(other); }',
  ],
  [
    'a variable of the file',
    twice,
    'void f() { drop(lasting); drop(lasting); }',
    'void f() { drop(lasting); lasting = take(); drop(lasting); float *p = take(); drop(p); p = take(); drop(p); }',
  ],
  [
    'a copy of a member',
    twice,
    'void f(Holder *h) { float *p = h->data; drop(h->data); drop(h->data); k<<<1, 1>>>(h->other); (void)p; }',
    'void f(Holder *h) { float *p = h->data; drop(p); p = h->other; drop(p); }',
  ],
  [
    'a use behind the free',
    'malloc-use-after-free',
    'void f(Holder *h) { drop(h->data); k<<<1, 1>>>(h->data); }',
    'void f(Holder *h) { k<<<1, 1>>>(h->data); drop(h->data); }',
  ],
  [
    'a free in the order of a stream',
    twice,
    'void f(Holder *h, cudaStream_t s) { dropAsync(h->data, s); dropAsync(h->data, s); }',
    'void f(Holder *h, cudaStream_t s) { dropAsync(h->data, s); dropAsync(h->other, s); }',
  ],
  [
    'the members of a list',
    twice,
    'void f(Holder *h) { drop(h->data); drop(h->next->data); drop(h->data); }',
    'void f(Holder *h) { for (Holder *each = h; each; each = each->next) drop(each->data); for (int i = 0; i < h->count; i++) drop(h->all[i]); }',
  ],
];

describe.each(rows)('%s, given to a wrapper', (_, rule, bad, good) => {
  it('is what the wrapper frees', async () => {
    const { findings } = await analyseText(head + bad);
    expect(findings.map((each) => each.rule)).toContain(rule);
  });
  it('is not mistaken for something else', async () => {
    const { findings } = await analyseText(head + good);
    expect(findings.filter(({ severity }) => severity !== 'hint')).toEqual([]);
  });
});
