/** B7: Memory that its own graph frees is freed again from outside. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphExternalFreeOfInternal = defineRule({
  id: 'xgraph-external-free-of-internal',
  number: 'B7',
  group: 'B',
  severity: 'error',
  summary: 'Memory that its own graph frees is freed again from outside.',
  why: 'cudaFree and cudaFreeAsync return cudaErrorInvalidValue: the free node has already ended the allocation.',
  remedy: 'Delete the outer free, or the free node.',
  source: 'Recording of an external free; cudaGraphAddMemAllocNode reference',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaFreeAsync(params.dptr, stream); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['freeOfInternal'],
      ({ api, allocation, result }) =>
        `The graph that allocates ${allocation} also frees it: ${api} returns ${result}.`,
      (outcome) => [{ kind: 'removeStatement', event: outcome.event, title: 'Remove this free' }],
    ),
});
