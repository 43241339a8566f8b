/** Null where an executable belongs. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <utility>
__global__ void k(float *p) { p[0] += 1.0f; }
__global__ void rd(const float *p, float *out) { out[0] = p[0]; }
static cudaGraph_t graph() { cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, g, nullptr, 0); return g; }`;

const rows: readonly Row[] = [
  [
    'null launched',
    'launch-invalid-exec',
    '',
    'cudaGraphExec_t e = nullptr; cudaStream_t s; cudaStreamCreate(&s); cudaGraphLaunch(e, s);',
    'cudaGraphExec_t e = nullptr; cudaStream_t s; cudaStreamCreate(&s); cudaGraphInstantiate(&e, graph(), 0); cudaGraphLaunch(e, s);',
  ],
  [
    'destroyed twice, and null the second time',
    'launch-invalid-exec',
    '',
    'cudaGraphExec_t e; cudaStream_t s; cudaStreamCreate(&s); cudaGraphInstantiate(&e, graph(), 0); cudaGraphLaunch(e, s); cudaGraphExecDestroy(e); e = nullptr; cudaGraphLaunch(e, s);',
    'cudaGraphExec_t e; cudaStream_t s; cudaStreamCreate(&s); cudaGraphInstantiate(&e, graph(), 0); cudaGraphLaunch(e, s); cudaGraphExecDestroy(e); e = nullptr; cudaGraphInstantiate(&e, graph(), 0); cudaGraphLaunch(e, s);',
  ],
  [
    'a member that is built too late',
    'launch-invalid-exec',
    'struct R { cudaGraphExec_t e = nullptr; cudaStream_t s; R() { cudaStreamCreate(&s); } void build() { cudaGraph_t g = graph(); cudaGraphInstantiate(&e, g, 0); cudaGraphDestroy(g); } void run() { cudaGraphLaunch(e, s); } ~R() { if (e) cudaGraphExecDestroy(e); } };',
    'R r; r.run(); r.build();',
    'R r; r.build(); r.run();',
  ],
  [
    'a copy that was taken before',
    'launch-invalid-exec',
    '',
    'cudaGraphExec_t e = nullptr; cudaStream_t s; cudaStreamCreate(&s); cudaGraphExec_t f = e; cudaGraphInstantiate(&e, graph(), 0); cudaGraphLaunch(f, s);',
    'cudaGraphExec_t e = nullptr; cudaStream_t s; cudaStreamCreate(&s); cudaGraphExec_t &f = e; cudaGraphInstantiate(&e, graph(), 0); cudaGraphLaunch(f, s);',
  ],
  [
    'one that was moved away',
    'launch-invalid-exec',
    'struct X { cudaGraphExec_t e = nullptr; X() { cudaGraphInstantiate(&e, graph(), 0); } X(X &&o) noexcept : e(std::exchange(o.e, nullptr)) {} ~X() { if (e) cudaGraphExecDestroy(e); } };',
    'cudaStream_t s; cudaStreamCreate(&s); X a; X b(std::move(a)); cudaGraphLaunch(a.e, s);',
    'cudaStream_t s; cudaStreamCreate(&s); X a; X b(std::move(a)); cudaGraphLaunch(b.e, s);',
  ],
  [
    'updated before it is there',
    'launch-invalid-exec',
    '',
    'cudaGraphExec_t e = nullptr; cudaStream_t s; cudaStreamCreate(&s); cudaGraphExecUpdateResultInfo info; cudaGraphExecUpdate(e, graph(), &info); cudaGraphInstantiate(&e, graph(), 0); cudaGraphLaunch(e, s);',
    'cudaGraphExec_t e = nullptr; cudaStream_t s; cudaStreamCreate(&s); cudaGraphExecUpdateResultInfo info; if (e) cudaGraphExecUpdate(e, graph(), &info); else cudaGraphInstantiate(&e, graph(), 0); cudaGraphLaunch(e, s);',
  ],
  [
    'in a list of which not all are made',
    'launch-invalid-exec',
    '',
    'cudaGraphExec_t e[3] = {}; cudaStream_t s; cudaStreamCreate(&s); for (int i = 0; i < 2; i++) cudaGraphInstantiate(&e[i], graph(), 0); for (int i = 0; i < 3; i++) cudaGraphLaunch(e[i], s);',
    'cudaGraphExec_t e[3] = {}; cudaStream_t s; cudaStreamCreate(&s); for (int i = 0; i < 3; i++) cudaGraphInstantiate(&e[i], graph(), 0); for (int i = 0; i < 3; i++) cudaGraphLaunch(e[i], s);',
  ],
  [
    'filled by somebody unseen',
    '',
    'bool unseen(cudaGraphExec_t *e);',
    '',
    'cudaGraphExec_t e = nullptr; cudaStream_t s; cudaStreamCreate(&s); unseen(&e); cudaGraphLaunch(e, s);',
  ],
  [
    'a member in a method nobody here calls',
    '',
    'struct P { cudaGraphExec_t e = nullptr; cudaStream_t s; void run(); void stop(); };',
    '',
    `void P::run() { cudaGraphLaunch(e, s); }
void P::stop() { cudaGraphExecDestroy(e); e = nullptr; }
int main() { return 0; }`,
  ],
  [
    'chosen twice by one number',
    '',
    '',
    '',
    'int mode = std::atoi("1"); cudaGraphExec_t e = nullptr; cudaStream_t s; cudaStreamCreate(&s); if (mode == 1) cudaGraphInstantiate(&e, graph(), 0); if (mode == 0) cudaStreamSynchronize(s); else cudaGraphLaunch(e, s);',
  ],
  [
    'what a wrapper returns',
    '',
    'template <auto f, class... A> auto attempt(A... a);',
    '',
    'cudaStream_t s; cudaStreamCreate(&s); cudaGraphExec_t *e = new cudaGraphExec_t{}; *e = attempt<cudaGraphInstantiateWithFlags>(graph(), 0); cudaGraphLaunch(*e, s);',
  ],
];

describeRows('an executable that is null', head, rows);
