/** What runs only when a call of CUDA fails is read also where a helper says whether it did; what is freed there is freed for all that comes behind. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <expected>
#include <string>
static bool worked(cudaError_t e) { if (e == cudaSuccess) return true; return false; }
static bool told(cudaError_t e, const char *what) { if (e != cudaSuccess) { fprintf(stderr, "%s", what); return false; } return true; }
static int code(cudaError_t e) { switch (e) { case cudaSuccess: return 0; default: return -1; } }
static std::expected<void, std::string> wrapped(cudaError_t e) {
  if (e == cudaSuccess) return {};
  return std::unexpected(std::string(cudaGetErrorString(e)));
}
`;
const ways = [
  'if (cudaMemsetAsync(p, 0, 64, s) != cudaSuccess)',
  'if (!worked(cudaMemsetAsync(p, 0, 64, s)))',
  'if (!told(cudaMemsetAsync(p, 0, 64, s), "clear"))',
  'if (code(cudaMemsetAsync(p, 0, 64, s)) < 0)',
  'if (auto cleared = wrapped(cudaMemsetAsync(p, 0, 64, s)); !cleared)',
];

const found = async (body: string): Promise<readonly string[]> => {
  const text = `${head}void f(cudaStream_t s) { float *p; if (cudaMallocAsync(&p, 64, s) != cudaSuccess) return; ${body} }\n`;
  return (await analyseText(text)).findings.map(({ rule, severity }) => `${severity} ${rule}`);
};

describe('where a call fails', () => {
  it.each(ways)('what is wrong there is found: %s', async (fails) => {
    const rest = 'cudaFreeAsync(p, s);';
    expect(await found(`${fails} { cudaFreeAsync(p, s); cudaFreeAsync(p, s); return; } ${rest}`)).toContain(
      'error async-double-free',
    );
    expect(await found(`${fails} { cudaFreeAsync(p, s); return; } ${rest}`)).toEqual([]);
  });

  it.each(ways)('what is freed there is not to be freed behind: %s', async (fails) => {
    const rest = 'cudaStreamSynchronize(s); cudaFreeAsync(p, s);';
    expect(await found(`${fails} { cudaFreeAsync(p, s); } ${rest}`)).toEqual(['warning async-double-free']);
    expect(await found(`${fails} { cudaFreeAsync(p, s); p = nullptr; } ${rest}`)).toEqual([]);
  });
});
