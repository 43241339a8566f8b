/** Files that are included inside braces, for a macro that is defined before, are a part of what stands around them. */

import { describe, expect, it } from 'vitest';
import { testEngine } from '../support/engine.ts';

type Files = Readonly<Record<string, string>>;

/** Rules that are broken in `main.cu`, with the line. */
async function found(files: Files): Promise<readonly string[]> {
  const engine = await testEngine();
  const text = files['main.cu'] ?? '';
  const readInclude = (name: string) => (files[name] === undefined ? undefined : { file: name, text: files[name] });
  const { findings } = engine.analyse({ file: 'main.cu', text, language: 'cuda', readInclude });
  return findings.map(({ rule, span }) => `${rule} ${span.file}:${text.slice(0, span.start).split('\n').length}`);
}

const steps = `// The steps, in order: don't change it.
#ifndef STEP
#error "define STEP(name, blocks)"
#endif
STEP(scale, 2)  /* first */
STEP(shift, 3)
#undef STEP
`;

const head = `#include <cuda_runtime.h>
__global__ void work(float *p, int n) { if (threadIdx.x < n) p[threadIdx.x] *= 2; }
enum Step {
#define STEP(name, blocks) name##Step,
#include "steps.def"
  stepCount
};
static const int blocks[] = {
#define STEP(name, blocks) blocks,
#include "steps.def"
};
`;

const main = (body: string): string => `${head}int main() { float *p; cudaMalloc(&p, 4096);\n${body}\nreturn 0; }\n`;

describe('a list that is included', () => {
  it.each([
    ['in an enumeration', 'cudaFree(p); if (stepCount == 2 && shiftStep == 1)\ncudaFree(p);'],
    ['in an array', 'cudaFree(p); if (blocks[shiftStep] == 3 && sizeof(blocks) == 8)\ncudaFree(p);'],
  ])('%s', async (_where, body) => {
    expect(await found({ 'main.cu': main(body), 'steps.def': steps })).toEqual(['malloc-double-free main.cu:14']);
    const clean = body.replace('cudaFree(p); if', 'if');
    expect(await found({ 'main.cu': main(clean), 'steps.def': steps })).toEqual([]);
  });

  it('in a function: what it does stands on the directive', async () => {
    const program = (before: string, behind: string): string =>
      `${head}static void run(float *p) {\n#define STEP(name, blocks) work<<<blocks, 128>>>(p, 1);\n#include "steps.def"\n}\nint main() { float *p; cudaMalloc(&p, 4096); ${before} run(p); ${behind} return 0; }\n`;
    const wrong = { 'main.cu': program('cudaFree(p);', ''), 'steps.def': steps };
    expect(await found(wrong)).toEqual(['malloc-use-after-free main.cu:14']);
    expect(await found({ 'main.cu': program('', 'cudaFree(p);'), 'steps.def': steps })).toEqual([]);
  });

  it('is read again when it changes', async () => {
    const body = 'cudaFree(p); if (stepCount == 3)\ncudaFree(p);';
    expect(await found({ 'main.cu': main(body), 'steps.def': steps })).toEqual([]);
    const longer = steps.replace('#undef', 'STEP(add, 4)\n#undef');
    expect(await found({ 'main.cu': main(body), 'steps.def': longer })).toEqual(['malloc-double-free main.cu:14']);
  });

  it('is a header of its own in a namespace', async () => {
    const text = `#include <cuda_runtime.h>\nnamespace mine {\n#include "drop.inc"\n}\nint main() { float *p; cudaMalloc(&p, 4); mine::drop(p); mine::drop(p); return 0; }\n`;
    const drop = 'inline void drop(float *p) { cudaFree(p); }\n';
    expect(await found({ 'main.cu': text, 'drop.inc': drop })).toEqual(['malloc-double-free main.cu:5']);
  });
});
