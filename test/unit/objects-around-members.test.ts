/** From a member back to the object: hooks of lists that point at themselves, and distances that are measured at an object. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstddef>
${memoryInAStream}
struct Hook {
  Hook *prev = this, *next = this;
  Hook *self() { return this; }
  void before(Hook &at) { prev = at.prev; next = &at; prev->next = next->prev = this; }
};
struct Lane { int number = 4; cudaStream_t stream = nullptr; Hook hook; };
static Lane &by(Hook *hook, std::ptrdiff_t distance) {
  return *reinterpret_cast<Lane *>(reinterpret_cast<char *>(hook) - distance);
}
template <class T, Hook T::*Member> class List {
public:
  class iterator {
  public:
    explicit iterator(Hook *at) : at_(at) {}
    T &operator*() const { return owner(*at_); }
    iterator &operator++() { at_ = at_->next; return *this; }
    bool operator!=(const iterator &other) const { return at_ != other.at_; }
  private:
    Hook *at_;
  };
  void push_back(T &object) { (object.*Member).before(root_); }
  iterator begin() { return iterator(root_.next); }
  iterator end() { return iterator(&root_); }
private:
  static T &owner(Hook &hook) {
    static const std::ptrdiff_t distance = [] {
      alignas(T) static char room[sizeof(T)];
      T *object = reinterpret_cast<T *>(room);
      return reinterpret_cast<char *>(&(object->*Member)) - reinterpret_cast<char *>(object);
    }();
    return *reinterpret_cast<T *>(reinterpret_cast<char *>(&hook) - distance);
  }
  Hook root_;
};
template <class T> struct Outer {
  struct Inner { int bytes() const { return size(); } };
  static int size() { return sizeof(T); }
  Inner inner;
};
`;

const inStream = ([what, rule, before, bad, good]: Row): Row => [
  what,
  rule,
  before,
  `cudaStreamCreate(&s); ${bad}`,
  `cudaStreamCreate(&s); ${good}`,
];

const measured = 'reinterpret_cast<char *>(&lane.hook) - reinterpret_cast<char *>(&lane)';

describeRows('objects around members', head, [
  inStream(
    whenKnown(
      'by what a method says of itself',
      'Lane lane;',
      'by(lane.hook.self(), offsetof(Lane, hook)).number == 4',
    ),
  ),
  inStream(
    whenKnown(
      'by a pointer that the member has to itself',
      'Lane lane; lane.hook.self();',
      'by(lane.hook.next, offsetof(Lane, hook)).number == 4',
    ),
  ),
  inStream(whenKnown('by a distance that is measured', 'Lane lane;', `by(&lane.hook, ${measured}).number == 4`)),
  inStream(
    whenKnown(
      'by a list of hooks',
      'Lane a, b; b.number = 5; List<Lane, &Lane::hook> all; all.push_back(a); all.push_back(b); int sum = 0; for (Lane &each : all) sum = sum * 10 + each.number;',
      'sum == 45',
    ),
  ),
  inStream(whenKnown('a static method of the template around a class', 'Outer<double> o;', 'o.inner.bytes() == 8')),
]);
