/** What `read` and `write` of the library's streams do with memory of the host. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const found = async (body: string): Promise<readonly string[]> => {
  const text = `#include <cuda_runtime.h>
#include <fstream>
#include <sstream>
struct Header { int count; };
__global__ void work(float *p);
int main() { cudaStream_t s; cudaStreamCreate(&s); std::ifstream in("a", std::ios::binary); std::ofstream out("b");
  float *p; cudaMalloc(&p, 4096);
  ${body}
  cudaStreamSynchronize(s); cudaFree(p); cudaStreamDestroy(s); }
`;
  return (await analyseText(text)).findings.map(({ rule }) => rule);
};

const pinned = 'char *h; cudaMallocHost(&h, 4096);';
const upload = 'cudaMemcpyAsync(p, h, 4096, cudaMemcpyHostToDevice, s);';
const download = 'cudaMemcpyAsync(h, p, 4096, cudaMemcpyDeviceToHost, s);';
const wait = 'cudaStreamSynchronize(s);';
const end = `${wait} cudaFreeHost(h);`;

describe('pinned memory and streams of files', () => {
  it('is not read into while a copy still reads it', async () => {
    expect(await found(`${pinned} ${upload} in.read(h, 4096); ${end}`)).toEqual(['host-buffer-used-before-sync']);
    expect(await found(`${pinned} ${upload} ${wait} in.read(h, 4096); ${end}`)).toEqual([]);
  });

  it('is not written out before the copy has come', async () => {
    expect(await found(`${pinned} ${download} out.write(h, 4096); ${end}`)).toEqual(['host-buffer-used-before-sync']);
    expect(await found(`${pinned} ${upload} out.write(h, 4096); ${end}`)).toEqual([]);
  });
});

describe('variables that are read into', () => {
  const twice = 'cudaFree(p); work<<<1, 1, 0, s>>>(p); cudaMalloc(&p, 4096);';

  it('may be anything afterwards', async () => {
    expect(await found(`int n = 0; in.read((char *)&n, sizeof n); if (n > 0) { ${twice} }`)).toContain(
      'malloc-use-after-free',
    );
    expect(await found(`int n = 0; out.write((char *)&n, sizeof n); if (n > 0) { ${twice} }`)).toEqual([]);
  });

  it('may be members', async () => {
    const header = 'Header h{}; std::istringstream text("x"); text.read(reinterpret_cast<char *>(&h), sizeof h);';
    expect(await found(`${header} if (h.count > 3) { ${twice} }`)).toContain('malloc-use-after-free');
  });
});
