/** M8: The host reads or overwrites memory that an asynchronous copy, or a kernel, is working on. */

import { hostRaceViolations } from '../host-race-violations.ts';
import { defineRule } from '../rule.ts';

export const hostBufferUsedBeforeSync = defineRule({
  id: 'host-buffer-used-before-sync',
  number: 'M8',
  group: 'M',
  severity: 'error',
  summary: 'The host reads or overwrites memory that an asynchronous copy, or a kernel, is working on.',
  why: 'A copy between pinned memory and the device goes on while the host does, so does a kernel that works on pinned memory, and each copy of a graph that was launched, whatever memory it is: the host reads what was there before, or the device gets what comes later. An MPI that is given memory of the device knows nothing of the streams that work on it.',
  remedy: 'Synchronise the stream, or an event after the work, before the host touches the memory.',
  source: 'CUDA Runtime API, API synchronization behavior',
  bad: `
produce<<<1, 32, 0, stream>>>(result);
cudaMemcpyAsync(host, result, bytes, cudaMemcpyDeviceToHost, stream);
float first = host[0]; //!
`,
  good: `
produce<<<1, 32, 0, stream>>>(result);
cudaMemcpyAsync(host, result, bytes, cudaMemcpyDeviceToHost, stream);
cudaStreamSynchronize(stream);
float first = host[0];
`,
  check: (facts) => hostRaceViolations(facts, ['host', 'device']),
});
