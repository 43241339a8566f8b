/** C16: cudaFreeAsync in a capturing stream for memory that no graph allocated. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const captureFreeOfUncaptured = defineRule({
  id: 'capture-free-of-uncaptured',
  number: 'C16',
  group: 'C',
  severity: 'error',
  summary: 'cudaFreeAsync in a capturing stream for memory that no graph allocated.',
  why: 'A free node needs the address of a graph allocation: the call returns cudaErrorInvalidValue, the capture goes on without it.',
  remedy: 'Free the memory after the capture, once no launch of the graph needs it.',
  source: 'Recordings of captured frees',
  bad: `
cudaMallocAsync(&data, bytes, stream);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(data);
cudaFreeAsync(data, stream); //!
cudaStreamEndCapture(stream, &captured);
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamEndCapture(stream, &captured);
cudaFreeAsync(data, stream);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['captureFreeUncaptured'],
      ({ api, allocation, result }) =>
        `${allocation} was not allocated by a graph, so ${api} cannot free it in a capture: it returns ${result}.`,
    ),
});
