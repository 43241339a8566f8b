/** A17: Two nodes that nothing orders access the same memory, and at least one of them writes it. */

import { graphConflictViolations } from '../conflict-violations.ts';
import { defineRule } from '../rule.ts';

export const graphConflictingAccess = defineRule({
  id: 'graph-conflicting-access',
  number: 'A17',
  group: 'A',
  severity: 'warning',
  summary: 'Two nodes that nothing orders access the same memory, and at least one of them writes it.',
  why: 'The result depends on which runs first: numbers that change from launch to launch, and no tool that reports it.',
  remedy: 'Add a dependency from the node that must come first.',
  source: 'CUDA Programming Guide, graph structure; happens-before of graph edges',
  bad: `
void *onResult[] = {&result};
work.kernelParams = onResult;
cudaGraphAddKernelNode(&use, graph, nullptr, 0, &work);
cudaGraphAddMemcpyNode1D(&last, graph, nullptr, 0, host, result, bytes, cudaMemcpyDeviceToHost); //!
`,
  good: `
void *onResult[] = {&result};
work.kernelParams = onResult;
cudaGraphAddKernelNode(&use, graph, nullptr, 0, &work);
cudaGraphAddMemcpyNode1D(&last, graph, &use, 1, host, result, bytes, cudaMemcpyDeviceToHost);
`,
  check: (facts) => graphConflictViolations(facts),
});
