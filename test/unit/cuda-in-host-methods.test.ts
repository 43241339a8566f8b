/** Host functions that are static methods, and that call CUDA through methods of what they are given. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const found = async (methods: string): Promise<readonly string[]> => {
  const text = `#include <cuda_runtime.h>
#include <cstdio>
struct Pool {
  float *data; cudaStream_t stream;
  void drop() { cudaFreeAsync(data, stream); }
  void note() { puts("done"); }
  virtual void finish();
  ${methods}
};
void Pool::finish() { note(); }
void f(Pool *pool) { pool->later(); }
`;
  return (await analyseText(text)).findings.map(({ rule }) => rule);
};

const rule = 'graph-host-node-cuda-call';
const later = 'void later() { cudaLaunchHostFunc(stream, fire, this); }';

describe('methods that a stream runs on the host', () => {
  it.each([
    ['static', `static void fire(void *p) { Pool *pool = static_cast<Pool *>(p); cudaFree(pool->data); } ${later}`],
    ['of a variable', `static void fire(void *p) { Pool *pool = static_cast<Pool *>(p); pool->drop(); } ${later}`],
    ['of an auto', `static void fire(void *p) { auto *pool = static_cast<Pool *>(p); pool->drop(); } ${later}`],
    ['of a cast', `static void fire(void *p) { ((Pool *)p)->drop(); } ${later}`],
    ['through another', `void through() { drop(); } static void fire(void *p) { ((Pool *)p)->through(); } ${later}`],
    ['in a lambda', 'void later() { cudaLaunchHostFunc(stream, [](void *p) { ((Pool *)p)->drop(); }, this); }'],
  ])('are looked into: %s', async (_, methods) => {
    expect(await found(methods)).toContain(rule);
  });

  it.each([
    ['none of CUDA', `static void fire(void *p) { ((Pool *)p)->note(); } ${later}`],
    ['one that may be another', `static void fire(void *p) { ((Pool *)p)->finish(); } ${later}`],
    ['of another class', `struct Other { void drop(); }; static void fire(void *p) { ((Other *)p)->drop(); } ${later}`],
  ])('may call what does not call CUDA: %s', async (_, methods) => {
    expect(await found(methods)).not.toContain(rule);
  });
});
