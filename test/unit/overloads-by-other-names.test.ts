/** Overloads whose parameters go by other names for types, operators for bases, lists in braces, and packs in front of other parameters. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <utility>
#include <vector>
__global__ void put(float *p) { p[0] = 1; }
__global__ void get(const float *p, float *q) { q[0] = p[0]; }
struct Node { cudaGraph_t graph; cudaGraphNode_t node; };
using Nodes = std::vector<Node>;
using One = Node;
struct Named : Node { int name = 0; };
static float *p, *q, *r;
static cudaGraph_t begin() { cudaMalloc(&p, 4); cudaMalloc(&q, 4); cudaMalloc(&r, 4); cudaGraph_t g; cudaGraphCreate(&g, 0); return g; }
static cudaGraphNode_t add(cudaGraph_t g, void *f, void **args) {
  cudaKernelNodeParams k{}; k.func = f; k.gridDim = dim3(1); k.blockDim = dim3(1); k.kernelParams = args;
  cudaGraphNode_t n; cudaGraphAddKernelNode(&n, g, nullptr, 0, &k); return n;
}
static Node putting(cudaGraph_t g, float *&to) { void *args[] = {&to}; return {g, add(g, (void *)put, args)}; }
static Node getting(cudaGraph_t g, float *&from, float *&to) { void *args[] = {&from, &to}; return {g, add(g, (void *)get, args)}; }
static void run(cudaGraph_t g) { cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize(); }
static void edge(const Node &a, const Node &b) { cudaGraphAddDependencies(a.graph, &a.node, &b.node, 1); }`;

const operators = `One operator>>(One a, One b) { edge(a, b); return b; }
Nodes operator>>(One a, Nodes bs) { for (auto &b : bs) a >> b; return bs; }
One operator>>(const Nodes &as, One b) { for (auto &a : as) a >> b; return b; }`;

const race = 'graph-conflicting-access';
const three = 'cudaGraph_t g = begin(); Node a = putting(g, p), b = getting(g, p, q), c = getting(g, p, r);';
const four = `${three} Node d = putting(g, p);`;

const packed = `template <class... P> struct Call {
  cudaGraphNode_t node{};
  Call(cudaGraph_t g, void (*f)(P...), P... args) {
    with(args..., [&](void **list) { node = add(g, (void *)f, list); });
  }
  template <class F> static void with(P... args, F &&use) { void *list[] = {&args...}; use(list); }
};`;
const calls = 'cudaGraph_t g = begin(); Call<float *> a(g, put, p); Call<const float *, float *> b(g, get, p, q);';

const rows: readonly Row[] = [
  ['a list on the right', race, operators, `${three} a >> Nodes{b}; run(g);`, `${three} a >> Nodes{b, c}; run(g);`],
  [
    'a list on the left',
    race,
    operators,
    `${four} a >> Nodes{b, c}; Nodes{b} >> d; run(g);`,
    `${four} a >> Nodes{b, c} >> d; run(g);`,
  ],
  ['objects by another name', race, operators, `${three} a >> b; run(g);`, `${three} a >> b; a >> c; run(g);`],
  [
    'objects of a class that derives',
    race,
    'Node operator>>(const Node &a, const Node &b) { edge(a, b); return b; }',
    `${three} Named n; static_cast<Node &>(n) = a; n >> b; run(g);`,
    `${three} Named n; static_cast<Node &>(n) = a; n >> b; n >> c; run(g);`,
  ],
  [
    'an enumerator that is called like a class',
    'malloc-double-free',
    'enum class Kind { Put, Get }; struct Put { int n; }; struct Get {}; template <Kind kind> void work() { if (kind == Kind::Get) cudaFree(p); }',
    'cudaMalloc(&p, 4); work<Kind::Put>(); work<Kind::Get>(); work<Kind::Get>();',
    'cudaMalloc(&p, 4); work<Kind::Put>(); work<Kind::Get>();',
  ],
  [
    'a pack in front of a function',
    race,
    packed,
    `${calls} run(g);`,
    `${calls} cudaGraphAddDependencies(g, &a.node, &b.node, 1); run(g);`,
  ],
  [
    'a list in braces, and one object, which is no list',
    race,
    `struct Task : Node {
  explicit Task(Node n) : Node(n) {}
  Task &after(std::initializer_list<const Task *> others) { for (auto *o : others) edge(*o, *this); return *this; }
  template <class... T> Task &after(const T &...others) { return after({&others...}); }
};`,
    `${three} Task x(a), y(b), z(c); y.after(x); z.after(); run(g);`,
    `${three} Task x(a), y(b), z(c); y.after(x); z.after(x); run(g);`,
  ],
];

describeRows('overloads by other names', head, rows);
