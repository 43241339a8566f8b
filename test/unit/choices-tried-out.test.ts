/** What must hold whichever way the choices before it go is said where they make no difference, however many there are. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
#include <cstdio>
bool asked(int); int level();
static float *d; static int settings[16];
`;
// Choices that only choose a value: after some of them made no difference, no more are tried.
const choices = Array.from({ length: 7 }, (_, each) => `settings[${each}] = asked(${each}) ? 1 : 0;`).join(' ');
const rule = 'copy-out-of-range';

describeRows('choices that make no difference', head, [
  [
    'many before a copy',
    rule,
    '',
    `${choices} cudaMalloc(&d, 1024); cudaMemset(d, 0, 4096); cudaFree(d);`,
    `${choices} cudaMalloc(&d, 4096); cudaMemset(d, 0, 4096); cudaFree(d);`,
  ],
  [
    'some that a size hangs on',
    '',
    '',
    '',
    `${choices} int size = level() > 3 ? 1 : 4; cudaMalloc(&d, 1024 / size); cudaMemset(d, 0, size == 4 ? 256 : 1024); cudaFree(d);`,
  ],
  [
    'the last one says how much is copied',
    '',
    '',
    '',
    `${choices} int count = level() > 3 ? 256 : 1024; cudaMalloc(&d, 1024); cudaMemset(d, 0, count * 4); cudaFree(d);`,
  ],
  [
    'the last one says how much there is',
    '',
    '',
    '',
    `${choices} int count = level() > 3 ? 4096 : 1024; cudaMalloc(&d, count); cudaMemset(d, 0, 4096); cudaFree(d);`,
  ],
]);

describe('a choice that sets a flag', () => {
  it.each([
    ['on which the mistake hangs, is not certain', 'if (isQuick) cudaFree(d);', 'sometimes'],
    ['on which nothing hangs, is as certain as without it', 'cudaFree(d); if (isQuick) puts("quick");', 'always'],
  ])('what is found behind others without a difference, and one %s', async (_what, text, certainty) => {
    const { findings } = await analyseText(
      `${head}int main() { bool isQuick = false; ${choices} if (asked(8)) isQuick = true; cudaMalloc(&d, 64); ${text} cudaFree(d); }`,
    );
    expect(findings.map((each) => [each.rule, each.certainty])).toEqual([['malloc-double-free', certainty]]);
  });
});
