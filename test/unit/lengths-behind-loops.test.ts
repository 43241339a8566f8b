/** Containers that a long loop adds to: how long they are behind it is known, although the loop is left after some rounds. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../src/trace/size.ts';
import { analyseText } from '../support/engine.ts';

async function bytesOf(setup: string, bytes: string): Promise<number | null> {
  const { facts } = await analyseText(
    `#include <cuda_runtime.h>\n#include <vector>\nint main(int argc, char **) { ${setup} void *memory; cudaMalloc(&memory, ${bytes}); cudaFree(memory); }`,
  );
  const found = facts.get('main')?.trace.allocations[0]?.bytes;
  return found ? evaluateSize(found) : null;
}

describe('behind a loop that is left', () => {
  it.each([
    ['a counting loop', 'for (int i = 0; i < 200000; ++i) v.push_back(i * 2);', 800_000],
    [
      'two elements a round',
      'for (int i = 0; i < 300000; i += 2) { v.push_back(i); v.emplace_back(v.back()); }',
      1_200_000,
    ],
    ['a loop until it is long enough', 'const size_t n = 100000; while (v.size() < n) v.push_back(1);', 400_000],
    ['what was there before', 'v.resize(10); for (int i = 0; i < 200000; ++i) v.push_back(v[0]);', 800_040],
  ])('%s', async (_, loop, bytes) => {
    expect(await bytesOf(`std::vector<int> v; ${loop}`, 'v.size() * sizeof(int)')).toBe(bytes);
  });

  it.each([
    ['only some rounds add', 'for (int i = 0; i < 200000; ++i) if (i % argc) v.push_back(i);'],
    ['a round may be left', 'for (int i = 0; i < 200000; ++i) { if (i % argc) continue; v.push_back(i); }'],
    [
      'something else may be done to it',
      'void change(std::vector<int> &); for (int i = 0; i < 200000; ++i) { v.push_back(i); change(v); }',
    ],
    ['it is emptied', 'for (int i = 0; i < 200000; ++i) { v.push_back(i); v.clear(); }'],
  ])('nothing is known where %s', async (_, loop) => {
    expect(await bytesOf(`std::vector<int> v; ${loop}`, 'v.size() * sizeof(int)')).toBe(null);
  });
});
