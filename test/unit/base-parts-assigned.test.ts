/** Objects of which only the part that a base makes up is assigned, and lists of types that come to an end. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
struct Base { cudaStream_t s{}; float *p = nullptr; };
struct Own { cudaStream_t s{}; float *p = nullptr; Own &operator=(const Own &o) { s = o.s; p = o.p; return *this; } };
template <class B> struct Named : B { const char *name = ""; Named &call(const char *n) { name = n; return *this; }
  void free() { cudaFreeAsync(this->p, this->s); } };
template <class B> struct Careful : B { int count = 0; Careful() = default;
  Careful &operator=(const Careful &o) { static_cast<B &>(*this) = o; count = o.count; return *this; }
  void free() { cudaFreeAsync(this->p, this->s); } };
template <class T> static T made() { T t; cudaStreamCreate(&t.s); cudaMallocAsync((void **)&t.p, 64, t.s); return t; }`;

const twice = 'async-double-free';
const types = `template <class... S> struct List {};
struct Alloc { static void run(Base &b) { b = made<Base>(); } };
struct Free { static void run(Base &b) { cudaFreeAsync(b.p, b.s); } };
template <class L> struct Each;
template <> struct Each<List<>> { static void run(Base &) {} };
template <class F, class... R> struct Each<List<F, R...>> { static void run(Base &b) { F::run(b); Each<List<R...>>::run(b); } };`;

const rows: readonly Row[] = [
  [
    'by a cast to the base',
    twice,
    '',
    'Base b = made<Base>(); Named<Base> n; static_cast<Base &>(n) = b; n.call("n").free(); n.free();',
    'Base b = made<Base>(); Named<Base> n; static_cast<Base &>(n) = b; n.call("n").free();',
  ],
  [
    'through a reference to the base',
    twice,
    '',
    'Base b = made<Base>(); Named<Base> n; Base &part = n; part = b; n.call("n").free(); n.free();',
    'Base b = made<Base>(); Named<Base> n; Base &part = n; part = b; n.call("n").free();',
  ],
  [
    'by a base that says how',
    twice,
    '',
    'Own b = made<Own>(); Named<Own> n; static_cast<Own &>(n) = b; n.call("n").free(); n.free();',
    'Own b = made<Own>(); Named<Own> n; static_cast<Own &>(n) = b; n.call("n").free();',
  ],
  [
    'in the assignment of what derives',
    twice,
    '',
    'Careful<Own> a = made<Careful<Own>>(), b; b = a; a.free(); b.free();',
    'Careful<Own> a = made<Careful<Own>>(), b; b = a; b.free();',
  ],
  [
    'in the assignment of what derives from a plain base',
    twice,
    '',
    'Careful<Base> a = made<Careful<Base>>(), b; b = a; a.free(); b.free();',
    'Careful<Base> a = made<Careful<Base>>(), b; b = a; b.free();',
  ],
  [
    'a list of types has an end of its own',
    twice,
    types,
    'Base b; Each<List<Alloc, Free, Free>>::run(b);',
    'Base b; Each<List<Alloc, Free>>::run(b);',
  ],
];

describeRows('parts of objects', head, rows);
