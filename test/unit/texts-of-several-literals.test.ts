/** Texts that stand beside one another, raw ones among them. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstring>
#include <string>
static float *p, *other;
static void begin() { cudaMallocAsync((void **)&p, 128, 0); cudaMallocAsync((void **)&other, 128, 0); }
static void end(float *q) { cudaFreeAsync(p, 0); cudaFreeAsync(q, 0); cudaDeviceSynchronize(); }`;

const bothWays = (what: string, condition: string): Row => [
  what,
  'async-double-free',
  '',
  `begin(); end(${condition} ? p : other);`,
  `begin(); end(${condition} ? other : p);`,
];

describeRows('texts of several literals', head, [
  bothWays('raw, then plain', 'std::string(R"(ab)" "cd") == "abcd"'),
  bothWays('plain, then raw', 'strlen("x\\n" R"(\\n)") == 4'),
  bothWays('raw ones with other ends', 'strcmp(R"x(a)"b)x" R"(c)", "a)\\"bc") == 0'),
]);
