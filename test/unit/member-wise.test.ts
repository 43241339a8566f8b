/**
 * Objects that are made, copied, moved and assigned member by member: one mistake that is found because the members were
 * followed, and the same program without it, of which nothing is said.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
/** Owns memory, and says how it is moved. */
struct Buffer { float *p = nullptr; Buffer() { cudaMalloc(&p, 4); } explicit Buffer(size_t n) { cudaMalloc(&p, n); }
  Buffer(Buffer &&o) noexcept : p(std::exchange(o.p, nullptr)) {}
  Buffer &operator=(Buffer &&o) noexcept { if (this != &o) { reset(); p = std::exchange(o.p, nullptr); } return *this; }
  ~Buffer() { reset(); } void reset() { if (p) cudaFree(p); p = nullptr; } };
/** Says nothing: its members are followed. */
struct Stage { Buffer in, out; int n = 0; };
/** Is copied by nobody's leave: what it has is freed twice. */
struct Loose { float *p; Loose() { cudaMalloc(&p, 4); } ~Loose() { cudaFree(p); } };
`;

/** What it is; the rule that `bad` breaks; what stands before `main`; the two bodies of `main`. */
type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

const twice = 'malloc-double-free';
const after = 'malloc-use-after-free';

const rows: readonly Row[] = [
  [
    'a base that says how it is moved, in a class that does not',
    twice,
    'struct Named : Buffer { using Buffer::Buffer; int name = 0; };',
    'Named a(8); Named b(std::move(a)); float *p = b.p; cudaFree(p);',
    'Named a(8); Named b(std::move(a));',
  ],
  [
    'a pointer that is nothing, and no object to be copied',
    twice,
    'struct Copied { float *p; explicit Copied(float *h) { cudaMalloc(&p, 4); } Copied(const Copied &o) : p(o.p) {} void end() { cudaFree(p); } };',
    'float *h = nullptr; Copied a{h}; Copied b(a); a.end(); b.end();',
    'float *h = nullptr; Copied a{h}; Copied b{h}; a.end(); b.end();',
  ],
  [
    'a member that a constructor begins with one value',
    twice,
    'struct Layer { Buffer weights; explicit Layer(size_t n) : weights(n) {} };',
    'Layer l(64); cudaFree(l.weights.p);',
    'Layer l(64); cudaMemset(l.weights.p, 0, 64);',
  ],
  [
    'an assignment without an operator',
    after,
    '',
    'Stage a, b; float *old = a.in.p; a = std::move(b); cudaMemset(old, 0, 4);',
    'Stage a, b; float *now = b.in.p; a = std::move(b); cudaMemset(now, 0, 4);',
  ],
  [
    'an element that another one is moved to',
    after,
    '',
    'std::vector<Stage> v(2); float *old = v[0].out.p; v[0] = std::move(v[1]); cudaMemset(old, 0, 4);',
    'std::vector<Stage> v(2); float *now = v[1].out.p; v[0] = std::move(v[1]); cudaMemset(now, 0, 4);',
  ],
  [
    'an assignment that is said to be the default',
    after,
    'struct Plan { Buffer a; Plan() = default; Plan(Plan &&) = default; Plan &operator=(Plan &&) = default; };',
    'Plan x; float *old = x.a.p; x = Plan(); cudaMemset(old, 0, 4);',
    'Plan x; x = Plan(); cudaMemset(x.a.p, 0, 4);',
  ],
  [
    'an owner without a copy constructor, copied',
    twice,
    'struct Outer { Loose l; };',
    'Outer a; Outer b = a;',
    'Outer a; Outer &b = a; cudaMemset(b.l.p, 0, 4);',
  ],
  [
    'a temporary of the same kind that is assigned',
    twice,
    '',
    'Loose a; float *p = a.p; a = Loose(); cudaFree(p);',
    'Stage a; float *p = a.in.p; a = Stage(); cudaMalloc(&p, 4); cudaFree(p);',
  ],
  [
    'braces that are assigned',
    after,
    '',
    'Stage a; float *old = a.in.p; a = {}; cudaMemset(old, 0, 4);',
    'Stage a; a = {}; cudaMemset(a.in.p, 0, 4);',
  ],
  [
    'a vector that is moved to another one',
    after,
    '',
    'std::vector<Stage> a(1), b(1); float *old = a[0].in.p; a = std::move(b); cudaMemset(old, 0, 4);',
    'std::vector<Stage> a(1), b(1); a = std::move(b); cudaMemset(a[0].in.p, 0, 4);',
  ],
  [
    'an entry of a map that is assigned',
    after,
    '',
    'std::map<int, Stage> m; float *old = m[1].in.p; m.insert_or_assign(1, Stage()); cudaMemset(old, 0, 4);',
    'std::map<int, Stage> m; m.insert_or_assign(1, Stage()); cudaMemset(m[1].in.p, 0, 4);',
  ],
  [
    'a container that is swapped with an empty one',
    after,
    '',
    'std::vector<Stage> v(1); float *old = v[0].in.p; std::vector<Stage>().swap(v); cudaMemset(old, 0, 4);',
    'std::vector<Stage> v(1), w; w.swap(v); cudaMemset(w[0].in.p, 0, 4);',
  ],
  [
    'elements that are moved into another vector',
    twice,
    '',
    'std::vector<Stage> v(1), w; for (auto &s : v) w.push_back(std::move(s)); cudaFree(w[0].in.p);',
    'std::vector<Stage> v(1), w; std::move(v.begin(), v.end(), std::back_inserter(w)); cudaMemset(w[0].in.p, 0, 4);',
  ],
  [
    'a constructor that throws behind its members',
    after,
    'struct Engine { Buffer b; Engine(float **seen) { *seen = b.p; throw 1; } };',
    'float *p = nullptr; try { Engine e(&p); } catch (int) { cudaMemset(p, 0, 4); }',
    'float *p = nullptr; try { Engine e(&p); } catch (int) { p = nullptr; }',
  ],
  [
    'what a handler caught',
    twice,
    '',
    'float *p; cudaMalloc(&p, 4); try { throw p; } catch (float *q) { cudaFree(q); } cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); try { throw p; } catch (float *q) { cudaFree(q); }',
  ],
  [
    'references in a vector',
    twice,
    '',
    'Buffer a, b; std::vector<std::reference_wrapper<Buffer>> v{a, b}; cudaFree(v[0].get().p);',
    'Buffer a, b; std::vector<std::reference_wrapper<Buffer>> v{a, b}; for (Buffer &x : v) x.reset();',
  ],
  [
    'a list that is spliced into another one',
    after,
    '#include <list>',
    'std::list<Buffer> a, b; b.emplace_back(); float *p = b.front().p; a.splice(a.begin(), b); a.clear(); cudaMemset(p, 0, 4);',
    'std::list<Buffer> a, b; b.emplace_back(); float *p = b.front().p; a.splice(a.begin(), b); b.clear(); cudaMemset(p, 0, 4);',
  ],
];

/** The rules of what is said with conviction. */
async function rulesOf(before: string, body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}${before}\nint main() { ${body}\nreturn 0; }`);
  const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
  return [...new Set(said.map(({ rule }) => rule))].sort();
}

describe('member by member', () => {
  for (const [what, rule, before, bad, good] of rows) {
    it(`${what}: the mistake`, async () => {
      expect(await rulesOf(before, bad)).toContain(rule);
    });
    it(`${what}: nothing to say`, async () => {
      expect(await rulesOf(before, good)).toEqual([]);
    });
  }
});
