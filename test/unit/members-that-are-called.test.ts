/** Members that hold what is called: objects with `operator()`, bound calls, functions; by name, through pointers and in maps. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <functional>
#include <unordered_map>
struct Allocate { int more = 0; void operator()(int bytes) { void *p; cudaMallocAsync(&p, bytes + more, 0); cudaFreeAsync(p, 0); } };
void plain(int bytes) { Allocate{}(bytes); }
struct Machine {
  Allocate direct_;
  std::function<void(int)> object_ = Allocate{}, open_ = std::bind(plain, std::placeholders::_1);
  std::function<void()> bound_ = std::bind(plain, 7), own_;
  std::unordered_map<int, std::function<int()>> table_;
  void (*pointer_)(int) = plain;
  int frame() { plain(9); return 1; }
  Machine() { own_ = std::bind(&Machine::frame, this); table_[1] = std::bind(&Machine::frame, this); }
  int go(int key) { auto at = table_.find(key); return at->second(); }
};
`;

it.each([
  'm.direct_(1);',
  'q->direct_(1);',
  'm.object_(2);',
  'm.open_(3);',
  'm.bound_();',
  '(q->bound_)();',
  'm.own_();',
  'm.pointer_(4);',
  'int n = m.go(1);',
])('%s', async (call) => {
  const { facts } = await analyseText(`${head}int main() { Machine m; Machine *q = &m; ${call} }`);
  const events = facts.get('main')?.trace.events ?? [];
  expect(events.filter(({ verb }) => verb === 'memory.allocateAsync')).toHaveLength(1);
});
