// The graph is built in a header: what is wrong there is found through this file.
#include "buffers.cuh"

int main() {
  cudaGraph_t graph = buildGraph();
  cudaGraphExec_t program;
  cudaGraphInstantiate(&program, graph, 0);
  cudaGraphLaunch(program, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(program);
  cudaGraphDestroy(graph);
  return 0;
}
