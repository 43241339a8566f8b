/** A graph that nobody finished, since the program was left while it was built, runs nowhere: nothing is said of its order. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
#include <stdexcept>
bool readable(const char *file);
void build(cudaGraph_t graph, cudaGraphNode_t *nodes) {
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = 64;
  cudaGraphAddMemAllocNode(&nodes[0], graph, nullptr, 0, &parameters);
  cudaMemsetParams fill = {};
  fill.dst = parameters.dptr;
  fill.elementSize = 1;
  fill.width = 64;
  fill.height = 1;
  cudaGraphAddMemsetNode(&nodes[1], graph, &nodes[0], 1, &fill);
  cudaGraphAddMemFreeNode(&nodes[2], graph, &nodes[0], 1, parameters.dptr);
}
`;

const begun = 'cudaGraph_t graph; cudaGraphCreate(&graph, 0); cudaGraphNode_t nodes[3]; build(graph, nodes);';
const run =
  'cudaGraphExec_t exec; cudaGraphInstantiate(&exec, graph, 0); cudaGraphLaunch(exec, 0); cudaDeviceSynchronize();';
const joined = 'cudaGraphAddDependencies(graph, &nodes[1], &nodes[2], 1);';

describeRows('left while a graph is built', head, [
  [
    'by exit',
    'graph-use-free-race',
    '',
    `${begun} ${run} if (!readable("weights")) exit(1);`,
    `${begun} if (!readable("weights")) exit(1); ${joined} ${run}`,
  ],
  [
    'by an exception',
    'graph-use-free-race',
    '',
    `${begun} ${run} if (!readable("weights")) throw std::runtime_error("weights");`,
    `${begun} if (!readable("weights")) throw std::runtime_error("weights"); ${joined} ${run}`,
  ],
  [
    'as the child of one that runs',
    'graph-use-free-race',
    '',
    `${begun} cudaGraph_t outer; cudaGraphCreate(&outer, 0); cudaGraphNode_t node; cudaGraphNodeParams p = {cudaGraphNodeTypeGraph}; p.graph.graph = graph; p.graph.ownership = cudaGraphChildGraphOwnershipMove; cudaGraphAddNode(&node, outer, nullptr, nullptr, 0, &p); cudaGraphExec_t exec; cudaGraphInstantiate(&exec, outer, 0); cudaGraphLaunch(exec, 0); abort();`,
    '',
  ],
]);
