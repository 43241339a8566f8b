/** A stream asked of an object that is not there: on no run that matters is it another one than the next. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
struct Stream { cudaStream_t get() const; };
struct Allocator { virtual void *allocate(size_t bytes) = 0; };`;

const frame = (stream: string): string => `struct Frame {
  Allocator *allocator;
  Stream streams[2];
  void *device;
  bool isForeign() const;
  void make(void **p, size_t bytes, Stream *stream, bool foreign) {
    if (foreign) *p = allocator->allocate(bytes);
    else cudaMallocAsync(p, bytes, stream->get());
  }
  void load(const float *host, size_t bytes, cudaStream_t other) {
    make(&device, bytes, ${stream}, isForeign());
    cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, other);
  }
};
void load(Frame &frame, const float *host, cudaStream_t other) { frame.load(host, 16, other); }
int main() { return 0; }`;

const rows: readonly Row[] = [
  [
    'no stream, since memory comes from elsewhere',
    'async-use-before-alloc',
    '',
    frame('&streams[0]'),
    frame('nullptr'),
  ],
];

describeRows('streams of nowhere', head, rows);
