/** Macros with texts that look like something else: an address on the web is no comment, and `__FILE__` is part of a text. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = '#include <cuda_runtime.h>';

const rows: readonly Row[] = [
  [
    'an address in a text',
    'malloc-double-free',
    `#define FAIL(...) fail("see https://example.org/help ", __VA_ARGS__);
#define NEED(x, ...) if (!(x)) { FAIL("expected " #x, ##__VA_ARGS__) }`,
    'float *p; cudaMalloc(&p, 4); NEED(p != nullptr, 3); cudaFree(p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); NEED(p != nullptr, 3); cudaFree(p);',
  ],
  [
    'an address that a macro is given, with a declaration',
    'malloc-double-free',
    '#define LET(what, text) what; note(text)',
    'float *p; LET(int a = 3, "https://example.org"); cudaMalloc(&p, a); cudaFree(p); cudaFree(p);',
    'float *p; LET(int a = 3, "https://example.org"); cudaMalloc(&p, a); cudaFree(p);',
  ],
  [
    'comments in a macro, one of them with a quotation mark',
    'malloc-double-free',
    `#define RELEASE(p) cudaFree(p) // "once
#define AGAIN(p) /* 'never' */ cudaFree(p)`,
    'float *p; cudaMalloc(&p, 4); RELEASE(p); AGAIN(p);',
    'float *p; cudaMalloc(&p, 4); RELEASE(p);',
  ],
  [
    'the name of the file behind a text',
    'malloc-double-free',
    `#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
#define NEED(x) if (!(x)) { fail("in " __FILE__ ":" STRING(__LINE__) ", that is wrong"); }`,
    'float *p; cudaMalloc(&p, 4); NEED(p); cudaFree(p); cudaFree(p); note("of " __DATE__);',
    'float *p; cudaMalloc(&p, 4); NEED(p); cudaFree(p); note("of " __DATE__);',
  ],
];

describeRows('texts in macros', head, rows);
