/** What messages call memory that lies in no variable: the place as the program names it. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
static float **pointers(int n) { float **list = new float *[n]; return list; }
struct Cache { std::map<std::string, float *> memory; };
`;

it.each([
  ['an entry of a map', 'std::map<int, float *> m; cudaMalloc(&m[3], 4); cudaFree(m[3]); cudaFree(m[3]);', 'm[3]'],
  [
    'an entry behind a pointer',
    'Cache cache; Cache *c = &cache; cudaMalloc((void **)&c->memory["in"], 4); cudaFree(c->memory["in"]); cudaFree(c->memory["in"]);',
    'c->memory["in"]',
  ],
  ['an optional', 'std::optional<float *> o{nullptr}; cudaMalloc(&*o, 4); cudaFree(*o); cudaFree(o.value());', 'o'],
  [
    'a variant',
    'std::variant<int, float *> v{std::in_place_index<1>, nullptr}; cudaMalloc(&std::get<1>(v), 4); cudaFree(std::get<1>(v)); cudaFree(std::get<float *>(v));',
    'v',
  ],
  [
    'what an owner owns',
    'auto p = std::make_unique<float *>(); cudaMalloc(p.get(), 4); cudaFree(*p); cudaFree(*p);',
    'p',
  ],
  [
    'an element of what malloc gave',
    'float **all; all = (float **)malloc(2 * sizeof(float *)); for (int i = 0; i < 2; i++) cudaMalloc(&all[i], 4); cudaFree(all[0]); cudaFree(all[1]); cudaFree(all[1]);',
    'all[1]',
  ],
  [
    'an element of what a function has got from new',
    'float **all = pointers(2); cudaMalloc(all, 4); cudaFree(*all); cudaFree(all[0]);',
    'all[0]',
  ],
  ['a variable', 'float *x; cudaMalloc((void **)&x, 4); cudaFree(x); cudaFree(x);', 'x'],
])('%s', async (_what, body, name) => {
  const { findings } = await analyseText(`${head}int main() { ${body} }`);
  expect(findings.map(({ message }) => message)).toEqual([
    expect.stringContaining(`\`${name}\` has already been freed`),
  ]);
});
