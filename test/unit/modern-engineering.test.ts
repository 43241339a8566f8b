/**
 * Constructs of libraries that engineers write around CUDA today: operators of handles, arrays over enumerations, templates that
 * hold addresses. What they come to is asked in conditions that must be known to hold.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
${memoryInAStream}`;

const start = 'cudaStreamCreate(&s);';

/** A condition that must be known to hold, over what stands before `main`. */
function known(what: string, before: string, condition: string): Row {
  return [
    what,
    'async-use-after-free',
    before,
    `${start} float *p = make(); if (${condition}) drop(p); run(p);`,
    `${start} float *p = make(); if (!(${condition})) drop(p); run(p); drop(p);`,
  ];
}

const order = `struct Op { int slot; };
struct Order {
  int all;
  Order(Op only) : all(only.slot) {}
  friend Order operator>>(Order a, Order b) { a.all = a.all * 10 + b.all; return a; }
  friend Order operator+(const Order &a, const Order &b) { Order c(a); c.all = a.all * 10 + b.all; return c; }
};
inline Order operator>>(Op a, Op b) { return Order(a) >> Order(b); }
static int ofPlain(const Order &order) { return order.all; }
static const Op a{1}, b{2}, c{3};`;

describeRows('operators of a class that is made of what is given', head, [
  known('in a chain', order, '(a >> b >> c).all == 123'),
  known('on the left', order, '(a >> Order(b)).all == 12'),
  known('by reference', order, '(Order(a) + b).all == 12 && (a + Order(b)).all == 12'),
  known('a parameter by reference', order, 'ofPlain(c) == 3'),
]);

const lanes = `enum class Lane : std::size_t { compute, copy, count };
struct Plan { enum class Slot { first, last, count }; enum Old { one, two }; };
namespace a { struct Plan { enum class Part { first, last, count }; }; }
struct Traits { using Key = Lane; };
using Slot = Plan::Slot; using Part = a::Plan::Part; using Old = Plan::Old;
template <class Enum, class T> struct By {
  std::array<T, static_cast<std::size_t>(Enum::count)> items{};
  T &operator[](Enum e) { return items[static_cast<std::size_t>(e)]; }
};
template <class T> struct Of { int items[(int)T::Key::count]; };
template <class E> int counted() { return (int)E::count; }`;

describeRows('what an enumeration lists, by another name', head, [
  known('a parameter of a template', lanes, 'counted<Lane>() == 2 && counted<Slot>() == 2'),
  known('the length of an array', lanes, 'By<Lane, int>{}.items.size() == 2'),
  known('of a class', lanes, '(int)Slot::last == 1 && Old::two == 1'),
  known('of a class in a namespace', lanes, '(int)Part::last == 1 && (int)a::Plan::Part::last == 1'),
  known('through a class', lanes, '(int)Traits::Key::count == 2 && sizeof(Of<Traits>{}.items) == 8'),
  [
    'streams by their names',
    'async-use-after-free',
    lanes,
    `By<Lane, cudaStream_t> by; for (auto &each : by.items) cudaStreamCreate(&each); s = by[Lane::compute];
     float *p = make(); drop(p); k<<<1, 1, 0, by[Lane::compute]>>>(p);`,
    `By<Lane, cudaStream_t> by; for (auto &each : by.items) cudaStreamCreate(&each); s = by[Lane::compute];
     float *p = make(); k<<<1, 1, 0, by[Lane::compute]>>>(p); drop(p);`,
  ],
]);

const held = `template <class T> struct Held { T *data; std::size_t count; };
template <class T> std::size_t bytes(T *, std::size_t n) { return n * sizeof(T); }
static double two[2];
static Held<double> given() { return {two, 2}; }`;

const fence = `struct Fence { std::reference_wrapper<cudaEvent_t> event; };
struct Task { std::variant<int, Fence> what; };`;
const events =
  'cudaEvent_t e; cudaEventCreate(&e); cudaStream_t t; cudaStreamCreate(&t); Fence fence{e}; float *p = make();';

describeRows('members of templates and of the library', head, [
  known('what an address in a template points to', held, 'bytes(given().data, 2) == 16'),
  [
    'an event by reference',
    'async-use-before-alloc',
    fence,
    `${start} ${events} cudaStreamWaitEvent(t, fence.event); k<<<1, 1, 0, t>>>(p); cudaStreamSynchronize(t); drop(p);`,
    `${start} ${events} cudaEventRecord(fence.event, s); cudaStreamWaitEvent(t, fence.event);
     k<<<1, 1, 0, t>>>(p); cudaStreamSynchronize(t); drop(p);`,
  ],
]);

