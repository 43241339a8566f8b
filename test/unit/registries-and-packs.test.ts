/** What begins before `main` because a template is named, packs inside template arguments, and other things that programs of today are written with. */

import { describe, expect, it } from 'vitest';
import { graphDocument } from '../../src/scene/graph-document.ts';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>
__global__ void work(float *p) { p[0] += 1; }
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync(&p, 64, s); return p; }
static void run(float *p) { work<<<1, 1, 0, s>>>(p); }
static void drop(float *p) { cudaFreeAsync(p, s); }
struct Catalogue { std::vector<std::string> names; static Catalogue &all() { static Catalogue c; return c; } bool enter(std::string n) { names.push_back(n); return true; } };
struct A { static constexpr const char *key = "a"; static constexpr int v = 1; };
struct B { static constexpr const char *key = "b"; static constexpr int v = 2; };`;

/** A condition that must be known, with declarations in front of `main`. */
function known(what: string, before: string, condition: string, within = ''): Row {
  const [name, rule, , bad, good] = whenKnown(what, within, condition);
  return [name, rule, before, bad, good];
}

const two = 'Catalogue::all().names.size() == 2';

describeRows(
  'registries and packs',
  head,
  [
    known(
      'static members of a class template, each named',
      'template <class T> struct In { static inline const bool is = Catalogue::all().enter(T::key); };\nstatic const bool all = In<A>::is && In<B>::is;',
      two,
    ),
    known(
      'static members of a class template, by a pack',
      `template <class T> struct In { static inline const bool is = Catalogue::all().enter(T::key); };
    template <class... T> bool enrol() { return (In<T>::is && ...); }
    static const bool all = enrol<A, B>();`,
      `${two} && Catalogue::all().names[1] == "b"`,
    ),
    known(
      'templates of variables',
      'template <class T> const bool is = Catalogue::all().enter(T::key);\nstatic const bool all = is<A> & is<B>;',
      two,
    ),
    known(
      'constants of a pack',
      `template <class T> struct Of { static constexpr int n = T::v; };
    template <class... T> int sum() { return (Of<T>::n + ...); }
    template <class... T> int first() { int all[] = {Of<T>::n...}; return all[0]; }`,
      'x == 3 && y == 2',
      'int x = sum<A, B>(); int y = first<B, A>();',
    ),
    known(
      'enumerators that are called as the library is',
      `enum class Kind { zero, copy }; using enum Kind;
    struct Row { Kind kind; std::array<int, 3> after{-1, -1, -1}; Row(Kind k, std::initializer_list<int> d) : kind(k) { std::ranges::copy(d, after.begin()); } };`,
      'r.after[1] == 7 && r.kind == copy',
      'Row r{copy, {5, 7}};',
    ),
    known(
      'what is extracted from a set',
      '',
      'node.value() == 5 && v.size() == 2 && other.count(5) == 0 && third.count(5) == 1',
      'std::set<int> v{9, 5, 7}, other, third; auto node = v.extract(v.begin()); auto more = v.extract(100); other.insert(std::move(more)); auto copy = std::set<int>{5}.extract(5); third.insert(std::move(copy));',
    ),
    known(
      'each of one range with each of another',
      '',
      'n == 13142324',
      'std::vector<int> a{1, 2}, b{3, 4}; int n = 0; for (auto [x, y] : std::views::cartesian_product(a, b)) n = n * 100 + x * 10 + y;',
    ),
    [
      'a task whose type is that of a variable',
      'async-use-after-free',
      '',
      `float *p = make(); std::packaged_task<void()> task([&] { drop(p); }); auto done = task.get_future();
    std::deque<std::function<void()>> q; q.emplace_back([task = std::make_shared<decltype(task)>(std::move(task))] { (*task)(); });
    q.front()(); done.get(); run(p);`,
      `float *p = make(); std::packaged_task<void()> task([&] { drop(p); }); auto done = task.get_future();
    std::deque<std::function<void()>> q; q.emplace_back([task = std::make_shared<decltype(task)>(std::move(task))] { (*task)(); });
    run(p); q.front()(); done.get();`,
    ],
    [
      'a thread that waits between two rounds',
      'async-use-after-free',
      '',
      `float *p = make(); int n = 0; std::barrier meet(2); std::atomic<bool> isOver = false;
    { std::jthread t([&] { for (bool goesOn = true; goesOn; meet.arrive_and_wait()) { if (n++ == 2) drop(p); else run(p); goesOn = n < 3; isOver = !goesOn; } });
      do meet.arrive_and_wait(); while (!isOver); } run(p);`,
      `float *p = make(); int n = 0; std::barrier meet(2); std::atomic<bool> isOver = false;
    { std::jthread t([&] { for (bool goesOn = true; goesOn; meet.arrive_and_wait()) { if (n++ == 2) drop(p); else run(p); goesOn = n < 3; isOver = !goesOn; } });
      do meet.arrive_and_wait(); while (!isOver); }`,
    ],
    [
      'friends that count for a class that derives from theirs',
      'async-use-after-free',
      `template <class Self> class Counted { public:
      friend void retain(const Self *p) { static_cast<const Counted *>(p)->count++; }
      friend void release(const Self *p) { if (--static_cast<const Counted *>(p)->count == 0) delete p; }
      mutable int count = 0; };
    template <class T> struct Ref { T *p; explicit Ref(T *q) : p(q) { retain(p); } Ref(const Ref &o) : Ref(o.p) {} ~Ref() { release(p); } };
    struct Buffer : Counted<Buffer> { float *p = make(); ~Buffer() { drop(p); } };`,
      'float *raw; { Ref<Buffer> a(new Buffer); raw = a.p->p; { Ref<Buffer> b = a; } run(raw); } run(raw);',
      'float *raw; { Ref<Buffer> a(new Buffer); raw = a.p->p; { Ref<Buffer> b = a; } run(raw); }',
    ],
    [
      'a member that is called as a class around it is, which is told apart from others',
      'async-use-after-free',
      `template <class S> struct Then { S source; template <class R> struct Receiver { R next; void set() { next.set(); } };
      template <class R> void go(R r) { source.go(Receiver<R>{r}); } };
    template <class S> struct Fork { template <class R> struct Receiver {
      struct Begun { template <class Q> struct Operation { Q Receiver; void start() { Receiver.set(); } }; template <class Q> void go(Q q) { Operation<Q>{q}.start(); } };
      R next; void set() { Then<Begun>{Begun{}}.go(next); } }; };
    struct End { float *p; void set() { drop(p); } };`,
      'float *p = make(); Fork<int>::Receiver<End> r{{p}}; r.set(); run(p);',
      'float *p = make(); Fork<int>::Receiver<End> r{{p}}; run(p); r.set();',
    ],
    [
      'designators share what they name',
      'async-use-after-free',
      'struct Buffer { float *p = make(); ~Buffer() { drop(p); } }; struct Part { std::shared_ptr<Buffer> b; int n; };',
      'float *raw; { auto a = std::make_shared<Buffer>(); raw = a->p; Part part{.b = a, .n = 3}; a.reset(); run(raw); } run(raw);',
      'auto a = std::make_shared<Buffer>(); { Part part{.b = a, .n = 3}; } run(a->p); Part last{.b = a, .n = 4}; a.reset(); run(last.b->p);',
    ],
  ].map((row): Row => {
    const [what = '', rule = '', before = '', bad = '', good = ''] = row;
    const body = (text: string): string => `cudaStreamCreate(&s); { ${text} } cudaStreamSynchronize(s);`;
    return [what, rule, before, body(bad), body(good)];
  }),
);

describe('programs that say what they do otherwise', () => {
  it('a helper gives back how often where no argument says it', async () => {
    const { facts, sources } = await analyseText(`#include <cuda_runtime.h>
