/** G1: An executable with memory nodes is launched into different streams. */

import { defineRule } from '../rule.ts';
import { streamSwitches } from '../stream-switches.ts';

export const perfLaunchStreamSwitch = defineRule({
  id: 'perf-launch-stream-switch',
  number: 'G1',
  group: 'G',
  severity: 'hint',
  summary: 'An executable with memory nodes is launched into different streams.',
  why: 'The driver may have to map its memory anew, in execution order and behind its earlier launches: operating system calls on the way of the launch.',
  remedy: 'Launch each executable into one stream always.',
  source: 'CUDA Programming Guide, graph memory nodes, performance considerations',
  bad: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaGraphLaunch(exec, second); //!
`,
  good: `
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params);
cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr);
cudaGraphInstantiate(&exec, graph, 0);
cudaGraphLaunch(exec, stream);
cudaGraphLaunch(exec, stream);
`,
  check: (facts) =>
    streamSwitches(
      facts,
      'launch',
      ({ graph, before, now }) =>
        `${graph} was last launched in ${before}; launching it in ${now} may make the driver map its memory anew. Use one stream for all its launches.`,
    ),
});
