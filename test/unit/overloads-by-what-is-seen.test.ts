/** Overloads that are told apart by what an object is seen as, and by the numbers that a template was made for. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <type_traits>
#include <typeindex>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
struct Layer { virtual ~Layer() = default; virtual float *memory() { return nullptr; } };
static float *p, *other;
static void begin() { cudaMallocAsync((void **)&p, 128, 0); cudaMallocAsync((void **)&other, 128, 0); }
static void end(float *q) { cudaFreeAsync(p, 0); cudaFreeAsync(q, 0); cudaDeviceSynchronize(); }`;

const rule = 'async-double-free';
const bothWays = (what: string, before: string, pick: (first: string, second: string) => string): Row => [
  what,
  rule,
  before,
  `begin(); float *q; ${pick('p', 'other')} end(q);`,
  `begin(); float *q; ${pick('other', 'p')} end(q);`,
];

const byClass = `struct Dense : Layer {};
static float *choose(Layer &, float *first, float *) { return first; }
static float *choose(Dense &, float *, float *second) { return second; }
static float *through(Layer &layer, float *first, float *second) { return choose(layer, first, second); }`;

const around = `struct Leaf : Layer { float *own; Leaf(float *q) : own(q) {} float *memory() override { return own; } };
struct Around : Layer {
  Layer &inner; float *extra = nullptr;
  explicit Around(Layer &of) : inner(of) {}
  float *memory() override { return extra ? extra : inner.memory(); }
};`;

const visited = `struct Visitor;
struct Shape : Layer { float *accept(Visitor &v); };
struct Round : Shape {};
struct Visitor { float *first, *second; float *see(Shape &) { return first; } float *see(Round &) { return second; } };
float *Shape::accept(Visitor &v) { return v.see(*this); }`;

const numbered = (parameters: string, one: string, two: string): string => `template <${parameters}> struct At {};
static float *choose(At<${one}>, float *first, float *) { return first; }
static float *choose(const At<${two}> &, float *, float *second) { return second; }`;

describeRows('overloads by what is seen', head, [
  bothWays('a reference to the base', byClass, (a, b) => `Dense d; Layer &l = d; q = choose(l, ${a}, ${b});`),
  bothWays('the object itself', byClass, (a, b) => `Dense d; q = choose(d, ${b}, ${a});`),
  bothWays('a parameter', byClass, (a, b) => `Dense d; q = through(d, ${a}, ${b});`),
  bothWays('a cast', byClass, (a, b) => `Dense d; q = choose(static_cast<Layer &>(d), ${a}, ${b});`),
  bothWays('this in a method of a base', visited, (a, b) => `Round r; Visitor v{${a}, ${b}}; q = r.accept(v);`),
  bothWays(
    'what is put around, and not copied',
    around,
    (a, b) =>
      `Leaf leaf(${b}); Around one(leaf); Layer &seen = one; Around two(seen); one.extra = ${a}; q = two.memory();`,
  ),
  bothWays(
    'what is copied, and not put around',
    around,
    (a, b) => `Leaf leaf(${a}); Around one(leaf); Around two(one); one.extra = ${b}; q = two.memory();`,
  ),
]);

describeRows('overloads by the numbers of a template', head, [
  bothWays('numbers', numbered('int N', '0', '1'), (a, b) => `q = choose(At<1>{}, ${b}, ${a});`),
  bothWays('truth', numbered('bool B', 'false', 'true'), (a, b) => `At<true> t; q = choose(t, ${b}, ${a});`),
  bothWays(
    'enumerators',
    `enum class Order { row, column };\n${numbered('Order O', 'Order::row', 'Order::column')}`,
    (a, b) => `q = choose(At<Order::column>{}, ${b}, ${a});`,
  ),
  bothWays(
    'a number behind a type',
    `template <class T, int N> struct Few { T all[N]; };
static float *choose(const Few<float, 2> &, float *first, float *) { return first; }
static float *choose(const Few<float, 3> &, float *, float *second) { return second; }`,
    (a, b) => `Few<float, 3> few; q = choose(few, ${b}, ${a});`,
  ),
  bothWays(
    'a parameter that is called like a constant',
    `constexpr int N = 7;
template <int M> struct At {};
static float *choose(At<3>, float *first, float *) { return first; }
template <int N> float *choose(At<N>, float *, float *second) { return second; }`,
    (a, b) => `q = choose(At<1>{}, ${b}, ${a});`,
  ),
  bothWays(
    'constants of the library',
    `static float *choose(std::integral_constant<int, 0>, float *first, float *) { return first; }
static float *choose(std::integral_constant<int, 1>, float *, float *second) { return second; }`,
    (a, b) => `q = choose(std::integral_constant<int, sizeof(float) / 4>{}, ${b}, ${a});`,
  ),
]);

describeRows('a template parameter that was asked for its type', head, [
  bothWays(
    'and is deduced again',
    `struct First { float *p; };
struct Second { float *p; };
static std::map<std::type_index, float *> all;
template <class T> void put(const T &each) { all[std::type_index(typeid(T))] = each.p; }`,
    (a, b) => `put(First{${b}}); put(Second{${a}}); q = all.at(std::type_index(typeid(Second)));`,
  ),
]);

describeRows('what is of neither of two templates', head, [
  [
    'is not taken for the first one',
    '',
    `template <int N> struct Rank : Rank<N - 1> {};
template <> struct Rank<0> {};
static float *choose(Rank<0>, float *first, float *) { return first; }
static float *choose(Rank<1>, float *, float *second) { return second; }`,
    '',
    'begin(); float *q = choose(Rank<2>{}, p, other); end(q);',
  ],
]);
