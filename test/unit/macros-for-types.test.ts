/** `#define REAL float`: a macro that stands for a type is one. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = '#include <cuda_runtime.h>\n#include <vector>\n';

/** A copy of `size` bytes into `room` bytes; both say a type by a macro. */
function row(what: string, before: string, room: number, tooMany: string, enough: string): Row {
  const fill = (size: string): string => `char *p; cudaMalloc(&p, ${room}); cudaMemset(p, 0, ${size}); cudaFree(p);`;
  return [what, 'copy-out-of-range', before, fill(tooMany), fill(enough)];
}

const rows: readonly Row[] = [
  row('a number', '#define REAL double', 16, '3 * sizeof(REAL)', '2 * sizeof(REAL)'),
  row(
    'a macro for a macro',
    '#define scalar_t REAL\n#define REAL float',
    8,
    'sizeof(scalar_t) * 3',
    'sizeof(scalar_t) * 2',
  ),
  row('words', '#define word unsigned short', 4, 'sizeof(word) * 3', 'sizeof(word) * 2'),
  row(
    'a pointer',
    '#define LINK float *\nstruct Node { LINK next; LINK last; };',
    16,
    'sizeof(Node) + 1',
    'sizeof(Node)',
  ),
  row('a vector of CUDA', '#define VEC float4', 32, 'sizeof(VEC[3])', 'sizeof(VEC[2])'),
  row(
    'a handle',
    '#define NODE cudaGraphNode_t\nNODE all[] = {0, 0, 0};',
    3,
    'sizeof(all) / sizeof(all[0]) + 1',
    'sizeof(all) / sizeof(all[0])',
  ),
  row(
    'a class',
    'struct Pair { double a, b; };\n#define PAIR struct Pair\n#define P2 Pair',
    32,
    'sizeof(PAIR) + sizeof(P2) + 1',
    'sizeof(PAIR) + sizeof(P2)',
  ),
  row(
    'a template',
    '#define LIST std::vector<short>\nLIST list = {1, 2, 3};',
    6,
    'list.size() * sizeof(list[0]) + 1',
    'list.size() * sizeof(list[0])',
  ),
  row(
    'what a choice of the preprocessor says',
    '#ifdef DOUBLE\n#define REAL double\n#else\n#define REAL float\n#endif',
    8,
    'sizeof(REAL) * 3',
    'sizeof(REAL) * 2',
  ),
  row(
    'a parameter',
    '#define REAL float\nsize_t bytes(const REAL *v, int n) { return n * sizeof(*v); }',
    8,
    'bytes(nullptr, 3)',
    'bytes(nullptr, 2)',
  ),
  row('a name that is no type', '#define SIZE COUNT\n#define COUNT 4', 4, 'SIZE + 1', 'SIZE'),
  row('a typedef of one', '#define REAL double\ntypedef REAL real_t;', 8, '2 * sizeof(real_t)', 'sizeof(real_t)'),
];

describeRows('macros for types', head, rows);
