/** Structures of the program that have CUDA's own types among their members: how large they are, and copies of them. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <string.h>
struct Feature { const char *name; cudaGraphNode_t nodes[2]; unsigned count; };
struct Renderer { Feature features[2]; cudaGraphExec_t exec; };
`;

/** Clears as many bytes as the members take, by g++ with CUDA 13.0's headers, and one more. */
function sized(members: string, bytes: number): Row {
  const main = (count: number): string =>
    `struct S { ${members} }; void *p; cudaMalloc(&p, sizeof(S)); cudaMemset(p, 0, ${count}); cudaFree(p);`;
  return [members, 'copy-out-of-range', '', main(bytes + 1), main(bytes)];
}

describeRows('the size of', head, [
  sized('cudaEvent_t done[2]; int n;', 24),
  sized('cudaError_t code; cudaMemcpyKind kind;', 8),
  sized('char c; cudaPitchedPtr at; cudaExtent extent;', 64),
  sized('cudaGraphNodeParams params; char c;', 264),
  sized('cudaTextureObject_t textures[3]; CUdeviceptr at;', 32),
  sized('char c; cudaLaunchAttribute attributes[2];', 152),
  sized('char c; cudaMemLocation at; cudaMemAccessDesc access[2];', 36),
  sized('char c; cudaGraphEdgeData data[3];', 25),
]);

const graph = `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t a, k;
cudaMemAllocNodeParams m = {}; m.bytesize = 64; m.poolProps.allocType = cudaMemAllocationTypePinned; m.poolProps.location.type = cudaMemLocationTypeDevice;
cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &m);
cudaMemsetParams w = {}; w.dst = m.dptr; w.elementSize = 4; w.width = 1; w.height = 1;
cudaGraphAddMemsetNode(&k, g, &a, 1, &w);
Renderer r; memset(&r, 0, sizeof r); cudaGraphInstantiate(&r.exec, g, 0);`;
const copied = (nodes: string, count: number): string => `${graph}
const Feature table[] = {{"bloom", {k}, 1}, {"clear", {${nodes}}, ${count}}};
memcpy(r.features, table, sizeof table);
Feature *f = &r.features[1];
for (unsigned i = 0; i < f->count; ++i) cudaGraphNodeSetEnabled(r.exec, f->nodes[i], 0);`;

describeRows('a table with handles that is copied byte by byte', head, [
  ['keeps them', 'mem-node-set-enabled', '', copied('k, a', 2), copied('k', 1)],
]);
