/** C24: A thread exchanges its capture mode and does not exchange it back. */

import { subjectOfCall } from '../describe.ts';
import { eventsOf, type Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const captureModeNotRestored = defineRule({
  id: 'capture-mode-not-restored',
  number: 'C24',
  group: 'C',
  severity: 'warning',
  summary: 'A thread exchanges its capture mode and does not exchange it back.',
  why: 'What the thread calls from then on is not held against captures any more: calls that a capture forbids are no longer refused, whoever captures.',
  remedy: 'Call cudaThreadExchangeStreamCaptureMode a second time with the same variable, best in a destructor.',
  source: 'CUDA Runtime API, cudaThreadExchangeStreamCaptureMode',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
cudaThreadExchangeStreamCaptureMode(&mode); //!
cudaMalloc(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamEndCapture(stream, &captured);
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
cudaThreadExchangeStreamCaptureMode(&mode);
cudaMalloc(&data, bytes);
cudaThreadExchangeStreamCaptureMode(&mode);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamEndCapture(stream, &captured);
`,
  check: violations,
});

/** `cudaStreamCaptureModeGlobal`: a thread begins with it. */
const global = 0;

function violations(facts: Facts): readonly Violation[] {
  const exchanges = eventsOf(facts, 'thread.captureMode');
  if (exchanges.length === 0 || facts.trace.end !== 'complete') return [];
  const isWhole = facts.trace.entry === 'main' || facts.trace.entry === '(module)';
  // The mode of another thread ends with it. What is kept a caller may put back.
  if (exchanges.some(({ thread, isKept, mode }) => thread !== undefined || mode === null || (isKept && !isWhole)))
    return [];
  const left = exchanges.at(-1)!;
  if (left.mode === global) return [];
  const first = exchanges[exchanges.findLastIndex(({ mode }) => mode === global) + 1]!;
  return [
    {
      event: first.index,
      message: `The thread exchanges its capture mode here, and nothing exchanges it back before ${isWhole ? 'the program' : 'the function'} ends.`,
      certainty: 'always',
      isMeantForAllPaths: true,
      related: [],
      witness: [],
      repairs: [],
      subject: subjectOfCall(facts, first.index),
    },
  ];
}
