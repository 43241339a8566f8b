/** Containers of which nobody knows what is in them, or how much: what is asked of them is open, and the program goes on as an ordinary run does. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
${memoryInAStream}struct Options { std::map<std::string, std::string> o;
  Options(int c, char **v) { for (int i = 1; i < c; i++) { std::string s(v[i]); auto eq = s.find('='); if (eq != std::string::npos) o[s.substr(0, eq)] = s.substr(eq + 1); } }
  bool has(const std::string &k) const { return o.find(k) != o.end(); } };
struct Cache { std::map<int, float *> m; float *get(int k) { auto it = m.find(k); if (it != m.end()) return it->second; float *p = make(); m[k] = p; return p; } ~Cache() { for (auto &[k, p] : m) drop(p); } };
`;

const given = 'std::map<std::string, std::string> o; for (int i = 1; i + 1 < argc; i += 2) o[argv[i]] = argv[i + 1];';
const list = 'std::vector<std::string> o(argv, argv + argc);';

/** What it is; what stands around what is done with the memory. */
const inMain: readonly (readonly [what: string, before: string, after: string])[] = [
  ['options in a map, counted', `${given} if (o.count("--in") == 0) return 1;`, ''],
  ['options in a map, found', `${given} if (o.find("--in") == o.end()) return 1;`, ''],
  ['options in a map, contained', `${given} if (!o.contains("--in")) return 1;`, ''],
  ['options of a class', 'Options o(argc, argv); if (!o.has("n")) return 1;', ''],
  [
    'arguments in a vector, found',
    `${list} auto it = std::find(o.begin(), o.end(), "--in"); if (it == o.end()) return 1;`,
    '',
  ],
  ['arguments in a vector, counted', `${list} if (std::count(o.begin(), o.end(), "--in") == 0) return 1;`, ''],
  ['arguments in a vector, gone through', `${list} for (auto it = o.begin(); it != o.end(); ++it) {`, '}'],
];

const inFunctions: readonly (readonly [what: string, before: string, after: string])[] = [
  ['iterators over a vector', 'void f(std::vector<int> &v) { for (auto it = v.begin(); it != v.end(); ++it) {', '} }'],
  [
    'iterators that are ordered',
    'void f(std::vector<int> &v) { for (auto it = v.begin(); it < v.end(); it++) {',
    '} }',
  ],
  ['whether a map is empty', 'struct S { std::map<int, float *> m; void go() { if (!m.empty()) {', '} } };'],
  ['how much is in a map', 'struct S { std::map<int, float *> m; void go() { if (m.size() > 3) {', '} } };'],
  ['iterators over a map', 'void f(std::map<int, int> &v) { for (auto it = v.begin(); it != v.end(); ++it) {', '} }'],
  ['a loop over a map', 'void f(std::map<int, int> &v) { for (auto &[key, x] : v) {', '} }'],
  ['a loop over a map that is a member', 'struct S { std::map<int, int> m; void go() { for (auto &x : m) {', '} } };'],
  ['what is found in a map', 'void f(std::map<int, int> &v) { auto it = v.find(3); if (it != v.end()) {', '} }'],
  ['a key of a map', 'static std::map<int, int> m; void f() { if (m.count(3)) {', '} }'],
];

async function rulesIn(text: string): Promise<readonly string[]> {
  const { findings } = await analyseText(head + text);
  return findings.map(({ rule }) => rule);
}

const mistaken = 'float *p = make(); drop(p); run(p);';
const right = 'float *p = make(); run(p); drop(p);';

describe('containers from outside', () => {
  it.each(inMain)('%s', async (_what, before, after) => {
    const main = (body: string): string => `int main(int argc, char **argv) { ${before} ${body} ${after} }\n`;
    expect(await rulesIn(main(mistaken))).toContain('async-use-after-free');
    expect(await rulesIn(main(right))).toEqual([]);
  });

  it.each(inFunctions)('%s', async (_what, before, after) => {
    expect(await rulesIn(`${before} ${mistaken} ${after}\n`)).toContain('async-use-after-free');
    expect(await rulesIn(`${before} ${right} ${after}\n`)).toEqual([]);
  });

  it.each([
    ['a cache', 'int main() { Cache c; run(c.get(1)); run(c.get(2)); run(c.get(1)); }'],
    [
      'two rounds',
      'void f(std::vector<float *> &v) { for (auto it = v.begin(); it != v.end(); ++it) run(*it); for (auto it = v.begin(); it != v.end(); ++it) drop(*it); v.clear(); }',
    ],
    [
      'elements that are taken out',
      'void f(std::vector<float *> &v) { for (auto it = v.begin(); it != v.end();) { drop(*it); it = v.erase(it); } }',
    ],
    [
      'one that is looked for',
      'void f(std::vector<float *> &v, float *x) { auto it = std::find(v.begin(), v.end(), x); if (it != v.end()) { drop(*it); v.erase(it); } else run(x); }',
    ],
  ])('nothing is said of %s', async (_what, text) => {
    expect(await rulesIn(`${text}\n`)).toEqual([]);
  });
});
