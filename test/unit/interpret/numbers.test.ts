/**
 * C's arithmetic. `numbers.json` has generated functions (types of all widths, wrap-around, narrowing, division of whole and
 * of real numbers) and the bytes that they came to when g++ 12 had compiled them for x86-64; what C++ leaves undefined was left out.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

const take = 'static void take(size_t bytes) { void *memory; cudaMalloc(&memory, bytes); cudaFree(memory); }';

async function bytesOf(body: string, before = ''): Promise<number | null> {
  const { facts } = await analyseText(`#include <cuda_runtime.h>\n${take}\n${before}\nint main() { ${body} }`);
  const bytes = facts.get('main')?.trace.allocations[0]?.bytes;
  return bytes ? evaluateSize(bytes) : null;
}

describe('numbers', () => {
  it('come to what a compiled program came to', async () => {
    const rows: { body: string; bytes: string }[] = JSON.parse(
      readFileSync(new URL('../../recordings/numbers.json', import.meta.url), 'utf8'),
    );
    expect(rows).toHaveLength(200);
    for (const { body, bytes } of rows)
      expect({ body, bytes: await bytesOf(body) }).toEqual({ body, bytes: Number(bytes) });
  });

  it.each([
    ['a factor that is no whole number', 'int n = 7; take(n * 1.5);', 10],
    ['parentheses and a product behind a minus', 'int a = 9, n = 2; take((a) - n * 3);', 3],
    ['parentheses and a product behind a plus', 'int a = 9, n = 2; take((a)+n * 3);', 15],
    ['a cast, parentheses and a quotient behind a minus', 'int a = 9, n = 8; take((int)(a)-n / 2 - 1);', 4],
    ['a cast of a number below zero', 'typedef long real; real r = (real) -5; take(-r);', 5],
    ['a cast of what an address leads to', 'typedef long real; int v[2] = {3, 4}; take((real) *(v + 1) + 2);', 6],
    ['a cast of what has a sign', 'typedef long T; int n = 3; take(-((T)-n * 2));', 6],
    ['a product that a parameter cuts', 'float ratio = 1.5f; size_t n = 7 * ratio; take(n);', 10],
    ['half of a real number', 'double width = 7; take(width / 2 * 4);', 14],
    ['half of a whole number', 'int width = 7; take(width / 2 * 4);', 12],
    ['rounded up', 'int n = 7; take(std::ceil(n / 2.0f) * 4);', 16],
    ['rounded up by hand', 'size_t n = 1000; take((n + 255) & ~size_t(255));', 1024],
    ['rounded up with a mask of 32 bits', 'unsigned n = 1000; take((n + 255u) & ~255u);', 1024],
    ['a power', 'take((size_t)std::pow(2, 10));', 1024],
    ['a counter of one byte', 'unsigned char n = 250; for (int i = 0; i < 10; ++i) ++n; take(n);', 4],
    ['below zero, without a sign', 'unsigned n = 3; take(n - 4 > 0 ? 16 : 32);', 16],
    ['compared with what has no sign', 'int n = -1; take(n < sizeof(float) ? 16 : 32);', 32],
    ['a loop down to the wrap-around', 'size_t sum = 0; for (size_t i = 3; i < 4; --i) sum += 8; take(sum);', 32],
    ['a literal of 64 bits', 'take(0xFFFFFFFFFFFFFFFFull - 0xFFFFFFFFFFFFFF00ull);', 255],
    ['a hash', 'unsigned h = 2166136261u; for (char c : {1, 2}) { h ^= c; h *= 16777619u; } take(h & 0xffff);', 8330],
  ])('%s', async (_, body, bytes) => {
    expect(await bytesOf(body)).toBe(bytes);
  });

  it('tell a template and overloads their type', async () => {
    const before = `template <class T> size_t room(const T &, size_t n) { return n * sizeof(T); }
      static size_t which(int) { return 1; } static size_t which(double) { return 2; } static size_t which(unsigned long) { return 3; }`;
    const sizes = [
      'room(1.0, 4)',
      'room(1.0f, 4)',
      'room(1u, 4)',
      'room(2ull, 4)',
      'which(1)',
      'which(1.0)',
      'which(sizeof(int))',
    ];
    const found = await Promise.all(sizes.map((each) => bytesOf(`take(${each});`, before)));
    expect(found).toEqual([32, 16, 16, 32, 1, 2, 3]);
  });

  it('follow other names of types and template parameters', async () => {
    expect(await bytesOf('index n = 300; take(n);', 'using index = unsigned char;')).toBe(44);
    expect(
      await bytesOf('take(cut<unsigned char>(300));', 'template <class T> T cut(int n) { T t = n; return t; }'),
    ).toBe(44);
    expect(await bytesOf('S s; s.n = 300; take(s.n);', 'struct S { unsigned char n; };')).toBe(44);
  });
});
