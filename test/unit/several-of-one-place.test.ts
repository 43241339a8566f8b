/** One line that asks several objects whose members the text does not know: what one of them answered stays true of it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
enum class Mode { device, unified, host };`;

const vector = (hosted: string, other: string): string => `struct Vec {
  Mode mode;
  float *data;
  size_t capacity;
  void grow(size_t n, cudaStream_t s) {
    if (capacity >= n) return;
    float *fresh = nullptr;
    if (mode == Mode::unified) cudaMallocManaged(&fresh, n);
    else if (mode == Mode::device) cudaMallocAsync(&fresh, n, s);
    else cudaMallocHost(&fresh, n);
    if (data != nullptr) {
      cudaMemcpyAsync(fresh, data, capacity, cudaMemcpyDefault, s);
      cudaStreamSynchronize(s);
      if (mode == Mode::host) ${hosted}(data);
      else if (mode == Mode::unified) ${other}(data);
      else cudaFreeAsync(data, s);
    }
    data = fresh;
    capacity = n;
  }
};
struct Work { Vec a, b, c, d, e, f; };
void integrate(Work &w, size_t n, cudaStream_t s) {
  w.a.grow(n, s); w.b.grow(n, s); w.c.grow(n, s); w.d.grow(n, s); w.e.grow(n, s); w.f.grow(n, s);
  w.e.grow(4 * n, s); w.f.grow(4 * n, s);
}
int main() { return 0; }`;

const rows: readonly Row[] = [
  [
    'a mode that decides how memory is got and given back',
    'malloc-mismatched-free',
    '',
    vector('cudaFreeHost', 'cudaFreeHost'),
    vector('cudaFreeHost', 'cudaFree'),
  ],
];

describeRows('several of one place', head, rows);
