/** Handles of C: an index and a generation in the bits of one number, and bits that are looked for. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
static float *make(void) { float *p; cudaMalloc((void **)&p, 64); return p; }
struct place { uint16_t slot, generation; };
typedef union { struct { unsigned index : 12, generation : 12, kind : 8; } part; uint32_t raw; } handle;
typedef union { struct { unsigned generation : 2, index : 6; }; uint8_t raw; } small;
typedef union { struct place part; uint32_t raw; } whole;
static handle made(unsigned index, unsigned generation) {
  handle h;
  h.part.kind = 5, h.part.generation = generation, h.part.index = index;
  return h;
}
static void renew(handle *h) { h->part.generation++; }
`;

const known = (what: string, before: string, condition: string): Row => [
  what,
  'malloc-double-free',
  '',
  `float *p = make(); ${before} if (${condition}) cudaFree(p); cudaFree(p);`,
  `float *p = make(); ${before} if (!(${condition})) cudaFree(p); cudaFree(p);`,
];

describeRows('bits of one number', head, [
  known('put together', 'handle h = made(3, 7);', 'h.raw == 0x05007003u'),
  known(
    'taken apart',
    'handle h; h.raw = 0x05007003u;',
    'h.part.index == 3 && h.part.generation == 7 && h.part.kind == 5',
  ),
  known('of a copy', 'handle h = made(3, 7), g = h; g.part.index = 4;', 'h.raw == 0x05007003u && g.raw == 0x05007004u'),
  known('counted up', 'handle h; memset(&h, 0, sizeof h); renew(&h); renew(&h);', 'h.raw == 2u << 12'),
  known('that run over', 'small s = {}; for (int i = 0; i < 5; i++) s.generation++; s.index = 3;', 's.raw == 13'),
  known('of a list', 'handle h = { { 2, 1, 0 } };', 'h.raw == 0x1002u'),
  known(
    'of a part that is assigned',
    'whole w[2] = {}; struct place q = { 5, 6 }; w[1].part = q; q.slot = 9;',
    'w[1].raw == 0x00060005u && w[0].raw == 0',
  ),
  known('the first that is set', 'unsigned mask = 0x30; mask ^= 1u << (ffs((int)mask) - 1);', 'ffs((int)mask) == 6'),
  known('an odd number of them', 'unsigned mask = 7;', '__builtin_parity(mask) == 1'),
]);
