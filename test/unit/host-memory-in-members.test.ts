/** Arrays and vectors that are members: what a graph has the address of ends with their object, unless it was given away. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>
struct Frame { std::vector<float> data; float head[4]; };
struct Outer { Frame inner; };
cudaStream_t s; float *d; cudaGraphExec_t e;
static void node(float *h, size_t n) {
  cudaGraph_t g; cudaGraphNode_t c; cudaGraphCreate(&g, 0);
  cudaGraphAddMemcpyNode1D(&c, g, nullptr, 0, d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaGraphInstantiate(&e, g, 0); cudaGraphDestroy(g);
}
static void run() { cudaGraphLaunch(e, s); cudaStreamSynchronize(s); cudaGraphExecDestroy(e); }`;

const main = (body: string): string =>
  `cudaStreamCreate(&s); cudaMalloc(&d, 4096); ${body} cudaFree(d); cudaStreamDestroy(s);`;
const rule = 'baked-host-pointer-dead';
const pair = (what: string, bad: string, good: string): Row => [what, rule, '', bad && main(bad), good && main(good)];
const frame = 'Frame f; f.data.resize(64);';
const whole = 'node(f.data.data(), 64);';

describeRows('members that graphs copy', head, [
  pair('a vector', `{ ${frame} ${whole} } run();`, `${frame} ${whole} run();`),
  pair('an array', `{ Frame f; node(f.head, 4); } run();`, `Frame f; { Frame &g = f; node(g.head, 4); } run();`),
  pair(
    'a member of a member',
    '{ Outer o; o.inner.data.resize(64); node(o.inner.data.data(), 64); } run();',
    'Outer o; { Frame &f = o.inner; f.data.resize(64); node(f.data.data(), 64); } run();',
  ),
  pair(
    'of an object on the heap',
    `auto *f = new Frame; f->data.resize(64); node(f->data.data(), 64); delete f; run();`,
    `auto *f = new Frame; f->data.resize(64); node(f->data.data(), 64); run(); delete f;`,
  ),
  pair(
    'copied and moved',
    `std::vector<Frame> all; { ${frame} ${whole} all.push_back(f); } run();`,
    `std::vector<Frame> all; { ${frame} ${whole} all.push_back(std::move(f)); } run();`,
  ),
  pair('returned', '', `auto make = [] { ${frame} ${whole} return f; }; Frame kept = make(); run();`),
  pair('taken out', '', `std::vector<float> kept; { ${frame} ${whole} kept = std::move(f.data); } run();`),
  pair('exchanged', '', `std::vector<float> kept; { ${frame} ${whole} std::swap(kept, f.data); } run();`),
  pair(
    'an owner',
    '',
    `std::unique_ptr<Frame> kept; { ${frame} ${whole} kept = std::make_unique<Frame>(std::move(f)); } run();`,
  ),
  pair(
    'a block that gets another size',
    'float *h = (float *)malloc(256); node(h, 64); h = (float *)realloc(h, 512); run(); free(h);',
    'float *h = (float *)malloc(256); node(h, 64); run(); h = (float *)realloc(h, 512); node(h, 128); run(); free(h);',
  ),
]);
