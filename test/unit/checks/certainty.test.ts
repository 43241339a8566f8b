/** What is said outright, and what only "on some paths": a call that hangs on something unknown behind what it is wrong with. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = `#include <cuda_runtime.h>
__global__ void k(float *p) { p[0] = 1.0f; }
void keep(void *);
int more();
void *first();
static float *make() { float *p; cudaMalloc(&p, 4); return p; }
`;

/** An allocation that no node surely frees, and nodes that free something else, or something unknown. */
function relaunch(frees: string): string {
  return `cudaGraph_t g; cudaGraphNode_t a, b, n; cudaGraphExec_t e; cudaGraphCreate(&g, 0); cudaMemAllocNodeParams p = {}; p.poolProps.allocType = cudaMemAllocationTypePinned; p.poolProps.location.type = cudaMemLocationTypeDevice; p.bytesize = 64;
    cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p); void *q = p.dptr; cudaGraphAddMemAllocNode(&b, g, &a, 1, &p); keep(p.dptr);
    ${frees}
    cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaGraphLaunch(e, 0);`;
}

const rows: readonly (readonly [what: string, body: string, found: string])[] = [
  ['a second free', 'float *p = make(); cudaFree(p); cudaFree(p);', 'error malloc-double-free'],
  ['one behind an unknown flag', 'float *p = make(); cudaFree(p); if (x) cudaFree(p);', 'warning malloc-double-free'],
  [
    'one behind a known flag',
    'const bool y = true; float *p = make(); cudaFree(p); if (y) cudaFree(p);',
    'error malloc-double-free',
  ],
  [
    'a first free behind an unknown flag',
    'float *p = make(); if (x) cudaFree(p); cudaFree(p);',
    'warning malloc-double-free',
  ],
  [
    'both behind one flag',
    'float *p = make(); if (x) { cudaFree(p); cudaFree(p); } else cudaFree(p);',
    'error malloc-double-free',
  ],
  [
    'both behind one flag, asked twice',
    'float *p = make(); if (x) cudaFree(p); if (x) cudaFree(p);',
    'error malloc-double-free',
  ],
  [
    'a use in a loop up to an unknown number',
    'float *p = make(); cudaFree(p); for (int i = 0; i < n; i++) k<<<1, 1>>>(p);',
    'error malloc-use-after-free',
  ],
  [
    'a use behind an unknown flag',
    'float *p = make(); cudaFree(p); if (x) k<<<1, 1>>>(p);',
    'warning malloc-use-after-free',
  ],
  [
    'a second launch where a node frees another allocation',
    `${relaunch('cudaGraphAddMemFreeNode(&n, g, &b, 1, q);')}`,
    'error relaunch-with-live-allocation',
  ],
  [
    'a second launch where nodes free what is not known, as many as there are',
    `${relaunch('while (more()) cudaGraphAddMemFreeNode(&n, g, &b, 1, first());')}`,
    'warning relaunch-with-live-allocation',
  ],
  [
    'a free behind two that hang on two flags',
    'bool y = more(); float *p = make(); if (x) cudaFree(p); if (y) cudaFree(p); cudaFree(p);',
    'warning malloc-double-free, warning malloc-double-free',
  ],
  [
    'a free behind two that hang on a flag and its opposite',
    'float *p = make(); if (x) cudaFree(p); else cudaFree(p); cudaFree(p);',
    'error malloc-double-free',
  ],
  [
    'a use behind a free in a choice, and a flag that is asked the other way round first where that goes elsewhere',
    'float *p; cudaMalloc(&p, 4); if (x) { if (z) cudaFree(p); } if (!z) cudaMalloc(&p, 4); if (z) cudaFree(p); else cudaMemset(p, 0, 4);',
    'warning malloc-double-free',
  ],
  [
    'a use behind two arms, each of which frees, and a choice that makes no difference to it',
    'bool y = more(); float *p = make(), *q = make(); if (x) cudaFree(p); else cudaFree(p); if (y) k<<<1, 1>>>(q); cudaMemset(p, 0, 4); cudaFree(q);',
    'error malloc-use-after-free',
  ],
];

describe('certainty of', () => {
  it.each(rows)('%s', async (_what, body, found) => {
    const { findings } = await analyseText(`${head}void f(bool x, int n, bool z) { ${body} }\n`);
    expect(findings.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual(found.split(', '));
  });
});
