/** Loops over arrays of unknown length come by the elements that have been used. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <vector>
__global__ void k(int *p) { p[threadIdx.x] = 1; }
template <unsigned N> class Context {
  std::array<std::array<cudaStream_t, N>, N> streams;
public:
  static const unsigned count = N;
  const std::array<cudaStream_t, N> &of(unsigned a) const { return streams[a]; }
  void wait() const { for (unsigned a = 0; a < count; ++a) for (unsigned b = 0; b < count; ++b) cudaStreamSynchronize(of(a)[b]); }
};
static void waitFor(cudaStream_t *s, int n) { for (int i = 0; i < n; ++i) cudaStreamSynchronize(s[i]); }
`;

const use = (stream: string): string => `k<<<1, 32, 0, ${stream}>>>(a);`;
const last = `${use('s[0]')} cudaStreamSynchronize(s[0]);`;

/** What it is; a program in which WAIT is a wait for all streams that there are. */
const programs: readonly (readonly [what: string, program: string, wait: string])[] = [
  [
    'an array of a member and a number of another',
    `struct C { cudaStream_t s[8]; int n; int *a; void go() { ${use('s[1]')} WAIT ${last} } };`,
    'for (int i = 0; i < n; ++i) cudaStreamSynchronize(s[i]);',
  ],
  [
    'a vector and its size',
    `void go(std::vector<cudaStream_t> &s, int *a) { ${use('s[2]')} WAIT ${last} }`,
    'for (size_t i = 0; i != s.size(); i++) cudaStreamSynchronize(s[i]);',
  ],
  [
    'what a function is given',
    `void go(cudaStream_t *s, int n, int *a) { ${use('s[1]')} WAIT ${last} }`,
    'waitFor(s, n);',
  ],
  [
    'a number of a template',
    `template <unsigned N> struct C { cudaStream_t s[N]; int *a; void go() { ${use('s[1]')} WAIT ${last} } };`,
    'for (unsigned i = 0; i < N; ++i) cudaStreamSynchronize(s[i]);',
  ],
  [
    'arrays in an array behind a method',
    `template <unsigned N> struct C { Context<N> &c; int *a; void go() { for (unsigned i = 0; i < N; ++i) ${use('c.of(i)[1]')}
  WAIT for (unsigned i = 0; i < N; ++i) ${use('c.of(i)[0]')} c.wait(); } };`,
    'c.wait();',
  ],
  [
    'events',
    `struct C { std::vector<cudaStream_t> s; cudaEvent_t e[4]; int n; int *a; void go() { ${use('s[2]')} WAIT ${last} } };`,
    'for (int i = 0; i < n; ++i) { cudaEventRecord(e[i], s[i]); cudaStreamWaitEvent(s[0], e[i], 0); }',
  ],
];

const rules = async (program: string) => (await analyseText(head + program)).findings.map(({ rule }) => rule);

describe('what is waited for in a loop over all streams', () => {
  it.each(programs)('%s', async (_, program, wait) => {
    expect(await rules(program.replace('WAIT', wait))).toEqual([]);
    expect(await rules(program.replace('WAIT', ''))).toEqual(['stream-conflicting-access']);
  });

  it('is as many as are said', async () => {
    const program = (n: number) =>
      `void go(cudaStream_t s[4], int *a) { ${use('s[2]')} for (int i = 0; i < ${n}; ++i) cudaStreamSynchronize(s[i]); ${last} }`;
    expect(await rules(program(2))).toEqual(['stream-conflicting-access']);
    expect(await rules(program(3))).toEqual([]);
  });
});
