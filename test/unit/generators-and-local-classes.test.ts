/** Generators of the library, whose bodies take turns with who goes through them; containers made of views; classes in functions. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <deque>
#include <generator>
#include <ranges>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
static float *p, *other;
static void begin() { cudaMallocAsync((void **)&p, 128, 0); cudaMallocAsync((void **)&other, 128, 0); }
static void end(float *q) { cudaFreeAsync(p, 0); cudaFreeAsync(q, 0); cudaDeviceSynchronize(); }
std::generator<float *> both(float *first, float *second) { co_yield first; for (int i = 0; i < 2; ++i) co_yield second; }
std::generator<int> upTo(int n) { for (int i = 0; i < n; ++i) co_yield i; }
std::generator<int> twice(int n) { for (int i : upTo(n)) co_yield i; co_yield std::ranges::elements_of(upTo(n)); }
std::generator<int> endless() { int i = 0; for (;;) { co_yield i; ++i; } }
std::generator<int> handedOn(int n) { return upTo(n); }`;

const rule = 'async-double-free';
const bothWays = (what: string, pick: (first: string, second: string) => string): Row => [
  what,
  rule,
  '',
  `begin(); float *q; ${pick('p', 'other')} end(q);`,
  `begin(); float *q; ${pick('other', 'p')} end(q);`,
];
const sum = (generator: string, wanted: number) => (a: string, b: string) =>
  `int n = 0; for (int i : ${generator}) n += i; q = n == ${wanted} ? ${a} : ${b};`;

const streams = (behind: string): string => `cudaStream_t s[2]; cudaEvent_t e; cudaEventCreate(&e);
for (auto &each : s) cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking);
float *m; cudaMallocAsync((void **)&m, 256, s[0]); cudaEventRecord(e, s[0]);
for (int i : upTo(2)) { ${behind} k<<<1, 32, 0, s[i]>>>(m + 32 * i); }
cudaEventRecord(e, s[1]); cudaStreamWaitEvent(s[0], e, 0); cudaFreeAsync(m, s[0]); cudaDeviceSynchronize();
for (auto each : s) cudaStreamDestroy(each); cudaEventDestroy(e);`;

describeRows('generators', head, [
  bothWays('what they yield last', (a, b) => `for (float *each : both(${b}, ${a})) q = each;`),
  bothWays('one in another, and all of one', sum('twice(4)', 12)),
  bothWays('one that another function makes', sum('handedOn(4)', 6)),
  bothWays(
    'one without end, which is left',
    (a, b) => `int last = 0; for (int i : endless()) { if (i == 7) break; last = i; } q = last == 6 ? ${a} : ${b};`,
  ),
  bothWays(
    'two at once',
    (a, b) => `int n = 0; for (int i : upTo(3)) for (int j : upTo(i)) n += j; q = n == 1 ? ${a} : ${b};`,
  ),
  [
    'work between',
    'async-use-before-alloc',
    '',
    streams('if (i == 0) cudaStreamWaitEvent(s[i], e, 0);'),
    streams('cudaStreamWaitEvent(s[i], e, 0);'),
  ],
]);

describeRows('containers made of views', head, [
  bothWays(
    'of what is piped',
    (a, b) =>
      `std::vector<float *> v{${b}, ${a}, ${b}}; auto w = v | std::views::drop(1) | std::ranges::to<std::vector>(); q = w[0];`,
  ),
  bothWays(
    'of a range',
    (a, b) =>
      `std::vector<float *> v{${b}, ${a}}; auto w = std::ranges::to<std::deque<float *>>(v | std::views::reverse); q = w.front();`,
  ),
  bothWays(
    'that keep what they hold',
    (a, b) => `std::vector<float *> v{${a}, ${b}}; auto w = v | std::ranges::to<std::vector>(); v[0] = ${b}; q = w[0];`,
  ),
]);

const local =
  'struct Held { float *own; static float *of(const Held &h) { return h.own; } float *taken(Held h) { return h.own; } };';
describeRows('a class in a function', head, [
  bothWays('that is made for its own method', (a) => `${local} q = Held::of({${a}});`),
  bothWays('that is given by value', (a, b) => `${local} Held h{${b}}; q = h.taken({${a}});`),
  bothWays(
    'that knows another one beside it',
    (a) =>
      `struct In { float *own; }; struct Out { static float *of(const In &in) { In copy = in; return copy.own; } }; q = Out::of({${a}});`,
  ),
]);
