/** Static members and static locals of templates: each instance has its own. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <vector>
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
struct B { float *p; B() { cudaMallocAsync((void **)&p, 4, s); } ~B() { cudaFreeAsync(p, s); } B(const B &) = delete; };
`;

const twice = 'async-double-free';
const leak = 'async-leak';

const pool =
  'template <class T> struct Pool { static float *p; static int n; static void begin() { p = make(); n++; } static void end() { drop(p); } }; template <class T> float *Pool<T>::p = nullptr; template <class T> int Pool<T>::n = 0;';
const cache =
  'template <class T, int N> struct Cache { static inline float *p = nullptr; float *get() { if (!p) p = make(); return p; } };';
const count =
  'template <class D> struct Count { static inline int n = 0; Count() { n++; } }; struct X : Count<X> {}; struct Y : Count<Y> {};';
const single =
  'template <class D> struct Single { static D &instance() { static D d; return d; } }; struct U : Single<U> { float *p = nullptr; }; struct V : Single<V> { float *p = nullptr; };';
const all =
  'template <class T> struct All { static std::vector<float *> all; static void keep(float *p) { all.push_back(p); } static void end() { for (float *p : all) drop(p); all.clear(); } }; template <class T> std::vector<float *> All<T>::all; using Ints = All<int>; using Floats = All<float>;';
const owner =
  'template <class T> struct P { static inline std::unique_ptr<B> b; static void on() { b = std::make_unique<B>(); } static void off() { b.reset(); } static bool has() { return b != nullptr; } };';

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
const rows: readonly (readonly [what: string, rule: string, before: string, bad: string, good: string])[] = [
  [
    'defined outside of the class',
    leak,
    pool,
    'Pool<int>::begin(); Pool<float>::begin(); Pool<int>::end();',
    'Pool<int>::begin(); Pool<float>::begin(); Pool<int>::end(); Pool<float>::end();',
  ],
  [
    'numbers that are counted',
    twice,
    pool,
    'Pool<int>::begin(); Pool<int>::end(); Pool<float>::begin(); if (Pool<float>::n == 1) Pool<float>::end(); Pool<float>::end();',
    'Pool<int>::begin(); Pool<int>::end(); Pool<float>::begin(); if (Pool<float>::n == 2) Pool<float>::end(); Pool<float>::end();',
  ],
  [
    'told apart by a number',
    leak,
    cache,
    'Cache<int, 1> a; Cache<int, 2> b; a.get(); b.get(); drop(a.get());',
    'Cache<int, 1> a, c; Cache<int, 2> b; a.get(); b.get(); drop(c.get()); drop(b.get());',
  ],
  [
    'of a base that is given the class itself',
    twice,
    count,
    'X a, b; Y c; float *p = make(); if (Y::n == 1 && X::n == 2) drop(p); drop(p);',
    'X a, b; Y c; float *p = make(); if (Y::n != 1 || X::n != 2) drop(p); drop(p);',
  ],
  [
    'the one object of each class, by a base',
    leak,
    single,
    'U::instance().p = make(); V::instance().p = make(); drop(U::instance().p);',
    'U::instance().p = make(); V::instance().p = make(); drop(U::instance().p); drop(V::instance().p);',
  ],
  [
    'static locals of methods',
    leak,
    'template <class T> struct One { static One &get() { static One o; return o; } float *p = nullptr; };',
    'One<int>::get().p = make(); One<float>::get().p = make(); drop(One<int>::get().p);',
    'One<int>::get().p = make(); One<float>::get().p = make(); drop(One<int>::get().p); drop(One<float>::get().p);',
  ],
  [
    'static locals of functions',
    twice,
    'template <int N> float *buffer() { static float *p = make(); return p; }',
    'buffer<1>(); drop(buffer<1>()); drop(buffer<1>());',
    'buffer<1>(); buffer<2>(); drop(buffer<1>()); drop(buffer<2>());',
  ],
  [
    'static locals of functions whose arguments are deduced',
    leak,
    'template <class T> float *of(T) { static float *p = make(); return p; }',
    'of(1); of(1.0); drop(of(2));',
    'of(1); of(1.0); drop(of(2)); drop(of(2.0));',
  ],
  [
    'containers, by other names of the class',
    leak,
    all,
    'Ints::keep(make()); Floats::keep(make()); Ints::end();',
    'Ints::keep(make()); Floats::keep(make()); Ints::end(); Floats::end(); for (float *p : Ints::all) drop(p);',
  ],
  [
    'owners',
    leak,
    owner,
    'P<int>::on(); P<char>::on(); P<int>::off(); float *p = make(); if (P<char>::has() && P<int>::has()) drop(p); P<char>::off();',
    'P<int>::on(); P<char>::on(); P<int>::off(); float *p = make(); if (P<char>::has() && !P<int>::has()) drop(p); P<char>::off();',
  ],
  [
    'templates of variables',
    twice,
    'template <class T> int uses = 0;',
    'float *p = make(); uses<int>++; if (uses<char> == 0) drop(p); drop(p);',
    'float *p = make(); uses<int>++; if (uses<char> == 1) drop(p); drop(p);',
  ],
];

async function rulesIn(before: string, body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}${before}\nint main() { ${body} }\n`);
  return findings.map(({ rule }) => rule);
}

describe('statics of templates', () => {
  it.each(rows)('%s', async (_what, rule, before, bad, good) => {
    expect(await rulesIn(before, bad)).toEqual([rule]);
    expect(await rulesIn(before, good)).toEqual([]);
  });
});