const task = `template <class Signature> class Task;
template <class R, class... A> class Task<R(A...)> {
  struct Table { R (*call)(void *, A...); };
  template <class F> static constexpr Table tableFor{
    .call = [](void *self, A... a) -> R { return (*static_cast<F *>(self))(std::forward<A>(a)...); }};
  void *self_ = nullptr;
  const Table *table_ = nullptr;
public:
  template <class F> requires(!std::is_same_v<std::remove_cvref_t<F>, Task>)
  Task(F &&f) : self_(new std::remove_cvref_t<F>(std::forward<F>(f))), table_(&tableFor<std::remove_cvref_t<F>>) {}
  Task(Task &&other) noexcept : self_(std::exchange(other.self_, nullptr)), table_(other.table_) {}
  R operator()(A... a) { return table_->call(self_, std::forward<A>(a)...); }
};`;

const stream = `struct event { int number = 0; };
struct stream {
  float *p;
  stream &operator>>(const event &) { run(p); return *this; }
  stream &operator<<(const event &) { drop(p); return *this; }
};`;

describeRows('classes of the program', head, [
  [
    'a specialisation that moves itself, made of a lambda',
    'async-use-after-free',
    task,
    `${start} float *p = make(); Task<void(int)> t([p](int) { drop(p); }); t(1); run(p);`,
    `${start} float *p = make(); Task<void(int)> t([p](int) { drop(p); }); run(p); t(1);`,
  ],
  [
    'a stream that is read from',
    'async-use-after-free',
    stream,
    `${start} stream one{make()}; event e; one << e >> e;`,
    `${start} stream one{make()}; event e; one >> e << e;`,
  ],
]);

const cursors = `enum class Buffer : unsigned char { luma, count }; enum class Result : unsigned char { first, second };
struct Step { Buffer on; Result to = Result::first; };
static constexpr std::array steps{Step{.on = Buffer::luma}, Step{.on = Buffer::luma, .to = Result::second}};
struct Memory { int room = 3; int &operator[](Buffer) { return room; } int operator[](Result r) { return 7 + (int)r; } };
struct Cursor {
  int at = 0;
  Cursor &operator++() { ++at; return *this; }
  Cursor operator++(int) { auto before = *this; ++*this; return before; }
  int operator*() const { return at; }
  int operator[](int by) const { return at + by; }
  Cursor &operator+=(int by) { at += by; return *this; }
  bool operator==(int other) const { return at == other; }
};
static Cursor front() { return Cursor{1}; }
static Memory memory;`;

describeRows('operators that are told apart, called by name, and used on what was made', head, [
  known('an index by its enumeration', cursors, 'memory[Buffer::luma] == 3 && memory[Result::second] == 8'),
  known('an index that is a member', cursors, 'memory[steps[0].to] == 7 && memory[steps[1].to] == 8'),
  known(
    'called by their names',
    cursors,
    'front().operator[](3) == 4 && front().operator==(1) && front().operator*() == 1',
  ),
  known('called by their names, changing', cursors, 'front().operator+=(2).at == 3 && front().operator++().at == 2'),
  known('a step of what a function gives', cursors, '*++front() == 2 && *front()++ == 1 && *++Cursor{5} == 6'),
]);

const owners = `#include <memory>
static void release(float *p) { drop(p); }
template <auto F> using By = std::integral_constant<std::remove_cv_t<decltype(F)>, F>;
using Lambda = std::unique_ptr<float, decltype([](float *p) { drop(p); })>;
using Constant = std::unique_ptr<float, By<release>>;`;

/** An owner that ends before its memory is used, and behind that. */
function ended(what: string, owner: string): Row {
  return [
    what,
    'async-use-after-free',
    owners,
    `${start} float *p = make(); { ${owner} o(p); } run(p);`,
    `${start} float *p = make(); { ${owner} o(p); run(p); }`,
  ];
}

describeRows('deleters that are no classes', head, [
  ended('a lambda in its type', 'Lambda'),
  ended('a function in a constant', 'Constant'),
]);

