/**
 * `std::vector<T, A>` where the program's own allocator `A` asks CUDA for memory: the memory begins with the room that the vector takes,
 * and ends with it or when it takes more. What constructors of elements would do there is left out.
 */

import { vectorInOwnMemory } from '../../base/library-files.ts';
import { accessToElements, heldElements, movedElements } from './vector-parts.ts';

export const ownMemoryVector = `#pragma once
template <class T, class A> class ${vectorInOwnMemory} {
  A source;
${heldElements(vectorInOwnMemory)}  void make(size_t n) {
    if (n == 0) return;
    elements = source.allocate(n);
    count = n;
    room = n;
  }
  void let_go() {
    if (elements) source.deallocate(elements, room);
    elements = nullptr;
    count = 0;
    room = 0;
  }
  void move_to(size_t n) {
    T *before = elements;
    elements = source.allocate(n);
    if (before) {
      if (count != 0) std::copy(before, before + count, elements);
      source.deallocate(before, room);
    }
    room = n;
  }
 public:
  typedef T value_type;
  typedef A allocator_type;
${accessToElements}  typedef T &reference;
  ${vectorInOwnMemory}() {}
  explicit ${vectorInOwnMemory}(const A &given) : source(given) {}
  explicit ${vectorInOwnMemory}(size_t n) { make(n); }
  ${vectorInOwnMemory}(size_t n, const A &given) : source(given) { make(n); }
  ${vectorInOwnMemory}(size_t n, const T &value) { make(n); }
  ${vectorInOwnMemory}(size_t n, const T &value, const A &given) : source(given) { make(n); }
  ${vectorInOwnMemory}(const ${vectorInOwnMemory} &other) : source(other.source) {
    make(other.count);
    if (count != 0) std::copy(other.elements, other.elements + count, elements);
  }
  ${vectorInOwnMemory}(${vectorInOwnMemory} &&other) : source(other.source) { take(other); }
  ${vectorInOwnMemory}(std::initializer_list<T> list) {
    make(list.size());
    std::copy(list.begin(), list.end(), elements);
  }
  template <class I, class = std::enable_if_t<!std::is_integral<I>::value>> ${vectorInOwnMemory}(I first, I last) {
    make(last - first);
    if (count != 0) std::copy(first, last, elements);
  }
  ~${vectorInOwnMemory}() { if (elements) source.deallocate(elements, room); }
  ${vectorInOwnMemory} &operator=(const ${vectorInOwnMemory} &other) {
    assign(other.elements, other.elements + other.count);
    return *this;
  }
${movedElements(vectorInOwnMemory)}  template <class I, class = std::enable_if_t<!std::is_integral<I>::value>> void assign(I first, I last) {
    size_t n = last - first;
    if (n > room) { count = 0; move_to(n); }
    count = n;
    std::copy(first, last, elements);
  }
  void assign(size_t n, const T &value) {
    if (n > room) { count = 0; move_to(n); }
    count = n;
    std::fill(elements, elements + n, value);
  }
  A get_allocator() const { return source; }
  T &at(size_t i) { return elements[i]; }
  const T &at(size_t i) const { return elements[i]; }
  void reserve(size_t n) { if (n > room) move_to(n); }
  void resize(size_t n) {
    if (n > room) move_to(n);
    count = n;
  }
  void resize(size_t n, const T &value) {
    if (n > room) move_to(n);
    if (n > count) std::fill(elements + count, elements + n, value);
    count = n;
  }
  void push_back(const T &value) {
    if (count == room) move_to(room == 0 ? 1 : room * 2);
    elements[count] = value;
    count++;
  }
  template <class... Given> T &emplace_back(Given &&...given) {
    if (count == room) move_to(room == 0 ? 1 : room * 2);
    elements[count] = T(given...);
    count++;
    return elements[count - 1];
  }
  void pop_back() { count--; }
};
`;
