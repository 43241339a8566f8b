/** Kernels in two streams that tell each other through memory how far they are, and such as only have loops. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const program = (device: string, first: string, second: string): string => `#include <cuda_runtime.h>
struct Packet { long long data; long long flag; __device__ long long load_flag() const { return *(volatile const long long *)&flag; } };
__device__ int ld_acquire(const int *flag) { int value; asm volatile("ld.acquire.sys.b32 %0, [%1];" : "=r"(value) : "l"(flag)); return value; }
${device}
int main() {
  cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  float *data; int *flag; Packet *packets; cudaMalloc(&data, 4096); cudaMalloc(&flag, 4); cudaMalloc(&packets, 4096);
  cudaMemset(flag, 0, 4); cudaMemset(packets, 0, 4096); cudaDeviceSynchronize();
  ${first} ${second}
  cudaDeviceSynchronize(); cudaFree(data); cudaFree(flag); cudaFree(packets);
}
`;

const rulesIn = async (text: string): Promise<readonly string[]> =>
  (await analyseText(text)).findings.map(({ rule }) => rule);

const send = 'send<<<1, 1, 0, a>>>(data, flag);';
const receive = 'receive<<<1, 1, 0, b>>>(data, flag);';

describe('that may stand in two streams', () => {
  it.each([
    [
      'a flag that is polled',
      `__global__ void send(float *data, volatile int *flag) { data[0] = 1; __threadfence_system(); *flag = 1; }
       __global__ void receive(float *data, volatile int *flag) { while (*flag != 1) {} data[1] = data[0]; }`,
      send,
      receive,
    ],
    [
      'packets whose flags are polled in what the kernels call',
      `__device__ void put(Packet *p, int n) { for (int i = 0; i < n; i++) { int ready = 0; do { if (threadIdx.x == 0) ready = p[i].load_flag() == -1 ? 1 : 0; ready = __shfl_sync(~0u, ready, 0); } while (ready == 0); p[i].data = 1; p[i].flag = 1; } }
       __device__ long long get(Packet *p, int i) { for (;;) { if (p[i].load_flag() == 1) break; } long long d = p[i].data; p[i].flag = -1; return d; }
       __global__ void send(Packet *p) { put(p, 4); }
       __global__ void receive(Packet *p, float *data) { for (int i = 0; i < 4; i++) data[i] = get(p, i); }`,
      'send<<<1, 32, 0, a>>>(packets);',
      'receive<<<1, 1, 0, b>>>(packets, data);',
    ],
    [
      'packets that are loaded into a variable',
      `__device__ void load(const Packet *from, Packet &to) { to.flag = *(volatile const long long *)&from->flag; to.data = *(volatile const long long *)&from->data; }
       __global__ void send(Packet *p) { Packet seen; do { load(&p[threadIdx.x], seen); if (seen.flag != -1 && clock64() < 0) break; } while (seen.flag != -1); p[threadIdx.x].data = 1; p[threadIdx.x].flag = 1; }
       __global__ void receive(Packet *p, float *data) { Packet in; do { load(&p[threadIdx.x], in); } while (in.flag != 1); data[threadIdx.x] = in.data; p[threadIdx.x].flag = -1; }`,
      'send<<<1, 32, 0, a>>>(packets);',
      'receive<<<1, 32, 0, b>>>(packets, data);',
    ],
    [
      'a load in assembly',
      `__global__ void send(float *data, int *flag) { data[0] = 1; atomicExch_system(flag, 1); }
       __global__ void receive(float *data, int *flag) { while (ld_acquire(flag) == 0) __nanosleep(20); data[1] = data[0]; }`,
      send,
      receive,
    ],
    [
      'a lock',
      `__device__ void lock(int *l) { while (atomicCAS(l, 0, 1) != 0) {} } __device__ void unlock(int *l) { __threadfence(); atomicExch(l, 0); }
       __global__ void send(float *data, int *flag) { lock(flag); data[0] += 1; unlock(flag); }
       __global__ void receive(float *data, int *flag) { lock(flag); data[0] *= 2; unlock(flag); }`,
      send,
      receive,
    ],
  ])('%s', async (_what, device, first, second) => {
    expect(await rulesIn(program(device, first, second))).toEqual([]);
  });
});

describe('that nothing orders', () => {
  it.each([
    [
      'loops with a stride',
      `__global__ void send(float *data, int *flag) { int i = threadIdx.x; while (i < 1024) { data[i] = 1; i += blockDim.x; } }
       __global__ void receive(float *data, int *flag) { int i = threadIdx.x; while (i < 1024) { data[i] *= 2; i += blockDim.x; } }`,
    ],
    [
      'lists that are gone through',
      `__global__ void send(float *data, int *next) { int n = next[0]; while (n != 0) { data[0] += 1; n = next[n]; } }
       __global__ void receive(float *data, int *next) { int n = next[0]; while (n != 0) { data[0] *= 2; n = next[n]; } }`,
    ],
    [
      'numbers that are exchanged until nobody has changed them',
      `__device__ void most(int *at, int value) { int old = *at, assumed; do { assumed = old; old = atomicCAS(at, assumed, value > assumed ? value : assumed); } while (assumed != old); }
       __global__ void send(float *data, int *flag) { most(flag, 3); data[0] = 1; }
       __global__ void receive(float *data, int *flag) { most(flag, 4); data[0] = 2; }`,
    ],
    [
      'counters in memory',
      `__global__ void send(float *data, int *left) { while (left[threadIdx.x] > 0) { data[0] += 1; left[threadIdx.x]--; } }
       __global__ void receive(float *data, int *left) { while (left[threadIdx.x] > 0) { data[0] *= 2; left[threadIdx.x]--; } }`,
    ],
    [
      'one that waits for what the other does not write',
      `__global__ void send(float *data, int *flag) { data[0] = 1; }
       __global__ void receive(float *data, volatile int *flag) { while (*flag != 1) {} data[1] = data[0]; }`,
    ],
  ])('%s', async (_what, device) => {
    expect(await rulesIn(program(device, send, receive))).toContain('stream-conflicting-access');
  });
});
