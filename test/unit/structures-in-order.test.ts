import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
__global__ void fill(float *data, int value) { data[threadIdx.x] = value; }
__global__ void read(const float *data, float *out) { out[threadIdx.x] = data[threadIdx.x]; }`;

const captured = (launch: string, join: string): string => `cudaStream_t s, t;
cudaStreamCreate(&s); cudaStreamCreate(&t);
cudaEvent_t fork, done;
cudaEventCreate(&fork); cudaEventCreate(&done);
float *data, *out;
cudaMalloc(&out, 4096);
cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
cudaMallocAsync(&data, 4096, s);
fill<<<1, 32, 0, s>>>(data, 1);
cudaEventRecord(fork, s);
cudaStreamWaitEvent(t, fork, 0);
${launch}
cudaEventRecord(done, t);
${join}
cudaGraph_t graph;
cudaStreamEndCapture(s, &graph);`;
const early = 'cudaFreeAsync(data, s); cudaStreamWaitEvent(s, done, 0);';
const late = 'cudaStreamWaitEvent(s, done, 0); cudaFreeAsync(data, s);';

const built = (add: string, last: string): string => `cudaGraph_t graph;
cudaGraphCreate(&graph, 0);
cudaGraphNode_t alloc, filled, used, freed;
float *out;
cudaMalloc(&out, 4096);
cudaMemAllocNodeParams memory = {{cudaMemAllocationTypePinned, cudaMemHandleTypeNone, {cudaMemLocationTypeDevice, 0}}, nullptr, 0, 4096};
cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &memory);
float *data = (float *)memory.dptr;
cudaMemsetParams zero = {data, 0, 0, 4, 64, 1};
cudaGraphAddMemsetNode(&filled, graph, &alloc, 1, &zero);
void *args[] = {&data, &out};
${add}
cudaGraphAddMemFreeNode(&freed, graph, &${last}, 1, data);`;

const rule = 'graph-use-free-race';
const inCapture = (launch: string): [string, string] => [captured(launch, early), captured(launch, late)];
const inGraph = (add: string): [string, string] => [built(add, 'filled'), built(add, 'used')];
const added = 'cudaGraphAddNode(&used, graph, &filled, nullptr, 1, &node);';

describeRows("members of CUDA's structures in the order of a braced list", head, [
  [
    'a launch configuration names its stream',
    rule,
    '',
    ...inCapture(
      'cudaLaunchConfig_t config = {dim3(1), dim3(32), 0, t}; cudaLaunchKernelEx(&config, read, data, out);',
    ),
  ],
  [
    'the configuration of the driver',
    rule,
    '',
    ...inCapture(`CUmodule module; CUfunction function;
cuModuleLoad(&module, "kernels.cubin"); cuModuleGetFunction(&function, module, "read");
void *args[] = {&data, &out};
CUlaunchConfig config{1, 1, 1, 32, 1, 1, 0, t, nullptr, 0};
cuLaunchKernelEx(&config, function, args, nullptr);`),
  ],
  [
    'the kernel in the parameters of a node',
    rule,
    '',
    ...inGraph(`cudaGraphNodeParams node = {cudaGraphNodeTypeKernel};
node.kernel = {(void *)read, dim3(1), dim3(32), 0, args};
${added}`),
  ],
  [
    'the kernel in parameters that were another one before',
    rule,
    '',
    ...inGraph(`cudaGraphNodeParams node = {cudaGraphNodeTypeKernel};
node.kernel.func = (void *)fill;
node.kernel = {(void *)read, dim3(1), dim3(32), 0, args, nullptr};
${added}`),
  ],
  [
    'the places of a copy',
    rule,
    '',
    ...inGraph(`cudaMemcpy3DParms copy = {};
copy.srcPtr = {data, 4096, 1024, 1};
copy.dstPtr = {out, 4096, 1024, 1};
copy.extent = {4096, 1, 1};
cudaGraphAddMemcpyNode(&used, graph, &filled, 1, &copy);`),
  ],
  [
    'a fill in the parameters of a node',
    rule,
    '',
    ...inGraph(`cudaGraphNodeParams node{};
