/** B20: A node keeps the address of memory of the host that is gone when the graph is launched. */

import { bakedHostViolations } from '../host-lifetimes.ts';
import { defineRule } from '../rule.ts';

export const bakedHostPointerDead = defineRule({
  id: 'baked-host-pointer-dead',
  number: 'B20',
  group: 'B',
  severity: 'error',
  summary: 'A node keeps the address of host memory that is gone when the graph is launched.',
  why: 'Copies and host functions in a graph use host memory at each launch, not when the node is added or captured: they find something else there, or crash.',
  remedy:
    'Let the variable live as long as the executable graph: static, a member of what owns it, or a user object of the graph.',
  source: 'CUDA Programming Guide, CUDA graphs, node parameters and user objects',
  bad: `
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
{
  float first[4] = {1, 2, 3, 4};
  cudaMemcpyAsync(result, first, sizeof(first), cudaMemcpyHostToDevice, stream); //!
}
cudaStreamEndCapture(stream, &captured);
cudaGraphInstantiate(&exec, captured, 0);
cudaGraphLaunch(exec, stream);
`,
  good: `
float first[4] = {1, 2, 3, 4};
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
cudaMemcpyAsync(result, first, sizeof(first), cudaMemcpyHostToDevice, stream);
cudaStreamEndCapture(stream, &captured);
cudaGraphInstantiate(&exec, captured, 0);
cudaGraphLaunch(exec, stream);
`,
  check: bakedHostViolations,
});
