/** Names that every JavaScript object has already: a program may use them for whatever it likes. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', 'isPrototypeOf', 'length', 'kind'];

/** What goes by the name; the program, in which the kernel uses memory that is gone. */
const programs: readonly (readonly [what: string, program: (name: string) => string])[] = [
  [
    'class',
    (name) => `struct ${name} {
  float *p; ${name}() { cudaMallocAsync((void **)&p, 4, s); } ~${name}() { cudaFreeAsync(p, s); } float *get() { return p; } };
int main() { float *q; { ${name} t; q = t.get(); } k<<<1, 1, 0, s>>>(q); }`,
  ],
  [
    'member',
    (name) => `struct Holder { float *${name}; };
int main() { Holder h; cudaMallocAsync((void **)&h.${name}, 4, s); cudaFreeAsync(h.${name}, s); k<<<1, 1, 0, s>>>(h.${name}); }`,
  ],
  [
    'function',
    (name) => `static float *${name}() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
int main() { float *q = ${name}(); cudaFreeAsync(q, s); k<<<1, 1, 0, s>>>(q); }`,
  ],
  [
    'macro',
    (name) => `#define ${name}(x) x
int main() { float *q; ${name}(cudaMallocAsync((void **)&q, 4, s)); ${name}(cudaFreeAsync(q, s)); k<<<1, 1, 0, s>>>(q); }`,
  ],
  [
    'key of a map',
    (name) => `#include <map>
#include <string>
int main() { std::map<std::string, float *> m; float *q; cudaMallocAsync((void **)&q, 4, s); m["${name}"] = q;
  cudaFreeAsync(m["${name}"], s); k<<<1, 1, 0, s>>>(m.at("${name}")); }`,
  ],
  [
    'enumerator',
    (name) => `enum E { ${name}, other };
int main() { float *q; cudaMallocAsync((void **)&q, 4, s); E e = ${name}; if (e == ${name}) cudaFreeAsync(q, s); k<<<1, 1, 0, s>>>(q); }`,
  ],
];

const head = `#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] = 1.0f; }
static cudaStream_t s;
`;

describe.each(programs)('a %s', (_, program) => {
  it.each(names)('called %s is like any other', async (name) => {
    const { findings } = await analyseText(head + program(name));
    expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error async-use-after-free']);
  });
});
