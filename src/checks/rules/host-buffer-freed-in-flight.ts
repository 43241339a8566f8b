/** M7: A copy, a callback or a node of a graph works with the address of memory of the host that may be gone. */

import { inFlightHostViolations } from '../host-lifetimes.ts';
import { pinnedFreedInFlightViolations } from '../pinned-memory-freed.ts';
import { defineRule } from '../rule.ts';

export const hostBufferFreedInFlight = defineRule({
  id: 'host-buffer-freed-in-flight',
  number: 'M7',
  group: 'M',
  severity: 'error',
  summary: 'A copy, a callback or a node of a graph works with the address of host memory that may be gone.',
  why: 'It runs when the stream gets there. What it is given by address, a variable whose scope has ended or memory that was freed, is then somebody else’s. Of pinned memory this is a warning: cudaFreeHost may wait for the device, but need not, and the same holds of memory that cudaHostUnregister comes before.',
  remedy: 'Wait for it before the scope ends or the memory is freed, or give it memory that lives longer.',
  source: 'CUDA Runtime API, cudaLaunchHostFunc',
  bad: `
{
  struct { int done; } state = {0};
  cudaLaunchHostFunc(stream, [](void *data) { *(int *)data = 1; }, &state); //!
}
cudaStreamSynchronize(stream);
`,
  good: `
{
  struct { int done; } state = {0};
  cudaLaunchHostFunc(stream, [](void *data) { *(int *)data = 1; }, &state);
  cudaStreamSynchronize(stream);
}
`,
  check: (facts) => [...inFlightHostViolations(facts), ...pinnedFreedInFlightViolations(facts)],
});
