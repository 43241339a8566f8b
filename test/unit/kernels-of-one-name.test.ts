/** Kernels that are overloaded: the one is launched that takes what is given. Classes that stand on a namesake that nobody sees, and lists that others fill. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
struct Wide { float v[29]; };
__global__ void first(Wide *in, Wide *out) { if (threadIdx.x == 0) out[blockIdx.x] = in[0]; }
__global__ void first(int2 *in, int2 *out) { if (threadIdx.x == 0) out[blockIdx.x] = in[0]; }
__global__ void first(int2 *in, int2 *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = in[0]; }
`;

const small = (size: string, rest = ''): string =>
  `int2 *in, *out; cudaMalloc(&in, 64 * sizeof(int2)); cudaMalloc(&out, ${size}); cudaMemset(in, 0, 64 * sizeof(int2));
first<<<1, 64>>>(in, out${rest}); cudaDeviceSynchronize(); cudaFree(in); cudaFree(out);`;

describeRows('kernels of one name', head, [
  ['told by their types', 'copy-out-of-range', '', small('4'), small('sizeof(int2)')],
  ['told by their number', 'copy-out-of-range', '', small('8', ', 64'), small('64 * sizeof(int2)', ', 64')],
]);

describe('what nobody sees', () => {
  it('is the base that a class shares its name with, and not the class itself', async () => {
    const { findings } = await analyseText(`#include <cuda_runtime.h>
#include <other/policy.hpp>
namespace mine { class policy : public other::policy { public: policy() { cudaStreamCreate(&stream); } ~policy() { cudaStreamDestroy(stream); }
private: cudaStream_t stream; };
const policy used{}; }`);
    expect(findings).toEqual([]);
  });

  it('may fill an empty list that it is given', async () => {
    const { findings } = await analyseText(`#include <cuda_runtime.h>
#include <vector>
int main() { std::vector<unsigned char> image; unsigned width;
  if (decodeImage(image, width) != 0) return 1;
  unsigned char *pinned, *d; cudaMallocHost(&pinned, image.size()); cudaMalloc(&d, 4096); cudaMemcpy(d, pinned, 4096, cudaMemcpyHostToDevice);
  cudaFree(d); cudaFreeHost(pinned); }`);
    expect(findings).toEqual([]);
  });
});
