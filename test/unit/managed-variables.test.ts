/** Variables that the host and kernels reach by one name, and what kernels surely touch of memory that the host touches too. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
__managed__ int count; __managed__ float values[64]; __managed__ int rounds = 3; __managed__ volatile int flag;
__global__ void set() { count = 1; }
__global__ void wait() { while (flag == 0) {} count = 2; }
__global__ void raise() { flag = 1; }
__global__ void fillValues() { values[threadIdx.x] = 1.0f; }
__global__ void fill(float *p) { p[threadIdx.x] = 1.0f; }
__global__ void add(float *p) { p[threadIdx.x] += rounds; }
__global__ void show(float *out) { out[threadIdx.x] = values[threadIdx.x] + count; }`;

const begin = 'cudaStream_t s, t; cudaStreamCreate(&s); cudaStreamCreate(&t); float *d; cudaMalloc(&d, 256);';
const end = 'cudaDeviceSynchronize(); cudaFree(d);';
const rule = 'managed-host-access-race';
const row = (what: string, work: string, touch: string, wait = 'cudaDeviceSynchronize();'): Row => [
  what,
  rule,
  '',
  `${begin} ${work} ${touch} ${wait} ${end}`,
  `${begin} ${work} ${wait} ${touch} ${end}`,
];

const captured =
  'cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); set<<<1, 1, 0, s>>>(); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphLaunch(e, s);';

describeRows('variables that host and device share', head, [
  row('a number is read that a kernel writes', 'set<<<1, 1>>>();', 'printf("%d", count);'),
  row('a number is read through its address', 'set<<<1, 1>>>();', 'int *at = &count; printf("%d", *at);'),
  row('a number is written that a kernel reads', 'show<<<1, 32>>>(d);', 'count = 2;'),
  row('an element is read', 'fillValues<<<1, 64>>>();', 'float x = values[0]; printf("%f", x);'),
  row('elements are written in a loop', 'show<<<1, 64>>>(d);', 'for (int i = 0; i < 64; i++) values[i] = i;'),
  row(
    'a kernel is given the array',
    'fill<<<1, 64, 0, s>>>(values);',
    'printf("%f", values[0]);',
    'cudaStreamSynchronize(s);',
  ),
  row('a graph writes it', captured, 'printf("%d", count);', 'cudaStreamSynchronize(s);'),
  [
    'two streams',
    'stream-conflicting-access',
    '',
    `${begin} fillValues<<<1, 64, 0, s>>>(); show<<<1, 64, 0, t>>>(d); ${end}`,
    `${begin} fillValues<<<1, 64, 0, s>>>(); show<<<1, 64, 0, s>>>(d); ${end}`,
  ],
  [
    'what a kernel has written is not what was stored before',
    'malloc-double-free',
    '',
    `${begin} count = 0; set<<<1, 1>>>(); cudaDeviceSynchronize(); if (count == 1) cudaFree(d); ${end}`,
    `${begin} count = 0; set<<<1, 1>>>(); cudaDeviceSynchronize(); if (count == 1) printf("done"); ${end}`,
  ],
  [
    'what no kernel writes is what was stored',
    'copy-out-of-range',
    '',
    `${begin} rounds = 2; float *q; cudaMalloc(&q, rounds * 4); add<<<1, 2>>>(q); cudaDeviceSynchronize(); cudaMemset(q, 0, rounds * 8); cudaFree(q); ${end}`,
    `${begin} rounds = 2; float *q; cudaMalloc(&q, rounds * 8); add<<<1, 2>>>(q); cudaDeviceSynchronize(); cudaMemset(q, 0, rounds * 8); cudaFree(q); ${end}`,
  ],
  [
    'a number is read that kernels only read',
    '',
    '',
    '',
    `${begin} show<<<1, 64>>>(d); printf("%d %f", count, values[3]); ${end}`,
  ],
  ['host and device talk', '', '', '', `${begin} wait<<<1, 1>>>(); flag = 1; ${end}`],
  ['the host waits for what is volatile', '', '', '', `${begin} raise<<<1, 1>>>(); while (flag == 0) {} ${end}`],
  [
    'only its address and its size are asked for',
    '',
    '',
    '',
    `${begin} set<<<1, 1>>>(); int *at = &count; size_t bytes = sizeof(count) + sizeof(values); printf("%p %zu", (void *)at, bytes); ${end}`,
  ],
  [
    'a copy that waits lies in between',
    '',
    '',
    '',
    `${begin} set<<<1, 1>>>(); float f; cudaMemcpy(&f, d, 4, cudaMemcpyDeviceToHost); printf("%d %f", count, f); ${end}`,
  ],
]);

const managed = `${begin} float *m; cudaMallocManaged(&m, 512);`;

describeRows('what a kernel surely touches', head, [
  [
    'an element behind the first',
    rule,
    '',
    `${managed} fill<<<1, 64>>>(m); printf("%f", m[5]); cudaDeviceSynchronize(); cudaFree(m); cudaFree(d);`,
    `${managed} fill<<<1, 64>>>(m); printf("%f", m[64]); cudaDeviceSynchronize(); printf("%f", m[5]); cudaFree(m); cudaFree(d);`,
  ],
]);
