/** B9: A graph allocation that outlives its graph is never freed. */

import { leakViolations } from '../leak-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphAllocLeak = defineRule({
  id: 'xgraph-alloc-leak',
  number: 'B9',
  group: 'B',
  severity: 'warning',
  summary: 'A graph allocation that outlives its graph is never freed.',
  why: 'Destroying the graph or its executable graph frees nothing. The memory stays mapped until the process ends, and a trim does not reclaim it.',
  remedy:
    'Free it with cudaFreeAsync in stream order, with cudaFree after synchronising, or by a graph with a free node.',
  source: 'CUDA Programming Guide, graph memory nodes (note on graph destruction)',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream); //!
cudaStreamSynchronize(stream);
cudaGraphExecDestroy(exec);
cudaGraphDestroy(graph);
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaFreeAsync(params.dptr, stream);
cudaStreamSynchronize(stream);
cudaGraphExecDestroy(exec);
cudaGraphDestroy(graph);
`,
  check: (facts) =>
    leakViolations(
      facts,
      'graph',
      ({ allocation }) =>
        `${allocation} is still allocated when the program ends: destroying the graph or its executable graph does not free it.`,
    ),
});
