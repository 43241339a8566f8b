/** Class templates that are specialised for types of functions, `R(A...)`: what is returned and what is taken is known there. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
${memoryInAStream}
template <class F> struct Traits { static constexpr int count = -1; };
template <class R, class... A> struct Traits<R(A...)> { static constexpr int count = sizeof...(A); using Result = R; };
template <class F> struct First;
template <class A, class... B> struct First<void(A, B...)> { static constexpr int bytes = sizeof(A), others = sizeof...(B); };
template <class F> class Delegate;
template <class R, class... A> class Delegate<R(A...)> {
public:
  Delegate(R (*function)(A...)) : function_(function) {}
  static constexpr int arity() { return sizeof...(A); }
  R operator()(A... a) const { return function_(a...); }
private:
  R (*function_)(A...);
};
static void fill(float *&p, int) { p = make(); }
static int sum(int a, int b) { return a + b; }
`;

const inStream = ([what, rule, before, bad, good]: Row): Row => [
  what,
  rule,
  before,
  `cudaStreamCreate(&s); ${bad}`,
  `cudaStreamCreate(&s); ${good}`,
];

describeRows('types of functions in patterns', head, [
  inStream(whenKnown('how many are taken', '', 'Traits<int(int, float)>::count == 2')),
  inStream(whenKnown('none is taken', '', 'Traits<int()>::count == 0')),
  inStream(whenKnown('what is returned', '', 'sizeof(Traits<double(int)>::Result) == 8')),
  inStream(whenKnown('one with another name', 'using Action = void(int, int, int);', 'Traits<Action>::count == 3')),
  inStream(whenKnown('no type of functions', '', 'Traits<int>::count == -1')),
  inStream(
    whenKnown(
      'the first of those taken',
      '',
      'First<void(double, int, int)>::bytes + First<void(int, int)>::others == 9',
    ),
  ),
  inStream(whenKnown('an object for one', 'Delegate<int(int, int)> d(sum);', 'd.arity() * 10 + d(3, 4) == 27')),
  [
    'a reference that one takes',
    'async-use-after-free',
    '',
    'cudaStreamCreate(&s); float *p = nullptr; Delegate<void(float *&, int)> d(fill); d(p, 3); drop(p); run(p);',
    'cudaStreamCreate(&s); float *p = nullptr; Delegate<void(float *&, int)> d(fill); d(p, 3); run(p); drop(p);',
  ],
]);
