/** Objects that are passed by value end with the function: a graph that keeps their address finds something else at its launch. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
struct Inner { char text[8]; int number; };
struct Message { char text[16]; int number; Inner inner; };
struct View { const Message &of; int size; };
static cudaStream_t s; static cudaGraph_t g; static cudaGraphExec_t x; static char *d;
void CUDART_CB read(void *) {}
static void copy(const void *from, int bytes) { cudaMemcpyAsync(d, from, bytes, cudaMemcpyHostToDevice, s); }
`;
/** `type`: of the parameter, by value and as a reference. */
const row = (what: string, type: string, body: string): Row => {
  const program = (parameter: string): string => `static void put(${parameter} m) { ${body} }
int main() {
  cudaStreamCreate(&s); cudaMalloc(&d, 64); ${type} m = {};
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); put(m); cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); cudaFree(d);
}`;
  return [what, 'baked-host-pointer-dead', '', program(type), program(`${type} &`)];
};

describeRows('parameters that a graph keeps the address of', head, [
  row('an object', 'Message', 'cudaMemcpyAsync(d, &m, sizeof m, cudaMemcpyHostToDevice, s);'),
  row('an array in it', 'Message', 'cudaMemcpyAsync(d, m.text, 16, cudaMemcpyHostToDevice, s);'),
  row('a number in it', 'Message', 'cudaMemcpyAsync(d, &m.number, 4, cudaMemcpyHostToDevice, s);'),
  row('an object in it', 'Message', 'cudaMemcpyAsync(d, &m.inner, 8, cudaMemcpyHostToDevice, s);'),
  row('through another function', 'Message', 'copy(&m, 16);'),
  row('for a function of the host', 'Message', 'cudaLaunchHostFunc(s, read, &m);'),
  [
    'what an object refers to that is passed by value',
    '',
    '',
    '',
    `static void put(View v) { cudaMemcpyAsync(d, &v.of, 16, cudaMemcpyHostToDevice, s); }
int main() {
  cudaStreamCreate(&s); cudaMalloc(&d, 64); Message m = {};
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); put(View{m, 16}); cudaStreamEndCapture(s, &g);
  cudaGraphInstantiate(&x, g, 0); cudaGraphLaunch(x, s); cudaStreamSynchronize(s); cudaFree(d);
}`,
  ],
]);
