/** Durations are numbers with a unit, a later reading of a clock is not less than an earlier one, and a loop against the clock is entered. */

import { describe, expect, it } from 'vitest';
import { lowerNumber } from '../../src/syntax/cuda/literals.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <chrono>
#include <stdexcept>
#include <thread>
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;
__global__ void k(float *p) { p[threadIdx.x] += 1; }
static float *p; static cudaStream_t s;
static void begin() { cudaStreamCreate(&s); cudaMallocAsync((void **)&p, 128, s); }
static void end() { cudaFreeAsync(p, s); cudaStreamSynchronize(s); cudaStreamDestroy(s); }
static std::chrono::milliseconds limit() { return 2s; }
static bool isLong(std::chrono::microseconds t) { return t.count() >= 2000; }
struct Budget {
  std::chrono::microseconds most; std::chrono::microseconds used{0};
  bool spend(std::chrono::microseconds t) { if (used + t > most) return false; used += t; return true; }
};`;

const rule = 'async-double-free';
const asked = (what: string, holds: string, not: string): Row => [
  what,
  rule,
  '',
  `begin(); if (${holds}) cudaFreeAsync(p, s); end();`,
  `begin(); if (${not}) cudaFreeAsync(p, s); end();`,
];

describeRows('durations', head, [
  asked('of other units', '1h == 60min && 2s == 2000ms', '1h != 60min || 1500ms >= 2s'),
  asked('a suffix that begins as one of C', '7us == 7000ns', '7us != 7000ns'),
  asked('sums and differences', '2s - 500ms == 1500ms && -3s < 0s', '1s + 1ms == 1s'),
  asked(
    'products and quotients',
    '2 * 3s == 6s && 7s / 2s == 3 && 7s % 2s == 1s',
    '10ms / 4 != 2500us && 7s / 2s != 3',
  ),
  asked(
    'cast to whole units',
    'std::chrono::duration_cast<std::chrono::seconds>(1900ms).count() == 1',
    'std::chrono::round<std::chrono::seconds>(1900ms) == 1s',
  ),
  asked(
    'counted in fractions',
    'Milliseconds(1500us).count() == 1.5',
    'std::chrono::duration<double>(250ms).count() != 0.25',
  ),
  asked(
    'what a variable counts',
    '[] { std::chrono::seconds t = 2min; return t.count(); }() == 120',
    '[] { std::chrono::seconds t{7}; return t.count(); }() != 7',
  ),
  asked(
    'what a parameter and a result count',
    'isLong(2ms) && limit().count() == 2000',
    'isLong(1ms) || limit().count() != 2000',
  ),
  asked(
    'limits',
    'std::chrono::hours(24) < std::chrono::milliseconds::max() && 0s == Clock::duration::zero()',
    'std::chrono::seconds::zero() > 0ms',
  ),
  [
    'a budget that is used up',
    'async-leak',
    'struct All { void *of[4]; };',
    'begin(); Budget b{1ms}; All all{}; int n = 0; while (n < 4 && b.spend(400us)) cudaMallocAsync(&all.of[n++], 64, s); cudaFreeAsync(all.of[0], s); end();',
    'begin(); Budget b{1ms}; All all{}; int n = 0; while (n < 4 && b.spend(400us)) cudaMallocAsync(&all.of[n++], 64, s); cudaFreeAsync(all.of[0], s); cudaFreeAsync(all.of[1], s); end();',
  ],
]);

describeRows('clocks', head, [
  [
    'a loop against the clock has a round',
    'async-use-after-free',
    '',
    'begin(); const auto from = Clock::now(); while (Clock::now() - from < 2s) { k<<<1, 32, 0, s>>>(p); } cudaFreeAsync(p, s); k<<<1, 32, 0, s>>>(p); cudaStreamSynchronize(s);',
    `begin(); cudaGraph_t g; cudaGraphExec_t x; bool isFirst = true; const auto until = Clock::now() + 2s;
     while (Clock::now() < until) { if (isFirst) { cudaGraphCreate(&g, 0); cudaGraphInstantiate(&x, g, 0); isFirst = false; } cudaGraphLaunch(x, s); }
     cudaStreamSynchronize(s); cudaGraphExecDestroy(x); cudaGraphDestroy(g); end();`,
  ],
  [
    'a later reading is not less',
    rule,
    '',
    'begin(); auto a = Clock::now(); k<<<1, 32, 0, s>>>(p); cudaStreamSynchronize(s); auto b = Clock::now(); if (b >= a) cudaFreeAsync(p, s); end();',
    'begin(); auto a = Clock::now(); k<<<1, 32, 0, s>>>(p); cudaStreamSynchronize(s); auto b = Clock::now(); if (b < a || b - a < 0s) cudaFreeAsync(p, s); end();',
  ],
  [
    'how long work takes is open',
    rule,
    '',
    'begin(); auto a = Clock::now(); cudaStreamSynchronize(s); auto took = Clock::now() - a; if (took > 5ms) cudaFreeAsync(p, s); end();',
    'begin(); auto a = Clock::now(); cudaStreamSynchronize(s); auto took = Clock::now() - a; if (took > 5ms) k<<<1, 32, 0, s>>>(p); if (took <= 5ms) cudaFreeAsync(p, s); if (took > 5ms) cudaFreeAsync(p, s); cudaStreamSynchronize(s); cudaStreamDestroy(s);',
  ],
  [
    'a pause takes its time',
    rule,
    '',
    'begin(); auto a = Clock::now(); std::this_thread::sleep_for(1s); if (Clock::now() - a > 10ms) cudaFreeAsync(p, s); end();',
    '',
  ],
  [
    'a wait with an end',
    'host-buffer-used-before-sync',
    `static void waited(cudaStream_t on, std::chrono::milliseconds most) {
  const auto until = Clock::now() + most;
  while (cudaStreamQuery(on) == cudaErrorNotReady) { if (Clock::now() > until) throw std::runtime_error("late"); std::this_thread::sleep_for(50us); }
}`,
    'begin(); float *h; cudaMallocHost(&h, 128); cudaMemcpyAsync(h, p, 128, cudaMemcpyDeviceToHost, s); h[0] = 1; end(); cudaFreeHost(h);',
    'begin(); float *h; cudaMallocHost(&h, 128); cudaMemcpyAsync(h, p, 128, cudaMemcpyDeviceToHost, s); waited(s, 5s); h[0] = 1; end(); cudaFreeHost(h);',
  ],
]);

describe('literals', () => {
  it('a number of its own is read as before', () => {
    const span = { file: '', start: 0, end: 0 };
    expect(lowerNumber('5u', span)).toMatchObject({ value: 5, type: 'u32' });
  });
});
