/** Maps and vectors that somebody unseen fills, and what is not in a map. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
using Map = std::map<std::string, float *>;
void fill(Map &m); void append(std::vector<float *> &v); void look(const Map &m); void load();
Map all;
struct Cache { Map m; void fill(); void freeAll() { for (auto &e : m) cudaFree(e.second); } };
`;

/** What it is; where what is in it is freed twice; where it is not. */
const rows: readonly (readonly [what: string, bad: string, good: string])[] = [
  [
    'a map that a function fills',
    'Map m; fill(m); for (auto &e : m) cudaFree(e.second); for (auto &e : m) cudaFree(e.second);',
    'Map m; fill(m); for (auto &e : m) cudaFree(e.second); m.clear(); for (auto &e : m) cudaFree(e.second);',
  ],
  [
    'a map that is only looked at',
    'Map m; float *p; cudaMalloc(&p, 4); m["a"] = p; look(m); for (auto &e : m) cudaFree(e.second); cudaFree(p);',
    'Map m; look(m); for (auto &e : m) { cudaFree(e.second); cudaFree(e.second); }',
  ],
  [
    'a global map',
    'load(); for (auto &[n, p] : all) cudaFree(p); for (auto &[n, p] : all) cudaFree(p);',
    'load(); for (auto &[n, p] : all) cudaFree(p); load();',
  ],
  ['a map in an object', 'Cache c; c.fill(); c.freeAll(); c.freeAll();', 'Cache c; c.fill(); c.freeAll();'],
  [
    'a vector that a function fills',
    'std::vector<float *> v; append(v); for (auto p : v) cudaFree(p); for (auto p : v) cudaFree(p);',
    'std::vector<float *> v; append(v); for (auto p : v) cudaFree(p); v.clear(); for (auto p : v) cudaFree(p);',
  ],
  [
    'at() of what is not there',
    'Map m; float *p; cudaMalloc(&p, 4); m["a"] = p; try { cudaFree(m.at("b")); } catch (const std::out_of_range &) { cudaFree(p); } cudaFree(p);',
    'Map m; float *p; cudaMalloc(&p, 4); m["a"] = p; try { m.at("b") = p; cudaFree(p); } catch (const std::exception &) { } cudaFree(m.at("a"));',
  ],
  [
    'at() adds nothing',
    'std::unordered_map<int, float *> m; float *p; cudaMalloc(&p, 4); try { m.at(1); } catch (...) { } if (m.empty()) cudaFree(p); cudaFree(p);',
    'std::unordered_map<int, float *> m; float *p; cudaMalloc(&p, 4); try { m.at(1); } catch (...) { } if (m.count(1)) cudaFree(p); cudaFree(p);',
  ],
  [
    'a handler for another exception',
    'Map m; float *p; cudaMalloc(&p, 4); try { try { m.at("b"); } catch (const std::runtime_error &) { p = nullptr; } } catch (const std::logic_error &) { cudaFree(p); } cudaFree(p);',
    'Map m; float *p; cudaMalloc(&p, 4); try { try { m.at("b"); } catch (const std::runtime_error &) { cudaFree(p); } } catch (const std::logic_error &) { } cudaFree(p);',
  ],
];

const rulesIn = async (body: string): Promise<readonly string[]> =>
  (await analyseText(`${head}int main() { ${body} }`)).findings.map(({ rule }) => rule);

describe('what others have put into a map or a vector', () => {
  it.each(rows)('%s: freed twice', async (_what, bad) => {
    expect(await rulesIn(bad)).toContain('malloc-double-free');
  });

  it.each(rows)('%s: freed once', async (_what, _bad, good) => {
    expect(await rulesIn(good)).toEqual([]);
  });
});
