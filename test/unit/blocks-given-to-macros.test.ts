/** Bodies that a macro is given as its last argument, as some test frameworks have it. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const frees = (times: number): string => `{
  float *p;
  cudaMalloc(&p, 4);
${'  cudaFree(p);\n'.repeat(times)}}`;

/** The lines of what is said of a use in the third line, which begins a body that frees twice; and of one that frees once. */
async function lines(head: string, use: (body: string) => string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const times of [1, 2]) {
    const text = `#include <cuda_runtime.h>\n${head}\n${use(frees(times))}\nint x;\n`;
    const { findings } = await analyseText(text);
    expect(findings.map(({ rule }) => rule)).toEqual(times === 1 ? [] : ['malloc-double-free']);
    found.push(...findings.map(({ span }) => text.slice(0, span.start).split('\n').length));
  }
  return found;
}

describe('a block that a macro is given last', () => {
  it.each<[string, string, (body: string) => string]>([
    ['of a macro that nobody sees', '', (body) => `CASE(Suite, Name, ${body})`],
    ['with a semicolon behind it', '', (body) => `CASE("a name", ${body});`],
    [
      'of a macro that ends in it',
      '#define CASE(A, B, ...) void A##_##B() __VA_ARGS__',
      (body) => `CASE(f, g, ${body})`,
    ],
    ['of a parameter with a name', '#define CASE(A, BODY) void A() BODY', (body) => `CASE(f, ${body})`],
  ])('%s is the body of a function', async (_, head, use) => {
    expect(await lines(head, use)).toEqual([7]);
  });

  it.each<[string, string]>([
    ['leaves it away', '#define CASE(A, ...) void A() {}'],
    ['puts it elsewhere', '#define CASE(A, BODY) void A() { if (false) BODY }'],
  ])('counts as what a macro makes of it that %s', async (_, head) => {
    const { findings } = await analyseText(`#include <cuda_runtime.h>\n${head}\nCASE(f, ${frees(2)})\nint x;\n`);
    expect(findings).toEqual([]);
  });
});
