/**
 * Lambdas with template parameters of their own, bases that several classes of one line call alike, and arrays that are as long
 * as what they begin as: each with one mistake, which is found because the construct was read rightly, and without it.
 */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <type_traits>
#include <utility>
#include <vector>
${memoryInAStream}
struct One { static constexpr int n = 1; }; struct Two { static constexpr int n = 2; };`;

/** `call` frees the memory; `other` does not. */
const freed = (what: string, lambda: string, call: string, other: string): Row => {
  const body = (each: string): string =>
    `cudaStreamCreate(&s); float *p = make(); ${lambda} ${each} run(p); drop(p); cudaStreamSynchronize(s); cudaStreamDestroy(s);`;
  return [what, 'async-use-after-free', '', body(call), body(other)];
};

describeRows('lambdas with template parameters', head, [
  freed(
    'a type that is written',
    'auto end = [&]<typename T>() { if constexpr (T::n == 1) drop(p); };',
    'end.operator()<One>();',
    'end.operator()<Two>();',
  ),
  freed(
    'behind the word template',
    'auto end = [&]<class T>(float *q) { if (T::n == 1) drop(q); };',
    'end.template operator()<One>(p);',
    'end.template operator()<Two>(p);',
  ),
  freed(
    'a number, and what it is when nobody says',
    'auto end = [&]<int N = 1>() { if (N == 1) drop(p); };',
    'end();',
    'end.operator()<2>();',
  ),
  freed(
    'a type that what is given tells',
    'auto end = [&]<typename T>(T value) { if (sizeof(T) == 8) drop(p); };',
    'end(1.0);',
    'end(1.0f);',
  ),
  freed(
    'numbers of a sequence',
    'auto each = [&]<std::size_t... I>(std::index_sequence<I...>) { ((I == 2 ? drop(p) : (void)0), ...); };',
    'each(std::make_index_sequence<3>{});',
    'each(std::make_index_sequence<2>{});',
  ),
]);

/** Three classes on top of each other, of which each calls the one below `Parent`. */
const line = `
template <class C, class D> class Base {
public:
  Base(cudaStream_t s) : stream(s) {}
  void setUp() { cudaMallocAsync((void **)&a, 64, stream); }
  void end() { cudaFreeAsync(a, stream); a = nullptr; }
  float *a = nullptr; cudaStream_t stream;
};
template <class C, class D> class Middle : public Base<C, D> {
public:
  using Parent = Base<C, D>;
  Middle(cudaStream_t s) : Parent(s) {}
  void setUp() { Parent::setUp(); cudaMallocAsync((void **)&b, 64, this->stream); }
  void end() { Parent::end(); cudaFreeAsync(b, this->stream); b = nullptr; }
  float *b = nullptr;
};
template <class D> class Top : public Middle<Top<D>, D> {
public:
  using Parent = Middle<Top, D>;
  Top(cudaStream_t s) : Parent(s) {}
};`;

describeRows('bases that several classes call alike', head, [
  [
    'the memory of all of them is had once, and freed once',
    'async-use-after-free',
    line,
    'cudaStreamCreate(&s); { Top<int> t(s); t.setUp(); float *p = t.a; t.end(); run(p); } cudaStreamSynchronize(s); cudaStreamDestroy(s);',
    'cudaStreamCreate(&s); { Top<int> t(s); t.setUp(); run(t.a); run(t.b); t.end(); } cudaStreamSynchronize(s); cudaStreamDestroy(s);',
  ],
  [
    'what the lowest has is leaked without its end',
    'async-leak',
    line,
    'cudaStreamCreate(&s); { Top<int> t(s); t.setUp(); run(t.a); cudaFreeAsync(t.b, s); } cudaStreamSynchronize(s); cudaStreamDestroy(s);',
    '',
  ],
]);

/** A graph of a copy, a memset and a copy back, which all depend on what stands in arrays without a length. */
const graphWith = (count: string): string => `
cudaGraph_t graph; cudaGraphCreate(&graph, 0); float *device; cudaMalloc(&device, 64); static float host[16];
cudaGraphNode_t in, set, out;
cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, device, host, 64, cudaMemcpyHostToDevice);
cudaMemsetParams p{}; p.dst = device; p.elementSize = 4; p.width = 16; p.height = 1;
{ cudaGraphNode_t before[]{in}; cudaGraphAddMemsetNode(&set, graph, before, ${count}, &p); }
{ cudaGraphNode_t before[] = {in, set}; cudaGraphAddMemcpyNode1D(&out, graph, before, ${count}, host, device, 64, cudaMemcpyDeviceToHost); }
cudaGraphExec_t exec; cudaGraphInstantiate(&exec, graph, 0); cudaGraphDestroy(graph);
cudaGraphLaunch(exec, 0); cudaDeviceSynchronize(); cudaGraphExecDestroy(exec); cudaFree(device);`;

const rule = 'graph-conflicting-access';

describeRows('arrays that are as long as what they begin as', head, [
  [
    'std::extent_v',
    rule,
    '',
    graphWith('std::extent_v<decltype(before)> - 1'),
    graphWith('std::extent_v<decltype(before)>'),
  ],
  [
    'std::extent',
    rule,
    '',
    graphWith('std::extent<decltype(before)>::value - 1'),
    graphWith('std::extent<decltype(before)>::value'),
  ],
  ['std::size', rule, '', graphWith('std::size(before) - 1'), graphWith('std::size(before)')],
  [
    'sizeof',
    rule,
    '',
    graphWith('sizeof(before) / sizeof(*before) - 1'),
    graphWith('sizeof(before) / sizeof(*before)'),
  ],
]);
