/** C around its structures: from members back to what they lie in, lists that name members and elements, labels as values. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

const commands = `struct list { struct list *next, *prev; };
struct base { int lane; int (*run)(struct base *, int); struct list link; };
struct call { int (*f)(int); struct base base; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define entry(ptr, type, member) container_of(ptr, type, member)
#define UP(b, kind) container_of((b), struct kind, base)
static int seven(int n) { return n + 7; }
static int run_call(struct base *b, int n) { return UP(b, call)->f(n); }
`;

const one = 'struct call c; c.f = seven; c.base.run = run_call;';

describeRows('the object around a member', head, [
  told('a macro that hands on a type', commands, one, 'UP(&c.base, call)->f(1) == 8'),
  told(
    'a member of a member, in two steps',
    commands,
    `${one} struct list *l = &c.base.link; struct base *b = entry(l, struct base, link);`,
    'b->run(b, 1) == 8',
  ),
  told(
    'a member of a member, in one step',
    commands,
    `${one} struct list *l = &c.base.link;`,
    'entry(l, struct call, base.link)->f(1) == 8',
  ),
  told(
    'an element of an array',
    commands,
    'struct call c[3]; c[2].f = seven; struct list *l = &c[1].base.link; struct call *found = entry(l, struct call, base.link);',
    'found - c == 1 && found[1].f == seven',
  ),
  told(
    'the distance as an address behind null',
    `${commands}#define around(ptr, type, member) ((type *)((char *)(ptr) - (size_t)&((type *)0)->member))`,
    one,
    'around(&c.base.link, struct call, base.link)->f == seven',
  ),
  told(
    "the compiler's own word",
    `${commands}#define around(ptr, type, member) ((type *)((char *)(ptr) - __builtin_offsetof(type, member)))`,
    one,
    'around(&c.base, struct call, base)->f == seven',
  ),
]);

const added = `${commands}static void add(struct list *head, struct list *l) { l->next = head->next; head->next = l; }
#define NEW(kind, list, ...) do { struct kind *n_ = (struct kind *)calloc(1, sizeof(struct kind)); n_->base.run = run_call; __VA_ARGS__; add(list, &n_->base.link); } while (0)
`;

describeRows('what a macro is given, with variables of its body', head, [
  told(
    'one statement',
    added,
    'struct list all = {}; NEW(call, &all, n_->f = seven);',
    'entry(all.next, struct call, base.link)->f(1) == 8',
  ),
  told(
    'several, with commas',
    added,
    'struct list all = {}; NEW(call, &all, n_->f = seven, n_->base.lane = 3);',
    'entry(all.next, struct base, link)->lane == 3 && entry(all.next, struct call, base.link)->f(1) == 8',
  ),
  told(
    'a block',
    added,
    'struct list all = {}; NEW(call, &all, { n_->f = seven; n_->base.lane = 3; });',
    'entry(all.next, struct base, link)->lane == 3 && entry(all.next, struct call, base.link)->f(1) == 8',
  ),
  told(
    'a variable of the user is meant where both have one',
    '#define TWICE(x, out) do { int n = 1; out = (x) * 2 + n; } while (0)',
    'int m = 4, r; TWICE(m, r);',
    'r == 9',
  ),
]);

const stages = 'struct stage { int (*f)(int); int after, more; }; static int up(int n) { return n + 1; }';
const variants =
  'struct size { int x, y; }; struct item { int kind; union { struct size size; void *at; int n; }; int z; }; struct word { int kind; union { struct { int a, b; }; int n; }; int z; };';

describeRows('lists that name what they fill', head, [
  told('names behind values', stages, 'struct stage s = { up, .more = 8 };', 's.more == 8 && s.f(1) == 2'),
  told('values behind names', stages, 'struct stage s = { .after = 3, 8 };', 's.more == 8 && s.after == 3'),
  told(
    'elements and members of them',
    stages,
    'struct stage s[2] = { [0].after = 5, [1].after = 6, [1].more = 7 };',
    's[0].after == 5 && s[1].after == 6 && s[1].more == 7 && !s[0].more',
  ),
  told('elements of members', '', 'struct { int a[3], z; } v = { .a[1] = 3, .z = 4 };', 'v.a[1] == 3 && v.z == 4'),
  told('ranges', '', 'int a[6] = { [1 ... 3] = 4, [5] = 6 };', 'a[1] == 4 && a[3] == 4 && a[5] == 6 && !a[4]'),
  told('braces of a union', variants, 'struct item i = { 1, { { 2, 3 } }, 4 };', 'i.size.y == 3 && i.z == 4'),
  told('a name in the braces of a union', variants, 'struct item i = { 1, { .at = p }, 4 };', 'i.at == p && i.z == 4'),
  told('a structure in a union', variants, 'struct word w = { 1, { { 5, 6 } }, 4 };', 'w.b == 6 && w.z == 4'),
  told('no braces of a union', variants, 'struct word w = { 1, 5, 6, 4 };', 'w.a == 5 && w.b == 6 && w.z == 4'),
  told('numbers without names', '', 'void *v[] = { &(int){ 2 } };', '*(int *)v[0] == 2'),
]);

describeRows('labels as values', head, [
  told(
    'a table of labels',
    `static int run(const int *ops) {
  static void *const labels[] = { &&end, &&add, &&twice };
  int r = 0;
#define NEXT() do { goto *labels[*ops++]; } while (0)
  NEXT();
add: r += 5; NEXT();
twice: r *= 2; NEXT();
end: return r;
}`,
    'static const int ops[] = { 1, 1, 2, 0 };',
    'run(ops) == 20',
  ),
]);

describeRows('what an object begins with', head, [
  told(
    'a number',
    'enum kind { NONE, COPY }; struct command { enum kind kind; size_t bytes; };',
    'struct command c = { COPY, 4 }; void *any = &c;',
    '*(enum kind *)any == COPY',
  ),
  told(
    'a table of functions',
    'struct table { int (*size)(void *); }; struct object { const struct table *table; }; struct item { struct object object; int size; }; static int size_of(void *self) { return ((struct item *)self)->size; } static const struct table items = { size_of };',
    'struct item i = { { &items }, 12 }; void *any = &i;',
    '(*(const struct table **)any)->size(any) == 12',
  ),
  told(
    'an address that a call fills in',
    'struct buffer { float *data; size_t bytes; };',
    'struct buffer b = {}; cudaMalloc((void **)&b, 64); float *data = b.data; cudaFree(data);',
    'data && data != p && !b.bytes',
  ),
]);

describeRows('words of C', head, [
  told(
    'an enumeration that goes by its own name',
    'typedef enum state { IDLE, BUSY } state; struct lane { state now; float *p; };',
    'struct lane l = {};',
    'l.now == IDLE && l.now != BUSY',
  ),
  told(
    'a type of functions',
    'typedef int step(int); static step first; static int twice(step f, int n) { return f(f(n)); } static int first(int n) { return n + 1; }',
    'step *pointer = first;',
    'twice(first, 3) == 5 && pointer(1) == 2 && first(6) == 7',
  ),
  told(
    'an array whose elements name each other',
    'struct node { struct node *next; int n; }; static struct node ring[2] = { { &ring[1], 1 }, { &ring[0], 2 } };',
    'struct node line[3] = { { &line[1], 1 }, { line + 2, 2 }, { NULL, 3 } }; int sum = 0; for (struct node *i = line; i; i = i->next) sum += i->n;',
    'sum == 6 && ring[0].next->n == 2 && ring[1].next == ring',
  ),
  told(
    'a loop that only goto leaves',
    '',
    'int n = 0; for (;;) { for (;; n++) if (n == 3) goto done; } done:;',
    'n == 3',
  ),
  told(
    'a pointer to rows that a loop begins with',
    '',
    'int rows[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, sum = 0; for (int (*r)[3] = rows; r != rows + 2; ++r) sum += (*r)[1];',
    'sum == 7',
  ),
  told(
    'a copy of a text is changed',
    '#include <string.h>',
    'char *s = strdup("abc"); s[1] = 66;',
    '!strcmp(s, "aBc") && s[2] == 99',
  ),
  told(
    'a long array that a pointer goes through to its end',
    '',
    'static int all[550]; int *end = all + 550; for (int *each = all; each != end; ++each) *each = 2;',
    'all[549] == 2',
  ),
]);

it('cases that are said to fall through leave no gap, and a status in brackets is known', async () => {
  const { findings, gaps } = await analyseText(`${head}
#define STATUS(call) ({ cudaError_t status_ = (cudaError_t)(call); status_; })
static int from(int n) {
  int r = 0;
  switch (n) {
  case 0: r += 1; __attribute__((fallthrough));
  case 1: r += 10; break;
  }
  return r;
}
int main() {
  cudaStream_t s;
  float *p = make();
  if (STATUS(cudaStreamCreate(&s)) == 0 && from(0) == 11) cudaFree(p);
  cudaFree(p);
  return 0;
}`);
  expect(gaps).toEqual([]);
  expect(findings.map(({ rule, certainty }) => [rule, certainty])).toContainEqual(['malloc-double-free', 'always']);
});

it('functions run beside main', async () => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
static float *p, *q;
__attribute__((constructor)) static void begin(void) { cudaMalloc((void **)&p, 4); cudaMalloc((void **)&q, 4); }
static void __attribute__((destructor)) end(void) { cudaFree(p); cudaFree(q); }
int main() { cudaFree(q); return 0; }`);
  expect(findings.map(({ rule, certainty }) => [rule, certainty])).toEqual([['malloc-double-free', 'always']]);
});

it('an array is an address where it is assigned to a member that nobody sees', async () => {
  const copied = (host: string): string => `#include <cuda_runtime.h>
static void add(cudaGraph_t graph, float *p) {
  ${host} float host[8];
  cudaGraphNode_t node;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(p, 32, 8, 1);
  copy.dstPtr.ptr = host;
  copy.dstPtr.pitch = 32;
  copy.extent = make_cudaExtent(32, 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy);
}
int main() {
  float *p;
  cudaMalloc((void **)&p, 32);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphCreate(&graph, 0);
  add(graph, p);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(p);
  return 0;
}`;
  expect((await analyseText(copied('static'))).findings).toEqual([]);
  const { findings } = await analyseText(copied(''));
  expect(findings.map(({ rule, message }) => [rule, message.includes('`host`')])).toEqual([
    ['baked-host-pointer-dead', true],
  ]);
});

it('C converts addresses without a type to those of structures', async () => {
  const { findings } = await analyseText(
    `#include <cuda_runtime_api.h>
#include <stdlib.h>
struct item { int n; float *p; };
struct larger { struct item item; int more; };
static struct item *get(void) { return calloc(1, sizeof(struct item)); }
static void job(void *user) { struct larger *l = user; if (l->more == 7) cudaFree(l->item.p); }
int main(void) {
  struct item *i = get();
  struct larger *l;
  l = calloc(1, sizeof *l);
  l->more = 7;
  cudaMalloc((void **)&i->p, 4);
  cudaMalloc((void **)&l->item.p, 4);
  cudaFree(i->p);
  cudaFree(i->p);
  job(&l->item);
  job(l);
  return 0;
}`,
  );
  expect(findings.map(({ rule, certainty }) => [rule, certainty])).toEqual([
    ['malloc-double-free', 'always'],
    ['malloc-double-free', 'always'],
  ]);
});

it('two streams of elements go by these', async () => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
struct lane { cudaStream_t stream; };
void f(cudaGraph_t graph) {
  lane lanes[2];
  cudaGraphNode_t alloc, release;
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 4096;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
  cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (auto &each : lanes) cudaStreamCreate(&each.stream);
  for (auto &each : lanes) cudaGraphLaunch(exec, each.stream);
}`);
  expect(findings.map(({ message }) => message.slice(0, 75))).toEqual([
    '`exec` was last launched in `lanes[0].stream`; launching it in `lanes[1].st',
  ]);
});
