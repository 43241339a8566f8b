/** Vectors that get other room while a graph, or a callback, keeps an address in them; each mistake beside the program without it. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <deque>
#include <memory>
#include <vector>
struct Info { int id; float scale[2]; };
struct Batch { std::vector<float> staging; explicit Batch(int n) : staging(n) {} void set(const std::vector<float> &o) { staging.assign(o.begin(), o.end()); } };
std::vector<float> load(int n) { std::vector<float> made(n); made[0] = 1; return made; }
void note(void *p) { ((Info *)p)->id = 0; }
float *d; cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; cudaGraphNode_t node;
`;

const captured = `cudaStreamCreate(&s); cudaMalloc(&d, 4096); cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(d, v.data(), 40, cudaMemcpyHostToDevice, s); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0);`;
const launched = `cudaGraphLaunch(x, s); cudaStreamSynchronize(s); cudaGraphExecDestroy(x); cudaGraphDestroy(g); cudaFree(d); cudaStreamDestroy(s);`;
const baked = 'baked-host-pointer-dead';

/** What the vector is; what is done to it between capture and launch, wrongly and rightly. */
const changes: readonly (readonly [what: string, begin: string, bad: string, good: string])[] = [
  ['an element is added', 'std::vector<float> v(10);', 'v.push_back(1);', 'v.pop_back(); v.push_back(1);'],
  ['room was made before', 'std::vector<float> v(10); v.reserve(12);', 'v.resize(13);', 'v.resize(12);'],
  [
    'elements are added in a loop, and room for 128 is there behind the first hundred',
    'std::vector<float> v; for (int i = 0; i < 100; ++i) v.push_back(i);',
    'for (int i = 0; i < 29; ++i) v.push_back(i);',
    'for (int i = 0; i < 28; ++i) v.push_back(i);',
  ],
  ['more is assigned', 'std::vector<float> v(10);', 'v.assign(11, 0.f);', 'v.clear(); v.assign(10, 0.f);'],
  ['another is copied', 'std::vector<float> v(10), w(11), u(9);', 'v = w;', 'v = u; v = {1, 2, 3};'],
  [
    'another is taken over, and it lives on elsewhere',
    'std::vector<float> v = load(10);',
    'v = load(10);',
    'std::vector<float> kept = std::move(v); v = load(10); v.push_back(1);',
  ],
  [
    'it gives its room back',
    'std::vector<float> v(10);',
    'v.clear(); v.shrink_to_fit();',
    'v.shrink_to_fit(); v.clear();',
  ],
  [
    'a member that a method fills',
    'Batch b(10); std::vector<float> &v = b.staging; std::vector<float> w(12), u(8);',
    'b.set(w);',
    'b.set(u);',
  ],
  [
    'it is swapped, and swapped back',
    'std::vector<float> v(10), w(4);',
    'w.reserve(8); v.reserve(11);',
    'v.swap(w); w.swap(v);',
  ],
];

const added = (kind: string, make: string, address: string): string =>
  `${kind} all; ${make} cudaStreamCreate(&s); cudaGraphCreate(&g, 0); cudaMalloc(&d, 4096);
   for (int i = 0; i < 4; ++i) { all.push_back(Info{i}); cudaHostNodeParams p{}; p.fn = note; p.userData = ${address}; cudaGraphAddHostNode(&node, g, nullptr, 0, &p); }
   cudaGraphInstantiate(&x, g, 0); ${launched}`;

const copied = (make: string): string =>
  `std::vector<Info> all; ${make} cudaStreamCreate(&s); cudaGraphCreate(&g, 0); cudaMalloc(&d, 4096);
   for (int i = 0; i < 4; ++i) { all.emplace_back(); Info &info = all.back(); cudaGraphAddMemcpyNode1D(&node, g, nullptr, 0, d + 2 * i, info.scale, 8, cudaMemcpyHostToDevice); }
   cudaGraphInstantiate(&x, g, 0); ${launched}`;

const called = (make: string): string =>
  `std::vector<Info> all; ${make} cudaStreamCreate(&s); for (int i = 0; i < 3; ++i) { all.push_back(Info{i}); cudaLaunchHostFunc(s, note, &all.back()); }
   cudaStreamSynchronize(s); all.push_back(Info{9}); cudaStreamDestroy(s);`;

const rows: readonly Row[] = [
  ...changes.map(
    ([what, begin, bad, good]): Row => [
      what,
      baked,
      '',
      `${begin} ${captured} ${bad} ${launched}`,
      `${begin} ${captured} ${good} ${launched}`,
    ],
  ),
  [
    'nodes that keep addresses of elements, of which more are added',
    baked,
    '',
    added('std::vector<Info>', '', '&all.back()'),
    added('std::vector<Info>', 'all.reserve(4);', '&all.back()'),
  ],
  ['elements of a deque stay where they are', '', '', '', added('std::deque<Info>', '', '&all.back()')],
  ['arrays in the elements', baked, '', copied(''), copied('all.reserve(4);')],
  ['callbacks in a stream', 'host-buffer-freed-in-flight', '', called(''), called('all.reserve(4);')],
  [
    'the copy is given the new address',
    '',
    '',
    '',
    `std::vector<float> v(10); cudaStreamCreate(&s); cudaMalloc(&d, 4096); cudaGraphCreate(&g, 0);
     cudaGraphAddMemcpyNode1D(&node, g, nullptr, 0, d, v.data(), 40, cudaMemcpyHostToDevice); cudaGraphInstantiate(&x, g, 0);
     v.push_back(1); cudaGraphExecMemcpyNodeSetParams1D(x, node, d, v.data(), 40, cudaMemcpyHostToDevice); ${launched}`,
  ],
];

describeRows('vectors that get other room', head, rows);
