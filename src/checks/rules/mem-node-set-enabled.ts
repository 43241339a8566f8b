/** D15: A node is switched on or off that cannot be. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const memNodeSetEnabled = defineRule({
  id: 'mem-node-set-enabled',
  number: 'D15',
  group: 'D',
  severity: 'error',
  summary: 'A node is enabled or disabled that cannot be: only kernel, memset and memcpy nodes can.',
  why: 'The call returns cudaErrorInvalidValue and the next launch allocates, frees or runs the node as before.',
  remedy: 'Put what is optional into a graph of its own, or into a conditional node.',
  source: 'Recordings of cudaGraphNodeSetEnabled; CUDA Runtime API, cudaGraphNodeSetEnabled',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphNodeSetEnabled(exec, release, 0); //!
cudaGraphLaunch(exec, stream);
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphNodeSetEnabled(exec, use, 0);
cudaGraphLaunch(exec, stream);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['enableNode'],
      ({ api, result }) =>
        `${api} returns ${result}: only kernel, memset and memcpy nodes can be enabled and disabled.`,
      (outcome) => [{ kind: 'removeStatement', event: outcome.event, title: 'Remove this call' }],
    ),
});
