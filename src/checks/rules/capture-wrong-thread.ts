/** C14: A capture is ended in another thread of the host than the one in which it began. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureWrongThread = defineRule({
  id: 'capture-wrong-thread',
  number: 'C14',
  group: 'C',
  severity: 'error',
  summary: 'A capture is ended in another thread of the host than the one in which it began.',
  why: 'cudaStreamEndCapture returns cudaErrorStreamCaptureWrongThread and no graph, unless the capture is a relaxed one.',
  remedy: 'End the capture in the thread that began it, or begin it with cudaStreamCaptureModeRelaxed.',
  source: 'CUDA Runtime API, cudaStreamEndCapture',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
produce<<<1, 32, 0, stream>>>(result);
std::thread other([&] {
  cudaStreamEndCapture(stream, &captured); //!
});
other.join();
`,
  good: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
produce<<<1, 32, 0, stream>>>(result);
std::thread other([&] {
  cudaStreamEndCapture(stream, &captured);
});
other.join();
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureWrongThread'],
      ({ result }) => `The capture began in another thread: the call returns ${result} and no graph.`,
    ),
});
