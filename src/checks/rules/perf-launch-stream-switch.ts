/** G1: An executable graph with memory nodes is launched into different streams. */

import { defineRule } from '../rule.ts';
import { streamSwitches } from '../stream-switches.ts';

export const perfLaunchStreamSwitch = defineRule({
  id: 'perf-launch-stream-switch',
  number: 'G1',
  group: 'G',
  severity: 'hint',
  summary: 'An executable graph with memory nodes is launched into different streams.',
  why: 'The driver may have to remap its memory, in execution order and after its earlier launches: operating system calls that delay the launch.',
  remedy: 'Always launch each executable graph into the same stream.',
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
        `${graph} was last launched in ${before}; launching it in ${now} may make the driver remap its memory. Use one stream for all its launches.`,
    ),
});
