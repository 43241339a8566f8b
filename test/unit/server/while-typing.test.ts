/** What is half typed takes the next statement in; nothing that only follows from that is shown. */

import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/base/finding.ts';
import type { Analysis } from '../../../src/pipeline.ts';
import { createWhileTyping } from '../../../src/server/while-typing.ts';
import { analyseText, testEngine } from '../../support/engine.ts';

const clean = `#include <cuda_runtime.h>
__global__ void fill(float *p) { *p = 1; }
void frame(cudaStream_t first, cudaStream_t second) {
  float *p;
  cudaMallocAsync(&p, 4, first);
  cudaStreamSynchronize(first);
  fill<<<1, 1, 0, second>>>(p);
  // HERE
  cudaStreamSynchronize(second);
  cudaFreeAsync(p, first);
}
`;
/** The same, and the memory is freed once more. */
const freedTwice = clean.replace(/}\n$/, '  cudaFreeAsync(p, first);\n}\n');

const typed = (text: string): string => clean.replace('// HERE', text);
const analyse = (text: string): Promise<Analysis> => analyseText(text, 'cuda', 'typing.cu');
const rulesOf = (findings: readonly Finding[]): readonly string[] => findings.map(({ rule }) => rule);

/** Typed in front of a call that waits, they make the analysis miss it. */
const halves = ['c', 'cuda', 'cudaStream_t', 'int', 'foo(', 'x.', 'std::', 'return', 'for (', 'while (1', 'if (', '}'];
const open = ['n =', 'n = n +', 'int n =', 'ok = ok &&', 'n +=', 'foo() ||', 'cudaError_t e =  '];

describe('while typing', () => {
  it('finds something wrong in what is half typed', async () => {
    const wrong = await Promise.all(halves.map(async (half) => (await analyse(typed(half))).findings.length > 0));
    expect(wrong.filter(Boolean).length).toBeGreaterThanOrEqual(5);
  });

  it.each(open)('takes %s in front of a statement for half typed', async (half) => {
    expect([...(await analyse(typed(half))).halfTyped()].length).toBeGreaterThan(0);
  });

  it.each([
    'int n =\n      count;',
    'int n = 1 +\n    count;',
    'const int list[] =\n  {\n    1, 2\n  };',
    'const char *text =\n  "one"\n  "two";',
    'const char *text =\n  R"(one)";',
    'if (n &&\n      ok) n = 2;',
    'n = ok\n  ? 1\n  : 2;',
    'n = 1\n  + 2;',
  ])('takes what goes on further in, in a list or in a text for whole: %s', async (whole) => {
    expect([...(await analyse(typed(whole))).halfTyped()]).toEqual([]);
  });

  it.each(halves)('shows nothing new as long as the last line is %s', async (half) => {
    const typing = createWhileTyping();
    expect(typing.shown('a', await analyse(clean))).toEqual([]);
    const analysis = await analyse(typed(half));
    expect([...analysis.halfTyped()].length).toBeGreaterThan(0);
    expect(typing.shown('a', analysis)).toEqual([]);
    typing.forget('a');
    expect(typing.shown('a', analysis)).toEqual(analysis.findings);
  });

  it('goes on to show what was there before', async () => {
    const typing = createWhileTyping();
    expect(rulesOf(typing.shown('a', await analyse(freedTwice)))).toEqual(['async-double-free']);
    const analysis = await analyse(freedTwice.replace('// HERE', 'foo('));
    expect(analysis.findings.length).toBeGreaterThan(1);
    expect(rulesOf(typing.shown('a', analysis))).toEqual(['async-double-free']);
  });

  it('shows what is wrong as soon as the text can be meant', async () => {
    const typing = createWhileTyping();
    typing.shown('a', await analyse(clean));
    expect(typing.shown('a', await analyse(typed('cudaFreeAsync(p, first')))).toEqual([]);
    const shown = typing.shown('a', await analyse(typed('cudaStreamSynchronize(second); cudaFreeAsync(p, first);')));
    expect(rulesOf(shown)).toEqual(['async-double-free']);
  });

  it('takes a function that is half typed as it was, and finds its mistakes where they stand now', async () => {
    const engine = await testEngine();
    const input = { file: 'half.cu', language: 'cuda' as const, isTyped: true };
    const before = engine.analyse({ ...input, text: freedTwice });
    const [finding] = before.findings;
    const text = freedTwice.replace('// HERE', '// HERE\n  foo(');
    const analysis = engine.analyse({ ...input, text });
    expect(analysis.halfTyped().size).toBe(1);
    expect(rulesOf(analysis.findings)).toEqual(['async-double-free']);
    const [{ span } = finding!] = analysis.findings;
    expect(text.slice(span.start, span.end)).toBe(freedTwice.slice(finding!.span.start, finding!.span.end));
    expect(span.start).toBe(finding!.span.start + '\n  foo('.length);
    expect(engine.analyse({ ...input, text, isTyped: false }).findings.length).toBeGreaterThan(1);
    expect(engine.analyse({ ...input, text: freedTwice }).findings).toEqual(before.findings);
  });

  it('does not take a repair that was only tried out for what was typed', async () => {
    const engine = await testEngine();
    const input = { file: 'tried.cu', language: 'cuda' as const, isTyped: true };
    const before = engine.analyse({ ...input, text: freedTwice });
    expect(before.fixes(before.findings[0]!).length).toBeGreaterThan(0);
    const analysis = engine.analyse({ ...input, text: freedTwice.replace('// HERE', 'foo(') });
    expect(rulesOf(analysis.findings)).toEqual(['async-double-free']);
  });

  it('knows a text of TypeScript that is not whole', async () => {
    const text = (half: string): string => `function plan(n: number) { ${half}\n  return n + 1; }\n`;
    expect([...(await analyseText(text(''), 'typescript')).halfTyped()]).toEqual([]);
    expect((await analyseText(text('f('), 'typescript')).halfTyped().size).toBe(1);
  });

  it('shows a file that could never be read whole as it is', async () => {
    const analysis = await analyse(typed('foo('));
    expect(createWhileTyping().shown('a', analysis)).toEqual(analysis.findings);
  });
});
