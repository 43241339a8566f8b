/** Methods of an interface, called on objects that nobody here has made: what the only class that implements it says is what they do. */

import { describe, expect, it } from 'vitest';
import { analyseText, testEngine } from '../support/engine.ts';

const face = `#include <cuda_runtime.h>
__global__ void work(float *p);
struct Allocator { virtual ~Allocator() = default; virtual void *get(size_t n, cudaStream_t s) = 0; virtual void put(void *p, cudaStream_t s) = 0; };
`;
const pool = `class Pool : public Allocator {
  size_t taken = 0;
 public:
  void *get(size_t n, cudaStream_t s) override { void *p = nullptr; taken += n; cudaMallocAsync(&p, n, s); return p; }
  void put(void *p, cudaStream_t s) override;
};
void Pool::put(void *p, cudaStream_t s) { cudaFreeAsync(p, s); }
`;
const other =
  'class Quiet : public Allocator { void *get(size_t, cudaStream_t) override { return nullptr; } void put(void *, cudaStream_t) override {} };\n';

const found = async (before: string, body: string): Promise<readonly string[]> => {
  const { findings } = await analyseText(
    `${before}void f(Allocator &from, cudaStream_t s, cudaStream_t t) { ${body} }\n`,
  );
  return findings.map(({ rule }) => rule);
};
const tooEarly = 'auto *p = static_cast<float *>(from.get(64, s)); from.put(p, s); work<<<1, 1, 0, s>>>(p);';
const inTime = 'auto *p = static_cast<float *>(from.get(64, s)); work<<<1, 1, 0, s>>>(p); from.put(p, s);';

describe('an interface that one class implements', () => {
  it('frees what is used afterwards', async () => {
    expect(await found(face + pool, tooEarly)).toEqual(['async-use-after-free']);
    expect(await found(face + pool, inTime)).toEqual([]);
  });

  it('frees in a stream that does not wait for the one that uses it', async () => {
    const body =
      'auto *p = static_cast<float *>(from.get(64, s)); cudaStreamSynchronize(s); work<<<1, 1, 0, t>>>(p); from.put(p, s);';
    expect(await found(face + pool, body)).toEqual(['async-use-free-race']);
  });

  it('is implemented by a class that derives from one in between', async () => {
    const between = `struct Counted : Allocator { int count = 0; };\n${pool.replace('public Allocator', 'public Counted')}`;
    expect(await found(face + between, tooEarly)).toEqual(['async-use-after-free']);
  });
});

describe('what says nothing of the object', () => {
  it('a second class is added to the text, and taken away again', async () => {
    const rest = `void f(Allocator &from, cudaStream_t s) { ${tooEarly} }\n`;
    const engine = await testEngine();
    const rules = async (text: string): Promise<readonly string[]> =>
      (await engine.analyse({ file: 'interface.cu', text, language: 'cuda' })).findings.map(({ rule }) => rule);
    expect(await rules(face + pool + rest)).toEqual(['async-use-after-free']);
    expect(await rules(face + pool + other + rest)).toEqual([]);
    expect(await rules(face + pool + rest)).toEqual(['async-use-after-free']);
  });

  it('two classes implement the interface', async () => {
    expect(await found(face + pool + other, tooEarly)).toEqual([]);
  });

  it('the class has members and functions of its own, which are elsewhere', async () => {
    const whole = face.replaceAll(' = 0', '').replace('struct Allocator {', 'struct Allocator { int users;');
    expect(await found(whole + pool, tooEarly)).toEqual([]);
  });

  it('the method is not virtual', async () => {
    expect(
      await found(
        face.replaceAll('virtual void', 'void').replaceAll(' = 0', '') + pool.replaceAll(' override', ''),
        tooEarly,
      ),
    ).toEqual([]);
  });
});
