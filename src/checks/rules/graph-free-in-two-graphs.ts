/** A7: An allocation gets free nodes in its own graph and in another one. */

import { refusalViolations } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const graphFreeInTwoGraphs = defineRule({
  id: 'graph-free-in-two-graphs',
  number: 'A7',
  group: 'A',
  severity: 'error',
  summary: 'An allocation gets free nodes in its own graph and in another one.',
  why: 'The second call returns cudaErrorInvalidValue: once another graph frees an allocation its own graph cannot, and the other way round.',
  remedy: 'Keep exactly one party that frees.',
  source: 'Recordings on foreign free nodes; cudaGraphAddMemAllocNode reference',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphAddMemFreeNode(&last, other, nullptr, 0, params.dptr); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
`,
  check: (facts) =>
    refusalViolations(
      facts,
      ['freeInTwoGraphs'],
      ({ allocation, result }) =>
        `Another graph already has the free node of ${allocation}: this call returns ${result}.`,
      (outcome) => [{ kind: 'removeStatement', event: outcome.event, title: 'Remove this free' }],
    ),
});
