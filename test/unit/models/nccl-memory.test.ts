import { describe, expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const program = (body: string) => `#include <cuda_runtime.h>
#include <nccl.h>
void f(ncclComm_t comm, cudaStream_t s) { void *p; if (ncclMemAlloc(&p, 64) != ncclSuccess) return; ${body} }
`;

describe('memory that NCCL allocates', () => {
  it('is freed once', async () => {
    const right = await analyseText(
      program('ncclAllReduce(p, p, 16, ncclFloat, ncclSum, comm, s); cudaStreamSynchronize(s); ncclMemFree(p);'),
    );
    expect(right.findings.map(({ message }) => message)).toEqual([]);
    expect(right.gaps).toEqual([]);
    const wrong = await analyseText(program('ncclMemFree(p); ncclMemFree(p);'));
    expect(wrong.findings.map(({ rule }) => rule)).toEqual(['malloc-double-free']);
  });
});
