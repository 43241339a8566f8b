/** Objects of classes that no file of the program declares, made of objects that free their memory: they do not free it once more. */

import { expect, test } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <optional>
#include <vector>
#include <elsewhere/span.hpp>
__global__ void k(float *p) { p[0] = 1; }
struct Buffer {
  float *p = nullptr;
  explicit Buffer(size_t n) { cudaMalloc(&p, n); }
  Buffer(const Buffer &) = delete;
  Buffer(Buffer &&other) : p(other.p) { other.p = nullptr; }
  ~Buffer() { if (p) cudaFree(p); }
  float *data() const { return p; }
};
struct Handle { float *p = nullptr; Handle(size_t n) { cudaMalloc(&p, n); } ~Handle() { cudaFree(p); } };
template <class T> struct Pair { int n; T held; };
template <class T> struct Made { T held; Made(T given) : held(given) {} };
struct Plain { lib::span<float> held; Plain(lib::span<float> given) : held{given} {} };
struct Part { lib::span<float> held; };`;

async function messages(body: string): Promise<readonly string[]> {
  const { findings } = await analyseText(`${head}\nint main() { Buffer y(16); ${body} cudaDeviceSynchronize(); }\n`);
  return findings.map(({ rule }) => rule);
}

test.each([
  'lib::span<float> m = y;',
  'span<float> m = y;',
  'View m = y;',
  'lib::span<float> m{y}; auto n = lib::span<float>(y);',
  'auto m = Pair<lib::span<float>>{1, y};',
  'Made<lib::span<float>> m(y);',
  'Plain m(y), n{y};',
  'Part m{y}, n = {.held = y}; auto o = Part{y}; Part p; p.held = y;',
  'Part all[2] = {{y}, {y}};',
  'std::vector<lib::span<float>> all; all.push_back(y); all.emplace_back(y);',
  'std::optional<lib::span<float>> m = y;',
  'std::pair<int, lib::span<float>> m{1, y};',
  'std::map<int, lib::span<float>> all; all[1] = y; all.emplace(2, y);',
  'lib::owner m = std::move(y);',
  'std::vector<lib::owner> all; all.push_back(std::move(y));',
])('%s', async (body) => {
  expect(await messages(body)).toEqual([]);
});

test('where they lead is known', async () => {
  expect(await messages('lib::span<float> m = y; cudaFree(y.p); k<<<1, 32>>>(m.data());')).toContain(
    'malloc-use-after-free',
  );
});

test('copies of a class that is seen free it once more', async () => {
  expect(await messages('Handle a(64); Handle b = a;')).toEqual(['malloc-double-free']);
  expect(await messages('Handle a(64); Pair<Handle> b{1, a};')).toEqual(['malloc-double-free']);
  expect(await messages('Handle a(64); using Other = Handle; Other b = a;')).toEqual(['malloc-double-free']);
});

test.each([
  'lib::column c{1, std::move(p)};',
  'lib::column c(1, Pooled(16), std::move(p));',
  'auto c = lib::column{1, Pooled(16), std::move(p)};',
  'auto c = std::make_unique<lib::column>(1, Pooled(16), std::move(p));',
  'std::vector<lib::column> all; all.emplace_back(1, std::move(p)); all.push_back(lib::column(1, Pooled(16)));',
  'lib::column c; c.set(std::move(p)); c.add(Pooled(16));',
  'lib::any held = Pooled(16);',
  'lib::pointer<Pooled> held(new Pooled(16)); auto other = held;',
  'lib::pool pool; auto later = pool.submit([] { return Pooled(16); }); Pooled c = later.get();',
  'lib::tensor t; { Pooled q(16); t = std::move(q); } k<<<1, 1>>>(t.data());',
  'std::map<int, lib::tensor> all; { Pooled q(16); all[1] = std::move(q); } k<<<1, 1>>>(all[1].data());',
])('who is not seen may free what is moved into it: %s', async (body) => {
  const pooled = `struct Pooled {
    float *p = nullptr;
    explicit Pooled(size_t n) { cudaMallocAsync(&p, n, 0); }
    Pooled(Pooled &&other) : p(other.p) { other.p = nullptr; }
    ~Pooled() { if (p) cudaFreeAsync(p, 0); }
  };`;
  const { findings } = await analyseText(
    `${head}\n${pooled}\nint main() { Pooled p(16); ${body} cudaDeviceSynchronize(); }\n`,
  );
  expect(findings.map(({ message }) => message)).toEqual([]);
});
