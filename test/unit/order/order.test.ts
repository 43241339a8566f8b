/**
 * Every source of order in the catalogue's table (HB1–HB14), one program each: two operations, named by their kernels,
 * are or are not ordered, and where they are, the proof names the right reason.
 */

import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/checks/facts.ts';
import { analyseText } from '../../support/engine.ts';

const prelude = `#include <cuda_runtime.h>
__global__ void first(float *data) { data[0] = 1.0f; }
__global__ void second(float *data) { data[0] = 2.0f; }
int main() {
  cudaStream_t s, t, blocking, legacyFriend;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaStreamCreate(&blocking);
  cudaStreamCreate(&legacyFriend);
  cudaEvent_t e, f;
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  float *data;
  cudaMalloc(&data, 4096);
  float host[16];
  cudaGraph_t graph, child;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&child, 0);
  cudaGraphExec_t exec;
  cudaGraphNode_t a, b, c, d;
  void *arguments[] = {&data};
  cudaKernelNodeParams one = {(void *)first, 1, 1, 0, arguments, nullptr};
  cudaKernelNodeParams two = {(void *)second, 1, 1, 0, arguments, nullptr};
`;

/** Points of every doing of a kernel, in host order. */
function pointsOf(facts: Facts, label: string): readonly number[] {
  const { execution, order } = facts;
  return execution.operations.flatMap((operation) => {
    if (operation.kind === 'launch')
      return order
        .nodesOf(operation.index)
        .flatMap(({ node, point }) => (node.operation.label === label ? [point] : []));
    return operation.operation?.label === label ? [order.pointOf(operation.index)] : [];
  });
}

interface Answer {
  readonly before: boolean;
  readonly after: boolean;
  readonly reasons: readonly string[];
}

/** How the first doing of `first` and the last one of `second` stand to each other. */
async function orderIn(body: string): Promise<Answer> {
  const analysis = await analyseText(`${prelude}${body}\n}\n`);
  expect(analysis.gaps).toEqual([]);
  const facts = analysis.facts.get('main');
  if (!facts) throw new Error('no facts');
  const from = pointsOf(facts, 'first')[0] ?? -1;
  const to = pointsOf(facts, 'second').at(-1) ?? -1;
  expect([from >= 0, to >= 0]).toEqual([true, true]);
  const before = facts.order.before(from, to);
  const witness = facts.order.witness(from, to);
  if (before) {
    expect(witness[0]?.point).toBe(from);
    expect(witness.at(-1)?.point).toBe(to);
  } else expect(witness).toEqual([]);
  const reasons = witness.flatMap((step) => (step.reason === null ? [] : [step.reason]));
  return { before, after: facts.order.before(to, from), reasons };
}

type Row = readonly [what: string, body: string, reason: string | null];

const launch = 'cudaGraphInstantiate(&exec, graph, 0); cudaGraphLaunch(exec, s);';

