/** Growing arrays of C, whose header lies in front of the elements: a loop over them ends where they end. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
typedef struct { size_t length, room; } array_header;
#define array_head(a) ((array_header *)(void *)((char *)(a) - sizeof(array_header)))
#define array_length(a) ((a) ? array_head(a)->length : 0)
#define array_push(a, ...) (array_fit((void **)&(a), sizeof *(a)), (a)[array_head(a)->length++] = (__VA_ARGS__))
static void array_fit(void **a, size_t each) {
  const size_t length = array_length(*a), room = *a ? array_head(*a)->room : 0;
  if (length < room) return;
  const size_t more = room ? 2 * room : 2;
  array_header *head = (array_header *)realloc(*a ? (void *)array_head(*a) : NULL, sizeof *head + more * each);
  head->length = length;
  head->room = more;
  *a = (char *)head + sizeof *head;
}
typedef struct { float *data; cudaStream_t on; } item;
`;

const fill = `item *items = NULL;
  cudaStream_t s; cudaStreamCreate(&s);
  float *first, *second; cudaMallocAsync(&first, 64, s); cudaMallocAsync(&second, 64, s);
  array_push(items, item{ first, s }); array_push(items, item{ second, s });
  for (const item *i = items, *end = items + array_length(items); i != end; ++i) cudaFreeAsync(i->data, i->on);`;

describeRows('a growing array', head, [
  [
    'gone through',
    'async-double-free',
    '',
    `${fill} cudaFreeAsync(second, s);`,
    `${fill} cudaStreamSynchronize(s); cudaStreamDestroy(s);`,
  ],
]);

const blocks = `${head}
struct block { size_t bytes; unsigned live; };
static void *block_of(size_t bytes) {
  struct block *b = (struct block *)malloc(sizeof *b + bytes);
  b->bytes = bytes, b->live = 1;
  return b + 1;
}
static struct block *header_of(void *values) { return (struct block *)values - 1; }
static float *make(void) { float *p; cudaMalloc((void **)&p, 64); return p; }
`;

describeRows('a block behind a header', blocks, [
  [
    'holds what is put into it, and leads back to the header',
    'malloc-double-free',
    '',
    `float **v = (float **)block_of(2 * sizeof *v); v[0] = make(); v[1] = make();
  for (size_t i = 0; i < header_of(v)->bytes / sizeof *v; i++) cudaFree(v[i]);
  cudaFree(v[1]);`,
    `float **v = (float **)block_of(2 * sizeof *v); v[0] = make(); v[1] = make();
  for (size_t i = 0; i < header_of(v)->bytes / sizeof *v; i++) cudaFree(v[i]);
  free(header_of(v));`,
  ],
]);
