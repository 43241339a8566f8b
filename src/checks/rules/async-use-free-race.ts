/** L3: A use and the free, in different streams, are not ordered. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const asyncUseFreeRace = defineRule({
  id: 'async-use-free-race',
  number: 'L3',
  group: 'L',
  severity: 'error',
  summary: 'A use and the free, in different streams, are not ordered.',
  why: 'The free may take effect while the use is still running.',
  remedy: 'Record an event after the use and let the freeing stream wait for it, or free in the stream of the use.',
  source: 'CUDA Programming Guide, stream-ordered memory allocator',
  bad: `
cudaMallocAsync(&data, bytes, stream);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
produce<<<1, 32, 0, second>>>(data); //!
cudaFreeAsync(data, stream);
`,
  good: `
cudaMallocAsync(&data, bytes, stream);
cudaEventRecord(event, stream);
cudaStreamWaitEvent(second, event, 0);
produce<<<1, 32, 0, second>>>(data);
cudaFreeAsync(data, second);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'useFreeRace',
      ['stream', 'device'],
      ({ user, verb, allocation, stream, deathStream }) =>
        `${allocation} may be freed in ${deathStream} while ${user} in ${stream} still ${verb} it: nothing orders the two.`,
    ),
});
