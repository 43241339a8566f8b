/** Objects made with new, in braces, that hold lambdas or functions. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <functional>
#include <memory>
#include <vector>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }
struct Stage { const char *name; std::function<void()> run; };
struct Res { float *p; std::function<void(float *)> release; ~Res() { if (release) release(p); } };
template <class F> struct Guard { F f; ~Guard() { f(); } };
template <class F> Guard(F) -> Guard<F>;
static float *make() { float *p; cudaMalloc(&p, 4); return p; }`;

const rows: readonly Row[] = [
  [
    'new Stage braced',
    '',
    '',
    'float *p = make(); Stage *s = new Stage{"a", [p] { cudaFree(p); }}; s->run(); cudaFree(p); delete s;',
    'float *p = make(); Stage *s = new Stage{"a", [p] { cudaFree(p); }}; s->run(); delete s;',
  ],
  [
    'unique_ptr<Stage>(new Stage{})',
    '',
    '',
    'float *p = make(); std::unique_ptr<Stage> s(new Stage{"a", [p] { cudaFree(p); }}); s->run(); cudaFree(p);',
    'float *p = make(); std::unique_ptr<Stage> s(new Stage{"a", [p] { cudaFree(p); }}); s->run();',
  ],
  [
    'make_unique<Stage>(Stage{})',
    '',
    '',
    'float *p = make(); auto s = std::make_unique<Stage>(Stage{"a", [p] { cudaFree(p); }}); s->run(); cudaFree(p);',
    'float *p = make(); auto s = std::make_unique<Stage>(Stage{"a", [p] { cudaFree(p); }}); s->run();',
  ],
  [
    'vector of pointers new Stage{}',
    '',
    '',
    'float *p = make(); std::vector<Stage *> v; v.push_back(new Stage{"a", [&] { cudaFree(p); }}); for (auto *s : v) s->run(); cudaFree(p);',
    'float *p = make(); std::vector<Stage *> v; v.push_back(new Stage{"a", [&] { cudaFree(p); }}); for (auto *s : v) s->run();',
  ],
  [
    'designated',
    '',
    '',
    'float *p = make(); auto *s = new Stage{.name = "a", .run = [p] { cudaFree(p); }}; s->run(); cudaFree(p); delete s;',
    'float *p = make(); auto *s = new Stage{.name = "a", .run = [p] { cudaFree(p); }}; s->run(); delete s;',
  ],
  [
    'Res destroyed',
    '',
    '',
    'float *p = make(); auto *s = new Res{p, [](float *q) { cudaFree(q); }}; delete s; cudaFree(p);',
    'float *p = make(); auto *s = new Res{p, [](float *q) { cudaFree(q); }}; delete s;',
  ],
  [
    'Res with null callable',
    '',
    '',
    'float *p = make(); auto *s = new Res{p, nullptr}; delete s; cudaFree(p); cudaFree(p);',
    'float *p = make(); auto *s = new Res{p, nullptr}; delete s; cudaFree(p);',
  ],
  [
    'new aggregate array',
    '',
    '',
    'float *p = make(); Stage *s = new Stage[2]{{"a", [p] { cudaFree(p); }}, {"b", [] {}}}; s[0].run(); cudaFree(p); delete[] s;',
    'float *p = make(); Stage *s = new Stage[2]{{"a", [p] { cudaFree(p); }}, {"b", [] {}}}; s[0].run(); s[1].run(); delete[] s;',
  ],
  [
    'Guard new',
    '',
    '',
    'float *p = make(); auto *g = new Guard{[p] { cudaFree(p); }}; delete g; cudaFree(p);',
    'float *p = make(); auto *g = new Guard{[p] { cudaFree(p); }}; delete g;',
  ],
  [
    'Guard new auto template ctad',
    '',
    '',
    'float *p = make(); { Guard g{[p] { cudaFree(p); }}; } cudaFree(p);',
    'float *p = make(); { Guard g{[p] { cudaFree(p); }}; }',
  ],
  [
    'returned new',
    '',
    'static Stage *stage(float *p) { return new Stage{"s", [p] { cudaFree(p); }}; }',
    'float *p = make(); Stage *s = stage(p); s->run(); cudaFree(p); delete s;',
    'float *p = make(); Stage *s = stage(p); s->run(); delete s;',
  ],
  [
    'passed as void*',
    '',
    'static void tramp(void *u) { auto *f = static_cast<std::function<void()> *>(u); (*f)(); delete f; }',
    'float *p = make(); void *u = new std::function<void()>{[p] { cudaFree(p); }}; tramp(u); cudaFree(p);',
    'float *p = make(); void *u = new std::function<void()>{[p] { cudaFree(p); }}; tramp(u);',
  ],
  [
    'void* stage to host func',
    '',
    'static void CUDART_CB go(void *u) { auto *s = static_cast<Stage *>(u); s->run(); delete s; }',
    'float *h; cudaMallocHost(&h, 4); float *p = make(); cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(h, p, 4, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(s, go, new Stage{"x", [h] { h[0] = 1; }}); cudaMemcpyAsync(p, h, 4, cudaMemcpyHostToDevice, s); cudaFreeHost(h); cudaFree(p); cudaFree(p);',
    'float *h; cudaMallocHost(&h, 4); float *p = make(); cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(h, p, 4, cudaMemcpyDeviceToHost, s); cudaLaunchHostFunc(s, go, new Stage{"x", [h] { h[0] = 1; }}); cudaMemcpyAsync(p, h, 4, cudaMemcpyHostToDevice, s); cudaStreamSynchronize(s); cudaFreeHost(h); cudaFree(p);',
  ],
  [
    'nested aggregate new',
    '',
    'struct Opts { int n; std::function<float *(int)> get; }; struct Ctx { Opts o; float *cur; };',
    'Ctx *c = new Ctx{{2, [](int) { return make(); }}, nullptr}; c->cur = c->o.get(1); cudaFree(c->cur); cudaFree(c->cur); delete c;',
    'Ctx *c = new Ctx{{2, [](int) { return make(); }}, nullptr}; c->cur = c->o.get(1); cudaFree(c->cur); delete c;',
  ],
  [
    'placement new',
    '',
    '',
    'alignas(Stage) char buf[sizeof(Stage)]; float *p = make(); Stage *s = new (buf) Stage{"a", [p] { cudaFree(p); }}; s->run(); cudaFree(p); s->~Stage();',
    'alignas(Stage) char buf[sizeof(Stage)]; float *p = make(); Stage *s = new (buf) Stage{"a", [p] { cudaFree(p); }}; s->run(); s->~Stage();',
  ],
  [
    'shared_ptr new with capture by move',
    '',
    '',
    'auto own = std::unique_ptr<float, void (*)(float *)>(make(), [](float *q) { cudaFree(q); }); float *raw = own.get(); std::shared_ptr<Stage> s(new Stage{"a", nullptr}); { auto *n = new Res{raw, [](float *q) { cudaFree(q); }}; delete n; }',
    'auto own = std::unique_ptr<float, void (*)(float *)>(make(), [](float *q) { cudaFree(q); }); float *raw = own.get(); std::shared_ptr<Stage> s(new Stage{"a", nullptr}); { auto *n = new Res{raw, [](float *q) { }}; delete n; }',
  ],
  [
    'function pointer member lambda',
    '',
    'struct Ops { void (*rel)(float *); };',
    'float *p = make(); Ops *o = new Ops{[](float *q) { cudaFree(q); }}; o->rel(p); cudaFree(p); delete o;',
    'float *p = make(); Ops *o = new Ops{[](float *q) { cudaFree(q); }}; o->rel(p); delete o;',
  ],
  [
    'new with parentheses of aggregate (C++20)',
    '',
    '',
    'float *p = make(); Stage *s = new Stage("a", [p] { cudaFree(p); }); s->run(); cudaFree(p); delete s;',
    'float *p = make(); Stage *s = new Stage("a", [p] { cudaFree(p); }); s->run(); delete s;',
  ],
  [
    'emplace_back(new)',
    '',
    '',
    'float *p = make(); std::vector<std::unique_ptr<Stage>> v; v.emplace_back(new Stage{"a", [p] { cudaFree(p); }}); for (auto &s : v) s->run(); cudaFree(p);',
    'float *p = make(); std::vector<std::unique_ptr<Stage>> v; v.emplace_back(new Stage{"a", [p] { cudaFree(p); }}); for (auto &s : v) s->run();',
  ],
  [
    'member initialised with new',
    '',
    'struct Runner { Stage *s; Runner(float *p) : s(new Stage{"r", [p] { cudaFree(p); }}) {} ~Runner() { s->run(); delete s; } };',
    'float *p = make(); { Runner r(p); } cudaFree(p);',
    'float *p = make(); { Runner r(p); }',
  ],
  [
    'factory static alias',
    '',
    'using Fn = std::function<void(float *)>; struct Job { Fn fn; float *arg; Job *next; };',
    'float *p = make(); Job *head = nullptr; head = new Job{[](float *q) { cudaFree(q); }, p, head}; head = new Job{[](float *q) { cudaFree(q); }, p, head}; while (head) { head->fn(head->arg); Job *n = head->next; delete head; head = n; }',
    'float *p = make(); Job *head = nullptr; head = new Job{[](float *q) { cudaFree(q); }, p, head}; head = new Job{[](float *q) { cudaFree(q); }, make(), head}; while (head) { head->fn(head->arg); Job *n = head->next; delete head; head = n; }',
  ],
];

describeRows('an object made with what it is to call', head, rows);
