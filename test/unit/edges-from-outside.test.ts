/** What gives a graph its edges may come from outside: that some run brings none says nothing about the others. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>
__global__ void k(int *p) { *p += 1; }
bool wanted(); const char *path(); void read(std::vector<std::vector<int>> &edges);
static cudaGraph_t g; static cudaGraphNode_t n[3]; static cudaGraphExec_t e;
static void nodes() {
  cudaGraphCreate(&g, 0);
  cudaMemAllocNodeParams a = {}; a.poolProps.allocType = cudaMemAllocationTypePinned; a.bytesize = 64;
  a.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphAddMemAllocNode(&n[0], g, nullptr, 0, &a);
  void *args[] = {&a.dptr};
  cudaKernelNodeParams p = {}; p.func = (void *)k; p.gridDim = dim3(1); p.blockDim = dim3(1); p.kernelParams = args;
  cudaGraphAddKernelNode(&n[1], g, nullptr, 0, &p);
  cudaGraphAddMemFreeNode(&n[2], g, nullptr, 0, a.dptr);
}
static void launch() {
  cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize();
  cudaGraphExecDestroy(e); cudaGraphDestroy(g);
}
`;
const add = 'cudaGraphAddDependencies(g, &n[x], &n[y], 1);';

describeRows('edges', head, [
  ['of a file', '', '', '', `nodes(); std::ifstream in(path()); int x, y; while (in >> x >> y) ${add} launch();`],
  [
    'of a C file',
    '',
    '',
    '',
    `nodes(); FILE *in = fopen(path(), "r"); int x, y; while (fscanf(in, "%d %d", &x, &y) == 2) ${add} launch();`,
  ],
  [
    'of a text, as many as it says',
    '',
    '',
    '',
    `nodes(); std::istringstream in(path()); int x, y, many; in >> many;
     for (int i = 0; i < many; i++) { in >> x >> y; ${add} } launch();`,
  ],
  [
    'that hang on a choice',
    'graph-use-before-alloc',
    '',
    'nodes(); if (wanted()) { int x = 0, y = 1; do { cudaGraphAddDependencies(g, &n[x], &n[y], 1); x++; y++; } while (y < 3); } launch();',
    'nodes(); int x = 0, y = 1; do { cudaGraphAddDependencies(g, &n[x], &n[y], 1); x++; y++; } while (y < 3); launch();',
  ],
  [
    'of lists in a list that somebody has filled',
    'graph-use-before-alloc',
    '',
    `nodes(); std::vector<std::vector<int>> after(3); for (int x = 0; x < 3; x++) for (int y : after[x]) ${add} launch();`,
    `nodes(); std::vector<std::vector<int>> after(3); read(after); for (int x = 0; x < 3; x++) for (int y : after[x]) ${add} launch();`,
  ],
  [
    'of lists in a list that was emptied after somebody had filled it',
    'graph-use-before-alloc',
    '',
    `nodes(); std::vector<std::vector<int>> after; read(after); after.clear(); after.resize(3);
     for (int x = 0; x < 3; x++) for (int y : after[x]) ${add} launch();`,
    `nodes(); std::vector<std::vector<int>> after; read(after); after.clear(); after.resize(3); after[0].push_back(1); after[1].push_back(2);
     for (int x = 0; x < 3; x++) for (int y : after[x]) ${add} launch();`,
  ],
]);
