/** Operators that a program defines for objects of the library: shared pointers, lists, pairs. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>
struct Expr { int op = 0; std::shared_ptr<const Expr> left, right; };
using ExprPtr = std::shared_ptr<const Expr>;
ExprPtr operator+(ExprPtr a, ExprPtr b) { return std::make_shared<Expr>(Expr{1, a, b}); }
using Nodes = std::vector<cudaGraphNode_t>;
Nodes operator|(Nodes a, const Nodes &b) { a.insert(a.end(), b.begin(), b.end()); return a; }
using Slot = std::pair<float *, int>;
Slot operator*(const Slot &a, int k) { return {a.first, a.second * k}; }
int leaves(const ExprPtr &e) { return e->op ? leaves(e->left) + leaves(e->right) : 1; }
cudaStream_t s;
float *p;
void begin() { cudaStreamCreate(&s); cudaMallocAsync(&p, 64, s); }
`;

const graph = (after: string): string => `cudaGraph_t g; cudaGraphCreate(&g, 0);
cudaMemAllocNodeParams m = {}; m.bytesize = 64; m.poolProps.allocType = cudaMemAllocationTypePinned; m.poolProps.location.type = cudaMemLocationTypeDevice;
Nodes a(1), b(1); cudaGraphNode_t f;
cudaGraphAddMemAllocNode(&a[0], g, nullptr, 0, &m);
cudaMemsetParams w = {}; w.dst = m.dptr; w.elementSize = 4; w.width = 1; w.height = 1;
cudaGraphAddMemsetNode(&b[0], g, a.data(), 1, &w);
Nodes after = ${after};
cudaGraphAddMemFreeNode(&f, g, after.data(), after.size(), m.dptr);
cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaStreamCreate(&s); cudaGraphLaunch(e, s); cudaStreamSynchronize(s);`;

describeRows('an operator of the program', head, [
  [
    'on shared pointers',
    'async-double-free',
    '',
    'begin(); ExprPtr x = std::make_shared<Expr>(); auto sum = x + x; for (int i = 0; i < leaves(sum); i++) cudaFreeAsync(p, s);',
    'begin(); ExprPtr x = std::make_shared<Expr>(); auto sum = x + x; for (int i = 1; i < leaves(sum); i++) cudaFreeAsync(p, s);',
  ],
  ['on lists', 'graph-use-free-race', '', graph('a | Nodes()'), graph('a | b')],
  [
    'on a pair and a number',
    'async-double-free',
    '',
    'begin(); Slot slot{p, 1}; for (int i = 0; i < (slot * 2).second; i++) cudaFreeAsync(slot.first, s);',
    'begin(); Slot slot{p, 1}; for (int i = 0; i < (slot * 1).second; i++) cudaFreeAsync(slot.first, s);',
  ],
  [
    'and none where addresses are compared',
    'async-leak',
    'bool operator==(const Expr &a, const Expr &b) { return true; }',
    'begin(); auto x = std::make_shared<Expr>(), y = std::make_shared<Expr>(); if (x == y) cudaFreeAsync(p, s); cudaStreamSynchronize(s);',
    'begin(); auto x = std::make_shared<Expr>(), y = x; if (x == y) cudaFreeAsync(p, s); cudaStreamSynchronize(s);',
  ],
]);
