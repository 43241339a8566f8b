/** The same handle or address, kept where programs keep one: it is found there again, and what is known of it is sure. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const headers = ['any', 'cstdint', 'functional', 'map', 'memory', 'string', 'vector'];
const head = ['cuda_runtime.h', ...headers].map((name) => `#include <${name}>`).join('\n');

/** `s` is the stream; what it is put into, how `p` is put there, how it is read again. */
const rows: readonly (readonly [what: string, declared: string, put: string, read: string])[] = [
  [
    'an any that held null',
    'static std::map<int, std::any> m;',
    'm[1] = static_cast<float *>(nullptr); std::any_cast<float *&>(m.at(1)) = p;',
    'std::any_cast<float *>(m.at(1))',
  ],
  [
    'a static member of the class around',
    'struct App { struct Stage { static void put(float *p); static float *get(); }; static float *kept; }; float *App::kept = nullptr; void App::Stage::put(float *p) { kept = p; } float *App::Stage::get() { return kept; }',
    'App::Stage::put(p);',
    'App::Stage::get()',
  ],
  [
    'an owner in a class around',
    'class App { public: struct Stage { static void put(float *p); static float *get(); }; struct Data; private: static std::unique_ptr<Data> data; friend struct Stage; }; struct App::Data { std::vector<float *> parts; }; std::unique_ptr<App::Data> App::data = std::make_unique<App::Data>(); void App::Stage::put(float *p) { data->parts.push_back(p); } float *App::Stage::get() { return data->parts.at(0); }',
    'App::Stage::put(p);',
    'App::Stage::get()',
  ],
  [
    'an object that shares, through a member that refers to it',
    'struct World { std::shared_ptr<int> owner; float *kept = nullptr; }; struct Put { World &world; void operator()(float *p) const { world.kept = p; } }; struct Get { World &world; float *operator()() const { return world.kept; } };',
    'World world; Put{world}(p);',
    'Get{world}()',
  ],
  [
    'an array that is taken from a list',
    'struct Kept { float *all[2]; Kept(float *(&&list)[2]) { all[0] = list[0]; all[1] = list[1]; } };',
    'Kept k({p, p});',
    'k.all[1]',
  ],
];

describe('an address is found again in', () => {
  it.each(rows)('%s', async (_, declared, put, read) => {
    const text = `${head}
${declared}
int main() { cudaStream_t s; cudaStreamCreate(&s); float *p; cudaMallocAsync(&p, 64, s); ${put}
cudaFreeAsync(${read}, s);
cudaFreeAsync(${read}, s); return 0; }`;
    const { findings, gaps } = await analyseText(text);
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['async-double-free', 'error']]);
    expect(gaps).toEqual([]);
  });
});

describe('a handle with a mark in its lowest bit', () => {
  const marked = `${head}
template <typename H> class Marked {
public:
  void set(H handle, bool owned) { word = reinterpret_cast<std::uintptr_t>(handle) | static_cast<std::uintptr_t>(owned); }
  H handle() const { return reinterpret_cast<H>(word & ~std::uintptr_t{1}); }
  bool owned() const { return (word & 1u) != 0; }
private:
  std::uintptr_t word = 0;
};
`;

  it('is the handle without it', async () => {
    const { findings, gaps } = await analyseText(`${marked}
int main() { Marked<cudaGraph_t> kept; cudaGraph_t made; cudaGraphCreate(&made, 0); kept.set(made, true);
cudaGraphNode_t node; cudaGraphAddEmptyNode(&node, kept.handle(), nullptr, 0);
cudaGraphDestroy(kept.handle());
cudaGraphAddEmptyNode(&node, made, nullptr, 0); return 0; }`);
    expect(findings.map(({ rule }) => rule)).toEqual(['handle-use-after-destroy']);
    expect(gaps).toEqual([]);
  });

  it('says whether it has one', async () => {
    const { findings } = await analyseText(`${marked}
int main() { Marked<cudaStream_t> kept, other; cudaStream_t s; cudaStreamCreate(&s); kept.set(s, true); other.set(s, false);
if (kept.owned()) cudaStreamDestroy(kept.handle());
if (other.owned()) cudaStreamDestroy(s); return 0; }`);
    expect(findings).toEqual([]);
  });
});

it('what a list shares lives as long as it did: a member that refers to it keeps nothing', async () => {
  const { findings } = await analyseText(`${head}
struct Buffer { float *p = nullptr; Buffer() { cudaMalloc(&p, 64); } ~Buffer() { cudaFree(p); } };
struct World { std::shared_ptr<Buffer> owner; int n = 0; };
struct View { World &world; int k; };
int main() { float *q;
{ World world{std::make_shared<Buffer>(), 1}; q = world.owner->p; { View v{world, 2}; v.world.n = 3; } cudaMemset(q, 0, 64); }
cudaMemset(q, 0, 64); return 0; }`);
  expect(findings.map(({ rule }) => rule)).toEqual(['malloc-use-after-free']);
});
