/** Plans that stand in texts: streams over them, scanning as C does it, texts that are changed: read, and with one mistake found. */

import { describe, expect, it } from 'vitest';
import { rulesSaid } from '../support/rules-said.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync((void **)&p, 4, s); return p; }
static void drop(float *p) { cudaFreeAsync(p, s); }
`;

/** What it is; what stands before `main`; two bodies of \`main\`, of which the first forgets to free. */
type Row = readonly [what: string, before: string, bad: string, good: string];

const named = 'static std::map<std::string, float *> m;\n';

const streams: readonly Row[] = [
  [
    'lines, and the words in them',
    `${named}static void go(const char *plan) { std::istringstream in(plan); std::string line; while (std::getline(in, line)) {
  if (line.empty() || line[0] == '#') continue; std::istringstream words(line); std::string verb, name; words >> verb >> name;
  if (verb == "alloc") m[name] = make(); else if (verb == "free") drop(m.at(name)); } }`,
    'go("alloc a\\n# one\\nalloc b\\nfree a\\n# free b\\n");',
    'go("alloc a\\n# one\\nalloc b\\nfree a\\n\\nfree b");',
  ],
  [
    'parts, and numbers until there are none',
    `static int sum(const char *list) { std::stringstream in(list); std::string part; int n = 0; while (std::getline(in, part, ';')) { std::istringstream numbers(part); for (int i; numbers >> i;) n += i; } return n; }`,
    'float *p = make(); if (sum("1 2;3;x 4") == 10) drop(p);',
    'float *p = make(); if (sum("1 2;3;x 4") == 6) drop(p);',
  ],
  [
    'a command that says itself how it is read',
    `struct Command { char op; int slot; }; static std::istream &operator>>(std::istream &in, Command &c) { return in >> c.op >> c.slot; }
static void go(const char *plan) { std::istringstream in(plan); float *slots[2]; Command c; while (in >> c) { if (c.op == 'A') slots[c.slot] = make(); else drop(slots[c.slot]); } }`,
    'go("A0 A1 F0");',
    'go("A0 A1 F0 F1");',
  ],
  [
    'a text that is put together',
    'static std::string key(int w, int h) { std::ostringstream out; out << w << "x" << h; return out.str(); }',
    'float *p = make(); if (key(4, 2) == "42") drop(p);',
    'float *p = make(); if (key(4, 2) == "4x2") drop(p);',
  ],
  [
    'what a stream says of itself',
    '',
    'std::istringstream in("1 x"); int a = 5, b = 5; in >> a >> b; float *p = make(); if (!in.fail() || b != 0) drop(p);',
    'std::istringstream in("1 x"); int a = 5, b = 5; in >> a >> b; float *p = make(); if (in.fail() && !in && b == 0) drop(p);',
  ],
];

const scanning: readonly Row[] = [
  [
    'lines by strtok, what is in them by sscanf',
    `static float *slots[4]; static void step(char *line) { char verb[16]; int slot; if (sscanf(line, "%15s %d", verb, &slot) < 2) return;
  if (!strcmp(verb, "alloc")) slots[slot] = make(); else if (!strcmp(verb, "free")) drop(slots[slot]); }
static void go(char *plan) { for (char *l = strtok(plan, "\\n"); l; l = strtok(NULL, "\\n")) step(l); }`,
    'char plan[] = "alloc 0\\nalloc 1\\nfree 0\\nfree"; go(plan);',
    'char plan[] = "alloc 0\\nalloc 1\\nfree 0\\nfree 1"; go(plan);',
  ],
  [
    'names and numbers by strchr and strtoul',
    `static unsigned long sum(const char *p) { unsigned long n = 0; while (p && *p) { const char *is = strchr(p, '='); char *end; n += strtoul(is + 1, &end, 0); p = *end == ',' ? end + 1 : NULL; } return n; }`,
    'float *p = make(); if (sum("a=1,b=0x10,c=3") == 14) drop(p);',
    'float *p = make(); if (sum("a=1,b=0x10,c=3") == 20) drop(p);',
  ],
  [
    'lines copied one by one out of a text that stands in the program',
    `static int steps(const char *text) { int n = 0; while (*text) { char line[32], key[8], value[8]; size_t length = strcspn(text, "\\n");
  memcpy(line, text, length); line[length] = 0; text += length + (text[length] == '\\n');
  if (line[0] != '#' && sscanf(line, "%7s = %7s", key, value) == 2 && !strcmp(key, "steps")) n = atoi(value); } return n; }`,
    'float *p = make(); if (steps("# a\\ncells = 5\\nsteps = 3\\n") == 5) drop(p);',
    'float *p = make(); if (steps("# a\\ncells = 5\\nsteps = 3\\n") == 3) drop(p);',
  ],
  [
    'conversions of every kind',
    '',
    'int a, b, n; char c, t[8]; float f; float *p = make(); if (sscanf("7,0x1f:q name;2.5!", "%d,%x:%c %[^;];%f%n", &a, &b, &c, t, &f, &n) == 4) drop(p);',
    `int a, b, n; char c, t[8]; float f; float *p = make(); if (sscanf("7,0x1f:q name;2.5!", "%d,%x:%c %[^;];%f%n", &a, &b, &c, t, &f, &n) == 5 && b == 31 && c == 'q' && !strcmp(t, "name") && n == 17) drop(p);`,
  ],
];

const changes: readonly Row[] = [
  [
    'a character behind a text',
    '',
    `std::string t = "k"; t += '_'; t = t + '1'; float *p = make(); if (t == "k") drop(p);`,
    `std::string t = "k"; t += '_'; t = t + '1'; float *p = make(); if (t == "k_1") drop(p);`,
  ],
  [
    'in the middle',
    '',
    'std::string t = "node"; t.insert(0, "my_"); t.replace(0, 2, "a"); t.erase(1, 1); float *p = make(); if (t == "my_node") drop(p);',
    'std::string t = "node"; t.insert(0, "my_"); t.replace(0, 2, "a"); t.erase(1, 1); float *p = make(); if (t == "anode") drop(p);',
  ],
  [
    'character by character',
    '',
    `std::string t(3, 'x'); t[0] = 'a'; for (char &c : t) if (c == 'x') c = 'b'; float *p = make(); if (t == "xxx") drop(p);`,
    `std::string t(3, 'x'); t[0] = 'a'; for (char &c : t) if (c == 'x') c = 'b'; float *p = make(); if (t == "abb") drop(p);`,
  ],
  [
    'a view that is cut',
    '',
    'std::string_view v = "  k "; v.remove_prefix(2); v.remove_suffix(1); float *p = make(); if (v.size() == 4) drop(p);',
    'std::string_view v = "  k "; v.remove_prefix(2); v.remove_suffix(1); float *p = make(); if (v == "k") drop(p);',
  ],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['a stream over a text', streams],
  ['scanning as C does it', scanning],
  ['a text that is changed', changes],
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

describe('what is written to the screen', () => {
  const before = `struct Memory { float *p; };
std::ostream &operator<<(std::ostream &where, Memory &m) { drop(m.p); return where << m.p; }`;

  it('is written by the operator of the program, whatever the stream is called', async () => {
    expect(await rulesSaid(head, before, 'Memory m{make()}; std::cout << "memory " << m << std::endl;')).toEqual([]);
    expect(await rulesSaid(head, before, 'Memory m{make()}; std::cout << "memory " << m.p << 3;')).toEqual([
      'async-leak',
    ]);
  });
});
