/** Tables of C that are searched by where memory lies, and addresses at which nothing lies. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <stdint.h>
#include <stdlib.h>
#define ROOM 16
static struct { void *key; size_t bytes; } table[ROOM];
static unsigned place_of(const void *p) {
  unsigned at = (unsigned)((uintptr_t)p >> 8) % ROOM;
  while (table[at].key && table[at].key != p) at = (at + 1) % ROOM;
  return at;
}
static void *take(size_t bytes) {
  void *p = NULL;
  cudaMalloc(&p, bytes);
  unsigned at = place_of(p);
  table[at].key = p, table[at].bytes = bytes;
  return p;
}
static int give(void *p) {
  unsigned at = place_of(p);
  if (table[at].key != p) return -1;
  table[at].key = NULL;
  return cudaFree(p);
}
static float *make(void) { float *p; cudaMalloc((void **)&p, 64); return p; }
#define GONE ((void *)1)
#define FAILED ((void *)-1)
`;

describeRows('a table by addresses', head, [
  [
    'finds what it was given',
    'malloc-double-free',
    '',
    'void *p = take(64), *q = take(128); give(p); give(q); cudaFree(q);',
    'void *p = take(64), *q = take(128); give(p); give(p); give(q);',
  ],
  [
    'of several that are made in a loop',
    'malloc-double-free',
    '',
    'void *v[4]; for (int i = 0; i < 4; i++) v[i] = take(64); for (int i = 0; i < 4; i++) give(v[i]); cudaFree(v[2]);',
    'void *v[4]; for (int i = 0; i < 4; i++) v[i] = take(64); for (int i = 0; i < 8; i++) give(v[i % 4]);',
  ],
  [
    'is cleared as a whole',
    '',
    '',
    '',
    'take(64); void *p = take(64); give(p); for (auto &each : table) if (each.key) { cudaFree(each.key); each.key = NULL; }',
  ],
  [
    'tells the same number for the same address',
    'malloc-double-free',
    'static unsigned mix(void *p) { return (unsigned)(((uintptr_t)p * 2654435761u) >> 20) & 63; }',
    'float *p = make(); if (mix(p) == mix(p)) cudaFree(p); cudaFree(p);',
    'float *p = make(); if (mix(p) != mix(p)) cudaFree(p); cudaFree(p);',
  ],
]);

describeRows('where nothing lies', head, [
  [
    'no memory is',
    'malloc-double-free',
    '',
    'float *p = make(); void *q = p; if (q != GONE && (intptr_t)q != -1) cudaFree(p); cudaFree(p);',
    'float *p = make(); void *q = p; if (q == GONE || q == FAILED) cudaFree(p); cudaFree(p);',
  ],
  [
    'what was marked is no memory any more',
    'malloc-double-free',
    'static void *kept[4];',
    'float *p = make(); kept[3] = p; cudaFree(p); if (kept[3] != GONE) cudaFree(kept[3]);',
    'float *p = make(); kept[3] = p; cudaFree(p); kept[3] = GONE; if (kept[3] == p) cudaFree(kept[3]);',
  ],
]);
