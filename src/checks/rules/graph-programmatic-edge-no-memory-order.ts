/** A16: A kernel begins before the one in front of it has ended, never waits for it, and touches the same memory. */

import { findEarlyStarts } from '../../memory/early-starts.ts';
import { actorName, allocationName, subjectOfAllocation } from '../describe.ts';
import { defineRule } from '../rule.ts';

export const graphProgrammaticEdgeNoMemoryOrder = defineRule({
  id: 'graph-programmatic-edge-no-memory-order',
  number: 'A16',
  group: 'A',
  severity: 'warning',
  summary:
    'A kernel may begin before the one in front of it has ended, never waits for it, and touches the same memory.',
  why: 'Programmatic edges and programmatic stream serialization order the beginnings of kernels, not what they read and write: the second one may read what is not written yet.',
  remedy:
    'Call cudaGridDependencySynchronize in the second kernel before it touches the memory, or use an edge of the default type.',
  source: 'CUDA Programming Guide, programmatic dependent launch and synchronization; cudaGraphEdgeData',
  bad: `
void *onResult[] = {&result};
void *onBoth[] = {&result, &data};
cudaMalloc(&data, bytes);
work.kernelParams = onResult;
cudaGraphAddKernelNode(&use, graph, nullptr, 0, &work);
cudaGraphNodeParams reader = {cudaGraphNodeTypeKernel};
reader.kernel.func = (void *)consume;
reader.kernel.gridDim = 1;
reader.kernel.blockDim = 32;
reader.kernel.kernelParams = onBoth;
cudaGraphEdgeData early = {};
early.from_port = cudaGraphKernelNodePortLaunchCompletion;
early.type = cudaGraphDependencyTypeProgrammatic;
cudaGraphAddNode(&last, graph, &use, &early, 1, &reader); //!
`,
  good: `
void *onResult[] = {&result};
void *onBoth[] = {&result, &data};
cudaMalloc(&data, bytes);
work.kernelParams = onResult;
cudaGraphAddKernelNode(&use, graph, nullptr, 0, &work);
cudaGraphNodeParams reader = {cudaGraphNodeTypeKernel};
reader.kernel.func = (void *)consume;
reader.kernel.gridDim = 1;
reader.kernel.blockDim = 32;
reader.kernel.kernelParams = onBoth;
cudaGraphAddNode(&last, graph, &use, nullptr, 1, &reader);
`,
  check: (facts) =>
    findEarlyStarts(facts.execution).map(({ allocation, first, early, second }) => {
      const front = actorName(facts, first);
      const name = allocationName(facts, allocation);
      const begins = `${actorName(facts, early)} may begin before ${front} has ended, and never waits for it`;
      return {
        event: early,
        message:
          second === early
            ? `${begins}: nothing orders what they do to ${name}. Call cudaGridDependencySynchronize in it first.`
            : `${begins}: ${name} may be freed while ${front} still uses it.`,
        certainty: 'always',
        related: [
          { role: 'use', event: first, message: `${front} uses it here` },
          ...(second === early ? [] : [{ role: 'free', event: second, message: 'freed here' }]),
        ],
        witness: [{ event: first, message: `${front} need not have ended` }],
        repairs: [],
        subject: subjectOfAllocation(facts, allocation),
      };
    }),
});
