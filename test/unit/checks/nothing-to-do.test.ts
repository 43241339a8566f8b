/** What goes wrong only where a function leaves early, since a count is 0 and there is nothing to be done: less than a warning. */

import { expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const program = (question: string): string => `#include <cuda_runtime.h>
struct Shape { size_t rows() const; size_t columns() const; };
enum Mode { add = 0, keep };
__global__ void fill(float *p);
int prepare(float *p);
struct Buffer {
  float *data = nullptr; size_t size = 0;
  void resize(const Shape &shape, Mode mode, cudaStream_t stream) {
    const size_t count = shape.rows() * shape.columns();
    ${question}
    if (count != size) { cudaFreeAsync(data, stream); cudaMallocAsync(&data, count * 4, stream); }
    size = count;
  }
};
void run(Buffer &b, const Shape &shape, Mode mode, cudaStream_t stream) {
  b.resize(shape, mode, stream);
  fill<<<1, 64, 0, stream>>>(b.data);
}
`;

const leave = '{ cudaFreeAsync(data, stream); return; }';

it.each([
  ['a count that is 0', `if (count == 0) ${leave}`, 'hint'],
  ['a product that is at most 0', `if (shape.rows() * shape.columns() <= 0) ${leave}`, 'hint'],
  ['one of two counts', `if (shape.rows() == 0 || count < 1) ${leave}`, 'warning'],
  ['both of them counts', `if (size == 0 || count < 1) ${leave}`, 'hint'],
  ['a kind', `if (mode == keep) ${leave}`, 'warning'],
  ['what a function gives back', `if (prepare(data) == 0) ${leave}`, 'warning'],
  ['a flag', `if (!mode) ${leave}`, 'warning'],
  ['a count, and it goes on', 'if (count == 0) { cudaFreeAsync(data, stream); size = 0; } else', 'warning'],
])('%s', async (_what, question, severity) => {
  const { findings } = await analyseText(program(question));
  expect(findings.map((each) => `${each.severity} ${each.rule}`)).toEqual([`${severity} malloc-use-after-free`]);
});
