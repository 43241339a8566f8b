/** What macros of C are made of: types of what they are given, lists of which nobody says how long, macros that go on by being read again. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static float *make() { float *p; cudaMalloc((void **)&p, 4); return p; }
`;

/** What the condition says must be known: one of the two frees the memory twice. */
function told(what: string, before: string, setup: string, condition: string): Row {
  return [
    what,
    'malloc-double-free',
    before,
    `float *p = make(); ${setup} if (${condition}) cudaFree(p); cudaFree(p);`,
    `float *p = make(); ${setup} if (!(${condition})) cudaFree(p); cudaFree(p);`,
  ];
}

const again = `#define PARENS ()
#define EXPAND(...) EXPAND3(EXPAND3(EXPAND3(EXPAND3(__VA_ARGS__))))
#define EXPAND3(...) EXPAND2(EXPAND2(EXPAND2(EXPAND2(__VA_ARGS__))))
#define EXPAND2(...) EXPAND1(EXPAND1(EXPAND1(EXPAND1(__VA_ARGS__))))
#define EXPAND1(...) __VA_ARGS__
#define FOR_EACH(macro, ...) __VA_OPT__(EXPAND(FOR_EACH_HELPER(macro, __VA_ARGS__)))
#define FOR_EACH_HELPER(macro, a1, ...) macro(a1) __VA_OPT__(FOR_EACH_AGAIN PARENS (macro, __VA_ARGS__))
#define FOR_EACH_AGAIN() FOR_EACH_HELPER
`;

describeRows('macros of C', head, [
  told(
    'a variable of the type of what is given',
    '#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })',
    'int x = 3; int y = MAX(x++, 2);',
    'y == 3 && x == 4 && MAX(MAX(1, 5), 2) == 5',
  ),
  told(
    'as many as are given',
    '#define COUNT(...) (sizeof((int[]){ __VA_ARGS__ }) / sizeof(int))',
    '',
    'COUNT(4, 5, 6) == 3',
  ),
  told(
    'a macro for each of a list, as an enumeration and as texts',
    `${again}#define ENUM(x) x,
#define NAME(x) #x,
enum stage { FOR_EACH(ENUM, LOAD, RUN, STORE) STAGES };
static const char *const names[] = { FOR_EACH(NAME, LOAD, RUN, STORE) };`,
    '',
    'STAGES == 3 && !strcmp(names[STORE], "STORE")',
  ),
  told(
    'a macro for each of a list, as statements',
    `${again}#define ADD(x) sum += x;`,
    'int sum = 0; FOR_EACH(ADD, 1, 2, 3, 4)',
    'sum == 10',
  ),
  told(
    'members by their names',
    'struct pair { int a, b; };\n#define NEW(T, ...) ({ T *n_ = (T *)malloc(sizeof(T)); *n_ = (T){ __VA_ARGS__ }; n_; })',
    'pair *q = NEW(pair, .a = 3, .b = 4);',
    'q->a == 3 && q->b == 4',
  ),
  told(
    'a list and how long it is',
    `#define LIST(...) (const int[]){ __VA_ARGS__ }, sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int)
static int sum(const int *list, size_t n) { int s = 0; while (n--) s += list[n]; return s; }`,
    '',
    'sum(LIST(1, 2, 3)) == 6',
  ),
]);

const table = `struct table { int (*twice)(int); void (*release)(void *); };
static int twice(int x) { return 2 * x; }
static void release(void *p) { cudaFree(p); }
static table functions = { twice, release }, *pointer = &functions;
#define CALL(name, ...) functions.name(__VA_ARGS__)
#define CALL_OF(o, name, ...) (o)->name(__VA_ARGS__)
#define OUTER(name, x) CALL(name, x)`;

describeRows('structures without a name from macros', head, [
  told(
    'a queue of whatever it is told',
    '#define QUEUE(T) struct { T *first, **last; }\nstruct job { int id; struct job *next; };',
    'QUEUE(job) q = { nullptr, nullptr }; q.last = &q.first; job a = { 1 }, b = { 2 }; for (job *j : { &a, &b }) { *q.last = j; q.last = &j->next; }',
    'q.first == &a && a.next == &b && !b.next',
  ),
]);

describeRows('members that a macro is given to call', head, [
  told(
    'of an object, of a pointer, through two macros',
    table,
    '',
    'CALL(twice, 3) == 6 && CALL_OF(pointer, twice, 4) == 8 && OUTER(twice, 1) == 2',
  ),
  [
    'what they do',
    'malloc-double-free',
    table,
    'float *p = make(); CALL_OF(pointer, release, p); OUTER(release, p);',
    'float *p = make(); CALL_OF(pointer, release, p); p = make(); OUTER(release, p);',
  ],
]);

it('runs no function on its own that a macro calls', async () => {
  const { gaps } = await analyseText(`#include <cuda_runtime.h>
static void add(cudaGraph_t g, cudaGraphNode_t *deps, size_t n) { cudaGraphNode_t node; cudaGraphAddEmptyNode(&node, g, deps, n); }
#define ADD(g) add(g, nullptr, 0)
#define ADD_TWO(g) do { ADD(g); ADD(g); } while (0)
int main() { cudaGraph_t g; cudaGraphCreate(&g, 0); ADD_TWO(g); cudaGraphDestroy(g); }`);
  expect(gaps).toEqual([]);
});

describeRows('functions of C', head, [
  told(
    'what is done once',
    'static pthread_once_t once = PTHREAD_ONCE_INIT; static int times; static void begin(void) { times++; }',
    'pthread_once(&once, begin); pthread_once(&once, begin);',
    'times == 1',
  ),
  told(
    'pieces between separators, empty ones too',
    '',
    'char text[] = "a,,c", *rest = text, *piece; int pieces = 0, empty = 0; while ((piece = strsep(&rest, ","))) { pieces++; empty += !*piece; }',
    'pieces == 3 && empty == 1 && !rest',
  ),
  told(
    'an order of ten tasks',
    `static const int edges[][2] = { { 0, 1 }, { 1, 2 }, { 0, 3 }, { 2, 4 }, { 3, 4 }, { 2, 5 }, { 2, 6 }, { 4, 7 }, { 5, 7 }, { 6, 7 }, { 4, 8 }, { 7, 9 } };
static int order(int out[]) {
  int waiting[10] = {}, done = 0;
  for (const auto &edge : edges) waiting[edge[1]]++;
  for (int progress = 1; progress;) {
    progress = 0;
    for (int t = 0; t < 10; t++) {
      if (waiting[t] != 0) continue;
      waiting[t] = -1; out[done++] = t; progress = 1;
      for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) if (edges[i][0] == t) waiting[edges[i][1]]--;
    }
  }
  return done;
}`,
    'int out[10]; int n = order(out);',
    'n == 10 && out[9] == 9',
  ),
]);
