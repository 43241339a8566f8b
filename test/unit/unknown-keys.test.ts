/** Maps under keys that the text does not tell: what lies under one is not what lies under another. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
__global__ void k(float *p) { p[0] = 1; }
std::vector<int> ids(); int pick();
struct Edge { std::string from, to; }; std::vector<Edge> edges();
struct Ctx { cudaStream_t s; float *p; };`;

const devices = (end: string): string => `std::map<int, Ctx> m; auto all = ids();
for (int id : all) { cudaStreamCreate(&m[id].s); cudaMallocAsync(&m[id].p, 64, m[id].s); k<<<1, 1, 0, m[id].s>>>(m[id].p); }
for (int id : all) { cudaFreeAsync(m[id].p, m[id].s); ${end} }`;
const two = 'std::map<int, float *> b; int x = pick(), y = pick(); cudaMalloc(&b[x], 64); cudaMalloc(&b[y], 64);';
const builder = `struct Builder { cudaGraph_t g; std::map<std::string, cudaGraphNode_t> nodes;
  void edge(std::string from, std::string to) { cudaGraphNode_t a = nodes.at(from), b = nodes.at(to); cudaGraphAddDependencies(g, &a, &b, nullptr, 1); } };`;
const graph = `cudaGraph_t g; cudaGraphCreate(&g, 0); std::unordered_map<std::string, cudaGraphNode_t> nodes; std::vector<std::string> names;
for (auto &e : edges()) { cudaGraphAddEmptyNode(&nodes[e.from], g, nullptr, 0); cudaGraphAddEmptyNode(&nodes[e.to], g, nullptr, 0); }`;
const cache = `struct Cache { std::unordered_map<int, cudaGraphExec_t> m; cudaStream_t s; float *p;
  Cache() { cudaStreamCreate(&s); cudaMalloc(&p, 64); }
  void run(int n) { auto &e = m[n]; if (!e) { cudaGraph_t g; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); k<<<1, 1, 0, s>>>(p); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, 0); cudaGraphDestroy(g); } cudaGraphLaunch(e, s); }
  void drop(int n, bool forgets) { if (m.count(n)) { cudaGraphExecDestroy(m[n]); if (forgets) m.erase(n); } } };`;

const pool = (forgets: string): string => `void *normal(void *p);
struct Pool { std::map<void *, size_t> sizes;
  void *take(size_t n) { void *p; cudaMalloc(&p, n); sizes[p] = n; return p; }
  void give(void *p) { void *key = normal(p); if (sizes.count(key)) { cudaFree(p); ${forgets} } }
  ~Pool() { for (auto &each : sizes) cudaFree(each.first); } };
int main() { Pool pool; void *a = pool.take(64), *b = pool.take(64); pool.give(a); return 0; }`;
const byNumber = (forgets: string): string => `struct Streams { std::unordered_map<int, cudaStream_t> all;
  void drop(int n) { if (all.count(n)) { cudaStreamDestroy(all.at(n)); ${forgets} } } };
int main() { Streams s; cudaStreamCreate(&s.all[0]); cudaStreamCreate(&s.all[1]); cudaStream_t first = s.all[0]; s.drop(pick());
  for (auto &[n, stream] : s.all) cudaStreamDestroy(stream); ${forgets === '' ? 'cudaStreamDestroy(first);' : ''} }`;

const rows: Row[] = [
  ['memory taken out under a key that is not seen', 'malloc-double-free', '', pool(''), pool('sizes.erase(key);')],
  ['streams taken out under a number that is not seen', '', '', byNumber(''), byNumber('all.erase(n);')],
  [
    'one context each',
    'async-double-free',
    '',
    devices('cudaFreeAsync(m[id].p, m[id].s);'),
    devices('cudaStreamDestroy(m[id].s);'),
  ],
  [
    'two variables',
    'malloc-double-free',
    '',
    `${two} cudaFree(b[x]); cudaFree(b[x]);`,
    `${two} cudaFree(b[x]); cudaFree(b[y]);`,
  ],
  [
    'what was taken out is not there',
    '',
    '',
    '',
    `${two} cudaFree(b[x]); b.erase(x); for (auto &[id, p] : b) cudaFree(p);`,
  ],
  ['nodes by names that are parameters', '', builder, '', 'Builder b; cudaGraphCreate(&b.g, 0);'],
  [
    'edges between nodes by names',
    '',
    '',
    '',
    `${graph} for (auto &e : edges()) cudaGraphAddDependencies(g, &nodes.at(e.from), &nodes.at(e.to), nullptr, 1);`,
  ],
  [
    'a node under one name, twice',
    'graph-cycle',
    '',
    'cudaGraph_t g; cudaGraphCreate(&g, 0); cudaGraphNode_t n; cudaGraphAddEmptyNode(&n, g, nullptr, 0); cudaGraphAddDependencies(g, &n, &n, nullptr, 1);',
    '',
  ],
  [
    'executables by sizes',
    'handle-use-after-destroy',
    cache,
    'Cache c; int n = pick(); c.run(n); c.drop(n, false); c.run(n);',
    'Cache c; int n = pick(), o = pick(); c.run(n); c.run(o); c.drop(n, true); c.run(n); c.run(o);',
  ],
];

const net = `struct Layer { std::vector<std::string> inputs; std::string output; }; std::vector<Layer> parse();
struct Net { cudaGraph_t g; std::map<std::string, cudaGraphNode_t> producer; std::map<std::string, void *> ptr;
  void tensor(const std::string &n) { cudaMemAllocNodeParams p{}; p.poolProps.allocType = cudaMemAllocationTypePinned; p.poolProps.location.type = cudaMemLocationTypeDevice; p.bytesize = 64;
    cudaGraphNode_t x; cudaGraphAddMemAllocNode(&x, g, nullptr, 0, &p); ptr[n] = p.dptr; producer[n] = x; }
  void layer(const Layer &l) { tensor(l.output); cudaGraphNode_t deps[] = {producer[l.output], producer.at(l.inputs[0])}; void *p = ptr[l.inputs[0]]; void *args[] = {&p};
    cudaKernelNodeParams c{}; c.func = (void *)k; c.gridDim = dim3(1); c.blockDim = dim3(1); c.kernelParams = args; cudaGraphNode_t n; cudaGraphAddKernelNode(&n, g, deps, 2, &c); producer[l.output] = n; }
  void drop() { for (auto &[name, p] : ptr) { cudaGraphNode_t f; cudaGraphNode_t &last = producer[name]; cudaGraphAddMemFreeNode(&f, g, &last, 1, p); } } };`;
rows.push([
  'a network by the names of its tensors',
  '',
  net,
  '',
  'Net n; cudaGraphCreate(&n.g, 0); for (auto &l : parse()) n.layer(l); n.drop(); cudaGraphExec_t e; cudaGraphInstantiate(&e, n.g, 0); for (int i = 0; i < 3; i++) cudaGraphLaunch(e, 0); cudaDeviceSynchronize();',
]);

describeRows('keys that nobody knows', head, rows);
