/** The structures that CUDA fills in, copied as a whole into pairs, tuples and containers: what was filled in goes with them. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <tuple>
#include <utility>
#include <vector>
static cudaGraph_t graph;
static cudaMemAllocNodeParams asked(size_t bytes) {
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes;
  return p;
}
static void release(cudaGraphNode_t after, void *p) {
  cudaGraphNode_t node;
  cudaGraphAddMemFreeNode(&node, graph, &after, 1, p);
}
static void runTwice() {
  cudaGraphExec_t exec;
  cudaStream_t s;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStreamCreate(&s);
  cudaGraphLaunch(exec, s);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
}`;

const begin = `cudaGraphNode_t node; cudaGraphCreate(&graph, 0);
cudaMemAllocNodeParams p = asked(64); cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &p);`;

const general = `static std::pair<cudaGraphNode_t, cudaGraphNodeParams> add(cudaGraphNodeParams params) {
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
  return {node, params};
}
static cudaGraphNodeParams memory() {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeMemAlloc;
  p.alloc = asked(64);
  return p;
}`;

const relaunched = 'relaunch-with-live-allocation';

/** The memory is freed in the graph, or not at all, in which case the second launch is refused. */
describeRows('what CUDA has filled in is known of a copy', head, [
  [
    'in a pair',
    relaunched,
    '',
    `${begin} std::pair<cudaGraphNode_t, cudaMemAllocNodeParams> r{node, p}; runTwice();`,
    `${begin} std::pair<cudaGraphNode_t, cudaMemAllocNodeParams> r{node, p}; release(r.first, r.second.dptr); runTwice();`,
  ],
  [
    'in a tuple',
    relaunched,
    '',
    `${begin} auto r = std::make_tuple(node, p); runTwice();`,
    `${begin} auto r = std::make_tuple(node, p); release(std::get<0>(r), std::get<1>(r).dptr); runTwice();`,
  ],
  [
    'in a vector',
    relaunched,
    '',
    `${begin} std::vector<cudaMemAllocNodeParams> r; r.push_back(p); runTwice();`,
    `${begin} std::vector<cudaMemAllocNodeParams> r; r.push_back(p); release(node, r.back().dptr); runTwice();`,
  ],
  [
    'in a pair that a function gives back',
    relaunched,
    general,
    'cudaGraphCreate(&graph, 0); auto [node, filled] = add(memory()); runTwice();',
    'cudaGraphCreate(&graph, 0); auto [node, filled] = add(memory()); release(node, filled.alloc.dptr); runTwice();',
  ],
]);
