/** E2: A graph with memory nodes is added as a child by cloning it. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const memGraphChildByClone = defineRule({
  id: 'mem-graph-child-by-clone',
  number: 'E2',
  group: 'E',
  severity: 'error',
  summary: 'A graph with memory nodes is added as a child by cloning it.',
  why: 'The call returns cudaErrorNotSupported and adds nothing.',
  remedy:
    'Since CUDA 12.9 a child graph can be moved: cudaGraphAddNode with ownership cudaGraphChildGraphOwnershipMove. Otherwise launch the two graphs one after the other.',
  source: 'Recording child_clone_ownership',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphAddChildGraphNode(&next, other, nullptr, 0, graph); //!
`,
  good: `
cudaGraphAddEmptyNode(&use, graph, nullptr, 0);
cudaGraphAddChildGraphNode(&next, other, nullptr, 0, graph);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['childByCloneWithMemory'],
      ({ api, result }) =>
        `The child graph has memory nodes and would be cloned: ${api} returns ${result}. Move it instead (cudaGraphChildGraphOwnershipMove) or launch it on its own.`,
    ),
});
