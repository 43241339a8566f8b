/** Which files are read, and why: their own words, what users' models name, and the headers they include. */

import { describe, expect, it, test } from 'vitest';
import { languageOfName } from '../../../src/relevance/languages.ts';
import { createRelevance } from '../../../src/relevance/relevance.ts';
import { testEngine } from '../../support/engine.ts';

const nothingThere = () => undefined;

test.each([
  ['a/b.cu', 'cuda'],
  ['a/b.HXX', 'cuda'],
  ['a.cts', 'typescript'],
  ['a/cu', undefined],
  ['b.py', undefined],
])('%s is %s', (name, expected) => {
  expect(languageOfName(name)).toBe(expected);
});

test.each([
  ['cudaGraphCreate(&g, 0);', true],
  ['cuGraphAddMemAllocNode(…)', true],
  ['kernel<<<1, 32>>>(p);', true],
  ['#include <cuda_runtime.h>', true],
  ["import { Graph } from 'graphmem/runtime';", true],
  ['int main() { return barracuda; }', false],
  ['std::cout << 1 << 2;', false],
  ['const accurate = cup << 2;', false],
])('%s is relevant: %s', (text, expected) => {
  expect(createRelevance().isRelevant('a.cpp', text, 'cuda', [], nothingThere)).toBe(expected);
});

describe('functions that a model names', () => {
  const models = [{ file: 'm.json', text: '{ "rows": [{ "name": "pool::Arena::take" }, { "name": "gpu_*" }] }' }];
  it.each([
    ['arena.take(4);', true],
    ['gpu_alloc(4);', true],
    ['arena.taken(4);', false],
    ['mygpu_alloc(4);', false],
  ])('%s is relevant: %s', (text, expected) => {
    expect(createRelevance().isRelevant('a.cpp', text, 'cuda', models, nothingThere)).toBe(expected);
  });
});

describe('headers', () => {
  const files = new Map([
    ['calls.h', 'inline void drop(void *p) { cudaFree(p); }\nclass Other;'],
    ['types.h', 'struct Holder { cudaStream_t stream; };'],
    [
      'over.h',
      '#include "types.h"\n#include "over.h"\n  # include <calls.h>\nstruct Engine { void stop() { drop(0); } };',
    ],
  ]);
  const read = (name: string) => {
    const text = files.get(name);
    return text === undefined ? undefined : { file: name, text };
  };
  it.each([
    ['calls.h', 'drop(p);', true],
    ['calls.h', 'Other other; raindrop();', false],
    ['over.h', 'drop(p);', true],
    ['over.h', 'Engine engine;', true],
    ['over.h', 'Holder holder;', false],
    ['missing.h', 'drop(p);', false],
  ])('%s with %s is relevant: %s', (name, text, expected) => {
    expect(createRelevance().isRelevant('a.cpp', `#include "${name}"\n${text}`, 'cuda', [], read)).toBe(expected);
  });

  it('that changed are looked into again', () => {
    const texts = new Map([['a.h', 'void wait();']]);
    const readNow = (name: string) => ({ file: name, text: texts.get(name) ?? '' });
    const relevance = createRelevance();
    const isRelevant = () => relevance.isRelevant('a.cpp', '#include "a.h"\nwait();', 'cuda', [], readNow);
    expect(isRelevant()).toBe(false);
    texts.set('a.h', 'void wait() { cudaStreamSynchronize(0); }');
    expect(relevance.edited('b.h', 'void wait() { cudaStreamSynchronize(0); }')).toBe(false);
    expect(relevance.edited('a.h', 'void wait(int rounds);')).toBe(false);
    expect(isRelevant()).toBe(false);
    expect(relevance.edited('a.h', texts.get('a.h') ?? '')).toBe(true);
    expect(isRelevant()).toBe(true);
  });

  it('lead to what is wrong in a file that never names CUDA', async () => {
    const engine = await testEngine();
    const text = `#include "buffer.h"
int main() { Buffer buffer(100); buffer.drop(); buffer.drop(); }
`;
    const header = `#include <cuda_runtime.h>
struct Buffer {
  float *data;
  Buffer(size_t count) { cudaMalloc(&data, count * 4); }
  void drop() { cudaFree(data); }
};
`;
    const readInclude = (name: string) => (name === 'buffer.h' ? { file: name, text: header } : undefined);
    expect(createRelevance().isRelevant('a.cpp', text, 'cuda', [], readInclude)).toBe(true);
    const { findings } = engine.analyse({ file: 'a.cpp', text, language: 'cuda', readInclude });
    expect(findings.map((each) => each.rule)).toEqual(['malloc-double-free']);
  });
});
