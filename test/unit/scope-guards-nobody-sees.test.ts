/** Guards of headers that are not there run what they are given when the scope ends, not where they are made. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const found = async (body: string): Promise<readonly string[]> => {
  const text = `#include <cuda_runtime.h>
#include "guards.h"
__global__ void work(float *p);
void f(cudaStream_t s, cudaStream_t other, Jobs *jobs) { float *p; cudaMallocAsync(&p, 64, s); ${body} }
`;
  return (await analyseText(text)).findings.map(({ rule }) => rule);
};

const ways: readonly (readonly [what: string, guard: string])[] = [
  ['a function gives it back', 'auto done = gsl::finally([&] { cudaFreeAsync(p, s); });'],
  [
    'a function gives it back to one that is not used',
    '[[maybe_unused]] const auto done = on_leave([=]() noexcept { cudaFreeAsync(p, s); });',
  ],
  ['a function gives it back as an object of a class', 'base::Guard done = base::guard([&] { cudaFreeAsync(p, s); });'],
  ['it is a class', 'ScopeGuard done([&] { cudaFreeAsync(p, s); });'],
  ['it is a class, in braces', 'std::experimental::scope_exit done{[&] { cudaFreeAsync(p, s); }};'],
  ['it is a class, as a value', 'absl::Cleanup done = [&] { cudaFreeAsync(p, s); };'],
  ['a macro stands in front of a block', 'SCOPE_EXIT { cudaFreeAsync(p, s); };'],
  ['a macro is given a lambda', 'ON_SCOPE_EXIT([&] { cudaFreeAsync(p, s); });'],
  ['a macro is given a call', 'DEFER(cudaFreeAsync(p, s));'],
];

describe('a guard that nobody sees', () => {
  it.each(ways)('runs at the end of the scope: %s', async (_, guard) => {
    expect(await found(`${guard} work<<<1, 1, 0, s>>>(p);`)).toEqual([]);
  });

  it.each(ways)('runs behind what is left unordered: %s', async (_, guard) => {
    expect(await found(`cudaStreamSynchronize(s); ${guard} work<<<1, 1, 0, other>>>(p);`)).toEqual([
      'async-use-free-race',
    ]);
  });

  it.each(ways)('has run where its scope is over: %s', async (_, guard) => {
    expect(await found(`{ ${guard} } work<<<1, 1, 0, s>>>(p);`)).toEqual(['async-use-after-free']);
  });

  it('does nothing once it was told so', async () => {
    const guard = 'auto done = absl::MakeCleanup([&] { cudaFreeAsync(p, s); });';
    const rest = 'work<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, s);';
    expect(await found(`${guard} std::move(done).Cancel(); ${rest}`)).toEqual([]);
    expect(await found(`${guard} ${rest}`)).toEqual(['async-double-free']);
  });
});

const otherWays: readonly (readonly [what: string, guard: string])[] = [
  ['a class is named with braces', 'const auto done = base::Guard{[&] { cudaFreeAsync(p, s); }};'],
  ['the lambda has a name', 'auto drop = [&] { cudaFreeAsync(p, s); }; auto done = base::guard(drop);'],
  ['a short word stands in front of the block', 'defer { cudaFreeAsync(p, s); };'],
  ['the block stands behind what is captured', 'AT_SCOPE_END(&) { cudaFreeAsync(p, s); };'],
  ['the block is what the macro is given', 'SCOPE_EXIT({ cudaFreeAsync(p, s); });'],
  ['a word is given a call', 'defer(cudaFreeAsync(p, s));'],
];

describe('what is put off in other ways', () => {
  it.each(otherWays)('runs at the end of the scope: %s', async (_, guard) => {
    expect(await found(`${guard} work<<<1, 1, 0, s>>>(p);`)).toEqual([]);
    expect(await found(`cudaStreamSynchronize(s); ${guard} work<<<1, 1, 0, other>>>(p);`)).toEqual([
      'async-use-free-race',
    ]);
  });
});

describe('what an object keeps for later', () => {
  it.each(['jobs->AddCleanup([=] { cudaFreeAsync(p, s); });', 'jobs->on_finish([&] { cudaFreeAsync(p, s); });'])(
    'runs when nobody knows: %s',
    async (keep) => {
      expect(await found(`${keep} work<<<1, 1, 0, s>>>(p);`)).toEqual([]);
      expect(await found(`work<<<1, 1, 0, s>>>(p); ${keep} jobs->run(); cudaStreamDestroy(s);`)).toEqual([]);
    },
  );

  it('runs at once where it is work', async () => {
    const job = 'jobs->add_job([&] { work<<<1, 1, 0, s>>>(p); });';
    expect(await found(`${job} jobs->run(); cudaFreeAsync(p, s);`)).toEqual([]);
    expect(await found(`cudaFreeAsync(p, s); ${job}`)).toEqual(['async-use-after-free']);
  });
});

describe('what is no guard', () => {
  it('a function whose answer is used runs its lambda', async () => {
    const run = 'auto result = timed([&] { work<<<1, 1, 0, s>>>(p); cudaFreeAsync(p, s); }); report(result.seconds);';
    expect(await found(`${run} work<<<1, 1, 0, s>>>(p);`)).toEqual(['async-use-after-free']);
  });

  it('a class whose object is called', async () => {
    const task = 'Task task = [&] { cudaFreeAsync(p, s); }; task.run();';
    expect(await found(`work<<<1, 1, 0, s>>>(p); ${task}`)).not.toContain('async-use-after-free');
  });
});
