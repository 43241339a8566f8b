/** C11: A capturing stream waits for an event of another capture. */

import { isIdentified, refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureMerge = defineRule({
  id: 'capture-merge',
  number: 'C11',
  group: 'C',
  severity: 'error',
  summary: 'A capturing stream waits for an event of another capture.',
  why: 'Two captures cannot become one graph: the wait returns cudaErrorStreamCaptureMerge and both captures are invalidated.',
  remedy:
    'Capture both streams as one, forked from one origin, or order the two graphs by the streams that they are launched in.',
  source: 'Recording of two captures that meet',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed);
produce<<<1, 32, 0, stream>>>(result);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0); //!
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
produce<<<1, 32, 0, stream>>>(result);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
cudaEventRecord(joined, second);
cudaStreamWaitEvent(stream, joined, 0);
cudaStreamEndCapture(stream, &captured);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureMerge'],
      ({ result }) =>
        `This event belongs to another capture: the wait returns ${result} and both captures are invalidated.`,
      () => [],
      (outcome) => isIdentified(facts, outcome),
    ),
});
