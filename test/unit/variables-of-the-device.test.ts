/** Variables of the device are memory that kernels and copies share by name. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
__device__ int counter;
__device__ float table[256];
__constant__ float weights[16];
__device__ int hits;
__managed__ float shared[64];
__device__ const float fixed[2] = {1.0f, 2.0f};
__device__ void add(int n) { counter = counter + n; }
__global__ void count(int n) { add(n); }
__global__ void fill(int first) { table[first + threadIdx.x] = 1.0f; }
__global__ void hit() { atomicAdd(&hits, 1); }
__global__ void use(float *out) { out[threadIdx.x] = table[threadIdx.x]; }
__global__ void weigh(float *out) { out[threadIdx.x] = weights[threadIdx.x] * fixed[0]; }
__global__ void k(float *p) { p[threadIdx.x] = 1.0f; }
static cudaStream_t nb() { cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); return s; }
static float *dev() { float *p; cudaMalloc(&p, 1024); return p; }`;

const two = 'cudaStream_t s = nb(), t = nb(); float *d = dev(), *e = dev(); static float h[256];';
const races = 'stream-conflicting-access';
const wait = 'cudaStreamSynchronize(s);';
const end = 'cudaDeviceSynchronize();';

const node = `${two} cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t a, b; cudaGraphExec_t x; void *args[] = {&d}; cudaKernelNodeParams p = {}; p.func = (void *)use; p.gridDim = dim3(1); p.blockDim = dim3(256); p.kernelParams = args;
  cudaGraphAddMemcpyNodeToSymbol(&a, g, nullptr, 0, table, h, 1024, 0, cudaMemcpyHostToDevice);`;
const launched = `cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); ${wait}`;

const rows: readonly Row[] = [
  [
    'two kernels, through a function',
    races,
    '',
    `${two} count<<<1, 1, 0, s>>>(1); count<<<1, 1, 0, t>>>(1); ${end}`,
    `${two} count<<<1, 1, 0, s>>>(1); ${wait} count<<<1, 1, 0, t>>>(1); ${end}`,
  ],
  ['atomically', '', '', '', `${two} hit<<<1, 1, 0, s>>>(); hit<<<1, 1, 0, t>>>(); ${end}`],
  [
    'other parts of a table',
    races,
    '',
    `${two} fill<<<1, 128, 0, s>>>(0); fill<<<1, 128, 0, t>>>(0); ${end}`,
    `${two} fill<<<1, 128, 0, s>>>(0); fill<<<1, 128, 0, t>>>(128); ${end}`,
  ],
  ['both read', '', '', '', `${two} weigh<<<1, 16, 0, s>>>(d); weigh<<<1, 16, 0, t>>>(e); ${end}`],
  [
    'each device has its own',
    races,
    '',
    `${two} fill<<<1, 128, 0, s>>>(0); use<<<1, 128, 0, t>>>(d); ${end}`,
    `${two} fill<<<1, 128, 0, s>>>(0); cudaSetDevice(1); cudaStream_t u = nb(); fill<<<1, 128, 0, u>>>(0); ${end}`,
  ],
  [
    'copied to while it is read',
    races,
    '',
    `${two} weigh<<<1, 16, 0, s>>>(d); cudaMemcpyToSymbol(weights, h, 64); ${end}`,
    `${two} cudaMemcpyToSymbol(weights, h, 64); weigh<<<1, 16, 0, s>>>(d); ${end}`,
  ],
  [
    'copied to in another stream',
    races,
    '',
    `${two} cudaMemcpyToSymbolAsync(table, h, 1024, 0, cudaMemcpyHostToDevice, s); use<<<1, 256, 0, t>>>(d); ${end}`,
    `${two} cudaMemcpyToSymbolAsync(table, h, 1024, 0, cudaMemcpyHostToDevice, s); use<<<1, 256, 0, s>>>(d); ${end}`,
  ],
  [
    'copied from too early',
    races,
    '',
    `${two} count<<<1, 1, 0, s>>>(1); int c; cudaMemcpyFromSymbol(&c, counter, sizeof(c)); ${end}`,
    `${two} count<<<1, 1, 0, s>>>(1); ${wait} int c; cudaMemcpyFromSymbol(&c, counter, sizeof(c)); ${end}`,
  ],
  [
    'by its address',
    races,
    '',
    `${two} float *q; cudaGetSymbolAddress((void **)&q, table); k<<<1, 64, 0, s>>>(q); use<<<1, 64, 0, t>>>(d); ${end}`,
    `${two} float *q; cudaGetSymbolAddress((void **)&q, table); k<<<1, 64, 0, s>>>(q); ${wait} use<<<1, 64, 0, t>>>(d); ${end}`,
  ],
  [
    'nodes of a graph',
    'graph-conflicting-access',
    '',
    `${node} cudaGraphAddKernelNode(&b, g, nullptr, 0, &p); ${launched}`,
    `${node} cudaGraphAddKernelNode(&b, g, &a, 1, &p); ${launched}`,
  ],
  [
    'freed, which CUDA refuses, and used',
    'malloc-mismatched-free',
    'is a variable of the device: cudaFree returns cudaErrorInvalidValue and frees nothing',
    `${two} float *q; cudaGetSymbolAddress((void **)&q, table); cudaFree(q); k<<<1, 64, 0, s>>>(q); ${end}`,
    `${two} float *q; cudaGetSymbolAddress((void **)&q, table); cudaFree(d); k<<<1, 64, 0, s>>>(q); ${end}`,
  ],
  [
    'a managed one that is freed',
    'malloc-mismatched-free',
    'is a variable of the device: cudaFree returns cudaErrorInvalidValue and frees nothing',
    `${two} float *q = shared; cudaFree(q); ${end} shared[0] = 1.0f;`,
    `${two} float *q = d; cudaFree(q); ${end} shared[0] = 1.0f;`,
  ],
  [
    'freed in the order of a stream',
    'async-free-foreign',
    'is a variable of the device: cudaFreeAsync returns cudaErrorInvalidValue and frees nothing',
    `${two} float *q; cudaGetSymbolAddress((void **)&q, table); cudaFreeAsync(q, s); ${end}`,
    `${two} float *q; cudaMallocAsync((void **)&q, 1024, s); cudaFreeAsync(q, s); ${end}`,
  ],
];

describeRows('variables of the device', head, rows);
