/** D14: New parameters are set for an allocation or free node. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const memNodeSetParams = defineRule({
  id: 'mem-node-set-params',
  number: 'D14',
  group: 'D',
  severity: 'error',
  summary: 'New parameters are set for an allocation or free node.',
  why: 'The call returns cudaErrorNotSupported: size and address are fixed when the node is added.',
  remedy: 'Build a new graph with the other size, and instantiate that.',
  source: 'Recordings of parameters for memory nodes',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphNodeParams larger = {};
larger.type = cudaGraphNodeTypeMemAlloc;
larger.alloc = params;
larger.alloc.bytesize = 2 * bytes;
cudaGraphNodeSetParams(alloc, &larger); //!
`,
  good: `
params.bytesize = 2 * bytes;
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['setMemoryNode'],
      ({ api, result }) => `${api} on a memory node returns ${result}: its size and address are fixed.`,
    ),
});
