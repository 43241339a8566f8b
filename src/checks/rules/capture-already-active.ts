/** C6: A capture begins in a stream that captures already. */

import { isIdentified, refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureAlreadyActive = defineRule({
  id: 'capture-already-active',
  number: 'C6',
  group: 'C',
  severity: 'error',
  summary: 'A capture begins in a stream that captures already.',
  why: 'The second call returns cudaErrorIllegalState. The first capture goes on.',
  remedy: 'End the first capture before the next one, on every way through the code.',
  source: 'Recording of two begins in one stream',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); //!
cudaStreamEndCapture(stream, &captured);
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(result);
cudaStreamEndCapture(stream, &captured);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureActive'],
      ({ result }) => `This stream captures already: the call returns ${result}. End the first capture before.`,
      () => [],
      (outcome) => isIdentified(facts, outcome),
    ),
});
