/** The program around a rule's example: what the snippets take for granted. */

const before = `#include <cuda_runtime.h>

__global__ void produce(float *out) { out[threadIdx.x] = 1.0f; }
__global__ void consume(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }

int main() {
  const size_t bytes = 1 << 20;
  cudaStream_t stream, second;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t event, joined;
  cudaEventCreate(&event);
  cudaEventCreate(&joined);
  cudaGraph_t graph, other, captured;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&other, 0);
  cudaGraphExec_t exec, otherExec;
  cudaGraphNode_t alloc, use, last, release, next;
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = bytes;
  void *arguments[] = {&params.dptr};
  cudaKernelNodeParams work = {(void *)produce, 1, 32, 0, arguments, nullptr};
  float *data, *result, *host;
  cudaMalloc(&result, bytes);
  cudaMallocHost(&host, bytes);
`;

const after = `  return 0;
}
`;

/** Marks the end of the line that a rule reports. */
const violationMark = '//!';

/** A complete program from a snippet, and the 1-based lines that carry the mark. */
export function exampleProgram(snippet: string): { readonly text: string; readonly lines: readonly number[] } {
  const body = snippet
    .trim()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
  const text = `${before}${body}\n${after}`;
  const lines = text.split('\n').flatMap((line, index) => (line.includes(violationMark) ? [index + 1] : []));
  return { text, lines };
}

/** The snippet as a page shows it, without the mark. */
export function shownExample(snippet: string): string {
  return snippet
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s*\/\/!\s*$/, '  // reported here'))
    .join('\n');
}
