/** Structures of C: seen as one another by casts, packed into bytes, held by lists, named by what a macro is given. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <vector>
static float *make() { float *p; cudaMalloc((void **)&p, 4); return p; }
struct head { uint16_t op; uint16_t size; };
struct command { head h; uint32_t index; };
struct derived : head { uint32_t index; };
struct node { float *p; int n; };
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

describeRows('structures that are seen as others', head, [
  told('an object and what it begins with', '', 'command c = { { 3, 8 }, 1 }; head *h = (head *)&c;', 'h->op == 3'),
  told(
    'from what an object begins with to the object',
    '',
    'command c = { { 3, 8 }, 1 }; head *h = &c.h;',
    '((command *)h)->index == 1',
  ),
  told(
    'elements behind the first in bytes that begin as zero, by a cast each time',
    '',
    'alignas(node) char raw[4 * sizeof(node)] = {}; ((node *)raw + 1)->n = 3; ((node *)raw + 2)->n = 4;',
    '((node *)raw)[1].n == 3 && ((node *)raw + 2)->n == 4 && ((node *)raw)->n == 0',
  ),
  told(
    'memory without a type, by two pointers',
    '',
    'void *m = calloc(1, sizeof(node)); node *a = (node *)m; node *b = (node *)m; a->n = 3;',
    'b->n == 3 && !((node *)m)->p',
  ),
  told(
    'in an array of bytes',
    '',
    'uint8_t bytes[64]; command *c = (command *)(bytes + 8); c->h.op = 3; c->index = 4; head *h = (head *)(bytes + 8);',
    'h->op == 3 && ((command *)h)->index == 4',
  ),
  told(
    'the head first, then the whole',
    '',
    'char *bytes = (char *)malloc(64); head *h = (head *)(bytes + 8); h->op = 3; command *c = (command *)h; c->index = 4; *c = command{ c->h, 5 };',
    'h->op == 3 && ((head *)(bytes + 8))->op == 3 && ((command *)(bytes + 8))->index == 5',
  ),
  told(
    'a base first, then what derives from it',
    '',
    'char bytes[64]; head *h = (head *)(bytes + 8); h->op = 3; derived *d = (derived *)h; d->index = 4;',
    'h->op == 3 && ((derived *)(bytes + 8))->op == 3 && ((derived *)(bytes + 8))->index == 4',
  ),
  told(
    'one behind another, by index and by bytes',
    '',
    'char bytes[64]; node *n = (node *)bytes; n[1].n = 5; ((node *)(bytes + 32))->n = 6;',
    '((node *)(bytes + sizeof(node)))->n == 5 && ((node *)(bytes + 32))->n == 6',
  ),
  told(
    'in the bytes of a vector',
    '',
    'std::vector<uint8_t> bytes(64); reinterpret_cast<command *>(bytes.data() + 8)->index = 4;',
    'reinterpret_cast<const head *>(&bytes[8])->op == 0 && ((const command *)&bytes[8])->index == 4',
  ),
  told(
    'commands one behind the other',
    `struct list { uint8_t *base; size_t used, room; };
static head *push(list *l, uint16_t op, size_t size) {
  if (l->used + size > l->room) { l->room = l->room ? 2 * l->room : 16; l->base = (uint8_t *)realloc(l->base, l->room); }
  head *h = (head *)(l->base + l->used);
  memset(h, 0, size); h->op = op; h->size = (uint16_t)size; l->used += size;
  return h;
}`,
    `list l = { nullptr, 0, 0 }; ((command *)push(&l, 1, sizeof(command)))->index = 2; push(&l, 2, sizeof(head)); ((command *)push(&l, 1, sizeof(command)))->index = 4;
int sum = 0; const uint8_t *at = l.base, *const end = at + l.used;
while (at < end) { const head *h = (const head *)at; if (h->op == 1) sum += ((const command *)h)->index; at += h->size; }`,
    'sum == 6 && l.room == 32',
  ),
]);

const vector = `typedef struct { void *data; size_t length, room, each; } vector;
static void *push(vector *v) {
  if (v->length == v->room) { v->room = v->room ? 2 * v->room : 2; v->data = realloc(v->data, v->room * v->each); }
  return (char *)v->data + v->length++ * v->each;
}
#define AT(v, T, i) (((T *)(v)->data)[i])`;
const stretchy = `struct before { size_t length, room; };
#define BEFORE(a) ((before *)((char *)(a) - sizeof(before)))
static void *grow(void *a, size_t each) {
  size_t room = a ? BEFORE(a)->room * 2 : 2;
  before *b = (before *)realloc(a ? BEFORE(a) : nullptr, sizeof(before) + room * each);
  if (!a) b->length = 0;
  b->room = room;
  return (char *)b + sizeof(before);
}
#define PUSH(a, v) ((!(a) || BEFORE(a)->length == BEFORE(a)->room ? (void)((a) = (__typeof__(a))grow((a), sizeof *(a))) : (void)0), (a)[BEFORE(a)->length++] = (v))`;
const arena = `static unsigned char arena[256]; static size_t used;
static void *take(size_t n) {
  unsigned char *at = (unsigned char *)(((uintptr_t)arena + used + 15) & ~15ull);
  used = (size_t)(at - arena) + n;
  return at;
}`;

describeRows('containers of C', head, [
  told(
    'a vector of whatever it is told',
    vector,
    'vector a = { nullptr, 0, 0, sizeof(float *) }, b = { nullptr, 0, 0, sizeof(node) }; for (int i = 0; i < 3; i++) { *(float **)push(&a) = p; ((node *)push(&b))->n = i; }',
    'AT(&a, float *, 2) == p && AT(&b, node, 2).n == 2 && AT(&b, node, 1).n == 1 && a.room == 4',
  ),
  told(
    'an array that knows its length in front of itself',
    stretchy,
    'float **list = nullptr; for (int i = 0; i < 3; i++) PUSH(list, p);',
    'BEFORE(list)->length == 3 && BEFORE(list)->room == 4 && list[2] == p',
  ),
  told(
    'an arena that rounds addresses up',
    arena,
    'node *a = (node *)take(20), *b = (node *)take(sizeof(node)); a->n = 1; b->n = 2;',
    'used == 48 && a->n == 1 && ((node *)(arena + 32))->n == 2',
  ),
  told(
    'an object that begins as its base',
    'static void *begin(size_t n, int op) { head *h = (head *)calloc(1, n); h->op = (uint16_t)op; return h; }',
    'command *c = (command *)begin(sizeof(command), 2); c->index = 3; head *h = &c->h;',
    'h->op == 2 && ((command *)h)->index == 3',
  ),
]);

describeRows('numbers in bytes, and structures in unions', head, [
  told(
    'numbers and addresses packed into bytes',
    '',
    'uint8_t b[64] = {}; size_t at = 0; *(uint32_t *)(b + at) = 70000; at += 4; *(float **)(b + at) = p; at += 8; *(int *)(b + at) = -5;',
    '*(uint32_t *)b == 70000 && *(float **)(b + 4) == p && *(const int *)(b + 12) == -5 && *(int *)(b + 32) == 0',
  ),
  told(
    'what the structures of a union begin with',
    'union any { int kind; struct { int kind; float *p; } copy; struct { int kind, x, y; } move; };',
    'any a = {}; a.copy.kind = 2; any b = a; b.move = { 3, 1, 2 };',
    'a.kind == 2 && a.move.kind == 2 && b.kind == 3 && b.copy.kind == 3',
  ),
  told(
    'by a structure within a structure',
    'union any { head h; command c; };',
    'any list[2] = {}; list[1].c = command{ { 4, 8 }, 1 };',
    'list[1].h.op == 4 && list[0].h.op == 0',
  ),
  told(
    'buffers by name and in a row',
    'union buffers { struct { float *in, *out; } by; float *all[2]; };',
    'buffers a = {}; a.by.out = p; buffers b = a; b.all[0] = p;',
    'a.all[1] == p && !a.all[0] && b.by.in == p && !a.by.in',
  ),
  told('a union of zeroes', 'union any { int i; float f; };', 'any a = {};', 'a.i == 0'),
]);

const lists = `struct link { struct link *next, *prev; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define each_safe(pos, n, head, type, member) for (pos = container_of((head)->next, type, member), n = container_of(pos->member.next, type, member); &pos->member != (head); pos = n, n = container_of(n->member.next, type, member))
struct item { float *p; struct link link; };
static struct link items = { &items, &items };
static void add(struct item *i, float *p) { i->p = p; i->link.next = items.next; i->link.prev = &items; items.next->prev = &i->link; items.next = &i->link; }`;

describeRows('lists of C', head, [
  told(
    'a global that names itself',
    'struct link { struct link *next; }; static struct link l = { &l };',
    '',
    'l.next == &l',
  ),
  [
    'a list that ends where it began',
    'malloc-double-free',
    lists,
    'struct item a, b, *i, *n; add(&a, make()); float *p = make(); add(&b, p); cudaFree(p); each_safe(i, n, &items, struct item, link) { cudaFree(i->p); }',
    'struct item a, b, *i, *n; add(&a, make()); add(&b, make()); int k = 0; each_safe(i, n, &items, struct item, link) { cudaFree(i->p); k++; } float *p = make(); if (k != 2) cudaFree(p); cudaFree(p);',
  ],
  told(
    'objects of zeroes in an array in a structure in memory of zeroes',
    'struct slot { int used; char key[8]; }; struct table { slot slots[4]; };',
    'table *t = (table *)calloc(2, sizeof *t);',
    '!t->slots[1].used && !t[1].slots[2].key[3]',
  ),
]);

describeRows('types that a macro is given', head, [
  told(
    'a braced list of that type',
    '#define SET(p, type, x) do { *(p) = type{ 3, x }; } while (0)',
    'head h; SET(&h, head, 7);',
    'h.op == 3 && h.size == 7',
  ),
  told(
    'a variable of that type',
    '#define SET(p, type, x) do { type k = { 3, x }; *(p) = k; } while (0)',
    'head h; SET(&h, head, 7);',
    'h.op == 3 && h.size == 7',
  ),
  told(
    'a cast to that type',
    '#define FIELD(p, type, f) (((type *)(p))->f)',
    'head h; FIELD(&h, head, size) = 4; void *q = &h;',
    'FIELD(q, head, size) == 4',
  ),
  told(
    'how large it is, through two macros',
    '#define NEW(n, type) ((type *)calloc(n, sizeof(type)))\n#define BYTES(type) (sizeof(type) + 0)\n#define TWICE(type) (2 * BYTES(type))',
    'head *h = NEW(2, head);',
    'TWICE(head) == 8 && h[1].op == 0',
  ),
]);

describeRows('lines and cases in macros', head, [
  told(
    'the line that a macro is used on',
    '#define HERE __LINE__',
    'int a = HERE; int b = __LINE__;\nint c = HERE;',
    'a == b && c == a + 1',
  ),
  [
    'a task that goes on where it was left',
    'malloc-double-free',
    `struct task { int line; float *p; };
#define BEGIN(t) switch ((t)->line) { case 0:
#define YIELD(t) do { (t)->line = __LINE__; return; case __LINE__:; } while (0)
#define END(t) } (t)->line = -1
static void once(task *t) {
  BEGIN(t);
  t->p = make();
  YIELD(t);
  cudaFree(t->p);
  YIELD(t);
  t->p = make();
  END(t);
}
static void twice(task *t) {
  BEGIN(t);
  t->p = make();
  YIELD(t);
  cudaFree(t->p);
  YIELD(t);
  cudaFree(t->p);
  END(t);
}`,
    'task t = {}; for (int i = 0; i < 3; i++) twice(&t);',
    'task t = {}; for (int i = 0; i < 3; i++) once(&t); cudaFree(t.p);',
  ],
]);
