/** Globals in the order in which a program begins, and members that each instance of a template has. Each condition is false when the program runs. */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

const rows: readonly Row[] = [
  [
    'a constant is there before what is calculated from it, wherever it stands',
    'extern int late; static int early = late + 1; int late = 5; int next(); int first = next(); static int steps = 10; int next() { return steps++; } int second = next();',
    '',
    ['late != 5', 'early != 6', 'first != 10', 'second != 11'],
  ],
  [
    'static members that are given their arguments in parentheses',
    'struct S { static std::string t; static int n; static std::vector<int> v; }; std::string S::t("abc"); int S::n(4); std::vector<int> S::v(4, 2);',
    '',
    ['S::t != "abc"', 'S::n != 4', 'S::v.size() != 4', 'S::v[3] != 2'],
  ],
  [
    'a local name for an instance is constructed as the instance is',
    'template <int A> struct To { static int round(int n) { return (n + A - 1) / A * A; } }; template <class P, class T = float> struct B { int n; explicit B(int k) : n(P::round(k)) {} int bytes() const { return n * sizeof(T); } };',
    'using C = B<To<7>, char>; C a{8}; auto b = C{8};',
    ['a.bytes() != 14', 'b.bytes() != 14'],
  ],
  [
    'what is left to the defaults of a template is the same class with them written out',
    'template <class D> struct Counter { static inline int live = 0; Counter() { ++live; } }; template <class P, class T = float> struct B : Counter<B<P, T>> { };',
    'B<int> a; B<int, float> b;',
    ['Counter<B<int>>::live != 2', 'Counter<B<int, float>>::live != 2', 'B<int>::live != 2'],
  ],
];

describe('as a compiler says', () => {
  for (const row of rows)
    it(row[0], async () => {
      expect(await wrongOnes(row)).toEqual([]);
    });
});