describe('happens before', () => {
  const rows: readonly Row[] = [
    [
      'HB1 graph edge',
      `cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphAddKernelNode(&b, graph, &a, 1, &two); ${launch}`,
      'graph edge',
    ],
    [
      'HB1 path of graph edges',
      `cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphAddEmptyNode(&c, graph, &a, 1); cudaGraphAddKernelNode(&b, graph, &c, 1, &two); ${launch}`,
      'graph edge',
    ],
    [
      'HB1 no edge',
      `cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphAddKernelNode(&b, graph, nullptr, 0, &two); ${launch}`,
      null,
    ],
    [
      'HB1 edge added later',
      `cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphAddKernelNode(&b, graph, nullptr, 0, &two); cudaGraphAddDependencies(graph, &a, &b, nullptr, 1); ${launch}`,
      'graph edge',
    ],
    ['HB2 one stream', 'first<<<1, 1, 0, s>>>(data); second<<<1, 1, 0, s>>>(data);', 'stream order'],
    ['HB2 two streams', 'first<<<1, 1, 0, s>>>(data); second<<<1, 1, 0, t>>>(data);', null],
    [
      'HB2 kernel and launch',
      `cudaGraphAddKernelNode(&b, graph, nullptr, 0, &two); cudaGraphInstantiate(&exec, graph, 0); first<<<1, 1, 0, s>>>(data); cudaGraphLaunch(exec, s);`,
      'stream order',
    ],
    [
      'HB3 launches of one executable',
      `cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphAddKernelNode(&b, graph, nullptr, 0, &two); cudaGraphInstantiate(&exec, graph, 0); cudaGraphLaunch(exec, s); cudaGraphLaunch(exec, t);`,
      'launches of one executable',
    ],
    [
      'HB3 says nothing about what follows a launch',
      `cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphInstantiate(&exec, graph, 0); cudaGraphLaunch(exec, s); second<<<1, 1, 0, t>>>(data);`,
      null,
    ],
    [
      'HB4 legacy stream after a blocking one',
      'first<<<1, 1, 0, blocking>>>(data); second<<<1, 1>>>(data);',
      'default stream',
    ],
    [
      'HB4 blocking stream after the legacy one',
      'first<<<1, 1>>>(data); second<<<1, 1, 0, blocking>>>(data);',
      'default stream',
    ],
    [
      'HB4 through the legacy stream',
      'first<<<1, 1, 0, blocking>>>(data); cudaMemsetAsync(data, 0, 4, 0); second<<<1, 1, 0, legacyFriend>>>(data);',
      'default stream',
    ],
    ['HB4 non-blocking streams take no part', 'first<<<1, 1, 0, s>>>(data); second<<<1, 1>>>(data);', null],
    ['HB4 two blocking streams', 'first<<<1, 1, 0, blocking>>>(data); second<<<1, 1, 0, legacyFriend>>>(data);', null],
    [
      'HB5 event',
      'first<<<1, 1, 0, s>>>(data); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); second<<<1, 1, 0, t>>>(data);',
      'event',
    ],
    [
      'HB5 recorded too early',
      'cudaEventRecord(e, s); first<<<1, 1, 0, s>>>(data); cudaStreamWaitEvent(t, e, 0); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
    [
      'HB5 never recorded',
      'first<<<1, 1, 0, s>>>(data); cudaStreamWaitEvent(t, e, 0); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
    [
      'HB5 recorded again before the wait',
      'first<<<1, 1, 0, s>>>(data); cudaEventRecord(e, s); cudaEventRecord(e, t); cudaStreamWaitEvent(t, e, 0); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
    [
      'HB5 recorded again behind the wait',
      'first<<<1, 1, 0, s>>>(data); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0); cudaEventRecord(e, t); second<<<1, 1, 0, t>>>(data);',
      'event',
    ],
    [
      'HB5 waited for behind the kernel',
      'first<<<1, 1, 0, s>>>(data); cudaEventRecord(e, s); second<<<1, 1, 0, t>>>(data); cudaStreamWaitEvent(t, e, 0);',
      null,
    ],
    [
      'HB5 over two events',
      'first<<<1, 1, 0, s>>>(data); cudaEventRecord(e, s); cudaStreamWaitEvent(blocking, e, 0); cudaEventRecord(f, blocking); cudaStreamWaitEvent(t, f, 0); second<<<1, 1, 0, t>>>(data);',
      'event',
    ],
    [
      'HB6 event record node',
      `cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphAddEventRecordNode(&b, graph, &a, 1, e); ${launch} cudaStreamWaitEvent(t, e, 0); second<<<1, 1, 0, t>>>(data);`,
      'event node',
    ],
    [
      'HB6 the record node stands for its predecessors only',
      `cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphAddEventRecordNode(&b, graph, nullptr, 0, e); ${launch} cudaStreamWaitEvent(t, e, 0); second<<<1, 1, 0, t>>>(data);`,
      null,
    ],
    [
      'HB6 event wait node',
      `cudaGraphAddEventWaitNode(&a, graph, nullptr, 0, e); cudaGraphAddKernelNode(&b, graph, &a, 1, &two); cudaGraphInstantiate(&exec, graph, 0); first<<<1, 1, 0, t>>>(data); cudaEventRecord(e, t); cudaGraphLaunch(exec, s);`,
      'event node',
    ],
    [
      'HB6 only what follows the wait node waits',
      `cudaGraphAddEventWaitNode(&a, graph, nullptr, 0, e); cudaGraphAddKernelNode(&b, graph, nullptr, 0, &two); cudaGraphInstantiate(&exec, graph, 0); first<<<1, 1, 0, t>>>(data); cudaEventRecord(e, t); cudaGraphLaunch(exec, s);`,
      null,
    ],
    [
      'HB7 stream synchronisation',
      'first<<<1, 1, 0, s>>>(data); cudaStreamSynchronize(s); second<<<1, 1, 0, t>>>(data);',
      'host synchronisation',
    ],
    [
      'HB7 synchronisation of another stream',
      'first<<<1, 1, 0, s>>>(data); cudaStreamSynchronize(blocking); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
    [
      'HB7 device synchronisation',
      'first<<<1, 1, 0, s>>>(data); cudaDeviceSynchronize(); second<<<1, 1, 0, t>>>(data);',
      'host synchronisation',
    ],
    [
      'HB7 event synchronisation',
      'first<<<1, 1, 0, s>>>(data); cudaEventRecord(e, s); cudaEventSynchronize(e); second<<<1, 1, 0, t>>>(data);',
      'host synchronisation',
    ],
    [
      'HB7 synchronised before the launch',
      'cudaDeviceSynchronize(); first<<<1, 1, 0, s>>>(data); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
    [
      'HB8 copy to the host',
      'first<<<1, 1, 0, blocking>>>(data); cudaMemcpy(host, data, 4, cudaMemcpyDeviceToHost); second<<<1, 1, 0, t>>>(data);',
      'host synchronisation',
    ],
    [
      'HB8 copy on the device does not wait',
      'first<<<1, 1, 0, blocking>>>(data); cudaMemcpy(data + 4, data, 4, cudaMemcpyDeviceToDevice); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
    [
      'HB8 memset does not wait',
      'first<<<1, 1, 0, blocking>>>(data); cudaMemset(data, 0, 4); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
    [
      'HB9 the host goes on behind a synchronisation',
      `cudaGraphAddKernelNode(&b, graph, nullptr, 0, &two); cudaGraphInstantiate(&exec, graph, 0); first<<<1, 1, 0, s>>>(data); cudaStreamSynchronize(s); cudaGraphLaunch(exec, t);`,
      'host synchronisation',
    ],
    [
      'HB10 host function in a stream',
      'first<<<1, 1, 0, s>>>(data); cudaLaunchHostFunc(s, [](void *) {}, nullptr); second<<<1, 1, 0, s>>>(data);',
      'stream order',
    ],
    [
      'HB11 into a child graph',
      `cudaGraphAddKernelNode(&b, child, nullptr, 0, &two); cudaGraphAddKernelNode(&a, graph, nullptr, 0, &one); cudaGraphAddChildGraphNode(&c, graph, &a, 1, child); ${launch}`,
      'graph edge',
    ],
    [
      'HB11 out of a child graph',
      `cudaGraphAddKernelNode(&a, child, nullptr, 0, &one); cudaGraphAddChildGraphNode(&c, graph, nullptr, 0, child); cudaGraphAddKernelNode(&b, graph, &c, 1, &two); ${launch}`,
      'child graph',
    ],
    [
      'HB11 beside a child graph',
      `cudaGraphAddKernelNode(&a, child, nullptr, 0, &one); cudaGraphAddChildGraphNode(&c, graph, nullptr, 0, child); cudaGraphAddKernelNode(&b, graph, nullptr, 0, &two); ${launch}`,
      null,
    ],
    [
      'HB13 capture takes no part in the stream’s own order',
      'first<<<1, 1, 0, s>>>(data); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaMemsetAsync(data, 0, 4, s); cudaStreamEndCapture(s, &graph); second<<<1, 1, 0, s>>>(data);',
      'stream order',
    ],
    [
      'HB13 captured work runs where it is launched',
      'cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); first<<<1, 1, 0, s>>>(data); cudaStreamEndCapture(s, &graph); cudaGraphInstantiate(&exec, graph, 0); cudaGraphLaunch(exec, t); second<<<1, 1, 0, s>>>(data);',
      null,
    ],
    [
      'HB14 upload behind a kernel, launch behind the upload',
      `cudaGraphAddKernelNode(&b, graph, nullptr, 0, &two); cudaGraphInstantiate(&exec, graph, 0); first<<<1, 1, 0, t>>>(data); cudaGraphUpload(exec, t); cudaGraphLaunch(exec, t);`,
      'stream order',
    ],
    [
      'destroying a stream is no order',
      'first<<<1, 1, 0, s>>>(data); cudaStreamDestroy(s); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
    [
      'freeing classic memory is no order',
      'float *other; cudaMalloc(&other, 4); first<<<1, 1, 0, s>>>(data); cudaFree(other); second<<<1, 1, 0, t>>>(data);',
      null,
    ],
  ];

  it.each(rows)('%s', async (_, body, reason) => {
    const { before, after, reasons } = await orderIn(body);
    expect(before).toBe(reason !== null);
    expect(after).toBe(false);
    if (reason !== null) expect(reasons).toContain(reason);
  });
});