node.type = cudaGraphNodeTypeMemset;
node.memset = {data, 0, 0, 4, 64, 1};
${added}`),
  ],
]);

const addWork = 'cudaGraphAddKernelNode(&used, graph, &filled, 1, &work);';

describeRows('structures in braces where they are parts of something else', head, [
  [
    'in an array',
    rule,
    ``,
    ...inGraph(`cudaKernelNodeParams all[] = {{(void *)fill, 1, 32, 0, nullptr, nullptr}, {(void *)read, 1, 32, 0, args, nullptr}};
cudaKernelNodeParams &work = all[1];
${addWork}`),
  ],
  [
    'in a vector',
    rule,
    `#include <vector>`,
    ...inGraph(`std::vector<cudaKernelNodeParams> all{{(void *)fill, 1, 32, 0, nullptr}, {(void *)read, 1, 32, 0, args}};
cudaKernelNodeParams &work = all.back();
${addWork}`),
  ],
  [
    'made by new',
    rule,
    ``,
    ...inGraph(`cudaKernelNodeParams &work = *new cudaKernelNodeParams{(void *)read, 1, 32, 0, args};
${addWork}`),
  ],
  [
    'a member that a constructor begins',
    rule,
    `struct Task {
  cudaKernelNodeParams work;
  Task(void *kernel, void **args) : work{kernel, 1, 32, 0, args, nullptr} {}
};`,
    ...inGraph(`Task task((void *)read, args);
cudaKernelNodeParams &work = task.work;
${addWork}`),
  ],
  [
    'the member of a list with names',
    rule,
    ``,
    ...inGraph(`cudaGraphNodeParams node = {.type = cudaGraphNodeTypeKernel, .kernel = {(void *)read, 1, 32, 0, args}};
${added}`),
  ],
  [
    'a fill as the member of a list with names',
    rule,
    ``,
    ...inGraph(`cudaGraphNodeParams node = {.type = cudaGraphNodeTypeMemset, .memset = {data, 0, 0, 4, 16, 1}};
${added}`),
  ],
]);

describeRows('classes that derive from structures', head, [
  [
    'the base in braces before the body of a constructor',
    rule,
    `struct Work : cudaKernelNodeParams {
  Work(void *kernel, dim3 grid, dim3 block, void **args) : cudaKernelNodeParams{kernel, grid, block, 0, args, nullptr} {}
};`,
    ...inGraph(`Work work((void *)read, 1, 32, args);
cudaGraphAddKernelNode(&used, graph, &filled, 1, &work);`),
  ],
  [
    'the base with names',
    rule,
    `struct Work : cudaKernelNodeParams {
  Work(void *kernel, void **args) : cudaKernelNodeParams{.func = kernel, .gridDim = 1, .blockDim = 32, .kernelParams = args} {}
};`,
    ...inGraph(`Work work((void *)read, args);
cudaGraphAddKernelNode(&used, graph, &filled, 1, &work);`),
  ],
]);

describeRows('lists of dependencies in objects', head, [
  [
    'a list that converts to an address',
    rule,
    `struct Nodes {
  cudaGraphNode_t all[4]; size_t count = 0;
  Nodes &operator<<(cudaGraphNode_t node) { all[count++] = node; return *this; }
  operator const cudaGraphNode_t *() const { return all; }
};`,
    ...(['', ' << used'].map((more) =>
      built(
        `cudaKernelNodeParams work = {(void *)read, dim3(1), dim3(32), 0, args, nullptr};
cudaGraphAddKernelNode(&used, graph, &filled, 1, &work);
Nodes before;
before << filled${more};`,
        'filled',
      ).replace('&filled, 1, data', 'before, before.count, data'),
    ) as [string, string]),
  ],
  [
    'a list in memory of the C library that is filled through its address',
    rule,
    '#include <cstdlib>',
    ...(['filled', 'used'].map((last) =>
      built(
        `cudaKernelNodeParams work = {(void *)read, dim3(1), dim3(32), 0, args, nullptr};
cudaGraphAddKernelNode(&used, graph, &filled, 1, &work);
cudaGraphNode_t *before = static_cast<cudaGraphNode_t *>(calloc(2, sizeof(cudaGraphNode_t)));
*before = ${last};
*(before + 1) = alloc;`,
        'filled',
      ).replace('&filled, 1, data', 'before, 2, data'),
    ) as [string, string]),
  ],
]);
