/** Mistakes behind choices that have nothing to do with them, and at the end of captures that somebody else began. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
__global__ void work(float *p) { p[0] = 1; }
int outside(); int outside(int); int kind();
struct Recorder { cudaGraph_t graph; cudaGraphExec_t exec; void end(cudaStream_t s); void run(cudaStream_t s); };
`;

async function found(text: string): Promise<readonly string[]> {
  return (await analyseText(head + text)).findings.map(({ rule, certainty }) => `${rule} ${certainty}`);
}

describe('a copy that is too long', () => {
  const copy = (bytes: string): string =>
    `float *d; static float h[64]; cudaMalloc(&d, 64); cudaMemcpy(d, h, ${bytes}, cudaMemcpyHostToDevice);`;

  it.each([
    ['which device', 'int device = 0; if (outside() > 2) device = 1; cudaSetDevice(device);'],
    ['how often', 'int rounds = 10; if (outside()) rounds = 20;'],
    ['what is asked of the options', 'int a = 0, b = 0; if (outside()) a = 1; if (kind()) b = 2;'],
  ])('behind a choice of %s', async (_what, before) => {
    expect(await found(`int main() { ${before} ${copy('256')} }`)).toEqual(['copy-out-of-range always']);
    expect(await found(`int main() { ${before} ${copy('64')} }`)).toEqual([]);
  });

  it('behind a choice of its caller', async () => {
    const text = (bytes: string): string =>
      `static void fill() { ${copy(bytes)} } int main() { if (outside()) cudaDeviceSynchronize(); fill(); }`;
    expect(await found(text('256'))).toEqual(['copy-out-of-range always']);
    expect(await found(text('64'))).toEqual([]);
  });

  it('only when one choice goes another way than the other', async () => {
    const text = `int main() { size_t has = 64, takes = 64; if (outside() == 1) has = 256; if (kind() == 2) takes = 256;
      float *d; static float h[64]; cudaMalloc(&d, has); cudaMemcpy(d, h, takes, cudaMemcpyHostToDevice); }`;
    expect(await found(text)).toEqual([]);
  });

  it('behind more choices than are tried is not judged', async () => {
    const choices = Array.from({ length: 50 }, (_, index) => `if (outside(${index})) cudaSetDevice(${index});`);
    expect(await found(`int main() { ${choices.join(' ')} ${copy('256')} }`)).toEqual([]);
  });
});

describe('a capture that somebody else began', () => {
  const launch = 'void Recorder::run(cudaStream_t s) { cudaGraphLaunch(exec, s); }';

  it.each([
    [
      'the graph is destroyed before it is instantiated',
      'cudaStreamEndCapture(s, &graph); cudaGraphDestroy(graph); cudaGraphInstantiate(&exec, graph, 0);',
      'cudaStreamEndCapture(s, &graph); cudaGraphInstantiate(&exec, graph, 0); cudaGraphDestroy(graph);',
    ],
    [
      'the executable is destroyed before it is launched',
      'cudaStreamEndCapture(s, &graph); cudaGraphInstantiate(&exec, graph, 0); cudaGraphExecDestroy(exec); run(s);',
      'cudaStreamEndCapture(s, &graph); cudaGraphInstantiate(&exec, graph, 0); run(s); cudaGraphExecDestroy(exec);',
    ],
  ])('%s', async (_what, bad, good) => {
    const text = (body: string): string => `${launch} void Recorder::end(cudaStream_t s) { ${body} }`;
    expect(await found(text(bad))).toEqual(['handle-use-after-destroy always']);
    expect(await found(text(good))).toEqual([]);
  });

  it('is none that began in another stream', async () => {
    const text = `void end(cudaStream_t s, cudaStream_t t) { cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
      cudaStreamEndCapture(t, &g); }`;
    expect(await found(text)).toEqual([]);
  });
});
