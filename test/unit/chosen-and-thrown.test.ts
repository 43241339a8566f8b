/**
 * Which function a compiler chooses where several could be called, whose copy is changed, and what the library throws. Each
 * condition is false when the program runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

const chosen: readonly Row[] = [
  [
    'for an address that is null',
    `int f(std::nullptr_t) { return 2; } int f(int) { return 1; }
template <class T> int g(T) { return 1; } template <class T> int g(T *) { return 2; }
int h(...) { return 0; } int h(void *) { return 3; }`,
    'int *q = nullptr;',
    ['f(nullptr) != 2', 'f(0) != 1', 'g(q) != 2', 'g(3) != 1', 'h(nullptr) != 3', 'h(3.5) != 0'],
  ],
  [
    'for the nearest base',
    `struct A {}; struct B : A {}; struct C : B {};
int f(A *) { return 1; } int f(B *) { return 2; } int f(void *) { return 3; }
int g(const A &) { return 1; } int g(const B &) { return 2; }`,
    'C c; B b; A a;',
    ['f(&c) != 2', 'f(&b) != 2', 'f(&a) != 1', 'g(c) != 2', 'g(a) != 1'],
  ],
  [
    'for a text of C: true before an object',
    'int f(bool) { return 1; } int f(const std::string &) { return 2; }',
    'std::string t = "x";',
    ['f("abc") != 1', 'f(t) != 2'],
  ],
  [
    'that is declared in the block',
    'namespace lib { int f(int) { return 3; } } int f(double) { return 1; } int far(int n) { return f(n); }',
    'using lib::f;',
    ['f(1) != 3', 'far(1) != 1'],
  ],
  [
    'rather than a template, where it is of one file',
    `static int last(int n) { return n; } template <class... T> int last(int, T... t) { return last(t...); }`,
    '',
    ['last(3) != 3', 'last(0, 1, 2) != 2'],
  ],
  [
    'behind several arrows',
    'struct T { int n = 3; }; struct Q { T t; T *operator->() { return &t; } }; struct P { Q q; Q &operator->() { return q; } };',
    'P p;',
    ['p->n != 3'],
  ],
];

const preprocessed: readonly Row[] = [
  [
    'that hands on nothing behind its comma',
    `static int f(int a, int b = 0) { return a + b; }
#define F(a, ...) f(a, ##__VA_ARGS__)
#define G(a, rest...) f(a, ##rest)`,
    '',
    ['F(1) != 1', 'F(1, 2) != 3', 'F(1) + F(1, 1) != 3', 'G(4) != 4', 'G(4, 1) != 5'],
  ],
  [
    'that picks another by how many arguments there are',
    `#define F1(a) a
#define F2(a, b) (a + b)
#define PICK(a, b, n, ...) n
#define F(...) PICK(__VA_ARGS__, F2, F1)(__VA_ARGS__)`,
    'int k = F(3);',
    ['k != 3', 'F(1, 1) != 2', 'F(1) + F(1, 4) != 6'],
  ],
  [
    'that asks for headers and for characters',
    `#if __has_include(<cuda_runtime.h>) && __has_include(<optional>) && !__has_include(<somebody/else.h>)
#define HEADERS 1
#else
#define HEADERS 2
#endif
#if 'a' == 97 && '\\n' == 10
#define LETTERS 1
#else
#define LETTERS 2
#endif`,
    '',
    ['HEADERS != 1', 'LETTERS != 1'],
  ],
];

const copies: readonly Row[] = [
  [
    'that `return *this` makes',
    `struct V { int n = 0; V add(int m) { n += m; return *this; } V &own(int m) { n += m; return *this; } };`,
    'V a, b; a.add(1).add(2); b.own(1).own(2);',
    ['a.n != 1', 'b.n != 3'],
  ],
  [
    'that go where the statement ends, the last first',
    'int order = 0; struct T { int n; T(int n) : n(n) {} ~T() { order = order * 10 + n; } };',
    'T(1), T(2);',
    ['order != 21'],
  ],
  ['that `sizeof` does not make', '', 'int n = 1; int m = sizeof(n++);', ['n != 1', 'm != 4']],
];

const thrown: readonly Row[] = [
  [
    'where an object is of another class',
    'struct B { virtual ~B() {} }; struct E : B {}; struct F : B {};',
    'F f; E e; B &b = f, &c = e; int k = 0; try { dynamic_cast<E &>(b); k = 1; } catch (const std::bad_cast &) { k = 2; } int l = 0; try { dynamic_cast<E &>(c); l = 1; } catch (const std::bad_cast &) { l = 2; }',
    ['k != 2', 'l != 1'],
  ],
  [
    'where something else is held',
    '',
    'std::any a = 1.0; int k = 0; try { k = std::any_cast<int>(a); } catch (const std::bad_any_cast &) { k = 2; } std::any b = 3; int l = 0; try { l = std::any_cast<int>(b); } catch (...) { l = 1; }',
    ['k != 2', 'l != 3', 'std::any_cast<int>(&a)', '*std::any_cast<int>(&b) != 3'],
  ],
  [
    'where nothing is to be called',
    '',
    'std::function<int()> f, g = [] { return 4; }; int k = 0; try { k = f(); } catch (const std::bad_function_call &) { k = 3; } int l = 0; try { l = g(); } catch (...) { l = 1; }',
    ['k != 3', 'l != 4'],
  ],
];

const numbers: readonly Row[] = [
  [
    'by what they are',
    '',
    'unsigned long long big = ~0ull; int minus = -1;',
    [
      '!std::cmp_less(-1, 1u)',
      'std::cmp_equal(minus, big)',
      '!std::cmp_greater(big, 5)',
      'std::in_range<unsigned char>(300)',
      '!std::in_range<int8_t>(-128)',
      'std::in_range<long long>(big)',
    ],
  ],
  ['that change places', '', 'int a[] = {1, 2}; std::iter_swap(a, a + 1);', ['a[0] != 2', 'a[1] != 1']],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['the function that is chosen', chosen],
  ['a macro', preprocessed],
  ['copies', copies],
  ['what is thrown', thrown],
  ['numbers', numbers],
];

for (const [group, rows] of groups)
  describe(group, () => {
    for (const row of rows)
      it(row[0], async () => {
        expect(await wrongOnes(row)).toEqual([]);
      });
  });
