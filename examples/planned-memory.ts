// The same kind of graph in TypeScript: a plan of memory and work for the device, with no device needed to read it.
//
//   spectrum ──> transform ──> filter ──> freeSpectrum
//                    │
//                    └───────> preview          <- reads `spectrum`, but the free does not wait for it
//
// Graph Memory Debugger reads this file as it reads CUDA C++: same rules, same picture, same simulation. It says:
//
//   preview: error[graph-use-free-race]  `spectrum` may be freed while `preview` still reads it
//
// and offers to add `previewDone` to the dependencies of the free node.
import {
  cudaGraphAddKernelNode,
  cudaGraphAddMemAllocNode,
  cudaGraphAddMemFreeNode,
  cudaGraphCreate,
  cudaGraphDestroy,
  cudaGraphExecDestroy,
  cudaGraphInstantiate,
  cudaGraphLaunch,
  cudaMalloc,
  cudaFree,
  cudaStreamCreate,
  cudaStreamDestroy,
  cudaStreamSynchronize,
  type DevicePointer,
  type GraphExec,
} from 'graphmem/runtime';

const MiB = 1 << 20;

/** Transforms a signal, filters it, and draws a preview on the way. */
function planSpectrum(signal: DevicePointer, filtered: DevicePointer, picture: DevicePointer): GraphExec {
  const graph = cudaGraphCreate();

  const { node: allocated, dptr: spectrum } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 48 * MiB });
  const transformDone = cudaGraphAddKernelNode(graph, [allocated], {
    func: 'transform',
    reads: [signal],
    writes: [spectrum],
  });
  const filterDone = cudaGraphAddKernelNode(graph, [transformDone], {
    func: 'filter',
    reads: [spectrum],
    writes: [filtered],
  });
  // The preview is drawn beside the filter, not behind it …
  const previewDone = cudaGraphAddKernelNode(graph, [transformDone], {
    func: 'preview',
    reads: [spectrum],
    writes: [picture],
  });

  // … so it is not enough to wait for the filter.
  cudaGraphAddMemFreeNode(graph, [filterDone], spectrum);

  const exec = cudaGraphInstantiate(graph);
  cudaGraphDestroy(graph);
  return exec;
}

function main(): void {
  const stream = cudaStreamCreate();
  const signal = cudaMalloc(48 * MiB);
  const filtered = cudaMalloc(48 * MiB);
  const picture = cudaMalloc(4 * MiB);

  const exec = planSpectrum(signal, filtered, picture);
  for (let frame = 0; frame < 3; frame++) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);

  cudaGraphExecDestroy(exec);
  cudaStreamDestroy(stream);
  for (const memory of [signal, filtered, picture]) cudaFree(memory);
}

main();
