/** G4: An allocation node could reuse memory that was freed before, if it depended on that free. */

import { missedReuse } from '../missed-reuse.ts';
import { defineRule } from '../rule.ts';

export const perfMissedVaReuse = defineRule({
  id: 'perf-missed-va-reuse',
  number: 'G4',
  group: 'G',
  severity: 'hint',
  summary: 'An allocation node could reuse memory that was freed before, if it depended on that free.',
  why: 'Without the dependency the driver has to give the new allocation fresh addresses, and the graph needs more memory than it must.',
  remedy: 'Add the free node to the dependencies of the allocation node.',
  source: 'CUDA Programming Guide, graph memory nodes, address reuse within a graph',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
cudaMemAllocNodeParams again = params;
cudaGraphAddMemAllocNode(&next, graph, &use, 1, &again); //!
cudaGraphNode_t both[] = {next, release};
work.kernelParams = nullptr;
void *more[] = {&again.dptr};
work.kernelParams = more;
cudaGraphAddKernelNode(&last, graph, both, 2, &work);
cudaGraphNode_t freeAgain;
cudaGraphAddMemFreeNode(&freeAgain, graph, &last, 1, again.dptr);
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
cudaMemAllocNodeParams again = params;
cudaGraphAddMemAllocNode(&next, graph, &release, 1, &again);
void *more[] = {&again.dptr};
work.kernelParams = more;
cudaGraphAddKernelNode(&last, graph, &next, 1, &work);
cudaGraphNode_t freeAgain;
cudaGraphAddMemFreeNode(&freeAgain, graph, &last, 1, again.dptr);
`,
  check: (facts) => missedReuse(facts),
});
