/**
 * Objects that are handed on: passed by value, moved into members, returned as what they convert to. Each in a program with
 * one mistake, which is found because it is known who owns what, and in the same program without it.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>
${memoryInAStream}`;

/** Owns memory and becomes other things. */
const buffer = `template <typename T> struct Buffer { T *p = nullptr; int n; explicit Buffer(int m) : n(m) { p = make(); }
  Buffer(const Buffer &) = delete; ~Buffer() { drop(p); }
  operator std::vector<T>() const { run(p); std::vector<T> host(n); cudaMemcpyAsync(host.data(), p, 4, cudaMemcpyDeviceToHost, s); return host; } };
using Floats = std::vector<float>;
`;

/** Shares memory with its copies. */
const storage = `struct Storage { std::shared_ptr<float> data; Storage() = default;
  explicit Storage(float *p) : data(p, [](float *q) { drop(q); }) {} float *get() const { return data.get(); } };
`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const free = 'async-use-after-free';
const twice = 'async-double-free';
const leak = 'async-leak';

const conversions: readonly Row[] = [
  [
    'returned as a vector',
    twice,
    `${buffer}static Floats made() { Buffer<float> out(1); return out; }
static Floats twice() { Buffer<float> out(1); drop(out.p); return out; }`,
    'Floats h = twice(); run(make());',
    'Floats h = made(); auto g = made(); Floats c = h; float *p = make(); if (h.size() == 1) drop(p);',
  ],
  [
    'a temporary returned as a vector',
    leak,
    `${buffer}static Floats made() { return Buffer<float>(1); }`,
    'float *p = make(); if (made().size() != 1) drop(p);',
    'float *p = make(); if (made().size() == 1) drop(p);',
  ],
  [
    'initialises, is assigned, is cast, makes one',
    free,
    buffer,
    'float *q; { Buffer<float> out(1); Floats h = out; q = out.p; } run(q);',
    'Buffer<float> out(1); Floats h = out; h = out; auto c = static_cast<Floats>(out); Floats d(out); auto e = Floats(out); run(out.p); Floats t = Buffer<float>(1);',
  ],
  [
    'is passed as a vector',
    leak,
    `${buffer}static int seen(const Floats &v) { return v.size(); } static int had(Floats v) { return v.size(); }`,
    'Buffer<float> out(3); float *p = make(); if (seen(out) != 3 || had(out) != 3) drop(p);',
    'Buffer<float> out(3); float *p = make(); if (seen(out) == 3 && had(out) == 3 && seen(Buffer<float>(2)) == 2 && had(Buffer<float>(2)) == 2) drop(p);',
  ],
  [
    'becomes an object of another class',
    free,
    `struct View { float *p; }; struct Own { float *p = make(); ~Own() { drop(p); } operator View() const { return View{p}; } };
static View dangling() { Own own; return own; } static void use(View v) { run(v.p); }`,
    'use(dangling());',
    'Own own; View v = own; use(v); use(own); use(static_cast<View>(own)); use(View(own));',
  ],
  [
    'a base that a class converts to in its own way',
    free,
    'struct Base { float *p = make(); }; struct Derived : Base { operator Base &() { return *this; } operator const Base &() const { return *this; } }; static Base sliced() { Derived d; return d; }',
    'Base b = sliced(); drop(b.p); run(b.p);',
    'Base b = sliced(); run(b.p); drop(b.p);',
  ],
];

const sinks: readonly Row[] = [
  ...(
    [
      ['m(std::move(x))', 'explicit Tensor(Storage x) : m(std::move(x)) {}'],
      ['m{std::move(x)}', 'explicit Tensor(Storage x) : m{std::move(x)} {}'],
      ['m(x)', 'explicit Tensor(Storage x) : m(x) {}'],
      ['m = std::move(x)', 'explicit Tensor(Storage x) { m = std::move(x); }'],
      ['a move into a local', 'explicit Tensor(Storage x) { Storage y = std::move(x); m = y; }'],
    ] as const
  ).map(
    ([what, made]): Row => [
      what,
      free,
      `${storage}struct Tensor { Storage m; ${made} Tensor again() const { return Tensor(m); } };
static Tensor made() { Storage x(make()); return Tensor(x); }
static Tensor moved() { Storage x(make()); return Tensor(std::move(x)); }
static void over() { Storage x(make()); Tensor t(x); run(x.get()); run(t.m.get()); }`,
      'float *q; { Tensor t = made(); Tensor u = t.again(); q = u.m.get(); } run(q);',
      'Tensor u = [] { Tensor t = moved(); return t.again(); }(); run(u.m.get()); Tensor t = made(); run(t.m.get()); over();',
    ],
  ),
  [
    'defaulted copies and moves',
    free,
    `${storage}struct Tensor { Storage m; Tensor() = default; explicit Tensor(Storage x) : m(std::move(x)) {} Tensor(const Tensor &) = default;
  Tensor(Tensor &&) = default; Tensor &operator=(const Tensor &) = default; Tensor &operator=(Tensor &&) = default; };
static void eat(Tensor t) { run(t.m.get()); }`,
    'Tensor a; { Storage x(make()); a = Tensor(x); } float *q = a.m.get(); run(q); a = Tensor(); run(q);',
    'Tensor a; { Storage x(make()); a = Tensor(x); } run(a.m.get()); Tensor b; b = a; a = Tensor(); run(b.m.get()); eat(b); run(b.m.get()); eat(std::move(b));',
  ],
  [
    'a vector of owners',
    free,
    `${storage}struct Many { std::vector<Storage> m; explicit Many(std::vector<Storage> x) : m(std::move(x)) {} };`,
    'float *q; { std::vector<Storage> v; v.push_back(Storage(make())); q = v[0].get(); Many a(std::move(v)); run(q); } run(q);',
    'std::vector<Storage> v; v.push_back(Storage(make())); float *q = v[0].get(); Many a(v); v.clear(); run(q); Many b(std::move(a.m)); run(b.m[0].get());',
  ],
];

describe.each([
  ['what is converted', conversions],
  ['what is passed by value', sinks],
] as const)('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, rule, before, bad, good) => {
    const program = (body: string) =>
      `${head}${before}\nint main() { cudaStreamCreate(&s); ${body} cudaStreamSynchronize(s); return 0; }\n`;
    const right = await analyseText(program(good));
    expect(right.findings.map((finding) => finding.message)).toEqual([]);
    expect(right.gaps.map((gap) => `${gap.kind}: ${gap.name}`)).toEqual([]);
    expect((await analyseText(program(bad))).findings.map((finding) => finding.rule)).toContain(rule);
  });
});
