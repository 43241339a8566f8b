/**
 * Places that the text does not tell apart: elements under unknown indices and keys, streams that nobody saw being made, parts of
 * memory that kernels keep to. Nothing is said that only rests on them being one, or several.
 */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <queue>
#include <vector>
struct Worker { int id; };
struct Team { int count; Worker *workers; };
class Guard { public: Guard(); ~Guard(); operator cudaStream_t() const { return stream; } void wait(); int ask(); private: cudaStream_t stream; };
static cudaStream_t streams[64];
static void stop(int id) { cudaStreamDestroy(streams[id]); }
__global__ void k(float *p) { p[0] = 1.0f; }
__global__ void within(float *p, int first, int end) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= first && i < end) p[i] = 1.0f; }
__global__ void outside(float *p, int first, int end) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < first || i >= end) return; p[i] = 1.0f; }
__global__ void wide(float *p, int first) { int i = threadIdx.x + first; reinterpret_cast<float4 *>(p)[i].x = 1.0f; }
static cudaGraphNode_t child(cudaGraph_t g, const std::vector<cudaGraphNode_t> &before) { cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, g, before.data(), before.size()); return n; }
`;

const two = `cudaStream_t a, b; cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking); float *p; cudaMalloc(&p, 4096);`;
const end = 'cudaDeviceSynchronize(); cudaFree(p); cudaStreamDestroy(a); cudaStreamDestroy(b); return 0;';

/** What it is; the rule that `bad` breaks; the function that is wrong; the one that is right. */
type Row = readonly [what: string, rule: string, bad: string, good: string];

const rows: readonly Row[] = [
  [
    'an index that is read from another place each round',
    'handle-use-after-destroy',
    'void f(Team *team) { for (int i = 0; i < team->count; i++) { Worker *w = &team->workers[0]; int id = w->id; if (i == 0) cudaStreamCreate(&streams[id]); stop(id); } }',
    'void f(Team *team) { for (int i = 0; i < team->count; i++) { Worker *w = &team->workers[i]; int id = w->id; cudaStreamCreate(&streams[id]); } for (int i = 0; i < team->count; i++) { Worker *w = &team->workers[i]; int id = w->id; stop(id); } }',
  ],
  [
    'lists under keys that nobody knows',
    'graph-duplicate-dependency',
    'void f() { int u = 3; cudaGraph_t g; cudaGraphCreate(&g, 0); std::map<int, std::vector<cudaGraphNode_t>> before; cudaGraphNode_t n = child(g, {}); before[u].push_back(n); before[u].push_back(n); child(g, before[u]); }',
    'struct Plan { std::vector<int> all; std::map<int, std::vector<int>> next; }; void f(Plan &plan) { cudaGraph_t g; cudaGraphCreate(&g, 0); std::map<int, std::vector<cudaGraphNode_t>> before; std::queue<int> todo; cudaGraphNode_t first = child(g, {}); for (auto u : plan.all) { todo.push(u); before[u] = {first}; } while (!todo.empty()) { auto u = todo.front(); todo.pop(); cudaGraphNode_t n = child(g, before[u]); for (auto v : plan.next[u]) before[v].push_back(n); } }',
  ],
  [
    'what a capture into a graph begins behind',
    'graph-use-before-alloc',
    'void f(cudaStream_t s, std::vector<cudaGraphNode_t> deps) { cudaGraph_t g; cudaGraphCreate(&g, 0); float *p; cudaStreamBeginCaptureToGraph(s, g, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal); cudaMallocAsync((void **)&p, 64, s); cudaStreamEndCapture(s, &g); deps.clear(); cudaStreamBeginCaptureToGraph(s, g, deps.data(), nullptr, deps.size(), cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(p); cudaStreamEndCapture(s, &g); }',
    'void f(cudaStream_t s, std::vector<cudaGraphNode_t> deps) { cudaGraph_t g; cudaGraphCreate(&g, 0); float *p; cudaStreamBeginCaptureToGraph(s, g, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal); cudaMallocAsync((void **)&p, 64, s); cudaStreamEndCapture(s, &g); cudaStreamBeginCaptureToGraph(s, g, deps.data(), nullptr, deps.size(), cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(p); cudaStreamEndCapture(s, &g); }',
  ],
  [
    'memory in an element that nobody can tell',
    'async-leak',
    'int main(int argc, char **argv) { cudaStream_t s; cudaStreamCreate(&s); float *a[64]; cudaMallocAsync((void **)&a[0], 64, s); cudaMallocAsync((void **)&a[1], 64, s); cudaFreeAsync(a[1], s); cudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }',
    'int ask(); int main(int argc, char **argv) { cudaStream_t s; cudaStreamCreate(&s); float *a[64]; cudaMallocAsync((void **)&a[0], 64, s); cudaMallocAsync((void **)&a[ask() % 64], 64, s); cudaFreeAsync(a[0], s); cudaFreeAsync(a[1], s); cudaStreamSynchronize(s); cudaStreamDestroy(s); return 0; }',
  ],
  [
    'a stream that something unseen may have waited for',
    'async-host-free-unsynchronised',
    'void f(Guard *g) { float *p; cudaMallocAsync((void **)&p, 64, *g); k<<<1, 1, 0, *g>>>(p); if (g->ask() > 0) k<<<1, 1, 0, *g>>>(p); cudaFree(p); }',
    'void f(Guard *g) { float *p; cudaMallocAsync((void **)&p, 64, *g); k<<<1, 1, 0, *g>>>(p); g->wait(); cudaFree(p); }',
  ],
  [
    'a kernel that keeps to a part from below',
    'stream-conflicting-access',
    `int main() { ${two} within<<<1, 256, 0, a>>>(p, 0, 256); within<<<1, 256, 0, b>>>(p, 0, 128); ${end} }`,
    `int main() { ${two} within<<<1, 256, 0, a>>>(p, 0, 256); within<<<2, 256, 0, b>>>(p, 256, 512); ${end} }`,
  ],
  [
    'a kernel that leaves before its part',
    'stream-conflicting-access',
    `int main() { ${two} outside<<<1, 256, 0, a>>>(p, 0, 256); outside<<<1, 256, 0, b>>>(p, 0, 128); ${end} }`,
    `int main() { ${two} outside<<<1, 256, 0, a>>>(p, 0, 256); outside<<<2, 256, 0, b>>>(p, 256, 512); ${end} }`,
  ],
  [
    'a kernel that counts in larger elements',
    'stream-conflicting-access',
    `int main() { ${two} cudaMemsetAsync(p, 0, 2048, a); wide<<<1, 128, 0, b>>>(p, 0); ${end} }`,
    `int main() { ${two} cudaMemsetAsync(p, 0, 2048, a); wide<<<1, 128, 0, b>>>(p, 128); ${end} }`,
  ],
];

describe('places that the text does not tell', () => {
  it.each(rows)('%s', async (_what, rule, bad, good) => {
    expect((await analyseText(head + good)).findings.map(({ message }) => message)).toEqual([]);
    expect((await analyseText(head + bad)).findings.map((finding) => finding.rule)).toContain(rule);
  });
});
