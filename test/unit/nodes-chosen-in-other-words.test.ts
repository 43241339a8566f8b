/**
 * What a free node waits for, chosen in ways that C++ has besides the plain ones: each program is right, or forgets one of two
 * readers.
 */

import { describe, expect, it } from 'vitest';
import { graphDocument } from '../../src/scene/graph-document.ts';
import { analyseText } from '../support/engine.ts';

const program = (declarations: string, body: string): string => `#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <memory_resource>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>
__global__ void read(const float *p, float *q) { q[0] = p[0]; }
static cudaGraphNode_t reader(cudaGraph_t g, cudaGraphNode_t after, float *p, float *q) {
  void *arguments[] = {&p, &q};
  cudaKernelNodeParams k{};
  k.func = (void *)read; k.gridDim = dim3(1); k.blockDim = dim3(1); k.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, g, &after, 1, &k);
  return node;
}
${declarations}
int main() {
  float *q[3];
  for (auto &each : q) cudaMalloc(&each, 4);
  cudaGraph_t g;
  cudaGraphCreate(&g, 0);
  cudaMemAllocNodeParams p{};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = 4;
  cudaGraphNode_t a, f, r[3];
  cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p);
  for (int i = 0; i < 3; ++i) r[i] = reader(g, a, (float *)p.dptr, q[i]);
  std::vector<cudaGraphNode_t> d;
  ${body}
  cudaGraphAddMemFreeNode(&f, g, d.data(), d.size(), p.dptr);
  cudaGraphExec_t x;
  cudaGraphInstantiate(&x, g, 0);
  cudaGraphLaunch(x, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(x);
  cudaGraphDestroy(g);
  for (auto each : q) cudaFree(each);
  return 0;
}`;

/** `@` stands for what differs. */
type Row = readonly [what: string, declarations: string, body: string, right: string, wrong: string];

const rows: readonly Row[] = [
  [
    'a set of bits as large as a constant of the function says',
    '',
    'constexpr int n = 3; std::bitset<n> on; on.set(); on.flip(1).flip(@); for (size_t i = 0; i < on.size(); ++i) if (on.test(i)) d.push_back(r[i]);',
    '1',
    '2',
  ],
  [
    'an operator of the program that adds to a list of the library',
    'using Nodes = std::vector<cudaGraphNode_t>; static Nodes &operator+=(Nodes &a, const Nodes &b) { a.insert(a.end(), b.begin(), b.end()); return a; }',
    'Nodes first(r, r + @), last(r + 2, r + 3); d += first; d += last;',
    '2',
    '1',
  ],
  [
    'a member of a template behind a comparison',
    'template <int N> struct Several { static constexpr int count = N + 1; static int get() { return count; } };',
    'for (int i = 0; i < Several<@>::count; ++i) d.push_back(r[i]);',
    '2',
    '1',
  ],
  [
    'a function of a template behind a comparison',
    'template <int N> struct Several { static int get() { return N; } };',
    'int i = 0; bool more = i < Several<@>::get(); while (more) { d.push_back(r[i++]); more = i < Several<@>::get(); }',
    '3',
    '2',
  ],
  [
    'a comparison that a template is given',
    'template <bool Few> struct Several { static constexpr int count = Few ? 2 : 3; }; template <int N> static int several() { return Several<N < 4>::count; }',
    'd.assign(r, r + several<@>());',
    '4',
    '3',
  ],
  [
    'unequal, where only equal is said',
    'struct At { cudaGraphNode_t *p; bool operator==(const At &o) const { return p == o.p; } };',
    'for (At at{r}, end{r + @}; at != end; ++at.p) d.push_back(*at.p);',
    '3',
    '2',
  ],
  [
    'a pack of which there is nothing',
    'template <int... I> struct After { static constexpr size_t count = sizeof...(I); }; template <class T> static int first() { if constexpr (T::count == 0) return 0; else return 1; }',
    'd.assign(r + first<After<@>>(), r + 3);',
    '',
    '7',
  ],
  [
    'types and numbers that alternate in a template',
    'template <int... I> struct After { static constexpr int count = sizeof...(I); }; template <int N, class D> struct Step { using deps = D; static constexpr int number = N; };' +
      'template <class Tuple> static int steps(const Tuple &) { using S = std::tuple_element_t<1, Tuple>; return S::number + S::deps::count; }',
    'd.assign(r, r + steps(std::make_tuple(1, Step<1, After<@>>{})));',
    '5, 6',
    '5',
  ],
  [
    'handles are pointers to traits',
    'template <typename T, std::enable_if_t<std::is_pointer_v<T>, int> = 0> void put(std::vector<cudaGraphNode_t> &v, T t) { v.push_back(t); }' +
      'template <typename T, std::enable_if_t<!std::is_pointer_v<T>, int> = 0> void put(std::vector<cudaGraphNode_t> &v, const T &t) { v.push_back(t.first); v.push_back(t.second); }',
    'put(d, std::make_pair(r[0], r[2])); if (@) put(d, r[1]);',
    'true',
    'false',
  ],
  [
    'a list that is told where its memory comes from',
    '',
    'std::pmr::monotonic_buffer_resource memory; std::pmr::vector<cudaGraphNode_t> l(&memory); for (int i = 0; i < @; ++i) l.push_back(r[i]); d.assign(l.begin(), l.end());',
    '3',
    '2',
  ],
  [
    'a literal of the program that is a text',
    'constexpr unsigned operator""_set(const char *s, size_t n) { unsigned m = 0; for (size_t i = 0; i < n; ++i) if (s[i] == \'x\') m |= 1u << i; return m; }',
    'for (int i = 0; i < 3; ++i) if ("@"_set >> i & 1) d.push_back(r[i]);',
    'xxx',
    'x-x',
  ],
  [
    'a member by the name of its base',
    'struct Base { cudaGraphNode_t node; int count; }; struct Derived : Base { Derived(int n) : Base{nullptr, n} {} int get() const { return Base::count; } };',
    'd.assign(r, r + Derived(@).get());',
    '3',
    '2',
  ],
  [
    'the place that a text does not have',
    '',
    "std::string_view t = \"@\"; while (true) { const auto at = t.find(' '); d.push_back(r[t[0] - '0']); if (at == t.npos) break; t.remove_prefix(at + 1); }",
    '0 1 2',
    '0 2',
  ],
  [
    "parts of CUDA's structures by their order",
    '',
    'auto other = p; auto &[props, descs, count, bytes, at] = other; bytes = @; d.assign(r, r + other.bytesize);',
    '3',
    '2',
  ],
];

