/** What vectors that hold their memory themselves have in common, as members of a class: `elements`, `count` of them, and `room` for so many. */

/** What it holds, and how that goes from one such object to another of the class. */
export const heldElements = (name: string): string => `  T *elements = nullptr;
  size_t count = 0;
  size_t room = 0;
  void take(${name} &other) {
    elements = other.elements;
    count = other.count;
    room = other.room;
    other.elements = nullptr;
    other.count = 0;
    other.room = 0;
  }
`;

/** Names of types, places and numbers; what needs no other memory. */
export const accessToElements = `  typedef size_t size_type;
  typedef T *iterator;
  typedef const T *const_iterator;
  typedef T *pointer;
  T *data() { return elements; }
  const T *data() const { return elements; }
  T *begin() { return elements; }
  T *end() { return elements + count; }
  const T *begin() const { return elements; }
  const T *end() const { return elements + count; }
  const T *cbegin() const { return elements; }
  const T *cend() const { return elements + count; }
  T &operator[](size_t i) { return elements[i]; }
  const T &operator[](size_t i) const { return elements[i]; }
  T &front() { return elements[0]; }
  T &back() { return elements[count - 1]; }
  size_t size() const { return count; }
  size_t capacity() const { return room; }
  bool empty() const { return count == 0; }
  void clear() { count = 0; }
`;

/** What needs `let_go()` and `move_to(n)`, which say where the memory comes from. */
export const movedElements = (name: string): string => `  ${name} &operator=(${name} &&other) {
    let_go();
    take(other);
    return *this;
  }
  void shrink_to_fit() {
    if (count == 0) let_go();
    else if (count != room) move_to(count);
  }
  void swap(${name} &other) {
    T *own = elements;
    size_t size = count;
    size_t space = room;
    elements = other.elements;
    count = other.count;
    room = other.room;
    other.elements = own;
    other.count = size;
    other.room = space;
  }
`;
