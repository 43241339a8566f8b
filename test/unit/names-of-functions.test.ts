/** What a program asks about the function that it stands in: `__func__`, `__builtin_FUNCTION()`. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
static void note(const char *who, float *p) { if (!who) cudaFree(p); else printf("%s\\n", who); }
static bool isLast(const char *who = __builtin_FUNCTION()) { return !strcmp(who, "finish"); }
static void finish(float *p) { if (isLast()) cudaFree(p); }
static void begin(float *p) { if (isLast()) cudaFree(p); }
`;

describeRows('names of functions', head, [
  [
    'there is always one',
    'malloc-double-free',
    '',
    'float *p; cudaMalloc(&p, 4); note(nullptr, p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); note(__func__, p); note(__FUNCTION__, p); note(__PRETTY_FUNCTION__, p); cudaFree(p);',
  ],
  [
    'where a parameter has the name of the caller',
    'malloc-double-free',
    '',
    'float *p; cudaMalloc(&p, 4); finish(p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); begin(p); cudaFree(p);',
  ],
]);
