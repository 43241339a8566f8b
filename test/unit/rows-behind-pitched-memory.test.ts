/** Copies of rows and boxes behind the end of memory whose rows lie as far apart as CUDA has chosen: what is said holds for any such distance. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda.h>
#include <cuda_runtime.h>
static char h[100000];
static cudaPitchedPtr v;`;

const rule = 'copy-out-of-range';
const flat = (text: string): string =>
  `char *p; size_t pitch; cudaMallocPitch((void **)&p, &pitch, 60, 8); ${text} cudaFree(p);`;
const deep = (text: string): string =>
  `const cudaExtent e = make_cudaExtent(60, 8, 4); cudaMalloc3D(&v, e); ${text} cudaFree(v.ptr);`;
const box = (place: string, extent: string): string =>
  deep(
    `cudaMemcpy3DParms p = {}; p.srcPtr = make_cudaPitchedPtr(h, 60, 60, 8); p.dstPtr = v; p.dstPos = make_cudaPos(${place}); p.extent = make_cudaExtent(${extent}); p.kind = cudaMemcpyHostToDevice; cudaMemcpy3D(&p);`,
  );
const copy = (to: string, width: number, rows: number): string =>
  flat(`cudaMemcpy2D(${to}, pitch, h, 60, ${width}, ${rows}, cudaMemcpyHostToDevice);`);
const node = (rows: string): string =>
  flat(
    `cudaMemsetParams m = {}; m.dst = p; m.pitch = pitch; m.elementSize = 4; m.width = 15; m.height = ${rows}; cudaGraph_t g; cudaGraphNode_t n; cudaGraphCreate(&g, 0); cudaGraphAddMemsetNode(&n, g, nullptr, 0, &m); cudaGraphDestroy(g);`,
  );
const pair = (what: string, bad: string, good: string): Row => [what, rule, '', bad, good];

describeRows('rows behind pitched memory', head, [
  pair('one row more', copy('p', 60, 9), copy('p', 60, 8)),
  pair('from the second row on', copy('p + pitch', 60, 8), copy('p + pitch', 60, 7)),
  pair('a halo around it', copy('p + 2 * pitch + 1', 58, 7), copy('p + 2 * pitch + 1', 58, 6)),
  pair('all rows at once', flat('cudaMemset(p, 0, pitch * 9);'), flat('cudaMemset(p, 0, pitch * 8);')),
  pair('rows that are set', flat('cudaMemset2D(p, pitch, 0, 60, 9);'), flat('cudaMemset2D(p, pitch, 0, 60, 8);')),
  pair('a node', node('9'), node('8')),
  pair(
    'of the driver API',
    'CUdeviceptr p; size_t pitch; cuMemAllocPitch(&p, &pitch, 60, 8, 4); CUDA_MEMCPY2D c = {}; c.srcMemoryType = CU_MEMORYTYPE_HOST; c.srcHost = h; c.dstMemoryType = CU_MEMORYTYPE_DEVICE; c.dstDevice = p; c.dstPitch = pitch; c.dstY = 1; c.WidthInBytes = 60; c.Height = 9; cuMemcpy2D(&c); cuMemFree(p);',
    'CUdeviceptr p; size_t pitch; cuMemAllocPitch(&p, &pitch, 60, 8, 4); CUDA_MEMCPY2D c = {}; c.srcMemoryType = CU_MEMORYTYPE_HOST; c.srcHost = h; c.dstMemoryType = CU_MEMORYTYPE_DEVICE; c.dstDevice = p; c.dstPitch = pitch; c.dstY = 1; c.WidthInBytes = 60; c.Height = 7; cuMemcpy2D(&c); cuMemFree(p);',
  ),
  pair('a slice more', box('0, 0, 0', '60, 8, 5'), box('0, 0, 0', '60, 8, 4')),
  pair('rows more', box('0, 0, 0', '60, 9, 4'), box('0, 0, 1', '60, 8, 3')),
  pair('from the second slice on', box('0, 0, 1', '60, 8, 4'), box('4, 2, 1', '8, 6, 3')),
  pair('one row down in the last slice', box('0, 1, 3', '60, 8, 1'), box('1, 1, 3', '59, 7, 1')),
  pair(
    'a volume that is set',
    deep('cudaMemset3D(v, 0, make_cudaExtent(60, 8, 5));'),
    deep('cudaMemset3D(v, 0, e); cudaMemset(v.ptr, 0, v.pitch * 8 * 4);'),
  ),
  pair(
    'rows that nobody counts',
    'int n = h[0]; char *p; size_t pitch; cudaMallocPitch((void **)&p, &pitch, 60, n); cudaMemset2D(p, pitch, 0, 60, n + 1); cudaFree(p);',
    'int n = h[0], m = h[1]; char *p; size_t pitch; cudaMallocPitch((void **)&p, &pitch, 60, n); cudaMemset2D(p, pitch, 0, 60, n); cudaMemset2D(p, pitch, 0, 60, m); cudaFree(p);',
  ),
  // Between the rows there is room, nobody knows how much.
  ['wider rows', '', '', '', flat('cudaMemset2D(p, pitch, 0, 64, 8); cudaMemset(p, 0, 500);')],
  [
    'another pitch',
    '',
    '',
    '',
    'char *p, *q; size_t a, b; cudaMallocPitch((void **)&p, &a, 60, 8); cudaMallocPitch((void **)&q, &b, 6000, 8); cudaMemset2D(p, b, 0, 60, 8); cudaMemset(q, 0, b * 8); cudaFree(p); cudaFree(q);',
  ],
]);
