/** L6: cudaFree on a stream-ordered allocation while the device may still use it. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncHostFreeUnsynchronised = defineRule({
  id: 'async-host-free-unsynchronised',
  number: 'L6',
  group: 'L',
  severity: 'error',
  summary: 'cudaFree on a stream-ordered allocation while the device may still use it.',
  why: 'For these pointers cudaFree does not wait for the device.',
  remedy: 'Free with cudaFreeAsync, or synchronise with the stream first.',
  source: 'cudaFree reference; CUDA Programming Guide, stream-ordered memory allocator',
  bad: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaFree(data); //!
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamSynchronize(stream);
cudaFree(data);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'hostFreeRace',
      ['stream'],
      ({ user, allocation, death }) =>
        `${death} does not wait for the device: ${user} may still be running when ${allocation} is freed.`,
    ),
});
