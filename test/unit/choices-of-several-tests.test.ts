/** Choices in what several tests share: where they made no difference in some they are left out in others, but for those where more hangs on them. */

import { describe, expect, it } from 'vitest';
import { isUneventful, nothingTurned, withTurned } from '../../src/interpret/uneventful.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const place = (start: number) => ({ file: 'a.cu', start, end: start + 4 });

describe('choices that entries have turned', () => {
  it('are left out once they made no difference twice', () => {
    const once = withTurned(nothingTurned, { same: [[place(8)]], other: [] });
    expect(isUneventful(once, [place(8)])).toBe(false);
    expect(isUneventful(withTurned(once, { same: [[place(8)]], other: [] }), [place(8)])).toBe(true);
  });

  it('stay open where they made one, and where they are asked about in further places', () => {
    const twice = withTurned(nothingTurned, { same: [[place(8)], [place(8)]], other: [] });
    expect(isUneventful(twice, [place(8), place(60)])).toBe(false);
    const differing = withTurned(twice, { same: [], other: [[place(8)]] });
    expect(isUneventful(withTurned(differing, { same: [[place(8)], [place(8)]], other: [] }), [place(8)])).toBe(false);
  });
});

const head = `#include <cuda_runtime.h>
#include <gtest/gtest.h>
bool careful();
bool verbose();
void note(const char *text);
static bool run(float *data) {
  cudaMemset(data, 0, 64);
  bool isCareful = careful();
  if (isCareful) note("careful");
  if (verbose()) note("verbose");
  return isCareful;
}
TEST(Shared, First) { float *p; cudaMalloc(&p, 64); run(p); cudaFree(p); }
TEST(Shared, Second) { float *p; cudaMalloc(&p, 64); run(p); cudaFree(p); }
TEST(Shared, Third) { float *p; cudaMalloc(&p, 64); run(p); cudaFree(p); }
`;

describeRows('a choice on which more hangs in a later test', '', [
  [
    'freed twice on one way',
    'malloc-double-free',
    head,
    'int main() { return 0; }\nTEST(Shared, Last) { float *p; cudaMalloc(&p, 64); if (run(p)) cudaFree(p); cudaFree(p); }',
    'int main() { return 0; }\nTEST(Shared, Last) { float *p; cudaMalloc(&p, 64); if (!run(p)) { cudaFree(p); return; } cudaFree(p); }',
  ],
]);
