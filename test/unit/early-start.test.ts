/** Kernels that begin before the one in front has ended: reported only where both bodies are seen and one does not wait. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const waits = 'cudaGridDependencySynchronize();';

/** The kernels, and what `second` does first. */
const kernels = (inSecond: string, inFirst = 'cudaTriggerProgrammaticLaunchCompletion();'): string => `
__global__ void first(float *p) { ${inFirst} p[0] = 1.0f; }
__global__ void second(const float *p, float *q) { ${inSecond} q[0] = p[0]; }`;

const streamed = (
  before = '',
) => `int main() { cudaStream_t s; float *p, *q; cudaStreamCreate(&s); cudaMalloc(&p, 4); cudaMalloc(&q, 4);
  cudaLaunchAttribute at[1]; at[0].id = cudaLaunchAttributeProgrammaticStreamSerialization; at[0].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t c = {}; c.gridDim = 1; c.blockDim = 1; c.stream = s; c.attrs = at; c.numAttrs = 1;
  first<<<1, 1, 0, s>>>(p); ${before} cudaLaunchKernelEx(&c, second, (const float *)p, q); cudaStreamSynchronize(s); return 0; }`;

/** The attributes are counted as they are added, from what `{}` left at zero. */
const counted = (waited: string): string =>
  kernels(waited) +
  streamed()
    .replace('at[1];', 'at[1] = {};')
    .replace(/at\[0\]\.id.*?= 1;/, '')
    .replace(
      'c.numAttrs = 1;',
      'auto &next = at[c.numAttrs++]; next.id = cudaLaunchAttributeProgrammaticStreamSerialization; next.val.programmaticStreamSerializationAllowed = 1;',
    );

const graph = (
  port: string,
  more = '',
) => `int main() { cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; cudaGraphNode_t m, a, b, f; float *q; cudaStreamCreate(&s); cudaMalloc(&q, 4); cudaGraphCreate(&g, 0);
  cudaMemAllocNodeParams ap = {}; ap.poolProps.allocType = cudaMemAllocationTypePinned; ap.poolProps.location.type = cudaMemLocationTypeDevice; ap.bytesize = 4;
  cudaGraphAddMemAllocNode(&m, g, nullptr, 0, &ap); void *one[] = {&ap.dptr}, *two[] = {&ap.dptr, &q}; cudaGraphEdgeData ed = {}; ed.type = cudaGraphDependencyTypeProgrammatic; ed.from_port = ${port};
  cudaKernelNodeParams kp = {(void *)first, 1, 1, 0, one, nullptr}; cudaGraphAddKernelNode(&a, g, &m, 1, &kp); kp.func = (void *)second; kp.kernelParams = two;
  cudaGraphAddKernelNode(&b, g, nullptr, 0, &kp); cudaGraphAddDependencies(g, &a, &b, &ed, 1); ${more}
  cudaGraphNode_t ends[] = {a, b}; cudaGraphAddMemFreeNode(&f, g, ends, 2, ap.dptr); cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); return 0; }`;

const rule = 'graph-programmatic-edge-no-memory-order';
const programmatic = 'cudaGraphKernelNodePortProgrammatic';
const completion = 'cudaGraphKernelNodePortLaunchCompletion';

const rows: readonly (readonly [what: string, rules: readonly string[], program: string])[] = [
  ['a launch that does not wait', [rule], kernels('') + streamed()],
  ['a launch whose attributes are counted up from zero', [rule], counted('')],
  ['a launch that waits whose attributes are counted up', [], counted(waits)],
  ['a launch that waits', [], kernels(waits) + streamed()],
  ['a launch behind a kernel that lets nobody begin', [], kernels('', '') + streamed()],
  ['a launch that may wait in assembly', [], kernels('asm volatile("griddepcontrol.wait;");') + streamed()],
  [
    'a launch that may wait in a function that is not seen',
    [],
    `__device__ void enter(); ${kernels('enter();')}${streamed()}`,
  ],
  ['a launch that waits in a function', [], `__device__ void enter() { ${waits} } ${kernels('enter();')}${streamed()}`],
  [
    'a launch of a kernel that is not seen',
    [],
    `__global__ void first(float *); __global__ void second(const float *, float *); ${streamed()}`,
  ],
  ['a launch that the host has waited before', [], kernels('') + streamed('cudaStreamSynchronize(s);')],
  ['an edge behind a kernel that lets others begin', [rule], kernels('') + graph(programmatic)],
  ['an edge to a kernel that waits', [], kernels(waits) + graph(programmatic)],
  ['an edge behind a kernel that lets nobody begin', [], kernels('', '') + graph(programmatic)],
  ['an edge as soon as the other has begun', [rule], kernels('', '') + graph(completion)],
  [
    'an ordinary edge beside it',
    [],
    kernels('', '') +
      graph(
        completion,
        'cudaGraphNode_t e; cudaGraphAddEmptyNode(&e, g, &a, 1); cudaGraphAddDependencies(g, &e, &b, nullptr, 1);',
      ),
  ],
];

describe('a program with', () => {
  for (const [what, rules, program] of rows)
    it(what, async () => {
      const { findings } = await analyseText(`#include <cuda_runtime.h>${program}`);
      expect(findings.map((finding) => finding.rule)).toEqual(rules);
    });

  it('an edge that is taken out and put back as another', async () => {
    const program = (change: string): string => `#include <cuda_runtime.h>
__global__ void first(float *p) { p[0] = 1; cudaTriggerProgrammaticLaunchCompletion(); }
__global__ void next(const float *p, float *q) { q[0] = p[0]; }
int main() { float *p, *q; cudaMalloc(&p, 4); cudaMalloc(&q, 4); cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t a, b;
  void *one[] = {&p}, *two[] = {&p, &q}; cudaKernelNodeParams k = {}; k.func = (void *)first; k.gridDim = k.blockDim = dim3(1); k.kernelParams = one;
  cudaGraphAddKernelNode(&a, g, nullptr, 0, &k); k.func = (void *)next; k.kernelParams = two; cudaGraphAddKernelNode(&b, g, nullptr, 0, &k);
  cudaGraphEdgeData data = {}; data.type = cudaGraphDependencyTypeProgrammatic; data.from_port = cudaGraphKernelNodePortProgrammatic;
  cudaGraphAddDependencies(g, &a, &b, &data, 1);
  ${change}
  cudaGraphExec_t x; cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, 0); cudaDeviceSynchronize(); cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaFree(p); cudaFree(q); }`;
    const changed = await analyseText(
      program('cudaGraphRemoveDependencies(g, &a, &b, &data, 1); cudaGraphAddDependencies(g, &a, &b, nullptr, 1);'),
    );
    expect(changed.findings).toEqual([]);
    const kept = await analyseText(program(''));
    expect(kept.findings.map((finding) => finding.rule)).toEqual([rule]);
  });

  it('a captured launch that does not wait', async () => {
    const captured = streamed()
      .replace(
        'first<<<',
        'cudaGraph_t g; cudaGraphExec_t x; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); first<<<',
      )
      .replace(
        'cudaStreamSynchronize(s)',
        'cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s)',
      );
    const { findings } = await analyseText(`#include <cuda_runtime.h>${kernels('')}${captured}`);
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
  });
});
