/** Addresses of objects of the host with marks in their lowest bits, which no address of such an object has. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdint>
struct Node { Node *next; int n; float *p; };
union Word {
  uintptr_t bits;
  Node *node;
  Word() : bits(1) {}
  bool isNode() const { return !(bits & 1); }
};
float *make() { float *p; cudaMalloc(&p, 4); return p; }
`;

/** A condition that holds: freed behind it, and freed once more. */
function holds(what: string, before: string, condition: string): Row {
  const body = (asked: string): string =>
    `float *p = make(); Node n{}; ${before} if (${asked}) cudaFree(p); cudaFree(p);`;
  return [what, 'malloc-double-free', '', body(condition), body(`!(${condition})`)];
}

describeRows('marks in addresses of the host', head, [
  holds('none', 'auto b = (uintptr_t)&n;', '(b & 1) == 0'),
  holds('one that is set', 'auto b = (uintptr_t)&n | 1;', 'b & 1'),
  holds('one that is added', 'auto b = (uintptr_t)&n + 1;', 'b % 2 == 1'),
  holds('one that is taken away', 'auto b = (uintptr_t)&n | 2; b &= ~(uintptr_t)2;', '(Node *)b == &n'),
  holds('one that is subtracted', 'auto b = (uintptr_t)new Node + 3;', '((b - 3) & 7) == 0'),
  holds('an address with one is another', 'auto b = (uintptr_t)&n ^ 1;', 'b != (uintptr_t)&n'),
  holds('in a union with a number', 'Word w; bool before = w.isNode(); w.node = &n;', '!before && w.isNode()'),
  [
    'what is behind it',
    'malloc-double-free',
    '',
    'Node n{}; n.p = make(); auto b = (uintptr_t)&n | 1; cudaFree(n.p); cudaFree(((Node *)(b & ~(uintptr_t)1))->p);',
    'Node n{}; n.p = make(); auto b = (uintptr_t)&n | 1; cudaFree(((Node *)(b & ~(uintptr_t)1))->p);',
  ],
]);
