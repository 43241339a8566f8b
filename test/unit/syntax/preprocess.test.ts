import { describe, expect, it } from 'vitest';
import { repairPasted } from '../../../src/syntax/cuda/pasted.ts';
import { pieceRules, preparePiece } from '../../../src/syntax/cuda/prepare.ts';
import { preprocess } from '../../../src/syntax/cuda/preprocess.ts';
import { evaluateCondition } from '../../../src/syntax/cuda/preprocessor-condition.ts';

const clean = (text: string): string => preprocess('a.cu', text).text;

/** As the parser gets it. */
const prepared = (text: string): string => {
  const { text: active, macros } = preprocess('a.cu', text);
  return preparePiece(repairPasted(active), pieceRules(macros)).replace(/\s+/g, ' ').trim();
};

/** The words that survive, with what lies between them squeezed. */
const left = (text: string): string => clean(text).replace(/\s+/g, ' ').trim();

describe('preprocessing', () => {
  const texts = [
    'f(a,\n#if CUDART_VERSION >= 13000\n  nullptr,\n#endif\n  1);\n',
    '#define A(x) \\\r\n  ((x) + 1)\r\nint y = A(2);\r\n',
    '#if 0\nx\n#else\ny\n#endif\n#endif\n#else\nz\n',
    'no directive at all\r\n',
    'last line without end',
    '',
  ];

  it.each(texts.map((text) => [JSON.stringify(text), text]))('keeps the length and the lines of %s', (_, text) => {
    const result = clean(text);
    expect(result.length).toBe(text.length);
    for (let index = 0; index < text.length; index++)
      if (text[index] === '\n' || text[index] === '\r') expect(result[index]).toBe(text[index]);
  });

  it.each([
    [
      'the host',
      'void f() {\n#ifdef __CUDA_ARCH__\n  device();\n#else\n  host();\n#endif\n}\n',
      'void f() { host(); }',
    ],
    [
      'a function for both',
      '__host__ __device__ void f() {\n#if __CUDA_ARCH__ >= 700\n  device();\n#else\n  host();\n#endif\n}\n',
      '__host__ __device__ void f() { host(); }',
    ],
    [
      'a kernel',
      '__global__ void f() {\n  if (x) {\n#if __CUDA_ARCH__ >= 700\n    device();\n#else\n    host();\n#endif\n  }\n}\n',
      '__global__ void f() { if (x) { device(); } }',
    ],
    [
      'a newer kernel',
      '__global__ void f() {\n#if __CUDA_ARCH__ >= 9999\n  newer();\n#elif __CUDA_ARCH__ >= 700\n  device();\n#endif\n}\n',
      '__global__ void f() { device(); }',
    ],
    [
      'a function behind a kernel',
      '/* __global__ */\n__global__ void k() {}\nvoid f() {\n#ifndef __CUDA_ARCH__\n  host();\n#endif\n}\n',
      '/* __global__ */ __global__ void k() {} void f() { host(); }',
    ],
    [
      'what both define',
      '#ifdef __CUDA_ARCH__\n#define WIDE 1\n#endif\n__device__ void k() {\n#ifdef WIDE\n  wide();\n#endif\n}\nvoid f() {\n#ifdef WIDE\n  wide();\n#endif\n}\n',
      '__device__ void k() { wide(); } void f() { }',
    ],
    [
      'a helper for old devices',
      '#if __CUDA_ARCH__ < 600\n__device__ double add(double *p, double v);\n#endif\nint n;\n',
      'int n;',
    ],
  ])('reads %s as the pass that compiles it', (_, text, expected) => {
    expect(left(text)).toBe(expected);
  });

  it('takes one arm of a condition inside an argument list', () => {
    const text = texts[0] ?? '';
    expect(left(text)).toBe('f(a, nullptr, 1);');
    expect(clean(text).indexOf('nullptr')).toBe(text.indexOf('nullptr'));
    expect(left(text.replace('>= 13000', '< 13000'))).toBe('f(a, 1);');
  });

  it.each([
    ['#if 1\na\n#else\nb\n#endif\n', 'a'],
    ['#if 0\na\n#else\nb\n#endif\n', 'b'],
    ['#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\n', 'b'],
    ['#if 1\na\n#if 0\nb\n#endif\nc\n#endif\nd\n', 'a c d'],
    ['#if 0\na\n#if 1\nb\n#else\nc\n#endif\n#endif\nd\n', 'd'],
    ['#ifdef __CUDACC__\na\n#endif\n', 'a'],
    ['#ifndef __CUDACC__\na\n#endif\nb\n', 'b'],
    ['#define ON\n#ifdef ON\na\n#endif\n#undef ON\n#ifdef ON\nb\n#endif\n', 'a'],
    ['#define LEVEL 3\n#if LEVEL > 2 && defined(LEVEL)\na\n#endif\n', 'a'],
    ['#if __cplusplus >= 201103L && defined(NOWHERE)\na\n#else\nb\n#endif\n', 'b'],
    ["#if CUDART_VERSION > 11'000u && 0x10UL == 16 && 010 == 8\na\n#endif\n", 'a'],
    ['# if 0\na\n#  endif\nb\n', 'b'],
    ['#endif\na\n#else\nb\n', 'a b'],
    ['#if 1\na\n', 'a'],
    ['#pragma once\n#error nothing\na\n', 'a'],
  ])('%j leaves %s', (text, words) => {
    expect(left(text)).toBe(words);
  });

  it('takes a number sign in a comment for a comment', () => {
    expect(left('/* first\n#if 0\n*/ a\n/*\n#endif\n*/ b\n')).toContain('a');
    expect(left('/* first\n#if 0\n*/ a\n/*\n#endif\n*/ b\n')).toContain('b');
    expect(left('x = "/*";\n#if 0\na\n#endif\nb\n')).toBe('x = "/*"; b');
  });

  it('collects macros, parameters and continued bodies', () => {
    const { macros } = preprocess(
      'a.cu',
      '#define SIZE (1 << 20) // bytes\n#define CHECK(call, what) \\\n  do { f(call); } while (0)\n',
    );
    expect(macros.get('SIZE')?.body.trim()).toBe('(1 << 20)');
    expect(macros.get('SIZE')?.parameters).toBeNull();
    expect(macros.get('CHECK')?.parameters).toEqual(['call', 'what']);
    expect(macros.get('CHECK')?.body).toContain('f(call)');
  });

  it('says where a macro’s body stands', () => {
    const text = '\n#define SIZE 4096\n';
    const macro = preprocess('a.cu', text).macros.get('SIZE');
    expect(
      text
        .slice(macro?.bodyStart ?? 0)
        .trimStart()
        .startsWith('4096'),
    ).toBe(true);
  });

  it('blanks macros that stand for specifiers', () => {
    expect(prepared('#define MY_API __attribute__((visibility("default")))\nMY_API void f();\n')).toBe('void f();');
    expect(prepared('void CUDART_CB callback(void *data);\n')).toBe('void callback(void *data);');
    expect(prepared('[[maybe_unused]] int x;')).toBe('int x;');
  });

  it('names the files that are included, and how', () => {
    const { includes } = preprocess(
      'a.cu',
      '#include "one.cuh"\n#include <two.h>\n#include <vector>\n#if 0\n#include "three.h"\n#endif\n',
    );
    expect(includes.map(({ name, isAngled }) => [name, isAngled])).toEqual([
      ['one.cuh', false],
      ['two.h', true],
    ]);
  });

  it('reads what pages have swallowed', () => {
    expect(prepared('k<<< ..., stream >>>(a, ...);')).toBe('k<<< stream >>>(a );');
    expect(prepared('f(¶ms);')).toBe('f(µms);');
  });
});

describe('conditions', () => {
  const values = new Map([
    ['CUDART_VERSION', '13000'],
    ['EMPTY', ''],
    ['TWICE', '(CUDART_VERSION * 2)'],
    ['SELF', 'SELF + 1'],
  ]);
  it.each([
    ['1', true],
    ['0', false],
    ['0x10 == 16', true],
    ['CUDART_VERSION >= 12000', true],
    ['CUDART_VERSION >= 12000 && CUDART_VERSION < 13000', false],
    ['!defined(NOTHING)', true],
    ['defined NOTHING || defined CUDART_VERSION', true],
    ['NOTHING', false],
    ['TWICE == 26000', true],
    ['1 + 2 * 3 == 7', true],
    ['(1 + 2) * 3 == 9', true],
    ['7 / 0 == 0', true],
    ['1 ? 0 : 1', false],
    ['0 ? 0 : 1', true],
    ['-1 < 0', true],
    ['__has_include(<vector>)', true],
    ['__has_include(<somebody/else.h>)', false],
    ['true', true],
    ['', false],
    ['1 +', false],
    [')(', false],
    ['SELF', true],
  ])('%j', (text, holds) => {
    expect(evaluateCondition(text, (name) => values.get(name))).toBe(holds);
  });
});
