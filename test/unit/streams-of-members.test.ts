/** Methods that nobody calls work in the stream that their class's own methods make: which kind of stream that is, the class says. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <utility>
#define CHECK(call) do { if ((call) != cudaSuccess) abort(); } while (0)
__global__ void k(float *d) { d[threadIdx.x] *= 2; }
cudaStream_t given();
`;

/** A class whose method fills memory in its stream and then works on it in the default stream. */
const inClass = (members: string, before = ''): string => `${head}${before}
class Worker ${members.startsWith(':') ? members : `{ public: ${members}`}
  void run(float *out) {
    cudaMemsetAsync(data_, 0, 1024, stream_);
    k<<<1, 256>>>(data_);
    cudaMemcpy(out, data_, 1024, cudaMemcpyDeviceToHost);
  }
  float *data_;
  ${members.startsWith(':') ? '' : 'cudaStream_t stream_ = nullptr;'}
};`;

const conflicts = async (text: string) =>
  (await analyseText(text)).findings.filter(({ rule }) => rule === 'stream-conflicting-access');

describe('streams that a class makes for its members', () => {
  it.each([
    ['by its constructor', 'Worker() { cudaStreamCreate(&stream_); }'],
    ['in a macro that checks', 'Worker() { CHECK(cudaStreamCreate(&this->stream_)); }'],
    ['with flags of an ordinary one', 'Worker() { cudaStreamCreateWithFlags(&stream_, cudaStreamDefault); }'],
    ['by the driver', 'Worker() { cuStreamCreate((CUstream *)&stream_, CU_STREAM_DEFAULT); }'],
    [
      'in another method',
      'void init() { cudaStreamCreate(&stream_); } void end() { cudaStreamDestroy(stream_); stream_ = nullptr; }',
    ],
    [
      'handed on when an object moves',
      'Worker() { cudaStreamCreate(&stream_); } Worker(Worker &&o) : stream_(std::exchange(o.stream_, nullptr)) {} Worker &operator=(Worker &&o) { stream_ = o.stream_; return *this; }',
    ],
  ])('waits for the default stream: %s', async (_, members) => {
    expect(await conflicts(inClass(members))).toEqual([]);
  });

  it('waits for the default stream where a base makes it', async () => {
    const base = 'struct Base { Base() { cudaStreamCreate(&stream_); } cudaStream_t stream_; };';
    expect(await conflicts(inClass(': public Base { public:', base))).toEqual([]);
  });

  it.each([
    ['which does not block', 'Worker() { cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }'],
    ['with a priority', 'Worker() { cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, -1); }'],
    [
      'of which the class says two things',
      'Worker() { cudaStreamCreate(&stream_); } Worker(int) { cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }',
    ],
    [
      'that somebody may have given it',
      'Worker() { cudaStreamCreate(&stream_); } Worker(cudaStream_t s) : stream_(s) {}',
    ],
    ['that comes from elsewhere', 'Worker() { cudaStreamCreate(&stream_); } void reset() { stream_ = given(); }'],
    ['that is not the variable of its name', 'Worker() { cudaStream_t stream_; cudaStreamCreate(&stream_); }'],
    ['with flags that nobody knows', 'Worker(unsigned flags) { cudaStreamCreateWithFlags(&stream_, flags); }'],
  ])('does not surely wait for it: %s', async (_, members) => {
    expect(await conflicts(inClass(members))).not.toEqual([]);
  });

  it('is told of an array of them, too', async () => {
    const text = (make: string): string => `${head}
class Worker { public: Worker() { for (int i = 0; i < 2; i++) ${make} }
  void run() { cudaMemsetAsync(data_, 0, 1024, streams_[1]); k<<<1, 256>>>(data_); }
  float *data_; cudaStream_t streams_[2]; };`;
    expect(await conflicts(text('cudaStreamCreate(&streams_[i]);'))).toEqual([]);
    expect(await conflicts(text('cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking);'))).not.toEqual([]);
    expect(await conflicts(text('streams_[i] = given();'))).not.toEqual([]);
  });

  it('is not waited for by a copy in the default stream where it does not block', async () => {
    const text = (make: string): string => `${head}
class Worker { public: Worker() { ${make} }
  void run(float *out) { k<<<1, 256, 0, stream_>>>(data_); cudaMemcpy(out, data_, 1024, cudaMemcpyDeviceToHost); }
  float *data_; cudaStream_t stream_; };`;
    const apart = await conflicts(text('cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);'));
    expect(apart.map(({ message }) => message)).toEqual([expect.stringMatching(/^On some paths/)]);
    expect(await conflicts(text('cudaStreamCreate(&stream_);'))).toEqual([]);
    expect(await conflicts(text('stream_ = given();'))).toEqual([]);
  });

  it('disturbs a capture in the default stream where it blocks', async () => {
    const text = (make: string): string => `${head}
class Worker { public: Worker() { ${make} }
  void run() { cudaGraph_t graph; cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed); k<<<1, 1>>>(data_);
    cudaStreamEndCapture(stream_, &graph); cudaGraphDestroy(graph); }
  float *data_; cudaStream_t stream_; };`;
    const rules = async (make: string) => (await analyseText(text(make))).findings.map(({ rule }) => rule);
    expect(await rules('cudaStreamCreate(&stream_);')).toContain('capture-legacy-stream-use');
    expect(await rules('cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);')).not.toContain(
      'capture-legacy-stream-use',
    );
  });

  it('is told anew when a constructor is written otherwise', async () => {
    const blocking = inClass('Worker() { cudaStreamCreate(&stream_); }');
    const apart = blocking.replace('cudaStreamCreate(&stream_)', 'cudaStreamCreateWithFlags(&stream_, 1)');
    expect(await conflicts(blocking)).toEqual([]);
    expect(await conflicts(apart)).not.toEqual([]);
    const outside = (text: string): string =>
      `${text.replace(/Worker\(\) \{.*\}/, 'Worker();')}\n${/Worker\(\) \{.*\}/.exec(text)![0].replace('Worker', 'Worker::Worker')}\n`;
    expect(await conflicts(outside(blocking))).toEqual([]);
    expect(await conflicts(outside(apart))).not.toEqual([]);
    expect(await conflicts(outside(blocking).replace(/Worker::Worker.*/, ''))).not.toEqual([]);
    expect(await conflicts(outside(blocking))).toEqual([]);
  });
});
