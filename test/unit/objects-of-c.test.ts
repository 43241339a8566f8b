/** Objects, lists and machines of C: classes with tables of functions, rows that macros begin, labels in arrays. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <stddef.h>
#include <stdlib.h>
static float *make(void) { float *p; cudaMalloc((void **)&p, 64); return p; }
struct list { struct list *next, *prev; };
#define entry_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define for_each_entry_safe(pos, tmp, head, type, member) \\
  for (pos = entry_of((head)->next, type, member), tmp = entry_of(pos->member.next, type, member); \\
       &pos->member != (head); pos = tmp, tmp = entry_of(pos->member.next, type, member))
static void list_add(struct list *n, struct list *to) {
  n->next = to->next, n->prev = to, to->next->prev = n, to->next = n;
}
static void list_del(struct list *n) { n->prev->next = n->next, n->next->prev = n->prev; }
struct object;
struct klass { size_t size; void (*fini)(struct object *); };
struct object { const struct klass *klass; int refs; struct list link; };
struct memory { struct object base; float *data; };
static void memory_fini(struct object *o) { cudaFree(((struct memory *)o)->data); }
static const struct klass memory_class = { sizeof(struct memory), memory_fini };
static struct list world = { &world, &world };
static void *object_new(const struct klass *k) {
  struct object *o = (struct object *)calloc(1, k->size);
  o->klass = k, o->refs = 1;
  list_add(&o->link, &world);
  return o;
}
static void unref(struct object *o) {
  if (--o->refs) return;
  list_del(&o->link);
  o->klass->fini(o);
  free(o);
}
`;

const two = `struct memory *a = (struct memory *)object_new(&memory_class), *b = (struct memory *)object_new(&memory_class);
  a->data = make(); b->data = make(); float *first = a->data; struct object *o, *next;`;
const all = 'for_each_entry_safe(o, next, &world, struct object, link) unref(o);';

describeRows('objects in a list of what they begin with', head, [
  ['end as what they are', 'malloc-double-free', '', `${two} ${all} cudaFree(first);`, `${two} (void)first; ${all}`],
]);

const rows = `typedef struct { int kind; float **what[2]; int after[2]; } row;
#define TAKE(p, ...) { 0, { &(p), NULL }, { __VA_ARGS__ } }
#define GIVE(p, ...) { 1, { &(p), NULL }, { __VA_ARGS__ } }
static float *p;
static void run(const row &r) { if (r.kind == 0) *r.what[0] = make(); else if (r.after[0] >= 0) cudaFree(*r.what[0]); }`;

const machine = `#define NEXT goto *labels[*at++]
static void run(const unsigned char *at) {
  static void *labels[] = { &&take, &&give, &&clear, &&stop };
  float *p = NULL;
  NEXT;
give:
  cudaFree(p);
  NEXT;
take:
  p = make();
  NEXT;
clear:
  cudaMemset(p, 0, 64);
  NEXT;
stop:
  return;
}`;

describeRows('macros', head, [
  [
    'that stand for braces in braces, of several rows in one declaration',
    'malloc-double-free',
    rows,
    'const row take = TAKE(p, -1, -1), give = GIVE(p, 0, -1), again = GIVE(p, 1, -1); run(take); run(give); run(again);',
    'const row take = TAKE(p, -1, -1), give = GIVE(p, 0, -1), again = GIVE(p, -1, -1); run(take); run(give); run(again);',
  ],
  [
    'that jump to one of several labels',
    'malloc-use-after-free',
    machine,
    'static const unsigned char path[] = { 0, 1, 2, 3 }; run(path);',
    'static const unsigned char path[] = { 0, 2, 1, 3 }; run(path);',
  ],
]);

describeRows('typeof', head, [
  [
    'of a static variable, and of a member',
    'malloc-double-free',
    'static struct { float *p; } g; struct view { typeof(g.p) q; int n; };',
    'static typeof(g.p) kept; struct view v = { make(), 1 }; if (!kept) kept = v.q; cudaFree(v.q); cudaFree(kept);',
    'static typeof(g.p) kept; struct view v = { make(), 1 }; if (kept) kept = v.q; cudaFree(v.q); cudaFree(kept);',
  ],
  [
    'in a cast, in brackets of sizeof, and in a macro',
    'malloc-double-free',
    '#define SWAP(a, b) do { typeof (a) swap_; swap_ = (a); (a) = (b); (b) = swap_; } while (0)',
    `void *v = make(); float *p = (typeof(*p) *)v, *q = make(); int k[3];
  SWAP(p, q); if (sizeof(typeof(k[0])) == 4) cudaFree(q); cudaFree(v); cudaFree(p);`,
    `void *v = make(); float *p = (typeof(*p) *)v, *q = make(); int k[3];
  SWAP(p, q); if (sizeof(typeof(k[0])) == 4) cudaFree(p); cudaFree(v);`,
  ],
]);
