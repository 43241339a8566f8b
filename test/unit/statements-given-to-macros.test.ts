/** `CHECK(call, return error)`: a statement as what a macro is given, at once or through another macro. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <string>
#define OR(API, ACTION) do { if ((API) != cudaSuccess) { ACTION; } } while (0)
#define OR_ELSE(API, EXPECTED, ACTION) do { auto result_ = (API); if (result_ != (EXPECTED)) { report(#API, result_); { ACTION; } } } while (0)
#define CHECK_IS(API, EXPECTED) OR_ELSE(API, EXPECTED, return FAILED)
#define CHECK(API) CHECK_IS(API, cudaSuccess)
#define ENSURE(API) OR(API, throw Failure(#API))
enum Status { DONE, FAILED };
struct Failure { explicit Failure(const char *what); };
void report(const char *what, cudaError_t error);
__global__ void work(float *p) { p[0] = 1; }
`;

const said = async (text: string) => {
  const { findings, gaps } = await analyseText(text);
  return { rules: findings.map(({ rule }) => rule), gaps: gaps.map(({ name }) => name) };
};

describe('a call that is checked by a macro is run', () => {
  it.each([
    ['return with a name', 'Status', (call: string) => `OR(${call}, return FAILED);`, 'return DONE;'],
    ['return with a negative number', 'int', (call: string) => `OR(${call}, return -1);`, 'return 0;'],
    ['return with a call', 'std::string', (call: string) => `OR(${call}, return std::string("x"));`, 'return "";'],
    ['return with braces', 'Status', (call: string) => `OR(${call}, return {});`, 'return DONE;'],
    ['return alone', 'void', (call: string) => `OR(${call}, return);`, ''],
    ['throw', 'void', (call: string) => `OR(${call}, throw 3);`, ''],
    ['goto', 'void', (call: string) => `OR(${call}, goto end);`, 'end: return;'],
    ['through two macros', 'Status', (call: string) => `CHECK(${call});`, 'return DONE;'],
    ['throw through a macro', 'void', (call: string) => `ENSURE(${call});`, ''],
  ] as const)('%s', async (_, type, check, end) => {
    const program = (calls: readonly string[]) =>
      `${head}${type} go(cudaStream_t s) { float *p = nullptr; ${calls.map(check).join(' ')} ${end} }`;
    const make = 'cudaMallocAsync((void **)&p, 64, s)';
    const free = 'cudaFreeAsync(p, s)';
    expect(await said(program([make, free]))).toEqual({ rules: [], gaps: [] });
    expect((await said(program([make, free, free]))).rules).toEqual(['async-double-free']);
  });
});

it('leaves the function where the condition says so', async () => {
  const program = (size: number) => `${head}
#define IF(CONDITION, ACTION) if (CONDITION) { ACTION; }
static int size() { IF(${size} > 8, return -1) return ${size}; }
int main() { float *p; cudaMalloc((void **)&p, 64); if (size() < 0) cudaFree(p); work<<<1, 1>>>(p); cudaDeviceSynchronize(); if (size() > 0) cudaFree(p); }`;
  expect((await said(program(9))).rules).toContain('malloc-use-after-free');
  expect((await said(program(4))).rules).toEqual([]);
});
