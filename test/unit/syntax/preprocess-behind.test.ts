import { describe, expect, it } from 'vitest';
import { defaultDefines, preprocess } from '../../../src/syntax/cuda/preprocess.ts';
import { preprocessedBehind } from '../../../src/syntax/cuda/preprocess-behind.ts';

const before = preprocess('b.h', '#define KNOWN 1\n#define LIST(x) x\n').macros;

const behind = (text: string, known = before): ReturnType<typeof preprocessedBehind> =>
  preprocessedBehind(preprocess('a.h', text), defaultDefines, known, undefined);

describe('a text preprocessed by itself, behind macros of others', () => {
  it.each([
    'int a;\n',
    '#pragma once\nint a = KNOWN;\n',
    '#ifndef A_H\n#define A_H\n#include "c.h"\n#if CUDART_VERSION > 1 && defined(OTHER)\nint a;\n#endif\n#endif\n',
    '/* #if KNOWN\n */ int a; /* b */ /* c\n*/\n#define B(x) KNOWN(x)\n#undef B\n',
    '#pragma pack(1)\nstruct S { char a; };\n',
  ])('is the same: %j', (text) => {
    const again = behind(text);
    const { asked: _, ...whole } = preprocess('a.h', text, defaultDefines, before);
    expect(again).toMatchObject({ ...whole, macros: expect.anything() });
    expect([...again!.macros]).toEqual([...whole.macros]);
  });

  it.each([
    '#ifdef KNOWN\nint a;\n#endif\n',
    '#if defined(X) || KNOWN\nint a;\n#endif\n',
    '#define KNOWN 2\n',
    '#undef KNOWN\n',
    '#pragma push_macro("KNOWN")\n',
    '__global__ void k() {\n#ifdef __CUDA_ARCH__\n  f();\n#endif\n}\n',
    'void f() { va_arg(list, int); }\n',
  ])('has to be preprocessed again: %j', (text) => {
    expect(behind(text)).toBeNull();
  });

  it('has to be preprocessed again where a macro packs structures', () => {
    const packing = preprocess('b.h', '#define PACK _Pragma("pack(1)")\n').macros;
    expect(behind('PACK struct S { char a; };\n', packing)).toBeNull();
  });
});
