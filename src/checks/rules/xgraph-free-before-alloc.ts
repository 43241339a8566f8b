/** B5: The operation that frees is not ordered after the launch that allocates. */

import { hazardViolations } from '../hazard-violations.ts';
import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const xgraphFreeBeforeAlloc = defineRule({
  id: 'xgraph-free-before-alloc',
  number: 'B5',
  group: 'B',
  severity: 'error',
  summary: 'The operation that frees is not ordered after the launch that allocates.',
  why: 'A freeing graph launched first, or a free of memory that no launch has made yet, returns cudaErrorInvalidValue; in another stream the two race.',
  remedy: 'Launch the allocating graph first and order the free after it.',
  source: 'Recordings of free graphs launched before the allocating graph',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, other, nullptr, 0, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphInstantiate(&otherExec, other, 0);
cudaGraphLaunch(otherExec, stream); //!
cudaGraphLaunch(exec, stream);
cudaFreeAsync(params.dptr, stream);
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, other, nullptr, 0, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphInstantiate(&otherExec, other, 0);
cudaGraphLaunch(exec, stream);
cudaGraphLaunch(otherExec, stream);
`,
  check: (facts) => [
    ...hazardViolations(
      facts,
      'freeBeforeAlloc',
      ['graph'],
      ({ allocation, birthStream, deathStream }) =>
        `${allocation} may be freed in ${deathStream} before the launch in ${birthStream} has allocated it: nothing orders the two.`,
    ),
    ...refusalViolations(
      facts,
      ['freeNotLive', 'freeNeverLaunched'],
      ({ api, allocation, result }) =>
        `${api} frees ${allocation} before the graph that allocates it has been launched: it returns ${result}.`,
    ),
  ],
});
