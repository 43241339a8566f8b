/** B8: An allocation that is freed inside its graph is used outside it. */

import { hazardViolations } from '../hazard-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphExternalUseOfInternal = defineRule({
  id: 'xgraph-external-use-of-internal',
  number: 'B8',
  group: 'B',
  severity: 'error',
  summary: 'An allocation that is freed inside its graph is used outside it.',
  why: 'After the launch the memory is gone: the use reads stale or foreign data without an error.',
  remedy: 'Copy the data out inside the graph before the free node, or drop the free node and free outside.',
  source: 'CUDA Programming Guide, graph memory nodes, API fundamentals',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaMemcpyAsync(host, params.dptr, bytes, cudaMemcpyDeviceToHost, stream); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaMemcpyAsync(host, params.dptr, bytes, cudaMemcpyDeviceToHost, stream);
cudaFreeAsync(params.dptr, stream);
`,
  check: (facts) =>
    hazardViolations(
      facts,
      'useOfInternal',
      ['graph'],
      ({ user, verb, allocation }) =>
        `${user} ${verb} ${allocation}, but the graph that allocates it also frees it: after the launch the memory is gone.`,
    ),
});
