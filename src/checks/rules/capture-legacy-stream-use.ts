/** C3: The legacy default stream is used while a blocking stream captures. */

import type { Facts } from '../facts.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule, type Violation } from '../rule.ts';

export const captureLegacyStreamUse = defineRule({
  id: 'capture-legacy-stream-use',
  number: 'C3',
  group: 'C',
  severity: 'error',
  summary: 'The legacy default stream is used while a blocking stream captures.',
  why: 'The default stream would have to wait for the capturing one: the call returns cudaErrorStreamCaptureImplicit and the capture is invalidated.',
  remedy: 'Use the asynchronous form in the capturing stream, or make that stream with cudaStreamNonBlocking.',
  source: 'Recordings cap_syncMemcpy_blocking and others',
  bad: `
cudaStreamCreate(&stream);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaMemset(result, 0, bytes); //!
cudaStreamEndCapture(stream, &captured);
`,
  good: `
cudaStreamCreate(&stream);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaMemsetAsync(result, 0, bytes, stream);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureLegacyStream'],
      ({ api, result }) =>
        `${api} uses the default stream while a blocking stream captures: it returns ${result} and the capture is invalidated.`,
    ).map((violation) => (isMadeOutside(facts, violation) ? { ...violation, certainty: 'sometimes' } : violation)),
});

/** Whether whoever made the capturing stream, which is not seen, may have made it non-blocking. */
function isMadeOutside({ trace }: Facts, { related }: Violation): boolean {
  return related.some(({ event }) => {
    const begin = trace.events[event];
    if (begin?.verb !== 'capture.begin') return false;
    const { external, isBlocking } = trace.handles[begin.stream]!;
    return external && isBlocking === undefined;
  });
}
