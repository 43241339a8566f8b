/**
 * What the text does not determine, asked more than once: the same question has the same answer, however it came to where
 * it is asked. Each in a program that is right because of that, and in one where something new was stored in between.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <vector>
__global__ void k(float *p) { p[0] = 1.0f; }
bool query(int which);
void *shared();
int number(int which);
struct Options { bool low; int kind; };
Options parse();
enum Space { MANAGED, HOST, DEVICE, ASYNC };
static float *make() { float *p; cudaMalloc(&p, 4); return p; }
static void clean(float *a, float *b, bool low) { cudaFree(a); if (!low) cudaFree(b); }
static void cleanAs(float *a, float *b, Options o) { clean(a, b, o.low); }
static bool asked() { bool answer = query(1); return answer; }
struct Pair { bool low; float *a = nullptr, *b = nullptr; explicit Pair(bool l) : low(l) {} ~Pair() { clean(a, b, low); } };
`;

/** What it is; the body of `main` that mixes two questions up; the same with one. */
type Row = readonly [what: string, bad: string, good: string];

const make = (condition: string) => `float *a = make(), *b; if (${condition}) b = a; else b = make();`;

const copies: readonly Row[] = [
  [
    'a parameter',
    `bool low = query(1); ${make('low')} low = query(2); clean(a, b, low);`,
    `bool low = query(1); ${make('low')} clean(a, b, low);`,
  ],
  [
    'neither of two',
    `bool low = query(1), odd = query(2); ${make('low || odd')} if (!low && !odd) cudaFree(b); if (odd) cudaFree(a); else if (!low) b = a; cudaFree(a);`,
    `bool low = query(1), odd = query(2); ${make('low || odd')} if (!low && !odd) cudaFree(b); cudaFree(a);`,
  ],
  [
    'two of which one was the other way round',
    `bool low = query(1), odd = query(2); ${make('!low && odd')} if (low || odd) cudaFree(b); cudaFree(a);`,
    `bool low = query(1), odd = query(2); ${make('!low && odd')} if (low || !odd) cudaFree(b); cudaFree(a);`,
  ],
  [
    'one of two that both did not hold',
    `bool low = query(1), odd = query(2); float *a = make(), *b = nullptr; if (low || odd) b = make(); if (!low) b = a; cudaFree(a); cudaFree(b);`,
    `bool low = query(1), odd = query(2); float *a = make(), *b = nullptr; if (low || odd) b = make(); else b = a; if (low || odd) cudaFree(b); else if (odd) cudaFree(a); cudaFree(a);`,
  ],
  [
    'a result',
    `bool low = asked(); ${make('low')} clean(a, b, query(2));`,
    `const bool low = asked(); ${make('low')} const bool same = low; clean(a, b, same);`,
  ],
  [
    'a negation',
    `bool low = query(1); ${make('low')} bool high = !low; clean(a, b, high);`,
    `bool low = query(1); ${make('low')} bool high = !low; clean(a, b, !high);`,
  ],
  [
    'a lambda',
    `bool low = query(1); ${make('low')} low = query(2); auto end = [=] { clean(a, b, low); }; end();`,
    `bool low = query(1); ${make('low')} auto end = [=] { clean(a, b, low); }; low = query(2); end();`,
  ],
  [
    'a member that a constructor sets',
    'Pair p(query(1)); p.a = make(); if (p.low) p.b = p.a; else p.b = make(); p.low = query(2);',
    'bool low = query(1); Pair p(low); p.a = make(); if (low) p.b = p.a; else p.b = make();',
  ],
  [
    'a structure',
    `Options o = parse(); ${make('o.low')} o.low = query(2); cleanAs(a, b, o);`,
    `Options o = parse(); ${make('o.low')} Options copy = o; cleanAs(a, b, o); float *c = make(), *d = copy.low ? c : make(); clean(c, d, o.low);`,
  ],
  [
    'a map and a vector',
    `std::map<int, bool> m; m[3] = query(1); ${make('m[3]')} m[3] = query(2); clean(a, b, m[3]);`,
    `std::map<int, bool> m; std::vector<Options> v; m[3] = query(1); ${make('m[3]')} v.push_back({m[3], 1}); clean(a, b, v[0].low);`,
  ],
  [
    'a part of a list',
    `bool low = query(1); ${make('low')} Options o = {query(2), 1}; clean(a, b, o.low);`,
    `bool low = query(1); ${make('low')} Options o = {low, 1}, named = {.low = low}; clean(a, b, named.low); ${make('o.low').replaceAll(/\b([ab])\b/g, '$1$1')} clean(aa, bb, low);`,
  ],
  [
    'a number in braces',
    `auto held = [](int kind) { Options o = {true, kind}; ${make('kind == 3')} o.kind = number(2); clean(a, b, o.kind == 3); }; held({number(1)});`,
    `auto held = [](int kind) { Options o = {true, kind}; ${make('kind == 3')} clean(a, b, o.kind == 3); }; held({number(1)});`,
  ],
  [
    'a comparison',
    `auto mode = number(1); ${make('mode == 3')} bool fast = mode == 4; clean(a, b, fast);`,
    `auto mode = number(1); ${make('mode == 3')} bool fast = mode == 3; clean(a, b, fast);`,
  ],
  [
    'a comparison with something that is not seen',
    `auto mode = number(1); ${make('mode == FAST')} mode = number(2); clean(a, b, mode == FAST);`,
    `auto mode = number(1); ${make('mode == FAST')} clean(a, b, mode == FAST);`,
  ],
];

