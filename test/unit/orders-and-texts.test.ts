/** What the library does with orders, numbers in texts, formats and variants: read as it is, and with one mistake found. */

import { describe, expect, it } from 'vitest';
import { rulesSaid } from '../support/rules-said.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <variant>
#include <vector>
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
`;

/** What it is; what stands before `main`; two bodies of `main`, of which the first forgets to free. */
type Row = readonly [what: string, before: string, bad: string, good: string];

const owner = 'struct Job { float *p; int n; Job(int m) : p(make()), n(m) {} ~Job() { if (n < 9) drop(p); } };\n';
const shared = 'using Shared = std::shared_ptr<Job>;\n';
const byValue = 'struct Less { bool operator()(Shared a, Shared b) const { return a->n < b->n; } };\n';

const orders: readonly Row[] = [
  [
    'a queue that compares what it is given by value',
    owner + shared + byValue,
    'std::priority_queue<Shared, std::vector<Shared>, Less> q; q.push(std::make_shared<Job>(2)); q.push(std::make_shared<Job>(9)); if (q.top()->n == 9) q.pop();',
    'std::priority_queue<Shared, std::vector<Shared>, Less> q; q.push(std::make_shared<Job>(2)); q.push(std::make_shared<Job>(3)); cudaMemsetAsync(q.top()->p, 0, 4, s); q.pop(); cudaMemsetAsync(q.top()->p, 0, 4, s);',
  ],
  [
    'a set that does',
    owner + shared + byValue,
    'std::set<Shared, Less> q; q.insert(std::make_shared<Job>(9)); q.insert(std::make_shared<Job>(3));',
    'std::set<Shared, Less> q; q.insert(std::make_shared<Job>(5)); q.insert(std::make_shared<Job>(3)); for (auto &each : q) cudaMemsetAsync(each->p, 0, 4, s);',
  ],
  [
    'a function that is given an owner each time it is called',
    `${owner}${shared}static void use(Shared job, int) { cudaMemsetAsync(job->p, 0, 4, s); }`,
    'auto f = std::bind_front(use, std::make_shared<Job>(9)); f(1); f(2);',
    'auto job = std::make_shared<Job>(2); auto f = std::bind_front(use, job); f(1); f(2);',
  ],
  [
    'an order that goes by another name',
    'using Smallest = std::greater<int>;',
    'std::priority_queue<int, std::vector<int>, Smallest> q; q.push(2); q.push(5); float *p = make(); if (q.top() == 5) drop(p);',
    'std::priority_queue<int, std::vector<int>, Smallest> q; q.push(2); q.push(5); float *p = make(); if (q.top() == 2) drop(p);',
  ],
  [
    'how many a queue holds whose order nobody knows',
    '',
    'std::priority_queue<int> q; for (int i = 0; i < 4; i++) q.push(rand()); q.pop(); int n = 0; while (!q.empty()) { q.pop(); n++; } float *p = make(); if (n != 3) drop(p);',
    'std::priority_queue<int> q; for (int i = 0; i < 4; i++) q.push(rand()); q.pop(); int n = 0; while (!q.empty()) { q.pop(); n++; } float *p = make(); if (n == 3) drop(p);',
  ],
  [
    'neighbours that are one by what is asked of them',
    '',
    'std::vector<int> v{1, 2, 5}; v.erase(std::unique(v.begin(), v.end(), [](int a, int b) { return b - a == 1; }), v.end()); float *p = make(); if (v.size() == 3) drop(p);',
    'std::vector<int> v{1, 2, 5}; v.erase(std::unique(v.begin(), v.end(), [](int a, int b) { return b - a == 1; }), v.end()); float *p = make(); if (v.size() == 2 && v[1] == 5) drop(p);',
  ],
];

const texts: readonly Row[] = [
  [
    'a number in the base that is asked for',
    '',
    'float *p = make(); size_t end = 0; if (std::stoi("1Fz", &end, 16) == 1 || end != 2) drop(p);',
    'float *p = make(); size_t end = 0; if (std::stoi("1Fz", &end, 16) == 31 && end == 2) drop(p);',
  ],
  [
    'numbers in arrays of characters, fractions, and none at all',
    '',
    'float *p = make(); char t[8]; snprintf(t, sizeof t, "%d", 42); if (atoi(t) == 4) drop(p);',
    'float *p = make(); char t[8]; snprintf(t, sizeof t, "%d", 42); if (atoi(t) == 42 && std::stof("1.5") == 1.5f && atoi("x") == 0) drop(p);',
  ],
  [
    'what a text is scanned for by its own base',
    '',
    'float *p = make(); int n = 0, m = 0; sscanf("0x1F 010", "%i %i", &n, &m); if (n == 0 || m == 10) drop(p);',
    'float *p = make(); int n = 0, m = 0; sscanf("0x1F 010", "%i %i", &n, &m); if (n == 31 && m == 8) drop(p);',
  ],
  [
    'texts that are filled up, or cut',
    '',
    'float *p = make(); char t[16]; snprintf(t, sizeof t, "%-4s|%.2s%3d", "ab", "cde", 7); if (!strcmp(t, "ab|cd7")) drop(p);',
    'float *p = make(); char t[16]; snprintf(t, sizeof t, "%-4s|%.2s%3d", "ab", "cde", 7); if (!strcmp(t, "ab  |cd  7")) drop(p);',
  ],
  [
    'the zero at the end of a text',
    '',
    `float *p = make(); const char *t = "abc"; if (strchr(t, '\\0') == nullptr) drop(p);`,
    `float *p = make(); const char *t = "abc"; if (strchr(t, '\\0') - t == 3) drop(p);`,
  ],
];

const held: readonly Row[] = [
  [
    'a container in a variant',
    'using Many = std::vector<float *>;',
    'std::variant<int, Many> v = Many{make()}; if (std::holds_alternative<int>(v)) drop(std::get<Many>(v)[0]);',
    'std::variant<int, Many> v = Many{make()}; if (std::holds_alternative<Many>(v)) drop(std::get<Many>(v)[0]);',
  ],
  [
    'all bits turned, and one that is copied',
    '',
    'float *p = make(); std::bitset<4> b; b.set(1); b.flip(); if (b.count() == 1) drop(p);',
    'float *p = make(); std::bitset<4> b; b.set(1); b.flip(); auto bit = b[3]; if (b.count() == 3 && bit && !b[1]) drop(p);',
  ],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['orders', orders],
  ['numbers and texts', texts],
  ['what holds others', held],
];

for (const [group, rows] of groups)
  describe(group, () => {
    for (const [what, before, bad, good] of rows) {
      it(`${what}: the mistake`, async () => {
        expect(await rulesSaid(head, before, bad)).toEqual(['async-leak']);
      });
      it(`${what}: nothing to say`, async () => {
        expect(await rulesSaid(head, before, good)).toEqual([]);
      });
    }
  });
