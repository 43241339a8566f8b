/**
 * Constructs of libraries that engineers write around CUDA today: operators of handles, arrays over enumerations, templates that
 * hold addresses. What they come to is asked in conditions that must be known to hold.
 */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <array>
#include <cstddef>
#include <functional>
#include <tuple>
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
