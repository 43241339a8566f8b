/** What maps are given at once, by others like them and again after they were empty: read as it is, and with one mistake found. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
using Map = std::map<int, float *>;
static void dropAll(Map &m) { for (auto &entry : m) drop(entry.second); }
struct Job { float *p; Job() : p(make()) {} Job(const Job &) = delete; ~Job() { drop(p); } };
`;

/** What it is; two bodies of `main`, of which the first forgets to free. */
type Row = readonly [what: string, bad: string, good: string];

const filled: readonly Row[] = [
  [
    'another map’s entries',
    'Map a, b; a[1] = make(); a[2] = make(); b.insert(++a.begin(), a.end()); dropAll(b);',
    'Map a, b; a[1] = make(); a[2] = make(); b.insert(a.begin(), a.end()); dropAll(b);',
  ],
  [
    'a list of pairs',
    'Map m; m[1] = make(); m.insert({{1, make()}, {2, make()}}); dropAll(m);',
    'Map m; m.insert({{1, make()}, {2, make()}}); dropAll(m);',
  ],
  [
    'a pair, and where it goes',
    'Map m; m.insert(m.end(), {1, make()}); m.emplace_hint(m.end(), 1, make()); dropAll(m);',
    'Map m; m.insert(m.end(), {1, make()}); m.emplace_hint(m.end(), 2, make()); dropAll(m);',
  ],
  [
    'pairs that lie in a vector, when it is made',
    'std::vector<std::pair<int, float *>> v; v.push_back({1, make()}); v.emplace_back(1, make()); Map m(v.begin(), v.end()); dropAll(m);',
    'std::vector<std::pair<int, float *>> v; v.push_back({1, make()}); v.emplace_back(2, make()); Map m(v.begin(), v.end()); dropAll(m);',
  ],
];

const copied: readonly Row[] = [
  [
    'a map',
    'Map a; a[1] = make(); Map b(a); b[1] = make(); dropAll(b);',
    'Map a; a[1] = make(); Map b(a); a.clear(); dropAll(b);',
  ],
  [
    'a map in braces',
    'Map a; a[1] = make(); Map b{a}; b[1] = make(); dropAll(b);',
    'Map a; a[1] = make(); Map b{a}; a.clear(); dropAll(b);',
  ],
  [
    'a map that is given away',
    'Map a; a[1] = make(); a[2] = make(); Map b(std::move(a)); dropAll(a);',
    'Map a; a[1] = make(); a[2] = make(); Map b(std::move(a)); dropAll(a); dropAll(b);',
  ],
  [
    'a pair, a vector in braces, an optional',
    'std::pair<float *, float *> a(make(), make()), b(a); drop(b.first); b.first = b.second;',
    'std::pair<float *, float *> a(make(), make()), b(a); std::vector<float *> v{b.first, b.second}, w{v}; std::optional<float *> o(make()), q(o); for (auto p : w) drop(p); drop(*q);',
  ],
];

const changed: readonly Row[] = [
  [
    'filled again when it was emptied',
    'Map m; for (int i = 0; i < 2; i++) { m[1] = make(); if (i == 0) dropAll(m); m.clear(); }',
    'Map m; for (int i = 0; i < 2; i++) { m[1] = make(); dropAll(m); m.clear(); }',
  ],
  [
    'assigned, and gone through before and after',
    'std::map<int, std::shared_ptr<Job>> a, b; a[1] = std::make_shared<Job>(); b[1] = std::make_shared<Job>(); for (auto &e : a) cudaMemsetAsync(e.second->p, 0, 4, s); a = b; make();',
    'std::map<int, std::shared_ptr<Job>> a, b; a[1] = std::make_shared<Job>(); b[1] = std::make_shared<Job>(); for (auto &e : a) cudaMemsetAsync(e.second->p, 0, 4, s); a = b; for (auto &e : a) cudaMemsetAsync(e.second->p, 0, 4, s);',
  ],
  [
    'exchanged with another',
    'Map a, b; a[1] = make(); b[1] = make(); b[2] = make(); a.swap(b); dropAll(a);',
    'Map a, b; a[1] = make(); b[1] = make(); b[2] = make(); a.swap(b); drop(b.at(1)); dropAll(a);',
  ],
  [
    'emptied from one place to another, and where an iterator was when others go',
    'Map m; for (int i = 0; i < 4; i++) m[i] = make(); auto at = m.find(2); drop(m[0]); m.erase(0); drop(at->second); m.erase(at, m.end()); dropAll(m);',
    'Map m; for (int i = 0; i < 4; i++) m[i] = make(); auto at = m.find(2); drop(m[0]); m.erase(0); drop(at->second); drop(m[3]); m.erase(at, m.end()); dropAll(m);',
  ],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['what a map is given at once', filled],
  ['what is made from another like it', copied],
  ['a map that is', changed],
];

/** The rules of what is said with conviction. */
async function rulesOf(body: string): Promise<readonly string[]> {
  const end = 'cudaStreamSynchronize(s); return 0; }';
  const { findings } = await analyseText(`${head}int main() { cudaStreamCreate(&s); { ${body}\n } ${end}`);
  const said = findings.filter(({ severity }) => severity === 'error' || severity === 'warning');
  return [...new Set(said.map(({ rule }) => rule))].sort();
}

for (const [group, rows] of groups)
  describe(group, () => {
    for (const [what, bad, good] of rows) {
      it(`${what}: the mistake`, async () => {
        expect(await rulesOf(bad)).toEqual(['async-leak']);
      });
      it(`${what}: nothing to say`, async () => {
        expect(await rulesOf(good)).toEqual([]);
      });
    }
  });

describe('a map that somebody else may have filled', () => {
  const questions: readonly (readonly [what: string, asks: string])[] = [
    ['how many it has', 'm[3] = p; if (m.size() == 1) drop(p); drop(m[3]);'],
    ['whether it has any', 'if (m.empty()) drop(p); drop(p);'],
    ['whether it has one', 'if (m.find(4) != m.end()) drop(p); drop(p);'],
    ['what a copy of it has', 'Map copy = m; if (copy.empty()) drop(p); drop(p);'],
    ['how many of one it has', 'if (m.count(4) == 0) drop(p); drop(p);'],
  ];
  it.each(questions)('%s is open', async (_, asks) => {
    const { findings } = await analyseText(`${head}struct Cache { Map m; void put(float *p) { ${asks} } };`);
    expect(findings.map(({ rule, certainty }) => [rule, certainty])).toEqual([['malloc-double-free', 'sometimes']]);
  });

  it('is empty when it was cleared, and has what was put there', async () => {
    const asks =
      'm.clear(); if (!m.empty() || m.count(4) != 0) drop(p); m[4] = p; if (m.count(4) == 0) drop(p); m = {}; if (!m.empty()) drop(p); drop(p);';
    const { findings } = await analyseText(`${head}struct Cache { Map m; void put(float *p) { ${asks} } };`);
    expect(findings).toEqual([]);
  });
});
