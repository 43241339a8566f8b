/**
 * The C++ library around graphs: algorithms, views, pointers that share, results that hold one of two things. Each condition is
 * false when the program runs; one that is not known, or wrong, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

const numbers = '#include <vector>\nstatic std::vector<int> v() { return {5, 2, 8, 1}; }';

const ranges: readonly Row[] = [
  [
    'are put into another order',
    numbers,
    `std::vector<int> a = v(), b = v(), c{1, 4}, d{2, 3}, e, f = v(), g{1, 2, 3};
  auto mid = std::stable_partition(a.begin(), a.end(), [](int x) { return x > 2; }); std::rotate(b.begin(), b.begin() + 1, b.end());
  std::merge(c.begin(), c.end(), d.begin(), d.end(), std::back_inserter(e)); std::swap_ranges(f.begin(), f.begin() + 2, f.begin() + 2);
  bool more = std::next_permutation(g.begin(), g.end()); auto at = std::lower_bound(e.begin(), e.end(), 3), behind = std::upper_bound(e.begin(), e.end(), 3);
  std::vector<int> h = v(); auto gone = std::erase_if(h, [](int x) { return x > 4; }); auto [lo, hi] = std::minmax_element(b.begin(), b.end());`,
    [
      'mid - a.begin() != 2',
      'a[1] != 8',
      'a[2] != 2',
      'b[0] != 2',
      'b[3] != 5',
      'e[1] != 2',
      'e[3] != 4',
      'f[0] != 8',
      'f[2] != 5',
      '!more',
      'g[1] != 3',
      '*at != 3',
      '*behind != 4',
      'gone != 2',
      'h.size() != 2',
      'h[1] != 1',
      '*lo != 1',
      '*hi != 8',
    ],
  ],
  [
    'are put together',
    numbers,
    `std::vector<int> a = v(), sums(4), before(4), steps(4), both(4); int inner = std::inner_product(a.begin(), a.end(), a.begin(), 0);
  std::partial_sum(a.begin(), a.end(), sums.begin()); std::exclusive_scan(a.begin(), a.end(), before.begin(), 0); std::adjacent_difference(a.begin(), a.end(), steps.begin());
  std::transform(a.begin(), a.end(), a.begin(), both.begin(), std::plus<>{}); int squares = std::transform_reduce(a.begin(), a.end(), 0, std::plus<>{}, [](int x) { return x * x; });
  std::vector<int> taken; std::move(a.begin(), a.end(), std::back_inserter(taken)); taken.insert(taken.end(), std::make_move_iterator(sums.begin()), std::make_move_iterator(sums.end()));`,
    [
      'inner != 94',
      'sums[3] != 16',
      'before[0]',
      'before[3] != 15',
      'steps[0] != 5',
      'steps[1] != -3',
      'both[2] != 16',
      'squares != 94',
      'taken.size() != 8',
      'taken[4] != 5',
    ],
  ],
  [
    'are seen through views',
    `${numbers}\nnamespace rv = std::views;`,
    `namespace rn = std::ranges; std::vector<int> a = v(), even; for (int x : a | rv::filter([](int x) { return x % 2 == 0; })) even.push_back(x);
  int squares = 0; for (int x : a | rv::transform([](int x) { return x * x; }) | rv::take(2)) squares += x; int back = 0; for (int x : a | rv::reverse) back = back * 10 + x;
  int last = 0; for (int x : a | std::views::drop(3)) last = x; int counted = 0; for (int i : rv::iota(1, 4)) counted = counted * 10 + i;
  std::map<int, int> m{{1, 2}, {3, 4}}; int keys = 0, values = 0; for (int k : m | rv::keys) keys += k; for (int k : m | std::views::values) values += k;
  auto firstTwo = rv::reverse | rv::take(2); int two = 0; for (int x : a | firstTwo) two += x; for (int &x : a | rv::take_while([](int x) { return x > 1; })) x += 10; rn::sort(a);`,
    [
      'even.size() != 2',
      'even[1] != 8',
      'squares != 29',
      'back != 1825',
      'last != 1',
      'counted != 123',
      'keys != 4',
      'values != 6',
      'two != 9',
      'a[0] != 1',
      'a[3] != 18',
      '*rn::find(a, 12) != 12',
    ],
  ],
];

const owners: readonly Row[] = [
  [
    'that only watch',
    `struct Node : std::enable_shared_from_this<Node> { int v; std::weak_ptr<Node> parent; explicit Node(int v) : v(v) {}
  std::shared_ptr<Node> add(int x) { auto k = std::make_shared<Node>(x); k->parent = shared_from_this(); return k; } };`,
    `auto p = std::make_shared<int>(3); std::weak_ptr<int> w = p, none; bool got = false; if (auto l = w.lock()) got = *l == 3; auto other = p; long two = p.use_count();
  std::weak_ptr<int> gone; { auto t = std::make_shared<int>(1); gone = t; } p.reset(); other.reset(); auto root = std::make_shared<Node>(1); auto kid = root->add(2);
  std::map<std::string, std::weak_ptr<int>> cache; auto held = std::make_shared<int>(6); cache["a"] = held;`,
    [
      '!got',
      'two != 2',
      '!w.expired()',
      'w.lock() != nullptr',
      'none.lock()',
      'w.use_count()',
      'gone.lock()',
      'kid->parent.lock()->v != 1',
      'kid->parent.lock() != root',
      '*cache["a"].lock() != 6',
      'held.use_count() != 1',
    ],
  ],
  [
    'that have nothing, or nothing any more',
    '',
    `std::unique_ptr<int> none; std::shared_ptr<int> empty; auto a = std::make_unique<int>(5); std::unique_ptr<int> b = std::move(a), c; c = std::move(b);
  struct Row { std::unique_ptr<int> p; int n; }; std::array<Row, 2> rows{{{std::make_unique<int>(7), 1}, {nullptr, 2}}}; if (!none) none = std::make_unique<int>(4);`,
    [
      'empty',
      'a',
      'b',
      '!c',
      '*c != 5',
      'b != nullptr',
      '*none != 4',
      '*rows[0].p != 7',
      'rows[1].p',
      'rows[1].n != 2',
    ],
  ],
];

const containers: readonly Row[] = [
  [
    'that classes derive from',
    `struct Nodes : std::vector<int> { using std::vector<int>::vector; Nodes(int one) : std::vector<int>{one} {} };
struct Names : std::map<std::string, int> { int get(const std::string &k) const { auto it = find(k); return it == end() ? -1 : it->second; } };
template <typename T> class Stack : private std::vector<T> { using Base = std::vector<T>; public: using Base::size; using Base::push_back; T take() { T x = this->back(); this->pop_back(); return x; } };
static int add(const Nodes &d) { return d.size(); } static int total(const std::vector<int> &d) { int sum = 0; for (int x : d) sum += x; return sum; }`,
    `Nodes n; n.push_back(4); Nodes m{1, 2, 3}; Names names; names["a"] = 3; Stack<int> st; st.push_back(3); st.push_back(8); int top = st.take(); Nodes copy = m; copy.push_back(7);
  auto whole = std::tuple_cat(std::make_tuple(1, 2), std::make_tuple(3));`,
    [
      'n.size() != 1',
      'n[0] != 4',
      'm.size() != 3',
      'total(m) != 6',
      'add({})',
      'add(5) != 1',
      'add({1, 2}) != 2',
      'names.get("a") != 3',
      'names.get("b") != -1',
      'top != 8',
      'st.size() != 1',
      'copy.size() != 4',
      'm.data()[1] != 2',
      '*m.begin() != 1',
      'std::accumulate(m.begin(), m.end(), 0) != 6',
      'std::get<2>(whole) != 3',
    ],
  ],
  [
    'that are lists',
    '',
    'std::list<int> a{4, 1, 3, 1}, b = a, c = a; a.remove(1); b.remove_if([](int x) { return x > 2; }); c.sort(); auto d = c; d.reverse();',
    [
      'a.size() != 2',
      'a.back() != 3',
      'b.size() != 2',
      'b.front() != 1',
      'c.front() != 1',
      'c.back() != 4',
      'd.front() != 4',
    ],
  ],
];

const results: readonly Row[] = [
  [
    'that hold a value or an error',
    `struct Own { int g; explicit Own(int g) : g(g) {} Own(Own &&o) : g(std::exchange(o.g, 0)) {} ~Own() {} };
template <typename T> struct Result { std::variant<T, cudaError_t> s; Result(T v) : s(std::in_place_index<0>, std::move(v)) {} Result(cudaError_t e) : s(std::in_place_index<1>, e) {}
  explicit operator bool() const { return s.index() == 0; } T &value() & { return std::get<0>(s); } T &&value() && { return std::move(std::get<0>(s)); }
  template <typename F> auto then(F &&f) && -> std::invoke_result_t<F, T &&> { if (!*this) return std::get<1>(s); return std::forward<F>(f)(std::move(*this).value()); }
  template <typename F> auto map(F &&f) && -> Result<std::invoke_result_t<F, T &&>> { if (!*this) return std::get<1>(s); return std::forward<F>(f)(std::move(*this).value()); } };
Result<Own> make() { return Own(4); } Result<int> five() { return 5; } Result<int> fails() { return cudaErrorInvalidValue; } auto alsoFails() -> Result<int> { return cudaErrorInvalidValue; }`,
    `Result<Own> r = make(); Own k = std::move(r).value(); int seen = 0; auto t = make().then([&](Own m) -> Result<int> { seen = m.g; return m.g + 1; });
  auto u = five().map([](int x) { return 2 * x; }); Result<Own> kept = make(); Own &inside = kept.value(); auto f = fails(); cudaError_t e = cudaErrorInvalidValue; Result<int> g = e;`,
    [
      'k.g != 4',
      'r.value().g',
      'seen != 4',
      't.value() != 5',
      'u.value() != 10',
      'inside.g != 4',
      'kept.value().g != 4',
      'bool(f)',
      'bool(alsoFails())',
      'std::get<1>(f.s) != cudaErrorInvalidValue',
      'bool(g)',
    ],
  ],
  [
    'that are visited by their type',
    'struct Idle {}; struct Ready { int n; }; template <typename T> int asked(const T &t) { return std::is_same_v<std::remove_cvref_t<decltype(t)>, Ready> ? 1 : 0; }',
    `std::variant<Idle, Ready> v; auto ask = [&] { return std::visit([](auto &s) -> int { using T = std::decay_t<decltype(s)>; if constexpr (std::is_same_v<T, Ready>) return s.n; else return -1; }, v); };
  v = Idle{}; int before = ask(); v.emplace<Ready>(Ready{5}); int after = ask();`,
    ['before != -1', 'after != 5', 'asked(Ready{1}) != 1', 'asked(Idle{})'],
  ],
  [
    'of a base are its own',
    'struct Base { static int made() { return count; } void add() { ++count; } inline static int count = 0; }; struct One : Base { void twice() { add(); ++count; } };',
    'One a; a.add(); a.twice();',
    ['One::made() != 3', 'a.count != 3'],
  ],
];

const texts: readonly Row[] = [
  [
    'begin as nothing and grow',
    'struct Named { std::string label; int n = 0; };',
    `std::string e, z{}; e += "ab"; e += std::to_string(3); auto made = std::string{} + "x"; z.append("q").push_back('r'); Named m; std::string cut = e; cut.pop_back(); std::string gone = e; gone.clear();
  std::vector<int> v{1, 2}; auto all = std::accumulate(v.begin(), v.end(), std::string{}, [](std::string s, int x) { return s + std::to_string(x); });`,
    [
      'e != "ab3"',
      'made != "x"',
      'z != "qr"',
      'm.label != ""',
      '!m.label.empty()',
      'cut != "ab"',
      '!gone.empty()',
      'all != "12"',
    ],
  ],
];

const templates: readonly Row[] = [
  [
    'fold what they are given',
    `template <typename... T> auto sum(T... t) { return (0 + ... + t); } template <typename... T> auto minus(T... t) { return (t - ...); } template <typename... T> auto left(T... t) { return (... - t); }
struct Chain { std::vector<int> got; Chain &operator<<(int x) { got.push_back(x); return *this; } }; template <typename... T> void into(Chain &c, T... t) { (c << ... << t); }
template <std::size_t... I, typename F> void unroll(std::index_sequence<I...>, F &&f) { (f(std::integral_constant<std::size_t, I>{}), ...); }
template <int... N> struct Ints { static constexpr int count = sizeof...(N); static int total() { return (N + ...); } };
template <typename T> struct IsPointer : std::false_type {}; template <typename T> struct IsPointer<T *> : std::true_type {};
template <typename... Fs> struct All { std::tuple<Fs...> fs; explicit All(Fs... f) : fs(std::move(f)...) {} int operator()(int x) { return std::apply([x](auto &...f) { return (f(x) + ...); }, fs); } };
struct Pair { Pair(int a, int b) : a(a), b(b) {} int a, b; };`,
    `Chain c; into(c, 1, 2, 3); int total = 0, twice = 0; unroll(std::make_index_sequence<4>{}, [&](auto i) { total += i; }); unroll(std::make_index_sequence<3>{}, [&](auto i) { constexpr int k = decltype(i)::value; twice += 2 * k + i(); });
  All all([](int x) { return x; }, [](int x) { return 2 * x; }); int grid[2][2] = {{1, 2}, {3, 4}}; std::vector<int> v{5, 6}; Pair p(total, v[1]); Pair q2(grid[1][0], v[0]);`,
    [
      'sum(1, 2, 3) != 6',
      'sum()',
      'minus(5, 3, 1) != 3',
      'left(5, 3, 1) != 1',
      'c.got.size() != 3',
      'c.got[2] != 3',
      'total != 6',
      'twice != 9',
      'Ints<1, 2, 3>::count != 3',
      'Ints<1, 2, 3>::total() != 6',
      'IsPointer<int>::value',
      '!IsPointer<int *>::value',
      'all(3) != 9',
      'p.a != 6',
      'p.b != 6',
      'q2.a != 3',
    ],
  ],
];

const classTemplates: readonly Row[] = [
  [
    'with stages in a tuple',
    `template <int Slot> struct Alloc {}; template <int Slot> struct Run { int k; }; struct State { std::array<int, 2> slots{}; };
template <int S> int emit(State &st, Alloc<S>, int d) { st.slots[S] = d; return 100 + S; } template <int S> int emit(State &st, Run<S> r, int d) { std::get<S>(st.slots) += r.k; return 200 + S; }
template <typename Op> struct Stage { Op op; std::vector<int> after; }; template <typename Op> Stage(Op, std::initializer_list<int>) -> Stage<Op>;
template <typename... S> class Pipeline { public: explicit Pipeline(S... s) : stages(std::move(s)...) {} void build(State &st) { build(st, std::index_sequence_for<S...>{}); } static constexpr std::size_t size() { return sizeof...(S); } std::array<int, sizeof...(S)> nodes{};
  private: template <std::size_t... I> void build(State &st, std::index_sequence<I...>) { (one<I>(st), ...); } std::tuple<S...> stages;
  template <std::size_t I> void one(State &st) { auto &stage = std::get<I>(stages); int sum = 0; for (int at : stage.after) sum += at; nodes[I] = emit(st, stage.op, sum); } };`,
    'Pipeline p(Stage{Alloc<0>{}, {}}, Stage{Alloc<1>{}, {1, 2}}, Stage{Run<0>{4}, {0}}); State st; p.build(st);',
    [
      'p.size() != 3',
      'p.nodes[0] != 100',
      'p.nodes[1] != 101',
      'p.nodes[2] != 200',
      'st.slots[0] != 4',
      'st.slots[1] != 3',
    ],
  ],
  [
    'defined in parts and under other names',
    `template <int N> class Arena { public: enum class Kind { Small, Large }; explicit Arena(int base); template <typename T> int make(T n, Kind k); void swap(Arena &o) noexcept { using std::swap; swap(at, o.at); } int at = 0; };
template <int N> Arena<N>::Arena(int base) : at(base) {} template <int N> template <typename T> int Arena<N>::make(T n, Kind k) { at += n; return k == Kind::Large ? at + N : at; } using Big = Arena<100>;`,
    'Big a(1), b(2); int small = a.make(5, Big::Kind::Small), large = a.make(1, Big::Kind::Large); a.swap(b);',
    ['small != 6', 'large != 107', 'a.at != 2', 'b.at != 7'],
  ],
];

describe('class templates', () => {
  it.each(classTemplates)('%s', async (...row) => {
    expect(await wrongOnes(row)).toEqual([]);
  });
});

describe('containers', () => {
  it.each(containers)('%s', async (...row) => {
    expect(await wrongOnes(row)).toEqual([]);
  });
});

describe('texts', () => {
  it.each(texts)('%s', async (...row) => {
    expect(await wrongOnes(row)).toEqual([]);
  });
});

describe('templates', () => {
  it.each(templates)('%s', async (...row) => {
    expect(await wrongOnes(row)).toEqual([]);
  });
});

describe('elements', () => {
  it.each(ranges)('%s', async (...row) => {
    expect(await wrongOnes(row)).toEqual([]);
  });
});

describe('pointers', () => {
  it.each(owners)('%s', async (...row) => {
    expect(await wrongOnes(row)).toEqual([]);
  });
});

describe('results', () => {
  it.each(results)('%s', async (...row) => {
    expect(await wrongOnes(row)).toEqual([]);
  });
});
