/** What a template parameter stands for is known in the templates that are called from there, too, and behind other names for templates. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const templates = `
template <typename T> size_t bytes(T *p, size_t count) { return count * sizeof(T); }
template <typename V> size_t bytesOf(const V *p, size_t count) { return count * sizeof(V); }
template <typename V> size_t bytesOfOne(const V &one, size_t count) { return count * sizeof(V); }
`;

/** Asks a function template for the bytes of four or five `int` in memory for four. */
function asked(what: string, body: string): Row {
  const of = (count: number): string => `int *p; cudaMalloc(&p, 16); cudaMemset(p, 0, f(p, ${count})); cudaFree(p);`;
  return [what, 'copy-out-of-range', `template <typename T> size_t f(T *p, size_t n) { ${body} }`, of(5), of(4)];
}

describeRows('a type handed on from template to template', `#include <cuda_runtime.h>${templates}`, [
  asked('by a parameter', 'return bytes(p, n);'),
  asked('to a parameter of another name', 'return bytesOf(p, n);'),
  asked('by a variable', 'const T *other = p; return bytesOf(other, n);'),
  asked('by a variable whose type is told by what it begins as', 'auto other = p; return bytes(other, n);'),
  asked('by an object of that type', 'T one; return bytesOfOne(one, n);'),
  asked('through a lambda', 'auto l = [&] { return bytes(p, n); }; return l();'),
  asked(
    'through a lambda that takes anything',
    'auto l = [](auto *q, size_t m) { return bytes(q, m); }; return l(p, n);',
  ),
]);

const aliased = `#include <cuda_runtime.h>
template <typename T> using Buffer = T *;
template <typename T> void make(Buffer<T> *b, size_t n) { cudaMalloc(b, n * sizeof(T)); }
template <typename T> void fill(Buffer<T> *b, const T *from, size_t n) {
  cudaMemcpy(*b, from, n * sizeof(T), cudaMemcpyHostToDevice);
}
template <typename Buffer> void drop(Buffer *b) { cudaFree(*b); }
struct Held { Buffer<float> b = nullptr; };
`;

describeRows('another name for a pointer', aliased, [
  [
    'a variable',
    'copy-out-of-range',
    '',
    'float x[4]; Buffer<float> b; make(&b, 4); fill(&b, x, 5); drop(&b);',
    'float x[4]; Buffer<float> b; make(&b, 4); fill(&b, x, 4); drop(&b);',
  ],
  [
    'a member',
    'malloc-double-free',
    '',
    'float x[4]; Held h; make(&h.b, 4); fill(&h.b, x, 4); drop(&h.b); drop(&h.b);',
    'float x[4]; Held h; make(&h.b, 4); fill(&h.b, x, 4); drop(&h.b);',
  ],
]);

const views = `#include <cuda_runtime.h>
template <class T, class... P> struct View {
  using other = View<double, P...>;
  T *data;
  explicit View(int n) { cudaMalloc(&data, n * sizeof(T)); }
  ~View() { cudaFree(data); }
};
using Floats = View<float>;
using Doubles = Floats::other;
`;

/** A view of three elements, written with as many bytes as three or four `double` have. */
function viewed(what: string, declared: string): Row {
  const body = (bytes: number): string => `${declared} cudaMemset(v.data, 0, ${bytes});`;
  return [what, 'copy-out-of-range', '', body(25), body(24)];
}

describeRows('a class that an instance of a template calls otherwise', views, [
  viewed('by a name for the instance', 'Floats::other v(3);'),
  viewed('by a name for that', 'Doubles v(3);'),
  viewed('by a name in the function', 'using Local = Floats::other; Local v(3);'),
  viewed('made in an expression', 'auto v = Floats::other(3);'),
  viewed('made of the template in an expression', 'auto v = View<float>::other(3);'),
]);

describeRows('a function for anything beside one for a container', '#include <cuda_runtime.h>\n#include <vector>', [
  [
    'an object is no vector',
    'malloc-double-free',
    `struct Task {
  int *edges;
  template <class... T> Task &after(T &&...others) { (edge(others), ...); return *this; }
  Task &after(const std::vector<Task> &others) { for (auto &o : others) edge(o); return *this; }
  void edge(const Task &) { ++*edges; }
};`,
    'float *p; cudaMalloc(&p, 4); int n = 0; Task a{&n}, b{&n}; a.after(b); if (n == 1) cudaFree(p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); int n = 0; Task a{&n}, b{&n}; a.after(b); if (n != 1) cudaFree(p); cudaFree(p);',
  ],
]);
