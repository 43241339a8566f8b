/**
 * Packs whose elements are enumerators or functions, packs that are passed by value, and small things beside them. Each decides
 * whether memory is freed before its use or behind it, so that what is found says whether it was read rightly.
 */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
using namespace std::string_view_literals;
${memoryInAStream}
enum class role : unsigned char { one, two, three, last };
template <role... E> int sum() { return (static_cast<int>(E) + ...); }
template <class Enum, Enum... E> int sumOf() { return (static_cast<int>(E) + ...); }
template <role... E> struct roles { int sum() const { return (static_cast<int>(E) + ...); } };
template <class Enum, class T> struct table {
  std::array<T, static_cast<std::size_t>(Enum::last)> slots{};
  T &operator[](Enum e) { return slots[static_cast<int>(e)]; }
  const T &operator[](Enum e) const { return slots[static_cast<int>(e)]; }
  template <Enum... E> std::array<T, sizeof...(E)> pick() const { return {(*this)[E]...}; }
};
int twice(int x) { return 2 * x; }
int next(int x) { return x + 1; }
template <auto... F> int through(int x) { ((x = F(x)), ...); return x; }
struct held { float *p; };
std::vector<std::shared_ptr<held>> kept;
template <class... A> void keep(A... a) { (kept.push_back(std::move(a)), ...); }
template <class... N> int counted(N... n) { (++n, ...); return (n + ...); }
template <class... N> int countedUp(N &...n) { (n++, ...); return (n + ...); }
template <class... N> int digits(N... n) { int q = 0; (q = q * 10 + n, ...); return q; }
template <class... N> int seven(N *...n) { int q = 0; (q += *n, ...); (*n = 7, ...); return q; }
struct sink { int value = 0; sink &operator<<(int n) { value += n; return *this; } };
template <class... N> int shifted(N... n) { sink out; (out << n, ...); return out.value; }
struct names {
  std::map<std::string, int, std::less<>> known;
  int made = 0;
  int operator[](std::string_view name) {
    auto at = known.lower_bound(name);
    if (at == known.end() || known.key_comp()(name, at->first)) at = known.emplace_hint(at, std::string{name}, ++made);
    return at->second;
  }
};
std::string started(std::string_view name) { return std::string(name) += " starts"; }
struct number { int value; number &operator+=(int more) { value += more; return *this; } };
`;

describeRows('what packs are given', head, [
  whenKnown('enumerators', '', 'sum<role::two, role::three>() == 3'),
  whenKnown('one enumerator', '', 'sum<role::three>() == 2'),
  whenKnown('of a type that is given', '', 'sumOf<role, role::two, role::three>() == 3'),
  whenKnown('of a class', 'roles<role::two, role::three> all;', 'all.sum() == 3'),
  whenKnown(
    'as places in a table',
    'table<role, int> t; t[role::two] = 5; t[role::three] = 7;',
    't.pick<role::three, role::two>()[1] == 5',
  ),
  whenKnown('functions', '', 'through<twice, next>(3) == 7'),
  whenKnown('copies, of numbers', 'int a = 1, b = 2;', 'counted(a, b) == 5 && a == 1 && b == 2'),
  whenKnown(
    'copies, of owners',
    'auto owner = std::make_shared<held>(); owner->p = p; keep(owner); keep(owner);',
    'kept.size() == 2 && kept[0]->p == p && kept[1]->p == p && owner.use_count() == 3',
  ),
  whenKnown(
    'what is moved into them',
    'auto owner = std::make_shared<held>(); keep(std::move(owner));',
    '!owner && kept.size() == 1',
  ),
]);

describeRows('folds with commas', head, [
  whenKnown('counting up', 'int a = 1, b = 2;', 'countedUp(a, b) == 5 && a == 2 && b == 3'),
  whenKnown('an operator', '', 'shifted(1, 2) == 3'),
  whenKnown('assignments', '', 'digits(1, 2, 3) == 123'),
  whenKnown('what pointers lead to', 'int a = 1, b = 2;', 'seven(&a, &b) == 3 && a == 7 && b == 7'),
]);

describeRows('what is made and changed at once', head, [
  whenKnown('a text', '', 'started("fork"sv) == "fork starts"'),
  whenKnown('an object', '', '(number{3} += 4).value == 7'),
  whenKnown(
    'entries of a map where they belong',
    'names n; int b = n["b"], a = n["a"], c = n["c"];',
    'b == 1 && a == 2 && c == 3 && n["b"] == 1 && n["d"] == 4',
  ),
]);
