/** Algorithms over ranges that ask not for the elements but for what is projected, and what is counted as a range. */

import { describeRows, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <algorithm>
#include <functional>
#include <ranges>
#include <vector>
__global__ void work(float *p) { p[0] += 1; }
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync(&p, 64, s); return p; }
static void run(float *p) { work<<<1, 1, 0, s>>>(p); }
static void drop(float *p) { cudaFreeAsync(p, s); }
enum class Key : unsigned {};
struct P { int k; int v; };
template <class T> struct Column { using value_type = std::pair<Key, T>; std::vector<value_type> r;
  T &add(Key e, T t) { auto at = std::ranges::lower_bound(r, e, {}, &value_type::first);
    if (at == r.end() || at->first != e) at = r.emplace(at, e, t); return at->second; }
  T *find(Key e) { auto at = std::ranges::lower_bound(r, e, std::less<>{}, &value_type::first);
    return at != r.end() && at->first == e ? &at->second : nullptr; } };`;

const parts = 'std::vector<P> r{{5, 10}, {3, 30}, {4, 50}};';
const sorted = 'std::vector<P> r{{1, 10}, {3, 30}, {5, 50}};';

describeRows('projections', head, [
  whenKnown(
    'what lies under a key, in order',
    'Column<int> c; c.add(Key{3}, 30); c.add(Key{1}, 10); c.add(Key{2}, 1) = 20;',
    'c.r[0].second == 10 && *c.find(Key{2}) == 20 && !c.find(Key{4})',
  ),
  whenKnown(
    'two ends',
    `${sorted} auto u = std::ranges::upper_bound(r.begin(), r.end(), 3, std::ranges::less{}, [](const P &p) { return p.k; });`,
    'u->v == 50',
  ),
  whenKnown(
    'is it there',
    sorted,
    'std::ranges::binary_search(r, 5, {}, &P::k) && !std::ranges::binary_search(r, 2, {}, &P::k)',
  ),
  whenKnown(
    'all that are the same',
    `${sorted} auto [f, l] = std::ranges::equal_range(r, 3, {}, &P::k);`,
    'f->v == 30 && l->v == 50',
  ),
  whenKnown(
    'another order',
    `${parts} std::ranges::sort(r, std::greater{}, &P::k); auto at = std::ranges::lower_bound(r, 4, std::greater{}, &P::k);`,
    'at->v == 50 && r[0].v == 10',
  ),
  whenKnown(
    'sort and find between two ends',
    `${parts} std::ranges::sort(r.begin(), r.end(), {}, &P::k); auto at = std::ranges::find(r.begin(), r.end(), 4, &P::k);`,
    'r[0].v == 30 && at->v == 50',
  ),
  whenKnown(
    'for each, and made of each',
    `${parts} int sum = 0; std::ranges::for_each(r, [&](int v) { sum += v; }, &P::v);
    std::vector<int> o; std::ranges::transform(r, std::back_inserter(o), [](int k) { return k * 2; }, &P::k);`,
    'sum == 90 && o[1] == 6',
  ),
  whenKnown(
    'copied, removed and put in their place',
    `${parts} std::vector<P> o; std::ranges::copy_if(r, std::back_inserter(o), [](int k) { return k > 3; }, &P::k);
    std::ranges::replace_if(o, [](int v) { return v == 50; }, P{7, 7}, &P::v);
    auto gone = std::ranges::remove(r, 3, &P::k); r.erase(gone.begin(), gone.end());`,
    'o.size() == 2 && o[1].k == 7 && r.size() == 2 && r[1].v == 50',
  ),
  whenKnown(
    'once each, and the one in the middle',
    `std::vector<P> q{{5, 10}, {5, 30}, {4, 50}}; auto more = std::ranges::unique(q, {}, &P::k); q.erase(more.begin(), more.end());
    ${parts} std::ranges::nth_element(r, r.begin() + 1, {}, &P::k);`,
    'q.size() == 2 && r[1].k == 4',
  ),
  whenKnown('numbers in a row', 'int sum = 0; for (int i : std::ranges::iota_view(1, 4)) sum += i;', 'sum == 6'),
]);
