/** A19: A copy or memset node goes past the end of memory that a graph allocates. */

import { outOfRangeViolations } from '../out-of-range.ts';
import { defineRule } from '../rule.ts';

export const graphAccessOutOfRange = defineRule({
  id: 'graph-access-out-of-range',
  number: 'A19',
  group: 'A',
  severity: 'error',
  summary: 'A copy or memset node goes past the end of memory that a graph allocates.',
  why: 'CUDA refuses it with cudaErrorInvalidValue, or it touches what lies after the allocation, perhaps another one of the same graph. Often a count of elements was given for a size in bytes.',
  remedy: 'Set bytesize to the number of bytes: the count times the size of an element.',
  source: 'cudaGraphAddMemsetNode and cudaGraphAddMemcpyNode reference; recording memset_node_out_of_range',
  bad: `
const size_t count = 256;
params.bytesize = count;
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaMemsetParams clear = {params.dptr, 0, 0, 4, count, 1};
cudaGraphAddMemsetNode(&use, graph, &alloc, 1, &clear); //!
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
`,
  good: `
const size_t count = 256;
params.bytesize = count * sizeof(float);
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaMemsetParams clear = {params.dptr, 0, 0, 4, count, 1};
cudaGraphAddMemsetNode(&use, graph, &alloc, 1, &clear);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
`,
  check: (facts) => outOfRangeViolations(facts, true),
});
