/** Copies that are longer than the array, the block or the variable of the host that they go to or come from. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <vector>
struct Point { float x, y, z; };
struct Matrix { float m[4][4]; float scale; };
struct Message { int count; float values[1]; };
struct Buffers {
  int count; float host[64]; float *device;
  void fetch(int n) { cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost); }
};
void fill(std::vector<float> &);
bool more(float *);
int chosen();
static float *d;
static void download(float *to, size_t count) { cudaMemcpy(to, d, count * sizeof(float), cudaMemcpyDeviceToHost); }`;

const rule = 'copy-out-of-range';
const all = (text: string): string => `cudaMalloc(&d, 4096); ${text} cudaFree(d);`;
const pair = (what: string, bad: string, good: string): Row => [what, rule, '', all(bad), all(good)];
const right = (what: string, good: string): Row => [what, '', '', '', all(good)];
const out = (to: string, count: number | string): string =>
  `cudaMemcpy(${to}, d, ${count} * sizeof(float), cudaMemcpyDeviceToHost);`;

describeRows('copies behind memory of the host', head, [
  pair(
    'from an element that only a symbol tells on',
    `float h[64]; int i = chosen(); ${out('&h[i]', 65)}`,
    `float h[64]; int i = chosen(); ${out('&h[i]', 1)}`,
  ),
  pair(
    'a row that only a symbol tells',
    `float h[4][16]; int i = chosen(); ${out('h[i]', 65)}`,
    `float h[4][16]; int i = chosen(); ${out('h[i]', 16)}`,
  ),
  pair(
    'as far as two places of one symbol lie apart',
    `float h[64]; int i = chosen(); float *at = &h[i]; ${out('h', '(at + 65 - at)')}`,
    `float h[64]; int i = chosen(); float *at = &h[i]; ${out('h', '(at + 64 - at)')}`,
  ),
  right(
    'up to an element that only a symbol tells',
    `float h[64]; int i = chosen(), j = chosen(); ${out('h', '(&h[i] - h)')} ${out('&h[j]', '(&h[i] - &h[j])')}`,
  ),
  right(
    'up to where an algorithm of the library is led by a symbol',
    `std::vector<float> h(64); int i = chosen(); std::vector<float> part(&h[0], &h[i]); ${out('part.data()', 'std::distance(&h[0], &h[i])')}`,
  ),
  pair('an array', `float h[64]; ${out('h', 512)}`, `float h[64]; ${out('h', 64)}`),
  pair('a vector', `std::vector<float> h(64); ${out('h.data()', 65)}`, `std::vector<float> h(64); ${out('&h[0]', 64)}`),
  pair(
    'a vector that was resized',
    `std::vector<float> h; h.resize(64); ${out('h.data()', 65)}`,
    `std::vector<float> h(64); h.resize(65); ${out('h.data()', 65)}`,
  ),
  pair(
    'an array of the library',
    `std::array<float, 64> h; ${out('h.data()', 65)}`,
    `std::array<float, 64> h; ${out('h.data()', 64)}`,
  ),
  pair(
    'a block',
    `float *h = (float *)malloc(64 * 4); ${out('h', 65)} free(h);`,
    `float *h = (float *)malloc(64 * 4); ${out('h', 64)} h = (float *)realloc(h, 400); ${out('h', 100)} free(h);`,
  ),
  pair(
    'a block of zeroes',
    `float *h = (float *)calloc(64, sizeof(float)); ${out('h', 65)} free(h);`,
    `float *h = (float *)calloc(64, sizeof(float)); ${out('h', 64)} free(h);`,
  ),
  pair(
    'a block of objects',
    `Point *h = (Point *)malloc(8 * sizeof(Point)); ${out('h', 25)} free(h);`,
    `Point *h = (Point *)malloc(8 * sizeof(Point)); ${out('h + 4', 12)} free(h);`,
  ),
  pair(
    'what new makes',
    `float *h = new float[64]; ${out('h', 65)} delete[] h;`,
    `float *h = new float[64]; ${out('h', 64)} delete[] h;`,
  ),
  pair(
    'what an owner has',
    `auto h = std::make_unique<float[]>(64); ${out('h.get()', 65)}`,
    `auto h = std::make_unique<float[]>(64); ${out('h.get()', 64)}`,
  ),
  pair(
    'pinned memory',
    `float *h; cudaMallocHost(&h, 256); ${out('h', 65)} cudaFreeHost(h);`,
    `float *h; cudaMallocHost(&h, 256); ${out('h', 64)} cudaFreeHost(h);`,
  ),
  pair('from the middle on', `float h[64]; ${out('h + 32', 33)}`, `float h[64]; ${out('h + 32', 32)}`),
  pair(
    'from the middle of a block on',
    `float *h = (float *)malloc(256); ${out('h + 32', 33)} free(h);`,
    `float *h = (float *)malloc(256); ${out('h + 32', 32)} free(h);`,
  ),
  pair(
    'in bytes',
    `float *h = (float *)malloc(256); ${out('(char *)h + 128', 33)} free(h);`,
    `float *h = (float *)malloc(256); ${out('(float *)((char *)h + 64) + 16', 32)} free(h);`,
  ),
  pair(
    'in elements of another size',
    `float h[64]; double *w = (double *)h; ${out('w + 16', 33)}`,
    `int h[64]; short *w = (short *)h; ${out('w + 64', 32)}`,
  ),
  pair(
    'rows of an array',
    `float h[8][8]; ${out('h[4]', 33)}`,
    `float h[8][8]; ${out('h[4]', 32)} ${out('&h[6][4]', 12)}`,
  ),
  pair('a variable', `float x; ${out('&x', 2)}`, `float x; ${out('&x', 1)}`),
  pair('an object', `Point p; ${out('&p', 4)}`, `Point p; ${out('&p.x', 3)}`),
  pair(
    'a member',
    'Buffers b; b.device = d; b.fetch(68);',
    'Buffers b; b.device = d; b.fetch(64); Point p[4]; cudaMemcpy(&p[0].x, d, sizeof(p), cudaMemcpyDeviceToHost);',
  ),
  pair(
    'through a function',
    'float h[16]; download(h, 17);',
    'float h[16]; download(h, 16); float x; download(&x, 1);',
  ),
  pair(
    'to the device',
    'int h[] = {1, 2, 3}; cudaMemcpyAsync(d, h, 16, cudaMemcpyHostToDevice, 0); cudaDeviceSynchronize();',
    'int h[] = {1, 2, 3}; cudaMemcpyAsync(d, h, 12, cudaMemcpyHostToDevice, 0); cudaDeviceSynchronize();',
  ),
  pair(
    'rows that lie apart',
    'std::vector<char> h(256); cudaMemcpy2D(h.data(), 64, d, 64, 33, 5, cudaMemcpyDeviceToHost);',
    'std::vector<char> h(256); cudaMemcpy2D(h.data() + 32, 64, d, 64, 32, 4, cudaMemcpyDeviceToHost);',
  ),
  pair(
    'a box',
    'char h[8 * 8 * 4]; cudaMemcpy3DParms p = {}; p.srcPtr = make_cudaPitchedPtr(d, 8, 8, 8); p.dstPtr = make_cudaPitchedPtr(h, 8, 8, 8); p.dstPos = make_cudaPos(0, 0, 2); p.extent = make_cudaExtent(8, 8, 3); p.kind = cudaMemcpyDeviceToHost; cudaMemcpy3D(&p);',
    'char h[8 * 8 * 4]; cudaMemcpy3DParms p = {}; p.srcPtr = make_cudaPitchedPtr(d, 8, 8, 8); p.dstPtr = make_cudaPitchedPtr(h, 8, 8, 8); p.dstPos = make_cudaPos(0, 0, 2); p.extent = make_cudaExtent(8, 8, 2); p.kind = cudaMemcpyDeviceToHost; cudaMemcpy3D(&p);',
  ),
  pair(
    'a node',
    'static float h[64]; cudaGraph_t g; cudaGraphNode_t n; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, h, d, 512, cudaMemcpyDeviceToHost); cudaGraphDestroy(g);',
    'static float h[64]; cudaGraph_t g; cudaGraphNode_t n; cudaGraphCreate(&g, 0); cudaGraphAddMemcpyNode1D(&n, g, nullptr, 0, h, d, 256, cudaMemcpyDeviceToHost); cudaGraphDestroy(g);',
  ),
  pair(
    'the driver API',
    'float h[16]; cuMemcpyDtoH(h, (CUdeviceptr)d, 65);',
    'float h[16]; cuMemcpyDtoH(h, (CUdeviceptr)d, 64);',
  ),
  pair(
    'a size that nobody knows',
    `int n = atoi(getenv("N")); float *h = (float *)malloc(n); ${out('h', 'n')} free(h);`,
    `int n = atoi(getenv("N")), m = atoi(getenv("M")); float *h = (float *)malloc(n * 4), *w = new float[m]; ${out('h', 'n')} ${out('w', 'n')} delete[] w; free(h);`,
  ),
  pair(
    'elements that nobody counts',
    `int n = atoi(getenv("N")); float *h = new float[n]; ${out('h', '(n + 1)')} delete[] h;`,
    `int n = atoi(getenv("N")); float *h = new float[n + 1]; ${out('h', '(n + 1)')} delete[] h;`,
  ),
  [
    'an array whose length is an argument of a template',
    rule,
    'template <int N> void some() { std::array<float, N> h{}; std::array<float, N> g{1, 2}; cudaMemcpy(h.data(), d, 4, cudaMemcpyDeviceToHost); cudaMemcpy(&g[3], d, 4, cudaMemcpyDeviceToHost); }',
    all('std::array<float, 4> h{}; cudaMemcpy(h.data(), d, 20, cudaMemcpyDeviceToHost);'),
    all('std::array<float, 5> h{}; cudaMemcpy(h.data(), d, 20, cudaMemcpyDeviceToHost);'),
  ],
  right('a vector with room', `std::vector<float> h; h.reserve(64); ${out('h.data()', 64)}`),
  right('a vector filled elsewhere', `std::vector<float> h(4); fill(h); ${out('h.data()', 64)}`),
  right(
    'a vector filled by a loop',
    `std::vector<float> h; float x; while (more(&x)) h.push_back(x); ${out('h.data()', 64)}`,
  ),
  right(
    'a vector filled from a file',
    `std::ifstream in("numbers"); std::vector<float> h; float x; while (in >> x) h.push_back(x); ${out('h.data()', 64)}`,
  ),
  right(
    'a vector that perhaps has more',
    `std::vector<float> h(64); if (getenv("WIDE")) h.resize(128); if (getenv("WIDE")) ${out('h.data()', 128)}`,
  ),
  [
    'a vector of the file that something else has filled',
    '',
    '',
    '',
    `static std::vector<float> host; void load() { ${all(out('host.data()', 64))} } int main(int, char **);`,
  ],
  right('an array behind a header', `auto *m = (Message *)malloc(8 + 64 * 4); ${out('m->values', 64)} free(m);`),
  right('elements from a member on', `Matrix m[3]; ${out('&m[0].m[0][0]', 51)} ${out('m[0].m', 51)}`),
  right('members one after the other', `Matrix m; ${out('m.m', 17)} ${out('&m.m[3][3]', 2)}`),
  right('a part that a span sees', `float h[64]; std::span<float> s(h, 8); ${out('s.data()', 64)}`),
  right(
    'a block without a type',
    `void *raw = malloc(256); int *h = (int *)((char *)raw + 4); ${out('h + 1', 62)} free(raw);`,
  ),
  pair(
    'an array of the library that is a copy',
    `std::array<float, 4> g{}; auto h = g; auto &i = h; ${out('i.data()', 5)}`,
    `std::array<float, 4> g{}; auto h = g; auto &i = h; ${out('i.data()', 4)}`,
  ),
  right(
    'arrays of the library in one another',
    `std::array<std::array<float, 4>, 4> h; ${out('h[0].data()', 16)} for (auto &row : h) { ${out('row.data()', 4)} }`,
  ),
  right(
    'arrays of the library in a vector',
    `std::array<float, 4> one{}; std::vector<std::array<float, 4>> h(3); h.push_back(one); ${out('h[1].data()', 12)} ${out('&h[0][0]', 16)}`,
  ),
  right(
    'arrays of the library in an array',
    `std::array<float, 4> one{}, h[2] = {one, one}; ${out('h[0].data()', 8)} std::array<float, 4> *more = new std::array<float, 4>[2]; ${out('more[0].data()', 8)} delete[] more;`,
  ),
  right(
    'arrays of the library in a pair',
    `std::array<float, 4> one{}; auto h = std::make_pair(one, one); ${out('h.first.data()', 8)} std::pair<std::array<float, 4>, int> other; ${out('other.first.data()', 5)}`,
  ),
  right('one of two', `float a[64], b[8]; float *h = more(a) ? a : b; ${out('h', 'h == a ? 64 : 8')}`),
]);
