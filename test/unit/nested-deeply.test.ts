/** Texts as programs write them: what nests too deeply is left out and said, and the rest of the file is read. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = '#include <cuda_runtime.h>\n__global__ void use(float *data);\n';

const mistake =
  'cudaStream_t s; cudaStreamCreate(&s); float *x; cudaMallocAsync(&x, 4, s); cudaFreeAsync(x, s); use<<<1, 1, 0, s>>>(x); ' +
  'cudaStreamSynchronize(s); ';

async function read(text: string): Promise<{ rules: readonly string[]; gaps: readonly string[] }> {
  const { findings, gaps } = await analyseText(text);
  return { rules: findings.map(({ rule }) => rule), gaps: gaps.map(({ kind, name }) => `${kind}: ${name}`) };
}

describe('what nests too deeply', () => {
  it.each([
    ['a long sum', `int n = ${'1 + '.repeat(1_500)}1;`],
    ['a sum that is longer', `int n = ${'1 + '.repeat(6_000)}1;`],
    ['calls of what calls give', `Builder b; b${'.add()'.repeat(3_000)};`],
    ['output', `std::cout${' << 1'.repeat(3_000)};`],
  ])('is one statement that is left out: %s', async (_, statement) => {
    const text = `#include <iostream>\n${head}struct Builder { Builder &add() { return *this; } };\nint main() { ${mistake} ${statement} }\n`;
    expect(await read(text)).toEqual({
      rules: ['async-use-after-free'],
      gaps: ['syntax: a statement that nests too deeply'],
    });
  });

  it('is said in words where the run ends by it', async () => {
    const { gaps } = await read(`${head}struct A : B {}; struct B : A {};\nint main() { A a; ${mistake} }\n`);
    expect(gaps).toEqual(['budget: main: the run was cut short (it nests too deeply)']);
  });

  it('is said where lambdas are called within each other', async () => {
    const { gaps } = await read(`${head}int main() { ${'[&] { '.repeat(100)}${mistake}${'}(); '.repeat(100)} }\n`);
    expect(gaps).toEqual(['budget: calls nest too deeply']);
  });
});

describe('macros', () => {
  it('in the arguments of macros are not looked at again for each of those', async () => {
    const times = 20_000;
    const { rules } = await read(
      `${head}#define ID(x) x\nint main() { ${mistake} int n = ${'ID('.repeat(times)}1${')'.repeat(times)}; }\n`,
    );
    expect(rules).toEqual(['async-use-after-free']);
  });

  it('that name many others are looked at once', async () => {
    const levels = Array.from({ length: 8 }, (_, level) => {
      const inner = Array.from({ length: 20 }, (_each, index) => `M${level}_${index}`);
      return inner.map((_name, index) => `#define M${level + 1}_${index} ${inner.join(' + ')}\n`).join('');
    });
    const { rules } = await read(
      `${head}#define M0_0 1\n${levels.join('')}#define LAST(x) x\nint main() { ${mistake} LAST(M8_0); }\n`,
    );
    expect(rules).toEqual(['async-use-after-free']);
  });
});
