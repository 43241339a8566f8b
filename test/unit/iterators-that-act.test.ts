/** Iterators of the program's own that ask something of CUDA, or keep what they lead to: their steps and the rounds of a loop take turns. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <iterator>
#include <vector>
${memoryInAStream}
/** Each result is there until the next is asked for. */
class Results {
public:
  explicit Results(int count) : count_(count) {}
  class iterator {
  public:
    iterator(Results *of, int left) : of_(of), left_(left) { if (left_ > 0) of_->produce(); }
    float *operator*() const { return of_->now_; }
    iterator &operator++() {
      of_->giveBack();
      if (--left_ > 0) of_->produce();
      return *this;
    }
    bool operator!=(std::default_sentinel_t) const { return left_ > 0; }

  private:
    Results *of_;
    int left_;
  };
  iterator begin() { return {this, count_}; }
  std::default_sentinel_t end() const { return {}; }

private:
  void produce() { now_ = make(); }
  void giveBack() { drop(now_); }
  int count_;
  float *now_ = nullptr;
};
struct Counter {
  int now, end;
  int &operator*() { return now; }
  Counter &operator++() { ++now; return *this; }
  bool operator!=(const Counter &other) const { return now != other.end; }
};
struct Numbers {
  int n;
  Counter begin() const { return {0, n}; }
  Counter end() const { return {n, n}; }
};
`;

describeRows('iterators', head, [
  [
    'what a step frees is there in the round before it, and not behind it',
    'async-use-after-free',
    '',
    'float *before = nullptr; for (float *p : Results(3)) { if (before) run(before); before = p; }',
    'for (float *p : Results(3)) run(p);',
  ],
  [
    'of no elements',
    '',
    '',
    '',
    'float *q = make(); for (float *p : Results(0)) { run(p); drop(q); } run(q); drop(q);',
  ],
  [
    'left in the middle',
    'async-leak',
    '',
    'for (float *p : Results(3)) { run(p); break; }',
    'for (float *p : Results(3)) { run(p); if (p == nullptr) break; }',
  ],
  [
    'of which nobody knows how many there are',
    'async-use-after-free',
    '',
    'int n = 0; extern void ask(int *); ask(&n); float *q = make(); for (float *p : Results(n)) { run(p); drop(q); } run(q);',
    '',
  ],
  whenKnown(
    'what they keep in themselves',
    'int sum = 0; std::vector<int> seen; for (int i : Numbers{4}) { sum = sum * 10 + i; seen.push_back(i); }',
    'sum == 123 && seen[2] == 2',
  ),
]);
