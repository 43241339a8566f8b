/** Memory of the host that kernels work on in place: pinned, mapped and managed; each mistake beside the program without it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <atomic>
#include <cstdio>
__global__ void fill(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = i; }
__global__ void sum(const int *p, int n, int *out) { int s = 0; for (int i = 0; i < n; ++i) s += p[i]; *out = s; }
__global__ void raise(volatile int *flag) { *flag = 1; }
__global__ void fillAndRaise(int *p, int *flag) { p[0] = 1; __threadfence_system(); *flag = 1; }
__device__ void tell(int *flag) { atomicExch_system(flag, 1); }
__global__ void fillAndTell(int *p, int *flag) { p[0] = 1; tell(flag); }
__global__ void waitFor(volatile int *flag, int *p) { while (*flag == 0) {} p[0] = 1; }
__global__ void count(const int *p, int n, int *out) { for (int i = 0; i < n; ++i) if (p[i] != 0) atomicAdd(out, 1); }
struct Post { int round; float mean; };
__global__ void measure(Post *post, int round) { *post = Post{round, 1.0f}; }
cudaStream_t s; cudaEvent_t e; int *h, *d, *out;
`;

const mapped = `cudaStreamCreate(&s); cudaMalloc(&out, 4); cudaHostAlloc(&h, 4096, cudaHostAllocMapped);
  cudaHostGetDevicePointer((void **)&d, h, 0);`;
const end = 'cudaStreamSynchronize(s); cudaFree(out); cudaFreeHost(h); cudaStreamDestroy(s);';
const wait = 'cudaStreamSynchronize(s);';
const rule = 'host-buffer-used-before-sync';

const rows: readonly Row[] = [
  [
    'managed memory is read while a kernel counts in it',
    'managed-host-access-race',
    '',
    `int *m; cudaMallocManaged(&m, 4); ${mapped} *m = 0; count<<<1, 1, 0, s>>>(d, 4, m); printf("%d", *m); ${end} cudaFree(m);`,
    `int *m; cudaMallocManaged(&m, 4); ${mapped} *m = 0; count<<<1, 1, 0, s>>>(d, 4, m); ${wait} printf("%d", *m); ${end} cudaFree(m);`,
  ],
  [
    'mapped memory is read while a kernel writes it',
    rule,
    '',
    `${mapped} fill<<<8, 128, 0, s>>>(d, 1024); printf("%d", h[0]); ${end}`,
    `${mapped} fill<<<8, 128, 0, s>>>(d, 1024); ${wait} printf("%d", h[0]); ${end}`,
  ],
  [
    'pinned memory that a kernel is given as it is',
    rule,
    '',
    `${mapped} sum<<<1, 1, 0, s>>>(d, 4, h + 4); int first = h[4]; printf("%d", first); ${end}`,
    `${mapped} sum<<<1, 1, 0, s>>>(d, 4, h + 4); ${wait} int first = h[4]; printf("%d", first); ${end}`,
  ],
  [
    'mapped memory that is filled anew while a kernel reads it',
    rule,
    '',
    `${mapped} for (int k = 0; k < 3; ++k) { for (int i = 0; i < 1024; ++i) h[i] = k; sum<<<1, 1, 0, s>>>(d, 1024, out); } ${end}`,
    `${mapped} for (int k = 0; k < 3; ++k) { for (int i = 0; i < 1024; ++i) h[i] = k; sum<<<1, 1, 0, s>>>(d, 1024, out); ${wait} } ${end}`,
  ],
  [
    'a kernel in a graph that writes pinned memory',
    rule,
    '',
    `${mapped} cudaGraph_t g; cudaGraphExec_t x; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); fill<<<8, 128, 0, s>>>(h, 1024);
     cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); int v = h[0]; ${wait} printf("%d", v);
     cudaGraphExecDestroy(x); cudaGraphDestroy(g); ${end}`,
    `${mapped} cudaGraph_t g; cudaGraphExec_t x; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); fill<<<8, 128, 0, s>>>(h, 1024);
     cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); ${wait} int v = h[0]; printf("%d", v);
     cudaGraphExecDestroy(x); cudaGraphDestroy(g); ${end}`,
  ],
  [
    'an object in mapped memory, and an event that is recorded too early',
    rule,
    `struct Box { Post *host, *device; Box() { cudaHostAlloc(&host, sizeof(Post), cudaHostAllocMapped); cudaHostGetDevicePointer(&device, host, 0); }
       ~Box() { cudaFreeHost(host); } const Post &read() const { return host[0]; } };`,
    `cudaStreamCreate(&s); cudaEventCreate(&e); { Box box; cudaEventRecord(e, s); measure<<<1, 1, 0, s>>>(box.device, 3);
     cudaEventSynchronize(e); const Post &post = box.read(); printf("%d", post.round); ${wait} } cudaEventDestroy(e); cudaStreamDestroy(s);`,
    `cudaStreamCreate(&s); cudaEventCreate(&e); { Box box; measure<<<1, 1, 0, s>>>(box.device, 3); cudaEventRecord(e, s);
     cudaEventSynchronize(e); const Post &post = box.read(); printf("%d", post.round); ${wait} } cudaEventDestroy(e); cudaStreamDestroy(s);`,
  ],
  ...(
    [
      [
        'the host asks a flag through a volatile pointer',
        `raise<<<1, 1, 0, s>>>(d); volatile int *v = h; while (*v == 0) {} printf("%d", *v);`,
      ],
      [
        'the host asks a flag, and then reads what the kernel wrote before',
        `fillAndRaise<<<1, 1, 0, s>>>(d + 1, d); while (*(volatile int *)h == 0) {} printf("%d", h[1]);`,
      ],
      [
        'the kernel tells by an atomic operation for the system in a function of its own',
        `fillAndTell<<<1, 1, 0, s>>>(d + 1, d); while (h[0] == 0) {} printf("%d", h[1]);`,
      ],
      ['the host asks how far a kernel has counted', 'count<<<1, 1, 0, s>>>(out, 1, d); while (h[0] < 1) {}'],
      ['the kernel waits for the host', 'waitFor<<<1, 1, 0, s>>>(d, out); *h = 1;'],
      [
        'the host asks managed memory',
        'int *m; cudaMallocManaged(&m, 4); *m = 0; raise<<<1, 1, 0, s>>>(m); while (*(volatile int *)m == 0) {} cudaStreamSynchronize(s); cudaFree(m);',
      ],
      [
        'the host asks an atomic variable',
        'std::atomic<int> *m; cudaMallocManaged(&m, 4); fill<<<1, 1, 0, s>>>((int *)m, 1); while (m->load() == 0) {} if (*m) cudaStreamSynchronize(s); cudaFree(m);',
      ],
    ] as const
  ).map(([what, body]): Row => [what, '', '', '', `${mapped} ${body} ${end}`]),
];

describeRows('memory of the host that kernels work on', head, rows);
