/** Guards that a function makes of a lambda: what the lambda has captured goes when the guard has gone. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <type_traits>
#include <utility>
${memoryInAStream}
struct Shared {
  float *p;
  int *owners;
  Shared() : p(make()), owners(new int(1)) {}
  Shared(const Shared &other) : p(other.p), owners(other.owners) { ++*owners; }
  Shared(Shared &&other) noexcept : p(other.p), owners(std::exchange(other.owners, nullptr)) {}
  ~Shared() { if (owners && --*owners == 0) drop(p); }
};
template <class Action> class Guard {
public:
  explicit Guard(Action action) : action_(std::move(action)) {}
  Guard(Guard &&other) noexcept : action_(std::move(other.action_)), armed_(std::exchange(other.armed_, false)) {}
  ~Guard() { if (armed_) action_(); }
  void dismiss() { armed_ = false; }
private:
  Action action_;
  bool armed_ = true;
};
template <class Action> struct Holder { Action action; };
template <class Action> auto finally(Action &&action) { return Guard<std::decay_t<Action>>(std::forward<Action>(action)); }
`;

/** The last owner frees the memory at the end of the block, and not before. */
const owned = (what: string, body: string): Row => [
  what,
  'async-double-free',
  '',
  `cudaStreamCreate(&s); float *p; { Shared shared; p = shared.p; ${body} } drop(p);`,
  `cudaStreamCreate(&s); { Shared shared; ${body} run(shared.p); }`,
];

describeRows('guards made by functions', head, [
  owned('of a lambda that is written there', 'auto guard = finally([view = shared] { run(view.p); });'),
  owned('of a lambda with a name', 'auto f = [view = shared] { run(view.p); }; auto guard = finally(f);'),
  owned('of one that is given away', 'auto f = [view = shared] { run(view.p); }; auto guard = finally(std::move(f));'),
  owned('one that is dismissed', 'auto guard = finally([view = shared] { drop(view.p); }); guard.dismiss();'),
  owned('a structure', 'auto f = [view = shared] { run(view.p); }; auto held = Holder<decltype(f)>{std::move(f)};'),
  [
    'one that frees what is freed by its owner',
    'async-double-free',
    '',
    'cudaStreamCreate(&s); { Shared shared; auto guard = finally([view = shared] { drop(view.p); }); }',
    'cudaStreamCreate(&s); { Shared shared; auto guard = finally([view = shared] { run(view.p); }); }',
  ],
]);
