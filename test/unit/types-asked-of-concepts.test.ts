/** What concepts ask of types that are written as those of variables, or made from others, and parameters that a concept constrains. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <concepts>
#include <type_traits>
template <class T> struct Column { T *data = nullptr; };
template <class T> struct Slice { T *data = nullptr; };
template <class T> struct owns : std::false_type {};
template <class T> struct owns<Column<T>> : std::true_type {};
template <class C> concept Owner = owns<std::remove_cvref_t<C>>::value;
`;

const twice = (what: string, functions: string): Row => [
  what,
  'malloc-double-free',
  functions,
  'Column<float> a; cudaMalloc(&a.data, 4); close(a); close(a);',
  'Column<float> a; cudaMalloc(&a.data, 4); Slice<float> b{a.data}; close(b); close(a);',
];

describeRows('which function a concept chooses', head, [
  twice(
    'by the type of a parameter',
    'void close(auto &&x) requires (!Owner<decltype(x)>) { x.data = nullptr; }\nvoid close(Owner auto &&x) { cudaFree(x.data); }',
  ),
  twice(
    'by the type of a parameter, asked for twice',
    'void close(auto &x) requires (!Owner<decltype(x)>) {}\nvoid close(auto &x) requires Owner<decltype(x)> { cudaFree(x.data); }',
  ),
  twice(
    'by what is made of a parameter of the template',
    'template <class C> void close(C &&x) { if constexpr (owns<std::remove_cvref_t<C>>::value) cudaFree(x.data); }',
  ),
  twice(
    'by the type of a variable, inside',
    'void close(auto &x) { if constexpr (Owner<decltype(x)>) cudaFree(x.data); }',
  ),
]);

const heap = `template <class A> concept Allocator = requires(A a, unsigned long n) { a.take(n); };
struct Heap {
  float *take(unsigned long n) { float *p; cudaMalloc(&p, n); return p; }
  void give(float *p) { cudaFree(p); }
};
template <class T, Allocator A = Heap> struct List {
  T *data = nullptr;
  void open() { data = A{}.take(4); }
  void close() { A{}.give(data); }
};
`;

describeRows('a parameter with a concept and a default', head, [
  [
    'the default is the type that it names',
    'malloc-double-free',
    heap,
    'List<float> l; l.open(); l.close(); l.close();',
    'List<float> l; l.open(); l.close();',
  ],
]);
