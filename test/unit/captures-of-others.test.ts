/** Streams from outside may be captured by somebody else: what a program asks about that is told apart from its own captures. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (body: string): string => `#include <cuda_runtime.h>
#include <gtest/gtest.h>
struct Info { cudaStreamCaptureStatus status; unsigned long long id; cudaGraph_t graph; };
static Info infoOf(cudaStream_t s) { Info i{}; cudaStreamGetCaptureInfo(s, &i.status, &i.id, &i.graph); return i; }
struct Order {
  unsigned long long last = 0; cudaGraphNode_t node{}; cudaEvent_t event{};
  void begin(cudaStream_t s, const Info &info) {
    if (info.status != cudaStreamCaptureStatusActive) return;
    const bool isNew = info.id != last;
    last = info.id;
    if (!isNew) cudaStreamUpdateCaptureDependencies(s, &node, nullptr, 1, cudaStreamAddCaptureDependencies);
  }
  void end(const Info &info) {
    if (info.status == cudaStreamCaptureStatusActive) cudaGraphAddEventRecordNode(&node, info.graph, nullptr, 0, event);
  }
};
class Work : public ::testing::Test {
protected:
  void SetUp() override { cudaStreamCreate(&a); cudaStreamCreate(&b); cudaEventCreate(&order.event); }
  void submit(cudaStream_t s) { const Info info = infoOf(s); order.begin(s, info); order.end(info); }
  Order order; cudaStream_t a{}, b{};
};
TEST_F(Work, Captured) { ${body} }
`;

const capture =
  'cudaGraph_t g; cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal); submit(a); submit(a); cudaStreamEndCapture(a, &g); cudaGraphDestroy(g);';

describe('captures of others', () => {
  it.each([
    ['between two of its own', `{ ${capture} } submit(b); { ${capture} } submit(b);`, []],
    [
      'and a node of a graph that is gone',
      `{ ${capture} } cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal); cudaStreamUpdateCaptureDependencies(a, &order.node, nullptr, 1, cudaStreamAddCaptureDependencies); cudaGraph_t g; cudaStreamEndCapture(a, &g); cudaGraphDestroy(g);`,
      ['handle-use-after-destroy'],
    ],
  ])('%s', async (_what, body, expected) => {
    const { findings } = await analyseText(program(body));
    expect(findings.filter(({ severity }) => severity !== 'hint').map(({ rule }) => rule)).toEqual(expected);
  });
});
