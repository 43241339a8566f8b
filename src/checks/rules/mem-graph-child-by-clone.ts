/** E2: A graph with memory nodes is added as a child by cloning it, or one with conditional nodes is added as a child. */

import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const memGraphChildByClone = defineRule({
  id: 'mem-graph-child-by-clone',
  number: 'E2',
  group: 'E',
  severity: 'error',
  summary: 'A graph with memory nodes is added as a child by cloning it, or one with conditional nodes as a child.',
  why: 'The call returns cudaErrorNotSupported and adds nothing.',
  remedy:
    'Since CUDA 12.9 a child graph can be moved: cudaGraphAddNode with ownership cudaGraphChildGraphOwnershipMove. Otherwise launch the two graphs one after the other.',
  source:
    'Recording child_clone_ownership; CUDA Runtime API, cudaGraphAddChildGraphNode; graphs with conditional nodes, asked of an H200',
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
    refusalViolations(facts, ['childByCloneWithMemory'], ({ api, result }, outcome) =>
      relatedEvent(outcome, 'conditional') === null
        ? `The child graph has memory nodes and would be cloned: ${api} returns ${result}. Move it instead (cudaGraphChildGraphOwnershipMove) or launch it on its own.`
        : `The child graph has conditional nodes: ${api} returns ${result}. Add them to the parent, or launch it on its own.`,
    ),
});
