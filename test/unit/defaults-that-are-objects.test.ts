/**
 * What parameters and members begin as where the text gives something that they are made from: `std::nullopt`, a number, a list;
 * elements of sets that are made where they are put; addresses of what owns something.
 */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <compare>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <variant>
${memoryInAStream}
struct vertex {
  int at;
  explicit vertex(int n) : at(n + 1) {}
  bool operator<(const vertex &other) const { return at < other.at; }
};
struct version { int major, minor; friend auto operator<=>(const version &, const version &) = default; };
struct tag { int n; friend bool operator==(const tag &, const tag &) = default; };
int number(std::optional<int> n = std::nullopt) { return n ? *n : -1; }
int five(std::optional<int> n = 5) { return *n; }
int object(const std::optional<vertex> &v = std::nullopt) { return v ? v->at : -1; }
int which(std::variant<float, int> v = 3) { return v.index(); }
using callback = std::function<int()>;
int called(callback f = {}) { return f ? f() : 3; }
struct options { std::optional<int> device = std::nullopt; int count = device ? 2 : 1; };
struct stage { std::optional<vertex> after; explicit stage(std::optional<vertex> v = std::nullopt) : after(v) {} };
`;

describeRows('what is there where nothing is given', head, [
  whenKnown('no number', '', 'number() == -1 && number(4) == 4 && number(std::nullopt) == -1'),
  whenKnown('a number', '', 'five() == 5 && five(6) == 6'),
  whenKnown('no object', '', 'object() == -1 && object(vertex{1}) == 2'),
  whenKnown('one of several', '', 'which() == 1'),
  whenKnown('no function', '', 'called() == 3 && called([] { return 4; }) == 4'),
  whenKnown('a member', 'options o; options made{};', '!o.device && o.count == 1 && !made.device'),
  whenKnown('a parameter of a constructor', 'stage s; stage t{vertex{2}};', '!s.after && t.after && t.after->at == 3'),
]);

describeRows('elements of sets', head, [
  whenKnown(
    'made where they are put',
    'std::set<vertex> s; s.emplace(1); s.insert(vertex{0}); s.emplace(1);',
    's.size() == 2 && s.begin()->at == 1 && s.rbegin()->at == 2',
  ),
  whenKnown(
    'pairs of objects in braces',
    'std::set<std::pair<vertex, vertex>> s; s.insert({vertex{2}, vertex{3}}); s.insert({vertex{0}, vertex{5}});',
    's.size() == 2 && s.begin()->second.at == 6 && s.rbegin()->first.at == 3',
  ),
]);

describeRows('comparisons left to the language by friends', head, [
  whenKnown(
    'of all kinds',
    '',
    'version{1, 2} < version{1, 3} && version{2, 0} > version{1, 9} && version{1, 2} != version{1, 3}',
  ),
  whenKnown('of equality', '', 'tag{1} == tag{1} && tag{1} != tag{2}'),
]);

describeRows('std::to_address', head, [
  whenKnown(
    'of an address and of what owns',
    'std::list<vertex> all; auto &v = all.emplace_back(3); auto owner = std::make_unique<vertex>(4);',
    'std::to_address(&v)->at == 4 && std::to_address(owner)->at == 5',
  ),
]);
