/** A copy says from which kind of memory to which it goes; of plain memory of the host CUDA takes it at its word. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <cstdlib>
#include <vector>
struct Numbers { float values[4]; };
struct Holder { std::vector<float> host; float small[4]; };
void show(const float *, size_t);
float *given();
static float *d; static cudaStream_t s;
void copy(float *to, const float *from, cudaMemcpyKind kind) { cudaMemcpy(to, from, 16, kind); }`;

const rule = 'memcpy-kind-mismatch';
const main = (body: string): string =>
  `int main(int argc, char **argv) { cudaStreamCreate(&s); cudaMalloc(&d, 128); ${body} cudaStreamSynchronize(s); cudaFree(d); cudaStreamDestroy(s); }`;

describeRows('kinds of copies', head, [
  [
    'an array to the device',
    rule,
    '',
    main('float a[4] = {}; cudaMemcpy(d, a, 16, cudaMemcpyDeviceToHost);'),
    main('float a[4] = {}; cudaMemcpy(d, a, 16, cudaMemcpyHostToDevice);'),
  ],
  [
    'a block of malloc, in a stream',
    rule,
    '',
    main('float *h = (float *)malloc(16); cudaMemcpyAsync(h, d, 16, cudaMemcpyHostToDevice, s); free(h);'),
    main('float *h = (float *)malloc(16); cudaMemcpyAsync(h, d, 16, cudaMemcpyDeviceToHost, s); free(h);'),
  ],
  [
    'source and destination exchanged',
    rule,
    '',
    main('float *h = new float[4](); cudaMemcpy(h, d, 16, cudaMemcpyHostToDevice); delete[] h;'),
    main('float *h = new float[4](); cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); delete[] h;'),
  ],
  [
    'from device to device',
    rule,
    '',
    main('int n = 0; cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToDevice);'),
    main('int n = 0; cudaMemcpy(&n, d, 4, cudaMemcpyDefault); cudaMemcpy(d, d + 8, 16, cudaMemcpyDeviceToDevice);'),
  ],
  [
    'what a vector and an array of the library have',
    rule,
    '',
    main('std::vector<float> v(4); show(v.data(), v.size()); cudaMemcpy(d, v.data(), 16, cudaMemcpyDeviceToHost);'),
    main('std::vector<float> v(4); show(v.data(), v.size()); cudaMemcpy(v.data(), d, 16, cudaMemcpyDeviceToHost);'),
  ],
  [
    'rows',
    rule,
    '',
    main('float a[4][4] = {}; cudaMemcpy2D(d, 32, a, 16, 16, 4, cudaMemcpyDeviceToHost);'),
    main('float a[4][4] = {}; cudaMemcpy2D(d, 32, a, 16, 16, 4, cudaMemcpyHostToDevice);'),
  ],
  [
    'an object',
    rule,
    '',
    main('Numbers n = {}; cudaMemcpy(d, &n, sizeof(n), cudaMemcpyDeviceToHost);'),
    main('Numbers n = {}; cudaMemcpy(d, &n, sizeof(n), cudaMemcpyHostToDevice);'),
  ],
  [
    'a kind that is handed on',
    rule,
    '',
    main('float a[4] = {}; copy(a, d, cudaMemcpyHostToDevice);'),
    main('float a[4] = {}; copy(a, d, cudaMemcpyDeviceToHost); copy(d, a, cudaMemcpyHostToDevice);'),
  ],
  [
    'a node of a graph',
    rule,
    '',
    main(
      'static float a[4]; cudaGraph_t g; cudaGraphNode_t n; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, d, a, 16, cudaMemcpyDeviceToHost); cudaGraphDestroy(g);',
    ),
    main(
      'static float a[4]; cudaGraph_t g; cudaGraphNode_t n; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, d, a, 16, cudaMemcpyHostToDevice); cudaGraphDestroy(g);',
    ),
  ],
  [
    'pinned and managed memory, whatever the kind says',
    '',
    '',
    '',
    main(
      'float *p, *m; cudaMallocHost(&p, 16); cudaMallocManaged(&m, 16); cudaMemcpy(d, p, 16, cudaMemcpyDeviceToHost); cudaMemcpy(m, p, 16, cudaMemcpyDeviceToHost); cudaFreeHost(p); cudaFree(m);',
    ),
  ],
  [
    'what is registered',
    '',
    '',
    '',
    main(
      'float *h = (float *)malloc(16); cudaHostRegister(h, 16, 0); cudaMemcpy(d, h, 16, cudaMemcpyDeviceToHost); cudaHostUnregister(h); free(h);',
    ),
  ],
  [
    'where the program asks what the device can reach',
    '',
    '',
    '',
    main(
      'int can = 0; cudaDeviceGetAttribute(&can, cudaDevAttrPageableMemoryAccess, 0); float *h = (float *)malloc(16); if (can) cudaMemcpy(d, h, 16, cudaMemcpyDeviceToDevice); free(h);',
    ),
  ],
  [
    'memory from elsewhere, members and other containers',
    '',
    '',
    '',
    main(
      'cudaMemcpy(d, given(), 16, cudaMemcpyDeviceToDevice); pinned_vector<float> v(4); cudaMemcpy(d, v.data(), 16, cudaMemcpyDeviceToDevice); std::vector<float, pinned_allocator<float>> w(4); cudaMemcpy(d, w.data(), 16, cudaMemcpyDeviceToDevice); Holder *o; cudaMallocManaged(&o, sizeof(Holder)); cudaMemcpy(d, o->small, 16, cudaMemcpyDeviceToDevice); cudaFree(o);',
    ),
  ],
]);
