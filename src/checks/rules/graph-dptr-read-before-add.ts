/** A10: A kernel node is given the address of an allocation node's parameters before that node is added. */

import { actorName, allocationName, subjectOfCall, thingOf } from '../describe.ts';
import type { Facts } from '../facts.ts';
import { defineRule, type Violation } from '../rule.ts';

export const graphDptrReadBeforeAdd = defineRule({
  id: 'graph-dptr-read-before-add',
  number: 'A10',
  group: 'A',
  severity: 'error',
  summary: "A kernel node is given the address of an allocation node's parameters before that node is added.",
  why: 'Arguments are copied when the kernel node is added, and `dptr` is filled in when the allocation node is: the kernel gets what was in it before, null as a rule, and ends with cudaErrorIllegalAddress.',
  remedy: 'Add the allocation node first.',
  source: 'CUDA Runtime API, cudaGraphAddMemAllocNode',
  bad: `
void *argument[] = {&params.dptr};
work.kernelParams = argument;
cudaGraphAddKernelNode(&use, graph, nullptr, 0, &work); //!
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddDependencies(graph, &alloc, &use, 1);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
`,
  good: `
void *argument[] = {&params.dptr};
work.kernelParams = argument;
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddKernelNode(&use, graph, &alloc, 1, &work);
cudaGraphAddMemFreeNode(&release, graph, &use, 1, params.dptr);
`,
  check: violations,
});

function violations(facts: Facts): Violation[] {
  const { events } = facts.trace;
  return events.flatMap((event): Violation[] => {
    if (event.verb !== 'node.add') return [];
    const { allocation, addressCopiedBefore: before } = event.operation;
    const user = before === undefined ? undefined : events[before];
    if (before === undefined || user?.verb !== 'node.add' || allocation === undefined) return [];
    // It may get other arguments before it runs.
    const isChanged = events.some(
      ({ verb, ...each }) =>
        (verb === 'node.update' || verb === 'exec.updateNode') && 'node' in each && each.node === user.node,
    );
    if (isChanged) return [];
    const name = allocationName(facts, allocation);
    return [
      {
        event: before,
        message: `${actorName(facts, before)} gets ${name} before the allocation node has filled it in: arguments are copied when the kernel node is added.`,
        certainty: 'always',
        related: [{ role: 'alloc', event: event.index, message: `${name} is filled in here` }],
        witness: [{ event: event.index, message: `${name} is filled in here` }],
        repairs: [],
        subject: subjectOfCall(facts, before),
        ...thingOf(facts, allocation),
      },
    ];
  });
}
