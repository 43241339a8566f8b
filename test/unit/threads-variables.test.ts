/** `thread_local`: each thread has a variable for itself, which ends with the thread. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <thread>
__global__ void k(float *p) { p[0] += 1; }
struct Lane {
  cudaStream_t stream;
  Lane() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Lane() { cudaStreamDestroy(stream); }
};
struct Block {
  float *p = nullptr;
  Block() { cudaMalloc(&p, 64); }
  ~Block() { cudaFree(p); }
};
static float *p;
static float *kept;`;

const race = 'stream-conflicting-access';
const inFunction =
  'Lane &lane() { thread_local Lane own; return own; } void work() { k<<<1, 1, 0, lane().stream>>>(p); }';
const outside =
  'thread_local cudaStream_t lane = nullptr; void work() { if (!lane) cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking); k<<<1, 1, 0, lane>>>(p); }';
const member =
  'struct Context { static thread_local cudaStream_t lane; }; thread_local cudaStream_t Context::lane = nullptr; void work() { if (!Context::lane) cudaStreamCreateWithFlags(&Context::lane, cudaStreamNonBlocking); k<<<1, 1, 0, Context::lane>>>(p); }';

const begin = 'cudaMalloc(&p, 4); cudaMemset(p, 0, 4); cudaDeviceSynchronize();';
const end = 'cudaDeviceSynchronize(); cudaFree(p);';
const two = `${begin} std::thread a(work); a.join(); std::thread b(work); b.join(); ${end}`;
const waiting = `${begin} std::thread a([] { work(); cudaDeviceSynchronize(); }); a.join(); std::thread b(work); b.join(); ${end}`;
const alone = `${begin} work(); work(); ${end}`;
const back = `${begin} work(); std::thread([] { work(); cudaDeviceSynchronize(); }).join(); work(); ${end}`;
const mixed = `${begin} work(); std::thread([] { work(); }).join(); ${end}`;

const rows: readonly Row[] = [
  ['a local one, in two threads', race, inFunction, two, waiting],
  ['a local one, in one thread', race, inFunction, mixed, alone],
  ['one outside of functions, in two threads', race, outside, two, waiting],
  ['one outside of functions, in one thread', race, outside, mixed, alone],
  ['a member, in two threads', race, member, two, waiting],
  ['a member, in one thread', race, member, mixed, alone],
  [
    'the first thread has its own again',
    'handle-use-after-destroy',
    'thread_local cudaStream_t lane = nullptr; void open() { cudaStreamCreate(&lane); } void close() { cudaStreamDestroy(lane); }',
    `${begin} open(); std::thread([] { open(); }).join(); close(); k<<<1, 1, 0, lane>>>(p); ${end}`,
    `${begin} open(); std::thread([] { open(); close(); }).join(); k<<<1, 1, 0, lane>>>(p); ${end} close();`,
  ],
  [
    'what it owns goes with the thread',
    'malloc-use-after-free',
    'void work() { thread_local Block own; kept = own.p; k<<<1, 1>>>(own.p); }',
    'std::thread(work).join(); cudaDeviceSynchronize(); k<<<1, 1>>>(kept); cudaDeviceSynchronize();',
    'work(); cudaDeviceSynchronize(); k<<<1, 1>>>(kept); cudaDeviceSynchronize();',
  ],
  ['each waits for the other', '', inFunction, '', back.replace('work(); std', 'work(); cudaDeviceSynchronize(); std')],
];

describeRows('variables of threads', head, rows);
