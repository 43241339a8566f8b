/** E10: A graph with nodes that only the host can launch is instantiated for launches from the device. */

import { refusalViolations, relatedEvent } from '../refusal-violations.ts';
import { defineRule } from '../rule.ts';

export const deviceLaunchMemNode = defineRule({
  id: 'device-launch-mem-node',
  number: 'E10',
  group: 'E',
  severity: 'error',
  summary: 'A graph with nodes that only the host can launch is instantiated for launches from the device.',
  why: 'Such graphs may only have kernel, memcpy, memset and child nodes, and cannot free on launch: the call returns cudaErrorInvalidValue.',
  remedy: 'Allocate and call the host outside of the graph, or launch it from the host.',
  source:
    'Recordings device_launch_flag and autofree_device_launch; host, event, empty and conditional nodes, asked of an H200',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
`,
  check: (facts) =>
    refusalViolations(facts, ['deviceLaunchWithMemory'], ({ result }, outcome) =>
      relatedEvent(outcome, 'node') === null
        ? `A graph for device launch can neither have memory nodes nor free on launch: this returns ${result}.`
        : `A graph for device launch has kernel, memcpy, memset and child nodes only: this returns ${result}.`,
    ),
});