const exclusive: readonly Row[] = [
  [
    'one number is not two',
    'int kind = 0; kind = number(1); float *a = make(), *b = a; if (kind == 1) b = make(); if (kind == 2) b = make(); cudaFree(a); if (kind == 1 || kind == 3) cudaFree(b); if (kind == 2) cudaFree(b);',
    'int kind = 0; kind = number(1); float *a = make(), *b = a; if (kind == 1) b = make(); if (kind == 2) b = make(); cudaFree(a); if (kind == 1) cudaFree(b); if (kind == 2) cudaFree(b);',
  ],
  [
    'a switch like the one before, in another order',
    'int kind = 0; kind = number(1); float *p; switch (kind) { case HOST: cudaMallocHost(&p, 4); break; case DEVICE: cudaMalloc(&p, 4); break; case ASYNC: cudaMallocAsync(&p, 4, 0); break; default: return 1; } switch (kind) { case ASYNC: cudaFreeAsync(p, 0); break; case DEVICE: cudaFree(p); cudaFree(p); break; case HOST: cudaFreeHost(p); break; default: throw 1; }',
    'int kind = 0; kind = number(1); float *p; switch (kind) { case HOST: cudaMallocHost(&p, 4); break; case DEVICE: cudaMalloc(&p, 4); break; case ASYNC: cudaMallocAsync(&p, 4, 0); break; default: return 1; } switch (kind) { case ASYNC: cudaFreeAsync(p, 0); break; case DEVICE: cudaFree(p); break; case HOST: cudaFreeHost(p); break; default: throw 1; }',
  ],
];

const loops: readonly Row[] = [
  [
    'up to a number that is assigned',
    'int n = 8; n = number(1); float *p[64]; for (int i = 0; i < n; i++) p[i] = make(); for (int i = 0; i < n; ++i) cudaFree(p[i]); for (int i = 0; i < n; ++i) cudaFree(p[i]);',
    'int n = 8; n = number(1); float *p[64]; for (int i = 0; i < n; i++) p[i] = make(); for (int i = 0; n > i; ++i) k<<<1, 1>>>(p[i]); for (int i = 0; i < n; ++i) cudaFree(p[i]);',
  ],
  [
    'up to the number that a function was given',
    'int n = 8; n = number(1); float *p = nullptr; for (int i = 0; i < n; i++) p = make(); cudaFree(p); auto end = [](float *q, int m) { for (int i = 0; i < m; i++) cudaFree(q); }; end(p, n);',
    'int n = 8; n = number(1); float *p = nullptr; for (int i = 0; i < n; i++) p = make(); auto end = [](float *q, int m) { for (int i = 0; i < m; i++) { cudaFree(q); break; } }; end(p, n);',
  ],
  [
    'up to a number in memory from elsewhere that was cleared',
    'Options *o = (Options *)shared(); memset(o, 0, sizeof *o); float *a = make(), *b = a; for (int i = 0; i < o->kind; i++) b = make(); cudaFree(a); o->kind = number(1); for (int i = 0; i < o->kind; i++) { cudaFree(b); break; }',
    'Options *o = (Options *)shared(); memset(o, 0, sizeof *o); float *a = make(), *b = a; for (int i = 0; i < o->kind; i++) b = make(); cudaFree(a); for (int i = 0; i < o->kind; i++) { cudaFree(b); break; }',
  ],
];

describe.each([
  ['an unknown flag that becomes', copies],
  ['of several answers', exclusive],
  ['loops', loops],
] as const)('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, bad, good) => {
    const rulesOf = async (body: string): Promise<readonly string[]> => {
      const { findings } = await analyseText(`${head}int main() { ${body} return 0; }\n`);
      return findings.map(({ rule, severity }) => `${severity} ${rule}`);
    };
    const twice = ['error malloc-double-free', 'warning malloc-double-free'];
    expect((await rulesOf(bad)).some((each) => twice.includes(each))).toBe(true);
    expect((await rulesOf(good)).filter((each) => !each.startsWith('hint') || each.includes('double'))).toEqual([]);
  });
});
