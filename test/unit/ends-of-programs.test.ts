/** What ends a program, and what only has such a name. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void k(float *p) { p[0] += 1.0f; }
`;

const bad = 'float *p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p);';
const good = 'float *p; cudaMalloc(&p, 4); cudaFree(p);';

const rows: readonly Row[] = [
  [
    'a program that is worked out for exit',
    'malloc-double-free',
    '',
    `static int run() { ${bad} return 0; } int main() { exit(run()); }`,
    `static int run() { ${good} return 0; } int main() { exit(run()); }`,
  ],
  [
    'memory that is still there when main ends with exit',
    'async-leak',
    '',
    'int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, 4, s); cudaStreamSynchronize(s); exit(EXIT_SUCCESS); }',
    'int main(int n, char **) { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, 4, s); if (n > 3) exit(0); cudaFreeAsync(p, s); cudaStreamSynchronize(s); exit(0); }',
  ],
  [
    'objects of main, which exit does not destroy',
    'capture-unsafe-call',
    'struct Buffer { float *p; Buffer() { cudaMalloc(&p, 4); } ~Buffer() { cudaFree(p); } };',
    'int main(int n, char **) { cudaStream_t s; cudaStreamCreate(&s); { Buffer b; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); } cudaGraph_t g; cudaStreamEndCapture(s, &g); }',
    'int main(int n, char **) { cudaStream_t s; cudaStreamCreate(&s); Buffer b; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); if (n > 3) exit(1); cudaGraph_t g; cudaStreamEndCapture(s, &g); }',
  ],
  [
    'a method called terminate',
    'malloc-double-free',
    'struct App { cudaStream_t s; void terminate() { cudaStreamDestroy(s); } void go() { cudaStreamCreate(&s); terminate(); } };',
    `int main() { App a; a.go(); ${bad} }`,
    `int main() { App a; a.go(); ${good} }`,
  ],
  [
    'a method called exit on one way',
    'malloc-double-free',
    'struct App { int n = 3; void exit(int code) { n = code; } void go() { if (n > 2) exit(1); } };',
    `int main() { App a; a.go(); if (a.n == 1) { ${bad} } }`,
    `int main() { App a; a.go(); if (a.n == 3) { ${bad} } }`,
  ],
  [
    'a function of a namespace called abort',
    'malloc-double-free',
    'namespace os { void abort(const char *text) { printf("%s", text); } void exit(int) {} }',
    `int main() { os::abort("soon"); os::exit(1); ${bad} }`,
    `int main() { os::abort("soon"); os::exit(1); ${good} }`,
  ],
];

describeRows('ends of programs', head, rows);
