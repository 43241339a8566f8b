/**
 * Objects that are made from others: what a base keeps of a temporary, what a braced list copies, what an object that is not seen
 * whole is converted to.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <optional>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
class Stream {
public:
  Stream(const Stream &other) = default;
  operator cudaStream_t() const { return *place; }
protected:
  explicit Stream(cudaStream_t *from) : place(from) {}
  cudaStream_t *place;
};
class Waiting : public Stream {
public:
  Waiting() : Stream(&own) { cudaStreamCreate(&own); }
  ~Waiting() { cudaStreamSynchronize(own); cudaStreamDestroy(own); }
private:
  cudaStream_t own;
};
class Leaving : public Stream {
public:
  Leaving() : Stream(&own) { cudaStreamCreate(&own); }
private:
  cudaStream_t own;
};
class Elsewhere : public Stream {
public:
  Elsewhere();
  ~Elsewhere();
};
static float *grow(const Stream s) { float *p = nullptr; cudaMallocAsync((void **)&p, 64, s); cudaMemsetAsync(p, 0, 64, s); return p; }
struct End { void operator()(cudaEvent_t *e) const { cudaEventDestroy(*e); delete e; } };
class Event {
public:
  Event() {}
  explicit Event(std::shared_ptr<cudaEvent_t> from) : held(from) {}
  ~Event() {}
  cudaEvent_t operator()() const { return held ? *held : nullptr; }
  void drop() { held.reset(); }
private:
  std::shared_ptr<cudaEvent_t> held;
};
static std::shared_ptr<cudaEvent_t> make() { std::shared_ptr<cudaEvent_t> e(new cudaEvent_t(), End()); cudaEventCreate(e.get()); return e; }
struct Named { Event first; int second; };
`;

/** What it is; the rule that `bad` breaks; the function that is wrong; the one that is right. */
type Row = readonly [what: string, rule: string, bad: string, good: string];

const bases: readonly Row[] = [
  [
    'a temporary of which a parameter keeps the base',
    'async-host-free-unsynchronised',
    'int main() { float *p = grow(Leaving()); cudaFree(p); return 0; }',
    'int main() { float *p = grow(Waiting()); cudaFree(p); return 0; }',
  ],
  [
    'a temporary whose end is not seen',
    'async-host-free-unsynchronised',
    'void f(const Stream &s) { float *p = grow(s); cudaFree(p); }',
    'void f() { float *p = grow(Elsewhere()); cudaFree(p); }',
  ],
  [
    'copies of an object that came from outside',
    'async-use-before-alloc',
    'void f(std::shared_ptr<Stream> s) { cudaStream_t t; cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); float *p = grow(*s); k<<<1, 1, 0, t>>>(p); cudaFreeAsync(p, t); }',
    'void f(std::shared_ptr<Stream> s) { float *p = grow(*s); k<<<1, 1, 0, *s>>>(p); Stream t = *s; cudaFreeAsync(p, t); }',
  ],
];

const two =
  'struct A { cudaStream_t s; void let(float *p) { cudaFreeAsync(p, s); } }; struct B { cudaStream_t t; void let(float *p) { k<<<1, 1, 0, t>>>(p); } };';

const names: readonly Row[] = [
  [
    'a base that several classes call the same',
    'async-double-free',
    `${two} struct C : A { using super = A; void run() { float *p; cudaMallocAsync((void **)&p, 64, s); super::let(p); super::let(p); } }; struct D : B { using super = B; };`,
    `${two} struct C : A { using super = A; void run() { float *p; cudaMallocAsync((void **)&p, 64, s); super::let(p); } }; struct D : B { using super = B; void run() { float *p; cudaMallocAsync((void **)&p, 64, t); super::let(p); super::let(p); cudaFreeAsync(p, t); } };`,
  ],
];

/** What a list copies stays alive beside the copy, and goes with the last of both. */
const lists: readonly Row[] = [
  ['a vector', 'std::vector<Event> all{e};'],
  ['a vector that is assigned', 'auto all = std::vector<Event>{e, e};'],
  ['an array', 'Event all[2] = {e, e};'],
  ['a structure', 'Named all{e, 1};'],
  ['an optional', 'std::optional<Event> all{e};'],
  ['a map', 'std::map<int, Event> all{{1, e}};'],
  ['an entry of a map', 'std::map<int, Event> all; all.insert({1, e});'],
].map(([what, all]) => [
  `${what} of what has a name`,
  'handle-use-after-destroy',
  `void f(cudaStream_t s) { Event e(make()); cudaEvent_t raw = e(); { ${all} e.drop(); cudaEventRecord(raw, s); } cudaEventRecord(raw, s); }`,
  `void f(cudaStream_t s) { Event e(make()); { ${all} } cudaEventRecord(e(), s); }`,
]) as readonly Row[];

describe.each([
  ['made from', bases],
  ['listed in', lists],
  ['called', names],
] as const)('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, rule, bad, good) => {
    expect((await analyseText(head + good)).findings.map(({ message }) => message)).toEqual([]);
    expect((await analyseText(head + bad)).findings.map((finding) => finding.rule)).toContain(rule);
  });
});
