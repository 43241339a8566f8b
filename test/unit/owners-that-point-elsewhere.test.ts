/** A `shared_ptr` that points at one thing and keeps another, and what watches it. */

import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>
${memoryInAStream}
struct Grid { float *c; Grid() { cudaMallocAsync(&c, 64, 0); } ~Grid() { cudaFreeAsync(c, 0); } };
static std::shared_ptr<float> braced(std::shared_ptr<Grid> g) { return {g, g->c}; }
static std::shared_ptr<float> moved(std::shared_ptr<Grid> g) { float *c = g->c; return {std::move(g), c}; }
static std::shared_ptr<float> called(std::shared_ptr<Grid> g) { return std::shared_ptr<float>(g, g->c); }
static std::shared_ptr<float> made() {
  float *p;
  cudaMallocAsync(&p, 64, 0);
  std::shared_ptr<float *> owner(new float *(p), [](float **held) { cudaFreeAsync(*held, 0); delete held; });
  return {owner, *owner};
}
`;

const late = (what: string): Row => [
  `memory that is kept through what ${what} returns`,
  'async-use-after-free',
  '',
  `auto g = std::make_shared<Grid>(); auto p = ${what}(g); float *raw = p.get(); g.reset(); p.reset(); k<<<1, 1>>>(raw);`,
  `auto g = std::make_shared<Grid>(); auto p = ${what}(g); float *raw = p.get(); g.reset(); k<<<1, 1>>>(raw); p.reset();`,
];

describeRows('owners that point elsewhere', head, [
  late('braced'),
  late('moved'),
  late('called'),
  [
    'a deleter of what is kept, although somebody watches',
    'async-double-free',
    '',
    'auto p = made(); std::weak_ptr<float> seen = p; cudaFreeAsync(p.get(), 0); p.reset();',
    'auto p = made(); std::weak_ptr<float> seen = p; k<<<1, 1>>>(p.get()); p.reset();',
  ],
  whenKnown(
    'what is kept is watched as long as one of both is there',
    'auto g = std::make_shared<Grid>(); auto v = called(g); std::weak_ptr<float> seen = v; v.reset(); bool was = seen.expired(); g.reset();',
    '!was && seen.expired()',
  ),
  whenKnown(
    'they count together',
    'auto g = std::make_shared<Grid>(); auto v = braced(g); auto q = v;',
    'g.use_count() == 3 && q.use_count() == 3',
  ),
]);

const watched: readonly string[] = [
  'struct W { std::weak_ptr<Grid> of; W(const std::shared_ptr<Grid> &g) : of(g) {} } w(g);',
  'struct W { std::weak_ptr<Grid> of; W(std::shared_ptr<Grid> g) : of{g} {} } w(g);',
  'struct W { std::weak_ptr<Grid> of; W(const std::shared_ptr<Grid> &g) : of(g) {} }; std::vector<W> w; w.emplace_back(g);',
];

describeRows('members that only watch', head, [
  ...watched.map(
    (declared): Row => [
      `keep nothing: ${declared}`,
      'async-use-after-free',
      '',
      `auto g = std::make_shared<Grid>(); float *raw = g->c; ${declared} g.reset(); k<<<1, 1>>>(raw);`,
      `auto g = std::make_shared<Grid>(); float *raw = g->c; ${declared} k<<<1, 1>>>(raw); g.reset();`,
    ],
  ),
]);
