/**
 * How libraries and services are laid out: lists in braces that become members and arguments, macros that dispatch on a type,
 * counters that threads share. Each condition is false when the program runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

const braces: readonly Row[] = [
  [
    'hold the elements of a member that is a container',
    `struct A { std::vector<int> v; explicit A(int n) : v{n} {} };
struct B { std::vector<int> v; explicit B(int n) : v{n, n} {} };
struct C { std::vector<int> v; explicit C(int n) : v(n, 7) {} };
struct D { std::vector<int> v; explicit D(const std::vector<int> &o) : v{o} {} };
struct E { std::vector<cudaStream_t> v; explicit E(cudaStream_t s) : v{s} {} };
template <class T> struct F { std::vector<T> v; template <class... As> explicit F(As... as) : v{as...} {} };`,
    'cudaStream_t s; cudaStreamCreate(&s); A a(3); B b(3); C c(3); D d(b.v); E e(s); F<int> f(1, 2, 9);',
    [
      'a.v.size() != 1',
      'a.v[0] != 3',
      'b.v.size() != 2',
      'c.v.size() != 3',
      'd.v.size() != 2',
      'd.v[1] != 3',
      'e.v.size() != 1',
      'e.v[0] != s',
      'f.v[2] != 9',
    ],
  ],
  [
    'are objects of a container that a function refers to',
    `struct Spec { int batch; size_t low; };
int count(const std::vector<Spec> &list) { int n = 0; for (const auto &each : list) n += each.batch; return n; }
int named(const std::map<std::string, int> &list) { return list.at("a") * 10 + list.at("b"); }
int nested(const std::vector<std::vector<int>> &rows) { int n = 0; for (auto &row : rows) for (int each : row) n += each; return n; }`,
    '',
    [
      'count({{1, 1}, {4, 2}, {16, 5}}) != 21',
      'count({})',
      'named({{"a", 1}, {"b", 2}}) != 12',
      'nested({{1, 2}, {3}}) != 6',
    ],
  ],
];

const macros: readonly Row[] = [
  [
    'name a type for what they are given',
    `enum class Type { half, real, wide };
#define CASE(value, type, ...) case value: { using scalar_t = type; return __VA_ARGS__(); }
#define DISPATCH(which, name, ...) [&] { switch (which) { CASE(Type::wide, double, __VA_ARGS__) CASE(Type::real, float, __VA_ARGS__) default: throw name; } }()
#define ONLY(which, ...) switch (which) { case Type::wide: { using scalar_t = double; __VA_ARGS__(); break; } default: break; }
size_t sizeOf(Type type) { size_t n = 0; DISPATCH(type, "sizeOf", [&] { n = sizeof(scalar_t); }); return n; }
size_t sizeOnly(Type type) { size_t n = 0; ONLY(type, [&] { n = sizeof(scalar_t); }); return n; }`,
    '',
    [
      'sizeOf(Type::wide) != 8',
      'sizeOf(Type::real) != 4',
      'sizeOf(Type::wide) != 8',
      'sizeOnly(Type::wide) != 8',
      'sizeOnly(Type::real)',
    ],
  ],
];

describe.each([
  ['lists in braces', braces],
  ['macros', macros],
] as const)('%s', (_, rows) => {
  it.each(rows.map((row) => [row[0], row] as const))('%s', async (_, row) => expect(await wrongOnes(row)).toEqual([]));
});
