/** Other names with parameters of their own that classes have for types: `rebind<U>`; and what a class template asks of such a class. */

import { expect, test } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>
template <class T, int N> struct Pool {
  T *data;
  using doubles = Pool<double, N>;
  template <class U> using rebind = Pool<U, N>;
  template <class U> using larger = Pool<U, N + 1>;
  template <class... U> using all = std::tuple<T, U...>;
  template <class U> using pointer = U *;
  Pool() { cudaMalloc(&data, N * sizeof(T)); }
  ~Pool() { cudaFree(data); }
  rebind<double> other() const { return rebind<double>(); }
  template <class U> size_t bytes(size_t n) { pointer<U> p = (pointer<U>)data; return n * sizeof(*p); }
};
template <class P> struct Holder { typename P::template rebind<double> held; };
template <class P> struct Plain { typename P::doubles held; };
template <class... T> using Several = std::tuple<int, T...>;
using Four = Pool<float, 4>;
`;

/** Memory of four \`double\`, written with as many bytes as they have, and with one more. */
function pooled(what: string, declared: string, data: string): Row {
  const body = (bytes: number): string => `${declared} cudaMemset(${data}, 0, ${bytes});`;
  return [what, 'copy-out-of-range', '', body(33), body(32)];
}

describeRows('alias templates of classes', head, [
  pooled('behind another name for an instance', 'Four::rebind<double> q;', 'q.data'),
  pooled('behind the instance', 'Pool<float, 4>::rebind<double> q;', 'q.data'),
  pooled('with a number of the class', 'Pool<float, 3>::larger<double> q;', 'q.data'),
  pooled('in a method of the class', 'Four p; auto q = p.other();', 'q.data'),
  pooled('made in an expression', 'auto q = Four::rebind<double>();', 'q.data'),
  pooled('as a member of a class template', 'Holder<Four> h;', 'h.held.data'),
  pooled('one without parameters as such a member', 'Plain<Four> h;', 'h.held.data'),
  pooled('with a pack', 'Four::all<Four::rebind<double>> t;', 'std::get<1>(t).data'),
  pooled('with a pack, outside of classes', 'Several<Four, Four::rebind<double>> t;', 'std::get<2>(t).data'),
  [
    'one that stands for a pointer',
    'copy-out-of-range',
    '',
    'Four p; cudaMemset(p.data, 0, p.bytes<double>(3));',
    'Four p; cudaMemset(p.data, 0, p.bytes<double>(2));',
  ],
  [
    'of elements of a container',
    'malloc-double-free',
    `struct Cache {
  template <class T> using Entry = std::pair<int, std::shared_ptr<T>>;
  Cache() : entries(3) {}
  std::vector<Entry<float>> entries;
};`,
    'float *p; cudaMalloc(&p, 4); Cache c; if (!c.entries.at(1).second) cudaFree(p); cudaFree(p);',
    'float *p; cudaMalloc(&p, 4); Cache c; if (c.entries.at(1).second) cudaFree(p); cudaFree(p);',
  ],
]);

const queues = `#include <cuda_runtime.h>
template <class T, T *T::*next> struct Queue { T *head, *tail; };
template <class T, T *T::*next> void enqueue(Queue<T, next> *q, T *x) {
  x->*next = nullptr;
  (q->head ? q->tail->*next : q->head) = x;
  q->tail = x;
}
struct Task { Task *next; float *p; };
struct Plan { Plan *next; Queue<Task, &Task::next> tasks; };
`;

describeRows('queues that are told by a pointer to a member', queues, [
  [
    'each element leads to the next one',
    'malloc-double-free',
    '',
    'Task a{}, b{}; Plan p{}; enqueue(&p.tasks, &a); enqueue(&p.tasks, &b); float *m; cudaMalloc(&m, 4); if (a.next == &b) cudaFree(m); cudaFree(m);',
    'Task a{}, b{}; Plan p{}; enqueue(&p.tasks, &a); enqueue(&p.tasks, &b); float *m; cudaMalloc(&m, 4); if (a.next != &b) cudaFree(m); cudaFree(m);',
  ],
]);

const objects = `#include <cuda_runtime.h>
#include <cstdlib>
typedef struct Plan_ *Plan;
struct Plan_ { int n; float *p; };
`;

/** An object made by `malloc`, known by a name for a pointer to it. */
function made(what: string, begun: string): Row {
  const body = (asked: string): string =>
    `Plan p; ${begun} p->n = 3; float *m; cudaMalloc(&m, 4); if (${asked}) cudaFree(m); cudaFree(m); free(p);`;
  return [what, 'malloc-double-free', '', body('p->n == 3'), body('p->n != 3')];
}

describeRows('objects known by names for pointers', objects, [
  made('cast by that name', 'p = (Plan)malloc(sizeof(*p));'),
  made('cast to what it was declared as', 'p = (decltype(p))malloc(sizeof(*p));'),
  made('without a cast, as in C', 'p = calloc(1, sizeof(*p));'),
  made('cast to what comes of it', 'Plan *at = &p; *at = (decltype(*at + 0))calloc(1, sizeof(**at));'),
]);

test('types that grow with each call of a function that calls itself end somewhere', async () => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
template <class A, class B> struct Pair { A a; B b; };
template <class T> struct Walk {
  template <class U> using With = Pair<Pair<T, U>, Pair<U, T>>;
  static void go(int n) { using Next = With<T>; if (n > 0) Walk<Next>::go(n - 1); else { float *p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p); } }
};
int main() { Walk<int>::go(40); }`);
  expect(findings.map(({ rule }) => rule)).toEqual(['malloc-double-free']);
});
