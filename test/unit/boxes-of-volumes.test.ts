/** Copies of boxes out of a volume and into one: two of them meet only where their places say so. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
float *volume;
cudaGraph_t g;
cudaGraphNode_t into(int x, int y, int z, cudaPitchedPtr brick) {
  cudaMemcpy3DParms p = {0};
  p.srcPtr = brick;
  p.dstPtr = make_cudaPitchedPtr(volume, 128, 128, 32);
  p.dstPos = make_cudaPos(x, y, z);
  p.extent = make_cudaExtent(64, 16, 16);
  p.kind = cudaMemcpyDeviceToDevice;
  cudaGraphNode_t n;
  cudaGraphAddMemcpyNode(&n, g, nullptr, 0, &p);
  return n;
}
CUgraphNode fill(CUgraph graph, CUcontext c, CUdeviceptr from, CUdeviceptr to, size_t x, size_t y) {
  CUDA_MEMCPY3D p = {};
  p.srcMemoryType = p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  p.srcDevice = from; p.dstDevice = to; p.dstXInBytes = x; p.dstY = y; p.dstPitch = 128;
  p.WidthInBytes = 64; p.Height = p.Depth = 1;
  CUgraphNode n;
  cuGraphAddMemcpyNode(&n, graph, nullptr, 0, &p, c);
  return n;
}`;

const both = (
  second: string,
): string => `cudaPitchedPtr a, b; cudaMalloc3D(&a, make_cudaExtent(64, 16, 16)); cudaMalloc3D(&b, make_cudaExtent(64, 16, 16));
cudaMalloc(&volume, 128 * 32 * 32); cudaGraphCreate(&g, 0);
into(0, 0, 0, a); into(${second}, b);
cudaGraphExec_t e; cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, 0); cudaDeviceSynchronize();
cudaGraphExecDestroy(e); cudaGraphDestroy(g); cudaFree(volume); cudaFree(a.ptr); cudaFree(b.ptr);`;

const rows = (second: string): string => `CUcontext c; cuInit(0); cuDevicePrimaryCtxRetain(&c, 0); cuCtxSetCurrent(c);
CUdeviceptr from, to; cuMemAlloc(&from, 128); cuMemAlloc(&to, 4096); CUgraph graph; cuGraphCreate(&graph, 0);
fill(graph, c, from, to, 0, 2); fill(graph, c, from, to, ${second});
CUgraphExec e; cuGraphInstantiate(&e, graph, 0); cuGraphLaunch(e, 0); cuCtxSynchronize();
cuGraphExecDestroy(e); cuGraphDestroy(graph); cuMemFree(from); cuMemFree(to);`;

/** One box of 64 bytes by 16 rows by 2 slices, out of a volume of 128 bytes by 32 rows by 4 slices. */
const box = (place: string, extent = '64, 16, 2'): string => `cudaPitchedPtr a; a.ptr = nullptr;
cudaMalloc(&a.ptr, 64 * 16 * 2); a.pitch = 64; a.xsize = 64; a.ysize = 16; cudaMalloc(&volume, 128 * 32 * 4);
cudaMemcpy3DParms p = {0}; p.srcPtr = make_cudaPitchedPtr(volume, 128, 128, 32); p.srcPos = make_cudaPos(${place});
p.dstPtr = a; p.extent = make_cudaExtent(${extent}); p.kind = cudaMemcpyDeviceToDevice;
cudaMemcpy3D(&p); cudaFree(volume); cudaFree(a.ptr);`;

describeRows('boxes that reach over the end', head, [
  ['to the last slice', 'copy-out-of-range', '', box('64, 16, 3'), box('64, 16, 2')],
  ['to the last row', 'copy-out-of-range', '', box('64, 17, 2'), box('0, 16, 2')],
  ['to the end of the row', 'copy-out-of-range', '', box('65, 16, 2'), box('1, 15, 2')],
  ['of what it goes into', 'copy-out-of-range', '', box('0, 0, 0', '64, 16, 3'), box('0, 0, 0', '64, 16, 1')],
]);

describeRows('boxes of volumes', head, [
  ['beside one another', 'graph-conflicting-access', '', both('32, 0, 0'), both('64, 0, 0')],
  ['below one another', 'graph-conflicting-access', '', both('0, 0, 0'), both('0, 16, 0')],
  ['behind one another', 'graph-conflicting-access', '', both('0, 0, 0'), both('0, 0, 16')],
  ['rows of the driver API', 'graph-conflicting-access', '', rows('0, 2'), rows('0, 3')],
]);
