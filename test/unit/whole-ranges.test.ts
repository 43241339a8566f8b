/** Algorithms on whole ranges that are not followed leave what is in those open: nothing that hangs on it is said outright. */

import { describe, expect, test } from 'vitest';
import { analyseText } from '../support/engine.ts';

const calls = [
  'std::ranges::swap_ranges(a, b);',
  'std::ranges::partial_sort_copy(a, b);',
  'std::ranges::shift_left(b, 1);',
  'std::ranges::uninitialized_copy(a, b);',
];

describe('what is in a range', () => {
  const said = async (call: string) => {
    const body = `std::vector<int> a{5, 4, 3}, b{0, 0, 0}; ${call} float *p; cudaMalloc(&p, 4); if (b[0] == 0) cudaFree(p); cudaFree(p);`;
    const { findings } = await analyseText(
      `#include <cuda_runtime.h>\n#include <algorithm>\n#include <vector>\nint main() { ${body} }`,
    );
    return findings.map(({ rule, certainty }) => `${rule} ${certainty}`);
  };

  test.each(calls)('is open behind %s', async (call) => {
    expect(await said(call)).toEqual(['malloc-double-free sometimes']);
  });

  test('is known where it is only asked about', async () => {
    expect(await said('auto n = std::ranges::size(b); auto d = std::ranges::distance(b);')).toEqual([
      'malloc-double-free always',
    ]);
  });
});
