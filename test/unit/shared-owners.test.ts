/** What several `shared_ptr` hold ends with the last of them, also where it is taken from a container by what that returns by reference. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <queue>
#include <stack>
#include <vector>
struct Mark { cudaEvent_t e; Mark() { cudaEventCreate(&e); } ~Mark() { cudaEventDestroy(e); } void set() { cudaEventRecord(e, 0); } };
using Shared = std::shared_ptr<Mark>;
static Shared make() { auto p = std::make_shared<Mark>(); return p; }
static Shared keep(Shared p) { return p; }
static const Shared &same(const Shared &p) { return p; }
struct Watcher { Watcher(std::weak_ptr<Mark> w) : w_(std::move(w)) {} void set() { if (auto p = w_.lock()) p->set(); } std::weak_ptr<Mark> w_; };
struct Pool {
  std::stack<Shared> all;
  Shared get() { if (all.empty()) all.push(std::make_shared<Mark>()); auto p = all.top(); all.pop(); return p; }
  void put(Shared p) { all.push(p); }
};
`;

async function found(body: string): Promise<readonly string[]> {
  const begin =
    'std::vector<Shared> v; v.push_back(make()); Mark *raw = v[0].get(); Pool pool; cudaEvent_t e; raw->set();';
  return (await analyseText(`${head}int main() { ${begin} ${body} }`)).findings.map(({ rule }) => rule);
}

/** What it is; used too late; in time. */
const rows: readonly (readonly [what: string, bad: string, good: string])[] = [
  ['auto from back', '{ auto r = v.back(); v.pop_back(); } raw->set();', 'auto r = v.back(); v.pop_back(); r->set();'],
  [
    'typed from back',
    '{ Shared r = v.back(); v.pop_back(); } raw->set();',
    'Shared r = v.back(); v.pop_back(); r->set();',
  ],
  [
    'watched by objects that do not hold it',
    'Watcher w(v.back()); v.clear(); raw->set();',
    'Mark *held = v.back().get(); Watcher w(v.back()); std::vector<Watcher> all; all.emplace_back(v.back()); held->set(); v.clear(); w.set(); all[0].set();',
  ],
  [
    'moved from back',
    '{ auto r = std::move(v.back()); v.clear(); } raw->set();',
    'auto r = std::move(v.back()); v.clear(); r->set();',
  ],
  [
    'from front',
    '{ auto r = v.front(); v.erase(v.begin()); } raw->set();',
    '{ auto r = v.front(); v.clear(); r->set(); }',
  ],
  [
    'from a function',
    '{ auto r = same(v[0]); v.clear(); } raw->set();',
    '{ auto r = same(v[0]); v.clear(); r->set(); }',
  ],
  [
    'a copy that lets go',
    '{ Shared r = v.at(0); r.reset(); v.clear(); } raw->set();',
    '{ Shared r = v.at(0); r.reset(); } raw->set();',
  ],
  [
    'made by a function',
    '{ auto r = make(); e = r->e; } cudaEventRecord(e, 0);',
    'auto r = make(); e = r->e; cudaEventRecord(e, 0);',
  ],
  [
    'handed through',
    '{ Shared r = keep(make()); e = r->e; } cudaEventRecord(e, 0);',
    'Shared r = keep(make()); r->set();',
  ],
  [
    'a pool',
    '{ auto r = pool.get(); e = r->e; } cudaEventRecord(e, 0);',
    '{ auto r = pool.get(); e = r->e; r->set(); pool.put(r); } cudaEventRecord(e, 0);',
  ],
];

describe('a shared owner', () => {
  it.each(rows)('%s', async (_what, bad, good) => {
    expect(await found(bad)).toEqual(['handle-use-after-destroy']);
    expect(await found(good)).toEqual([]);
  });
});
