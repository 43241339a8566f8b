/** A function that the host runs for a graph, and that frees what it is called with, can run once only. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
#include <memory>
struct Job { int id; int left; void finish() { ++id; delete this; } void go() { ++id; } };
void deletes(void *p) { Job *job = static_cast<Job *>(p); job->go(); delete job; }
void owns(void *p) { std::unique_ptr<Job> job(static_cast<Job *>(p)); job->go(); }
void madeOwner(void *p) { auto job = std::unique_ptr<Job>(static_cast<Job *>(p)); job->go(); }
void release(Job *job) { delete job; }
void through(void *p) { release((Job *)p); }
void method(void *p) { static_cast<Job *>(p)->finish(); }
void byC(void *p) { free(p); }
void uses(void *p) { static_cast<Job *>(p)->go(); }
void last(void *p) { Job *job = static_cast<Job *>(p); if (--job->left == 0) delete job; }
void early(void *p) { Job *job = static_cast<Job *>(p); if (job->left > 1) return; delete job; }
void handsOn(void *p) { std::unique_ptr<Job> job(static_cast<Job *>(p)); job->go(); job.release(); }
`;

const rule = 'baked-host-pointer-dead';
const graph = (run: string, times: number, then = ''): string => `cudaStream_t s; cudaStreamCreate(&s);
cudaGraph_t g; cudaGraphExec_t x; Job *job = new Job{1, 2};
cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); cudaLaunchHostFunc(s, ${run}, job); cudaStreamEndCapture(s, &g);
cudaGraphInstantiate(&x, g, 0); ${'cudaGraphLaunch(x, s); '.repeat(times)} cudaStreamSynchronize(s); ${then}
cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaStreamDestroy(s);`;
const frees = (what: string, run: string): Row => [what, rule, '', graph(run, 2), graph(run, 1)];
const keeps = (what: string, run: string): Row => [what, rule, '', '', graph(run, 2)];

describeRows('functions that free what they are called with', head, [
  frees('by delete', 'deletes'),
  frees('by an owner', 'owns'),
  frees('by an owner that is made', 'madeOwner'),
  frees('through another function', 'through'),
  frees('by a method', 'method'),
  frees('a lambda', '[](void *p) { delete (Job *)p; }'),
  frees('by free', 'byC'),
  keeps('that only use it', 'uses'),
  keeps('that the last one frees', 'last'),
  keeps('that may leave before', 'early'),
  keeps('that hand it on', 'handsOn'),
  [
    'one job for each launch',
    rule,
    '',
    `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaHostNodeParams h{}; h.fn = deletes; h.userData = new Job{1, 1};
     cudaGraphAddHostNode(&n, g, nullptr, 0, &h); cudaGraphExec_t x; cudaGraphInstantiate(&x, g, 0);
     for (int i = 0; i < 3; ++i) cudaGraphLaunch(x, 0); cudaDeviceSynchronize(); cudaGraphExecDestroy(x); cudaGraphDestroy(g);`,
    `cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaHostNodeParams h{}; h.fn = deletes; h.userData = new Job{1, 1};
     cudaGraphAddHostNode(&n, g, nullptr, 0, &h); cudaGraphExec_t x; cudaGraphInstantiate(&x, g, 0);
     for (int i = 0; i < 3; ++i) { if (i > 0) { h.userData = new Job{i, 1}; cudaGraphExecHostNodeSetParams(x, n, &h); } cudaGraphLaunch(x, 0); cudaDeviceSynchronize(); }
     cudaGraphExecDestroy(x); cudaGraphDestroy(g);`,
  ],
  [
    'in a stream each has its own',
    rule,
    '',
    '',
    'for (int i = 0; i < 3; ++i) cudaLaunchHostFunc(0, deletes, new Job{i, 1}); cudaDeviceSynchronize();',
  ],
]);
