/** M16: The host touches managed memory while a kernel may use it. */

import { hostRaceViolations } from '../host-race-violations.ts';
import { defineRule } from '../rule.ts';

export const managedHostAccessRace = defineRule({
  id: 'managed-host-access-race',
  number: 'M16',
  group: 'M',
  severity: 'warning',
  summary: 'The host touches managed memory while a kernel may use it.',
  why: 'The two race. On devices without concurrent managed access the host gets a segmentation fault.',
  remedy: 'Synchronise the stream or the device before the host touches the memory.',
  source: 'CUDA Programming Guide, unified memory, coherency and concurrency',
  bad: `
cudaMallocManaged(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
float first = data[0]; //!
`,
  good: `
cudaMallocManaged(&data, bytes);
produce<<<1, 32, 0, stream>>>(data);
cudaStreamSynchronize(stream);
float first = data[0];
`,
  check: (facts) => hostRaceViolations(facts, ['managed']),
});
