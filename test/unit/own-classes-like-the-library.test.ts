/**
 * Classes and iterators that library authors write beside those of the C++ library: their own `expected` and `thread`, lambdas that
 * are held behind a pointer, steps over iterators of their own. Each decides whether memory is freed before or behind its use.
 */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
${memoryInAStream}
template <class T, class E> class expected {
  std::variant<T, E> held;
public:
  expected(T t) : held(std::in_place_index<0>, std::move(t)) {}
  static expected failure(E e) { expected made{T{}}; made.held.template emplace<1>(std::move(e)); return made; }
  bool ok() const { return held.index() == 0; }
  const T &operator*() const { return std::get<0>(held); }
  template <class F> auto and_then(F f) const -> decltype(f(**this)) {
    return ok() ? f(**this) : decltype(f(**this))::failure(std::get<1>(held));
  }
};
expected<int, std::string> half(int n) {
  if (n % 2) return expected<int, std::string>::failure("odd");
  return n / 2;
}
template <class E> struct unexpected { E e; int error() const { return e + 1; } };
struct thread { int id; int join() { return id + 2; } };
struct bitset { int n = 3; int count() const { return n + 5; } };
struct barrier { int n = 0; void wait() { ++n; } };
struct table { int (*call)(void *, int); void (*destroy)(void *); };
template <class T> constexpr table table_for{
    [](void *p, int n) -> int { return (*static_cast<T *>(p))(n); }, [](void *p) { delete static_cast<T *>(p); }};
class any_callable {
  void *object;
  const table *functions;
public:
  template <class T> any_callable(T t) : object(new T(std::move(t))), functions(&table_for<T>) {}
  any_callable(const any_callable &) = delete;
  ~any_callable() { functions->destroy(object); }
  int operator()(int n) const { return functions->call(object, n); }
};
struct item { int n; item *next = nullptr; };
struct at {
  item *here;
  int &operator*() const { return here->n; }
  at &operator++() { here = here->next; return *this; }
  friend bool operator==(at a, at b) { return a.here == b.here; }
};
`;

const items = 'item first{1}, second{2, &first}, third{3, &second};';

describeRows('classes called like those of the library', head, [
  whenKnown('expected', '', 'half(8).and_then(half).and_then(half).ok() && *half(8) == 4'),
  whenKnown('expected that holds none', '', '!half(6).and_then(half).ok()'),
  whenKnown('unexpected', 'unexpected<int> u{3};', 'u.error() == 4'),
  whenKnown('thread', 'thread t{5};', 't.join() == 7'),
  whenKnown('bitset and barrier', 'bitset b; barrier c; c.wait();', 'b.count() == 8 && c.n == 1'),
]);

describeRows('lambdas and functions as objects', head, [
  whenKnown('a lambda behind a table', 'any_callable c([k = 4](int n) { return n + k; });', 'c(5) == 9'),
  whenKnown(
    'what the library calculates of one thing',
    'std::function<int(int)> f = std::negate<>{};',
    'f(4) == -4 && std::logical_not<>{}(0) && std::bit_xor<>{}(5, 3) == 6',
  ),
]);

describeRows("steps over the program's own iterators", head, [
  whenKnown('std::distance', items, 'std::distance(at{&third}, at{nullptr}) == 3'),
  whenKnown('std::next', items, '*std::next(at{&third}, 2) == 1 && *std::next(at{&third}) == 2'),
  whenKnown('std::advance', `${items} at here{&third}; std::advance(here, 2);`, '*here == 1'),
]);