const references = `struct Two { int a = 1, b = 2; };
struct Later { int value = 0; const int &get() const { return value; } };
template <class... A> struct Bound {
  std::tuple<const A &...> given;
  template <class... B> explicit Bound(B &&...b) : given(std::forward<B>(b)...) {}
  int all() const { return std::apply([](const auto &...each) { int sum = 0; ((sum = sum * 10 + each), ...); return sum; }, given); }
};
static int changed() {
  Two two; int x = 3;
  const std::array<std::pair<int &, int>, 2> pairs{{{two.a, 5}, {two.b, 6}}};
  for (auto &[place, value] : pairs) place = value;
  std::tuple<int &, int> more[] = {{x, 7}};
  for (auto &[place, value] : more) place = value;
  return two.a * 100 + two.b * 10 + x;
}
static int bound() {
  Later one, other;
  Bound<int, int> both(one.get(), other.get());
  one.value = 4; other.value = 2;
  return both.all();
}`;

const handed = `auto told(std::reference_wrapper<const cudaEvent_t> event) { return [=](cudaStream_t on) { cudaStreamWaitEvent(on, event.get()); }; }`;

describeRows('references in what is made of lists and packs', head, [
  known('pairs in braces', references, 'changed() == 567'),
  known('a tuple of a pack', references, 'bound() == 42'),
  [
    'a wrapper that is a parameter',
    'async-use-before-alloc',
    handed,
    `${start} cudaEvent_t e; cudaEventCreate(&e); cudaStream_t t; cudaStreamCreate(&t); float *p = make(); told(e)(t);
     k<<<1, 1, 0, t>>>(p); cudaStreamSynchronize(t); drop(p);`,
    `${start} cudaEvent_t e; cudaEventCreate(&e); cudaStream_t t; cudaStreamCreate(&t); float *p = make();
     cudaEventRecord(e, s); told(e)(t); k<<<1, 1, 0, t>>>(p); cudaStreamSynchronize(t); drop(p);`,
  ],
]);

const callables = `#include <concepts>
template <class F> int either(F f) { if constexpr (std::is_invocable_v<F &, int, int>) return f(1, 2); else return f(5); }
template <class F> int given(F &&f) { if constexpr (std::is_invocable<F>::value) return f(); else return 9; }
template <class F> struct Action { F f_; int run() { if constexpr (std::is_invocable_v<F &, int, int>) return f_(1, 2); else return f_(5); } };
template <class F> Action<F> action(F f) { return Action<F>{f}; }
struct One { int operator()(int a) const { return a + 1; } };
static int two(int a, int b) { return a * b + 5; }
template <std::invocable<int> F> int taken(F) { return 1; }
template <std::invocable<int, int> F> int taken(F) { return 2; }
template <class F> struct Received {
  F f;
  template <class... A> int set(A &&...a) && {
    if constexpr (std::is_void_v<std::invoke_result_t<F, A...>>) { std::invoke(std::move(f), std::forward<A>(a)...); return 1; }
    else return std::invoke(std::move(f), std::forward<A>(a)...);
  }
};
template <class F> Received<std::decay_t<F>> received(F &&f) { return {std::forward<F>(f)}; }
static void nothing(int) {}
static int twice(int a) { return a * 2; }
template <class F, class... A> int passed(F &&f, A... a) { if constexpr (std::is_invocable_r_v<int, F, A...>) return f(a...); else return 77; }`;

describeRows('whether something can be called', head, [
  known(
    'a lambda',
    callables,
    'either([](int a, int b) { return a + b; }) == 3 && either([](int a) { return a + 1; }) == 6',
  ),
  known('a class, a function', callables, 'either(One{}) == 6 && either(two) == 7'),
  known('a lambda by reference', callables, 'given([] { return 4; }) == 4 && given([](int) { return 4; }) == 9'),
  known('a member', callables, 'action([](int a) { return a + 3; }).run() == 8'),
  known('a concept', callables, 'taken([](int) {}) == 1 && taken([](int, int) {}) == 2'),
  known(
    'with a pack',
    callables,
    'passed([](int a) { return a; }, 5) == 5 && passed([](int a, int) { return a; }, 5) == 77',
  ),
]);

const stages = `struct State { int first = 1, second = 2; };
template <class... Others> struct After { using Before = std::tuple<Others...>; };
struct Take : After<> { int State::*slot; };
struct TakeSecond : Take { TakeSecond() : Take{{}, &State::second} {} };
struct Fill : After<TakeSecond> {};
struct Sizes { static constexpr int small = 3, large = 4; };
template <int N, int State::*Slot, class... Others> struct Run : After<Others...> {};
using Near = Run<Sizes::small, &State::first, Fill>;
using Far = Run<Sizes::large, &State::first, Fill>;
using Other = Run<Sizes::large, &State::second, Fill>;
template <class... Stages> struct Pipeline {
  template <class S> static constexpr std::size_t place = [] {
    std::size_t at = 0;
    (void)((std::is_same_v<S, Stages> || (++at, false)) || ...);
    return at;
  }();
  template <class S> std::size_t of(const S &) const { return place<S>; }
};
using All = Pipeline<TakeSecond, Fill, Near, Far, Other>;
static State state;
static int second() { TakeSecond t; return state.*t.slot; }`;

