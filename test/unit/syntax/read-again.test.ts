/** What is taken over from the text before an edit is what a first reading would say. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { textEdit } from '../../../src/base/text-edit.ts';
import { preprocess } from '../../../src/syntax/cuda/preprocess.ts';
import { preprocessedAgain } from '../../../src/syntax/cuda/preprocess-again.ts';
import { splitItems } from '../../../src/syntax/cuda/split-items.ts';

const folder = path.join(import.meta.dirname, '..', '..', 'programs');
const programs = ['0001', '0012', '0045', '0134'].map((name) => readFileSync(`${folder}/${name}.cu`, 'utf8'));

const written = `#include <cuda_runtime.h>
#define CHECK(x) do { if ((x) != cudaSuccess) return; } while (0)
#define KERNEL __global__
#define REST __VA_ARGS__

namespace outer {
namespace {
int counter = 0;
struct Point { int x, y; };
}
extern "C" {
KERNEL void scale(float *data) { data[0] *= 2; }
}
/* a comment
   that goes on */
template <typename T> struct Box : Point { T value{}; Box() : value{1} { } };
void build(cudaStream_t stream) {
  CHECK(cudaStreamSynchronize(stream));
#if CUDART_VERSION >= 12000
  cudaGraph_t graph; // of now
#else
  cudaGraphOld_t graph;
#endif
}
inline namespace v1 { int list[] = {1, 2, 3}, other{4}; }
}
void kept() { }

__device__ int helper(int a) {
#ifdef __CUDA_ARCH__
  return a + 1;
#else
  return a;
#endif
}
KERNEL
void late(int *p)
{
  int n = 1;
#ifdef __CUDA_ARCH__
  p[0] = n;
#endif
}
#undef CHECK
#define CHECK(x) x
#define LAST 3
DEFINE(name, f(); g();)
int main() try { outer::build(0); } catch (...) { return 1; }
static const char *const text = R"(a { b)";
`;

/** The same sequence every time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

const pieces = [' ', '\n', '\n\n', 'a', ';', '{', '}', '(', ')', ',', '"', "'", '/', '*', '/*', '*/', '//', '\\', '=']
  .concat(['\\\n', '#', '#if 0\n', '\n#endif\n', '#define A 1\n', '#undef CHECK\n', 'n = n + 1;', 'int x{1};'])
  .concat(['__CUDA_ARCH__', 'KERNEL ', 'REST', '_Pragma("pack(1)")', 'catch (...) { }', 'namespace n {', 'va_arg(l, '])
  .concat(['template <', 'operator', '__device__ ', 'define A', 'struct ', '\nvoid f() { }\n', ':', '::', '"x"']);

function edited(text: string, next: () => number): string {
  const at = Math.floor(next() * text.length);
  const isRemoved = next() < 0.3;
  const end = isRemoved ? Math.min(text.length, at + 1 + Math.floor(next() * 20)) : at;
  return text.slice(0, at) + (isRemoved ? '' : pieces[Math.floor(next() * pieces.length)]) + text.slice(end);
}

const texts = [...programs, written, written.replaceAll('__CUDA_ARCH__', 'OTHER'), programs.join('\n')];

describe.each(texts.map((text, index) => ({ text, index })))('text $index, edited', ({ text, index }) => {
  const next = random(index + 1);
  let now = text;
  const edits = Array.from({ length: 600 }, (_, count) => {
    // Back to the beginning now and then: much of what is typed here breaks everything behind it.
    const before = count % 6 === 0 ? text : now;
    now = edited(before, next);
    return { before, after: now };
  });

  it('differs only within the edit', () => {
    for (const { before, after } of edits) {
      const { start, endBefore, endAfter } = textEdit(before, after);
      expect(before.slice(0, start) + after.slice(start, endAfter) + before.slice(endBefore)).toBe(after);
      if (before === after) expect([start, endBefore, endAfter]).toEqual([before.length, before.length, after.length]);
      else if (start < endBefore && start < endAfter) expect(before[start]).not.toBe(after[start]);
    }
  });

  it('is preprocessed as if for the first time', () => {
    let taken = 0;
    for (const { before, after } of edits) {
      const again = preprocessedAgain('a.cu', { text: before, result: preprocess('a.cu', before) }, after);
      if (again) {
        taken++;
        expect(again).toEqual(preprocess('a.cu', after));
      }
    }
    expect(taken).toBeGreaterThan(edits.length / 20);
  });

  it('is cut into the same items', () => {
    for (const { before, after } of edits)
      expect(splitItems(after, { text: before, items: splitItems(before) })).toEqual(splitItems(after));
  });
});

it('takes over what lies before and behind an edit', () => {
  const before = Array.from({ length: 50 }, (_, index) => `void f${index}() { g(); }\n`).join('');
  const items = splitItems(before);
  const again = splitItems(before.replace('void f25() { g', 'void f25() { h'), { text: before, items });
  expect(again.filter((item) => items.includes(item)).length).toBeGreaterThan(40);
});