describe('nodes chosen in other words', () => {
  it.each(rows)('%s', async (_, declarations, body, right, wrong) => {
    const filled = (given: string): string => program(declarations.replaceAll('@', given), body.replaceAll('@', given));
    const clean = await analyseText(filled(right));
    expect(clean.findings.filter(({ severity }) => severity !== 'hint')).toEqual([]);
    const [graph] = graphDocument(clean.facts, clean.sources, 'main').graphs;
    expect(graph?.edges.map(([from, to]) => `${from}-${to}`).sort()).toEqual([
      '0-1',
      '0-2',
      '0-3',
      '1-4',
      '2-4',
      '3-4',
    ]);
    const planted = await analyseText(filled(wrong));
    expect(planted.findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
      'graph-use-free-race',
    ]);
  });

  it('begins a structure of CUDA in the order of its members', async () => {
    const { findings } = await analyseText(`#include <cuda_runtime.h>
static cudaMemAllocNodeParams block(size_t n) {
  cudaMemAllocNodeParams p{};
  auto &[props, descs, count, bytes, at] = p;
  props.allocType = cudaMemAllocationTypePinned; props.location = {cudaMemLocationTypeDevice, 0}; bytes = n;
  return p;
}
int main() {
  cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t a, f; auto p = block(4);
  cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p); cudaGraphAddMemFreeNode(&f, g, &a, 1, p.dptr);
  cudaGraphExec_t x; cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, 0); cudaDeviceSynchronize();
  cudaGraphExecDestroy(x); cudaGraphDestroy(g); return 0;
}`);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('members of one name in two bases', () => {
  it('are not taken for one another', async () => {
    const { findings } = await analyseText(
      program(
        'struct A { cudaGraphNode_t n; A(cudaGraphNode_t x) : n(x) {} }; struct B { cudaGraphNode_t n; };' +
          'struct Both : A, private B { Both(cudaGraphNode_t x, cudaGraphNode_t y) : A(x), B{y} {} std::vector<cudaGraphNode_t> all() const { return {A::n, B::n}; } };',
        'd = Both(r[0], r[1]).all(); d.push_back(r[2]);',
      ),
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('the same in TypeScript', () => {
  const head = `import { cudaFreeAsync, cudaLaunchKernel, cudaMallocAsync, cudaStreamCreate, cudaStreamSynchronize } from 'graphmem/runtime';
const s = cudaStreamCreate();
const p = cudaMallocAsync(4, s);
cudaFreeAsync(p, s);
`;
  it.each([
    [
      'a text that no case fits',
      'let n = 0; for (const kind of ["read", "skip"]) { switch (kind) { case "read": n++; break; default: continue; } } if (n === 1) use();',
    ],
    [
      'the length of an element',
      'const lists = [[1], [2, 3]]; lists[1]!.length = 1; if (lists.flat().length === 2) use();',
    ],
  ])('%s', async (_, body) => {
    const use = "const use = (): void => cudaLaunchKernel({ func: 'k', reads: [p] }, s);\n";
    const { findings } = await analyseText(`${head}${use}${body}\ncudaStreamSynchronize(s);`, 'typescript');
    expect(findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error async-use-after-free']);
  });
});
