/** Calls on graphs, captures and executables that CUDA refuses, each at the border of what it accepts, in the runtime's and the driver's words. */

import { expect, test } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
#include <map>
#include <vector>
__global__ void k(float *p) { p[threadIdx.x] = 1; }
__global__ void idle() {}
void CUDART_CB tell(void *) {}
static cudaStream_t s; static cudaEvent_t e, f; static cudaGraph_t g, h; static cudaGraphExec_t x, y; static cudaGraphNode_t a, b, c;
static cudaMemAllocNodeParams mp() {
  cudaMemAllocNodeParams params = {};
  params.bytesize = 256;
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  return params;
}
static CUDA_MEM_ALLOC_NODE_PARAMS dp() {
  CUDA_MEM_ALLOC_NODE_PARAMS params = {};
  params.bytesize = 256;
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  return params;
}
static cudaGraph_t conditional() {
  cudaGraph_t made; cudaGraphCreate(&made, 0);
  cudaGraphConditionalHandle handle; cudaGraphConditionalHandleCreate(&handle, made, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams params = {}; params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle; params.conditional.type = cudaGraphCondTypeIf; params.conditional.size = 1;
  cudaGraphNode_t node; cudaGraphAddNode(&node, made, nullptr, nullptr, 0, &params);
  return made;
}
static cudaGraph_t plain() {
  cudaGraph_t made; cudaGraphCreate(&made, 0);
  cudaKernelNodeParams params = {}; params.func = (void *)idle; params.gridDim = 1; params.blockDim = 1;
  cudaGraphNode_t node; cudaGraphAddKernelNode(&node, made, nullptr, 0, &params);
  return made;
}
`;
const create = 'cudaGraphCreate(&g, 0); cudaGraphAddEmptyNode(&a, g, nullptr, 0);';
const two = `${create} cudaGraphCreate(&h, 0); cudaGraphAddEmptyNode(&b, h, nullptr, 0);`;
const moved = (child: string): string =>
  `cudaGraphCreate(&g, 0); cudaGraphNodeParams n = {}; n.type = cudaGraphNodeTypeGraph; n.graph.graph = ${child}; n.graph.ownership = cudaGraphChildGraphOwnershipMove; cudaGraphAddNode(&a, g, nullptr, nullptr, 0, &n);`;

const row = (what: string, rule: string, bad: string, good: string): Row => [what, rule, '', bad, good];
/** One text with a hole in it. */
const around = (what: string, rule: string, text: (hole: string) => string, bad: string, good: string): Row =>
  row(what, rule, text(bad), text(good));

describeRows('dependencies', head, [
  around(
    'are counted where there are none',
    'graph-duplicate-dependency',
    (list) => `${create} cudaGraphAddEmptyNode(&b, g, ${list}, 1);`,
    'nullptr',
    '&a',
  ),
  around(
    'are counted, of a node of any kind',
    'graph-duplicate-dependency',
    (count) =>
      `${create} cudaGraphNodeParams n = {}; n.type = cudaGraphNodeTypeEmpty; cudaGraphAddNode(&b, g, nullptr, nullptr, ${count}, &n);`,
    '2',
    '0',
  ),
  around(
    'of what is captured into a graph are of another',
    'graph-cross-graph-dependency',
    (node) =>
      `${two} cudaStreamCreate(&s); cudaStreamBeginCaptureToGraph(s, g, &${node}, nullptr, 1, cudaStreamCaptureModeGlobal); idle<<<1, 1, 0, s>>>(); cudaStreamEndCapture(s, &g);`,
    'b',
    'a',
  ),
  around(
    'that a capture gets are of another',
    'graph-cross-graph-dependency',
    (graph) =>
      `${two} cudaStreamCreate(&s); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); idle<<<1, 1, 0, s>>>(); cudaGraph_t own; cudaStreamCaptureStatus status; cudaStreamGetCaptureInfo_v2(s, &status, nullptr, &own); cudaGraphAddEmptyNode(&c, ${graph}, nullptr, 0); cudaStreamUpdateCaptureDependencies(s, &c, 1, cudaStreamAddCaptureDependencies); idle<<<1, 1, 0, s>>>(); cudaGraph_t out; cudaStreamEndCapture(s, &out);`,
    'h',
    'own',
  ),
]);

describeRows('a graph inside another one', head, [
  around(
    'that it was moved into is no model of an executable',
    'moved-child-misuse',
    (move) =>
      `${moved('plain()')} h = plain(); cudaGraphInstantiate(&x, h, 0); cudaGraph_t child = plain(); n.graph.graph = child; ${move} cudaGraphAddNode(&b, g, nullptr, nullptr, 0, &n); cudaGraphExecUpdateResultInfo info; cudaGraphExecUpdate(x, child, &info); cudaGraphLaunch(x, 0);`,
    '',
    'n.graph.ownership = cudaGraphChildGraphOwnershipClone;',
  ),
  around(
    'has no edges to its nodes that could be removed',
    'graph-cross-graph-dependency',
    (to) => `${two} cudaGraphAddEmptyNode(&c, g, &a, 1); cudaGraphRemoveDependencies(g, &a, &${to}, nullptr, 1);`,
    'b',
    'c',
  ),
]);

describeRows('what an allocation node is asked for', head, [
  around(
    'access descriptors that are counted and not there',
    'graph-alloc-params-invalid',
    (access) =>
      `${create} cudaMemAccessDesc d = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite}; auto p = mp(); p.accessDescCount = 1; p.accessDescs = ${access}; if (!cudaGraphAddMemAllocNode(&b, g, nullptr, 0, &p)) cudaGraphAddMemFreeNode(&c, g, &b, 1, p.dptr);`,
    'nullptr',
    '&d',
  ),
  around(
    'handles for export, of the driver',
    'graph-alloc-params-invalid',
    (type) =>
      `CUgraph d; cuGraphCreate(&d, 0); CUgraphNode m, r; auto p = dp(); p.poolProps.handleTypes = ${type}; if (!cuGraphAddMemAllocNode(&m, d, nullptr, 0, &p)) cuGraphAddMemFreeNode(&r, d, &m, 1, p.dptr);`,
    'CU_MEM_HANDLE_TYPE_FABRIC',
    'CU_MEM_HANDLE_TYPE_NONE',
  ),
  around(
    'less than nothing',
    'graph-alloc-params-invalid',
    (bytes) =>
      `${create} int n = 4; auto p = mp(); p.bytesize = (size_t)(${bytes}) * sizeof(float); if (!cudaGraphAddMemAllocNode(&b, g, nullptr, 0, &p)) cudaGraphAddMemFreeNode(&c, g, &b, 1, p.dptr);`,
    'n - 5',
    'n - 3',
  ),
  around(
    'a device with a number below zero',
    'graph-alloc-params-invalid',
    (device) =>
      `${create} auto p = mp(); p.poolProps.location.id = ${device}; if (!cudaGraphAddMemAllocNode(&b, g, nullptr, 0, &p)) cudaGraphAddMemFreeNode(&c, g, &b, 1, p.dptr);`,
    '-1',
    '3',
  ),
]);

describeRows('what a free node is given', head, [
  around(
    'an address inside, of the driver',
    'graph-free-foreign-pointer',
    (inside) =>
      `CUgraph d; cuGraphCreate(&d, 0); CUgraphNode m, r; auto p = dp(); cuGraphAddMemAllocNode(&m, d, nullptr, 0, &p); CUdeviceptr at = p.dptr + 64; cuGraphAddMemFreeNode(&r, d, &m, 1, at${inside});`,
    '',
    ' - 64',
  ),
  row(
    'the address before the node has written it',
    'graph-free-foreign-pointer',
    `${create} auto p = mp(); void *m = p.dptr; cudaGraphAddMemAllocNode(&b, g, nullptr, 0, &p); cudaGraphAddMemFreeNode(&c, g, &b, 1, m);`,
    `${create} auto p = mp(); cudaGraphAddMemAllocNode(&b, g, nullptr, 0, &p); void *m = p.dptr; cudaGraphAddMemFreeNode(&c, g, &b, 1, m);`,
  ),
  row(
    'the address before the node of any kind has written it',
    'graph-free-foreign-pointer',
    `${create} CUgraphNodeParams p = {}; p.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC; p.alloc.bytesize = 64; p.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; p.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; CUdeviceptr m = p.alloc.dptr; cuGraphAddNode(&b, g, nullptr, nullptr, 0, &p); cuGraphAddMemFreeNode(&c, g, &b, 1, m);`,
    `${create} CUgraphNodeParams p = {}; p.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC; p.alloc.bytesize = 64; p.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED; p.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE; cuGraphAddNode(&b, g, nullptr, nullptr, 0, &p); CUdeviceptr m = p.alloc.dptr; cuGraphAddMemFreeNode(&c, g, &b, 1, m);`,
  ),
]);

describeRows('graphs with conditional nodes', head, [
  row('are cloned', 'mem-graph-clone', 'cudaGraphClone(&h, conditional());', 'cudaGraphClone(&h, plain());'),
  row('are cloned by the driver', 'mem-graph-clone', 'cuGraphClone(&h, conditional());', 'cuGraphClone(&h, plain());'),
  row(
    'are added as children',
    'mem-graph-child-by-clone',
    'cudaGraphCreate(&g, 0); cudaGraphAddChildGraphNode(&a, g, nullptr, 0, conditional());',
    'cudaGraphCreate(&g, 0); cudaGraphAddChildGraphNode(&a, g, nullptr, 0, plain());',
  ),
  row('are moved into others', 'mem-graph-child-by-clone', moved('conditional()'), moved('plain()')),
  around(
    'are instantiated twice',
    'second-exec-of-mem-graph',
    (between) =>
      `g = conditional(); cudaGraphInstantiate(&x, g, 0); ${between} cudaGraphInstantiate(&y, g, 0); cudaGraphLaunch(y, 0);`,
    '',
    'cudaGraphExecDestroy(x);',
  ),
]);

describeRows('instantiated for the device', head, [
  around(
    'with a host function',
    'device-launch-mem-node',
    (flags) =>
      `g = plain(); cudaHostNodeParams n = {tell, nullptr}; cudaGraphAddHostNode(&b, g, nullptr, 0, &n); cudaGraphInstantiate(&x, g, ${flags});`,
    'cudaGraphInstantiateFlagDeviceLaunch',
    '0',
  ),
  around(
    'with an event',
    'device-launch-mem-node',
    (add) =>
      `g = plain(); cudaEventCreate(&e); ${add} cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch);`,
    'cudaGraphAddEventRecordNode(&b, g, nullptr, 0, e);',
    '',
  ),
  around(
    'with a node of a child that does nothing',
    'device-launch-mem-node',
    (add) =>
      `g = plain(); h = plain(); ${add} cudaGraphAddChildGraphNode(&b, g, nullptr, 0, h); cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch);`,
    'cudaGraphAddEmptyNode(&c, h, nullptr, 0);',
    '',
  ),
]);

const times = (record: (event: string) => string, between: string, after: string): string =>
  `float ms; cudaStreamCreate(&s); cudaEventCreate(&e); cudaEventCreate(&f); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); ${record('e')} idle<<<1, 1, 0, s>>>(); ${record('f')} ${between} cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); ${after}`;
const captured = (event: string): string => `cudaEventRecord(${event}, s);`;
const external = (event: string): string => `cudaEventRecordWithFlags(${event}, s, cudaEventRecordExternal);`;
const elapsed = 'cudaEventElapsedTime(&ms, e, f);';

describeRows('the time of events', head, [
  row(
    'that a capture recorded',
    'capture-event-used-after-capture',
    times(captured, '', elapsed),
    times(external, '', elapsed),
  ),
  row(
    'of which a capture recorded one',
    'capture-event-used-after-capture',
    times(captured, '', `cudaEventRecord(f, s); cudaStreamSynchronize(s); ${elapsed}`),
    times(captured, '', `cudaEventRecord(e, s); cudaEventRecord(f, s); cudaStreamSynchronize(s); ${elapsed}`),
  ),
  row('that a capture still records', 'capture-sync-or-query', times(captured, elapsed, ''), times(captured, '', '')),
]);

describeRows('others', head, [
  around(
    'a function that ends a user object calls CUDA',
    'graph-host-node-cuda-call',
    (end) =>
      `cudaUserObject_t o; void *m; cudaMalloc(&m, 4); cudaUserObjectCreate(&o, m, [](void *p) { ${end} }, 1, cudaUserObjectNoDestructorSync); cudaGraphCreate(&g, 0); cudaGraphRetainUserObject(g, o, 1, cudaGraphUserObjectMove); cudaGraphDestroy(g);`,
    'cudaFree(p);',
    '(void)p;',
  ),
  row(
    'a pool that is destroyed is asked',
    'handle-use-after-destroy',
    'cudaMemPool_t pool; cudaMemPoolProps pp = {}; pp.allocType = cudaMemAllocationTypePinned; pp.location = {cudaMemLocationTypeDevice, 0}; cudaMemPoolCreate(&pool, &pp); cudaMemPoolDestroy(pool); cudaMemPoolTrimTo(pool, 0);',
    'cudaMemPool_t pool; cudaMemPoolProps pp = {}; pp.allocType = cudaMemAllocationTypePinned; pp.location = {cudaMemLocationTypeDevice, 0}; cudaMemPoolCreate(&pool, &pp); cudaMemPoolTrimTo(pool, 0); cudaMemPoolDestroy(pool);',
  ),
]);

async function findings(body: string): Promise<readonly string[]> {
  const analysis = await analyseText(`${head}\nint main() {\n${body}\nreturn 0; }\n`);
  return analysis.findings.map(({ rule, message }) => `${rule}: ${message}`);
}

test('a capture that could not begin is said once', async () => {
  const found = await findings(
    `${two} cudaStreamCreate(&s); cudaStreamBeginCaptureToGraph(s, g, &b, nullptr, 1, cudaStreamCaptureModeGlobal); idle<<<1, 1, 0, s>>>(); cudaStreamEndCapture(s, &g);`,
  );
  expect(found).toEqual([
    'graph-cross-graph-dependency: One of the dependencies is a node of another graph: cudaStreamBeginCaptureToGraph returns cudaErrorInvalidValue and captures nothing.',
  ]);
});

test('a free of an address inside is not one of the allocation', async () => {
  const found = await findings(
    'CUgraph d; cuGraphCreate(&d, 0); CUgraphNode m, r; auto p = dp(); cuGraphAddMemAllocNode(&m, d, nullptr, 0, &p); cuGraphAddMemFreeNode(&r, d, &m, 1, p.dptr + 1); cuGraphAddMemFreeNode(&r, d, &m, 1, p.dptr);',
  );
  expect(found).toEqual([
    'graph-free-foreign-pointer: `p.dptr` does not come from an allocation node, or this is not its first byte: this call returns CUDA_ERROR_INVALID_VALUE.',
  ]);
});

test('who updates what is not there yet, and instantiates when that fails, launches what is there', async () => {
  const found = await findings(
    'g = plain(); cudaGraphExec_t z = nullptr; cudaGraphExecUpdateResultInfo info; if (cudaGraphExecUpdate(z, g, &info) != cudaSuccess) cudaGraphInstantiate(&z, g, 0); cudaGraphLaunch(z, 0);',
  );
  expect(found).toEqual([
    'launch-invalid-exec: cudaGraphExecUpdate is given null where an executable graph belongs and returns cudaErrorInvalidValue.',
  ]);
});
