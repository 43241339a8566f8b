/** Copy and memset nodes stay within what a graph allocates; on other memory they are held against that. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>
static cudaGraph_t g; static cudaGraphNode_t a, n, f; static float *result;
static void *allocate(size_t bytes) {
  cudaMemAllocNodeParams p = {}; p.poolProps.allocType = cudaMemAllocationTypePinned; p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes; cudaGraphAddMemAllocNode(&a, g, nullptr, 0, &p); return p.dptr;
}
static void clear(void *p, size_t width, size_t height = 1, size_t pitch = 0) {
  cudaMemsetParams m = {}; m.dst = p; m.elementSize = 4; m.width = width; m.height = height; m.pitch = pitch;
  cudaGraphAddMemsetNode(&n, g, &a, 1, &m);
}
struct Step {
  void *p; size_t bytes; explicit Step(size_t b) : p(allocate(b)), bytes(b) {}
  void copyOut(size_t count) { cudaGraphAddMemcpyNode1D(&n, g, &a, 1, result, p, count, cudaMemcpyDeviceToDevice); }
  void end() { cudaGraphAddMemFreeNode(&f, g, &n, 1, p); }
};
`;
const rule = 'graph-access-out-of-range';
const row = (what: string, of: string, bad: string, good: string): Row => [
  what,
  of,
  '',
  bad && `cudaGraphCreate(&g, 0); cudaMalloc(&result, 4096); ${bad}`,
  good && `cudaGraphCreate(&g, 0); cudaMalloc(&result, 4096); ${good} cudaGraphDestroy(g); cudaFree(result);`,
];
const end = 'cudaGraphAddMemFreeNode(&f, g, &n, 1, p);';

describeRows('a node', head, [
  row(
    'that sets elements',
    rule,
    `void *p = allocate(64); clear(p, 64); ${end}`,
    `void *p = allocate(64 * 4); clear(p, 64); ${end}`,
  ),
  row(
    'that sets rows',
    rule,
    `void *p = allocate(1024); clear(p, 64, 5, 256); ${end}`,
    `void *p = allocate(1024); clear(p, 64, 4, 256); ${end}`,
  ),
  row('that copies', rule, 'Step s(64); s.copyOut(65); s.end();', 'Step s(64); s.copyOut(s.bytes); s.end();'),
  row(
    'behind the beginning',
    rule,
    `char *p = (char *)allocate(256); clear(p + 4, 64); ${end}`,
    `char *p = (char *)allocate(256); clear(p + 4, 63); ${end}`,
  ),
  row(
    'in a loop',
    rule,
    'std::vector<Step> all; for (int i = 0; i < 2; ++i) all.emplace_back(64); for (auto &s : all) { s.copyOut(128); s.end(); }',
    'for (int i = 0; i < 2; ++i) { Step s(256); clear(s.p, 64); s.end(); }',
  ),
  row(
    'of the driver',
    rule,
    'CUDA_MEMSET_NODE_PARAMS m = {}; void *p = allocate(64); m.dst = (CUdeviceptr)p; m.elementSize = 4; m.width = 64; m.height = 1; cuGraphAddMemsetNode(&n, g, &a, 1, &m, nullptr);',
    `CUDA_MEMSET_NODE_PARAMS m = {}; void *p = allocate(256); m.dst = (CUdeviceptr)p; m.elementSize = 4; m.width = 64; m.height = 1; cuGraphAddMemsetNode(&n, g, &a, 1, &m, nullptr); ${end}`,
  ),
  row('on other memory', 'copy-out-of-range', 'clear(result, 1025);', 'clear(result, 1024);'),
]);
