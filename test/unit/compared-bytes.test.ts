/** `memcmp` of objects, arrays and texts: what is recorded anew only when something has changed. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstring>
#include <vector>
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
`;

const node = `struct Node { void *data; int op; long count; void *source[2]; };
static int changes(float *a, float *b) { std::vector<Node> seen; seen.resize(1); int n = 0;
  for (int i = 0; i < 3; i++) { Node now; memset(&now, 0, sizeof(now)); now.data = a; now.op = 3; now.source[1] = i < 2 ? a : b;
    if (memcmp(&now, &seen[0], sizeof(now)) != 0) { seen[0] = now; n++; } }
  return n; }`;

/** What it is; what stands before `main`; a condition that does not hold, so that memory is lost, and one that does. */
const row = (what: string, before: string, wrong: string, right: string): Row => [
  what,
  'async-leak',
  before,
  `float *p = make(); if (${wrong}) drop(p);`,
  `float *p = make(); if (${right}) drop(p);`,
];

describeRows('memcmp', head, [
  row('of objects with pointers and arrays', node, 'changes(p, nullptr) == 3', 'changes(p, nullptr) == 2'),
  row(
    'of arrays',
    'static const int a[3] = {1, 2, 3}, b[3] = {1, 2, 4};',
    'memcmp(a, b, sizeof a) == 0',
    'memcmp(a, b, sizeof a) && !memcmp(a, b, 2 * sizeof(int))',
  ),
  row('of texts', '', 'memcmp("alpha", "alps", 4) == 0', 'memcmp("alpha", "alps", 3) == 0 && memcmp("b", "a", 1) > 0'),
]);

describeRows('memcmp of what is not known', head, [
  [
    'leaves open which way it goes',
    '',
    '',
    '',
    'float *p = make(); int a, b; if (memcmp(&a, &b, sizeof a) == 0) drop(p); else drop(p);',
  ],
]);
