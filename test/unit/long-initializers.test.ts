/** A long list of numbers is not read; the body of a lambda is, however long. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const statements = '  cudaMemsetAsync(p, 1, 16, s);\n'.repeat(400);
const mistake = 'cudaFree(p);\n  cudaFree(p);\n';
const before = '  cudaStream_t s; cudaStreamCreate(&s); char *p; cudaMalloc(&p, 16);\n';

async function rules(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`#include <cuda_runtime.h>\n#include <functional>\n${text}`);
  return findings.map(({ rule }) => rule);
}

describe('long initializers', () => {
  it('are read where they are lambdas', async () => {
    const lambda = `[] {\n${before}${statements}${mistake}}`;
    expect(await rules(`static const auto run = ${lambda};\nint main() { run(); }\n`)).toEqual(['malloc-double-free']);
  });

  it('are read where lambdas stand in a list', async () => {
    const lambda = `[] {\n${before}${statements}${mistake}}`;
    const text = `static std::function<void()> all[] = { ${lambda} };\nint main() { for (auto &each : all) each(); }\n`;
    expect(await rules(text)).toEqual(['malloc-double-free']);
  });

  it('leave what stands behind them as it is where they are numbers', async () => {
    const numbers = Array.from({ length: 4000 }, (_, index) => index).join(', ');
    const text = `static const int table[] = { ${numbers} };\nint main() {\n${before}${mistake}}\n`;
    expect(await rules(text)).toEqual(['malloc-double-free']);
  });
});
