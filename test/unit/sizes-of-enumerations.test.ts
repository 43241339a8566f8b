/** Enumerations without a name of their own, as C has them, are as wide as others, and so is what is made of them. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
typedef enum { NOTHING, SOMETHING } kind;
typedef enum : unsigned char { SMALL, LARGE } size_kind;
typedef struct { kind what; int stream, event; } step;
static const step steps[] = { { NOTHING, 0, 0 }, { SOMETHING, 1, 0 }, { SOMETHING, 0, 1 } };
static float *p;`;

const copies = (allocated: string, set: string): string =>
  `cudaMalloc(&p, ${allocated}); cudaMemset(p, 0, ${set}); cudaFree(p);`;

describeRows('sizes of enumerations', head, [
  ['by itself', 'copy-out-of-range', '', copies('4', 'sizeof(kind) + 1'), copies('4', 'sizeof(kind)')],
  [
    'that says its type',
    'copy-out-of-range',
    '',
    copies('1', '2 * sizeof(size_kind)'),
    copies('1', 'sizeof(size_kind)'),
  ],
  ['in a structure', 'copy-out-of-range', '', copies('12', 'sizeof(step) + 1'), copies('12', 'sizeof(step)')],
  [
    'how many there are',
    'copy-out-of-range',
    '',
    copies('sizeof steps', '4 * sizeof *steps'),
    copies('sizeof steps', 'sizeof steps / sizeof *steps * 12'),
  ],
]);
