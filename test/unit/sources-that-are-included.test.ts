/** A file that includes the sources of a program is the program as a whole: it begins where one of them has `main`. */

import { describe, expect, it } from 'vitest';
import { createRelevance } from '../../src/relevance/relevance.ts';
import { testEngine } from '../support/engine.ts';

const files: Readonly<Record<string, string>> = {
  'all.cu': '#include "buffers.cu"\n#include "main.cu"\n',
  'buffers.cu': '#include <cuda_runtime.h>\nstatic float *buffer;\nvoid start() { cudaMalloc(&buffer, 64); }\n',
  'main.cu': 'int main() { start(); cudaFree(buffer); cudaFree(buffer); return 0; }\n',
  'right.cu': '#include "buffers.cu"\nint main() { start(); cudaFree(buffer); return 0; }\n',
  'of-right.cu': '#include "right.cu"\n',
  'plain.cu': 'int main() { return 0; }\n',
  'of-plain.cu': '#include "plain.cu"\n',
};
const readInclude = (name: string) => (files[name] === undefined ? undefined : { file: name, text: files[name] });

async function found(file: string): Promise<readonly string[]> {
  const engine = await testEngine();
  const { findings } = engine.analyse({ file, text: files[file] ?? '', language: 'cuda', readInclude });
  return findings.map(({ rule, span }) => `${rule} ${span.file}`);
}

describe('sources that are included', () => {
  it('are run from the main that one of them has', async () => {
    expect(await found('all.cu')).toEqual(['malloc-double-free main.cu']);
    expect(await found('of-right.cu')).toEqual([]);
  });

  it('are worth an analysis though the file names nothing in them', () => {
    const isRelevant = (file: string): boolean =>
      createRelevance().isRelevant(file, files[file] ?? '', 'cuda', [], readInclude);
    expect(isRelevant('all.cu')).toBe(true);
    expect(isRelevant('of-plain.cu')).toBe(false);
  });
});