describeRows('stages as a list of types', head, [
  known('a variable template of a class template', stages, 'All::place<Fill> == 1 && All::place<Near> == 2'),
  known('inside of it', stages, 'All{}.of(Near{}) == 2 && All{}.of(Far{}) == 3 && All{}.of(Other{}) == 4'),
  known(
    'a type that a base has',
    stages,
    'std::tuple_size_v<Fill::Before> == 1 && std::tuple_size_v<Take::Before> == 0',
  ),
  known('a base with a base, in braces', stages, 'second() == 2'),
]);

const mixins = `template <class Self> struct WithMemory { int take() { return static_cast<Self &>(*this).own() + 1; } };
template <class Self, template <class> class Base> struct WithKernels : Base<Self> { int run() { return this->take() + 10; } };
template <class E> struct Builder : public WithKernels<Builder<E>, WithMemory> {
  int by = 1;
  explicit Builder(int given) : by(given) {}
  int own() const { return 3 + by; }
};
template <class Base> struct Counted : Base { int counted() { return this->take() + 20; } };
template <class E> struct Session : Counted<WithMemory<Session<E>>> { int own() const { return sizeof(E); } int whole(); };
template <class E> int Session<E>::whole() { return this->counted(); }`;

describeRows('class templates that stand on mixins', head, [
  known('a base that is given as a template', mixins, 'Builder<int>(2).run() == 16 && Builder<double>(4).take() == 8'),
  known('a base that stands on a base', mixins, 'Session<char>().whole() == 22 && Session<int>().counted() == 25'),
]);

const outcomes = `struct Problem { int code; };
template <class T = std::monostate> class Outcome : private std::variant<T, Problem> {
  using base = std::variant<T, Problem>;
public:
  using base::base;
  bool holds() const { return std::holds_alternative<T>(static_cast<const base &>(*this)); }
  explicit operator bool() const { return holds(); }
  const T &operator*() const { return std::get<T>(static_cast<const base &>(*this)); }
  const Problem &error() const { return std::get<Problem>(static_cast<const base &>(*this)); }
  template <class F> auto transform(F &&f) && -> Outcome<std::invoke_result_t<F, const T &>> {
    if (!*this) return error();
    return std::invoke(std::forward<F>(f), **this);
  }
};
template <class... T> struct Any : std::variant<T...> { using std::variant<T...>::variant; };
static Outcome<> attempt(int code) { if (code) return Problem{code}; return {}; }
static Outcome<int> counted(int code) { if (code) return Problem{code}; return 8; }
static Any<int, Problem> any{Problem{9}};`;

describeRows('classes that derive from a variant', head, [
  known('with a value', outcomes, 'attempt(0).holds() && *counted(0) == 8'),
  known('with a problem', outcomes, '!attempt(5) && attempt(5).error().code == 5 && !counted(3)'),
  known('of a pack', outcomes, 'any.index() == 1 && std::get<Problem>(any).code == 9'),
  known('of what a lambda gives', outcomes, '*counted(0).transform([](int n) { return n + 1; }) == 9'),
  known('of what it does not give', outcomes, '!counted(2).transform([](int n) { return n + 1; })'),
]);

describe('stages of one operator', () => {
  it('are mistaken where they are put behind a stream', async () => {
    const text = `${head}
struct Lane { cudaStream_t s; };
template <class F> const Lane &operator|(const Lane &lane, const F &stage) { stage(lane.s); return lane; }
auto use(float *p) { return [p](cudaStream_t s) { k<<<1, 1, 0, s>>>(p); }; }
auto release(float *p) { return [p](cudaStream_t s) { cudaFreeAsync(p, s); }; }
int main() {
  Lane lane; cudaStreamCreate(&lane.s); float *p; cudaMallocAsync(&p, 4, lane.s);
  lane | use(p);
  lane | release(p);
  lane | use(p); // here
}
`;
    const { findings } = await analyseText(text);
    expect(findings.map(({ rule }) => rule)).toEqual(['async-use-after-free']);
    const line = text.slice(text.lastIndexOf('\n', findings[0]!.span.start) + 1);
    expect(line.startsWith('  lane | use(p); // here')).toBe(true);
  });
});