#include <cstdlib>
static int rounds(int argc, char **argv) { if (argc < 2) return 5; return atoi(argv[1]); }
int main(int argc, char **argv) {
  cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, g, nullptr, 0);
  cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0);
  for (int i = rounds(argc, argv); i > 0; --i) cudaGraphLaunch(e, 0);
}`);
    expect(graphDocument(facts, sources, 'main').launches.length).toBe(5);
  });

  it('work that is put into a room of its own is reported where it was made', async () => {
    const text = `#include <cuda_runtime.h>
#include <cstddef>
#include <new>
#include <utility>
class Work { public:
  template <class F> Work(F f) { ::new (static_cast<void *>(room)) F(std::move(f)); call = [](void *self, cudaStream_t s) { (*static_cast<F *>(self))(s); }; }
  void operator()(cudaStream_t s) { call(room, s); }
private: alignas(std::max_align_t) std::byte room[64]; void (*call)(void *, cudaStream_t); };
__global__ void work(float *p) { p[0] += 1; }
Work launch(float **p) { return [p](cudaStream_t s) { work<<<1, 1, 0, s>>>(*p); }; }
Work drop(float **p) { return [p](cudaStream_t s) { cudaFreeAsync(*p, s); }; }
int main() {
  cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, 64, s);
  Work a = launch(&p);
  Work b = drop(&p);
  Work c = launch(&p);
  Work all[] = {a, b, c};
  for (Work &each : all) each(s);
  cudaStreamSynchronize(s);
}`;
    const { findings } = await analyseText(text);
    const at = findings.map(({ rule, span }) => `${rule} ${text.slice(0, span.start).split('\n').length}`);
    expect(at).toEqual(['async-use-after-free 16']);
  });
});
