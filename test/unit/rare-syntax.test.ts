/** Constructs that say little by themselves, and must not hide what stands around them. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <tuple>
#include <vector>
bool read();
static float *make() { float *p; cudaMalloc(&p, 4); return p; }
template <typename... T> void left(T... p) { (..., cudaFree(p)); }
template <typename... T> void right(T... p) { (cudaFree(p), ...); }
template <typename... T> bool both(T... p) { return (true && ... && (cudaFree(p) == cudaSuccess)); }
template <typename T> inline OTHER_API void
drop(T *p) { cudaFree(p); }
struct Checked { const char *where; void operator=(cudaError_t e) const { if (e) throw 1; } };
#define CHECKED Checked{__func__} =
#define FREE_BLOCK(p) { cudaFree(p); }
#define FREE_IF(condition, p) if (condition) { cudaFree(p); }
#define FREE_ONE(condition, p) if (condition) cudaFree(p)
#define FREE_WHOLE(condition, p) do { if (condition) cudaFree(p); } while (0)
namespace far { namespace deep { inline void give_back(float *p) { cudaFree(p); } } }
namespace near = far::deep;
namespace rg = std::ranges;
OTHER_API inline OTHER_RESULT give(float **p) { return cudaMalloc(p, 4); }
`;

/** What it is; the mistaken body of a function; the right one. */
const rows: readonly (readonly [what: string, bad: string, good: string])[] = [
  ['a left fold', 'float *p = make(), *q = make(); left(p, q); cudaFree(q);', 'left(make(), make());'],
  ['a right fold', 'float *p = make(), *q = make(); right(p, q); cudaFree(q);', 'right(make(), make());'],
  [
    'a fold that begins with something',
    'float *p = make(), *q = make(); both(p, q); cudaFree(q);',
    'both(make(), make());',
  ],
  [
    'an element of a tuple that is set to zero',
    'std::tuple<int, int> t(1, 1); std::get<1>(t) = 0; float *p = make(); cudaFree(p); if (std::get<1>(t) == 0) cudaFree(p);',
    'std::tuple<int, int> t(1, 1); std::get<1>(t) = 0; float *p = make(); if (std::get<1>(t) == 0) cudaFree(p);',
  ],
  [
    'specifiers that are macros of a file nobody here sees',
    'float *p; if (give(&p)) return; drop(p); drop(p);',
    'float *p; if (give(&p)) return; drop(p);',
  ],
  [
    'a macro that ends in a block of an if, before its else',
    'bool b = read(); float *p = make(); FREE_IF(b, p) else cudaFree(p); cudaFree(p);',
    'bool b = read(); float *p = make(); FREE_IF(b, p) else cudaFree(p);',
  ],
  [
    'a macro that ends in an if, before its else',
    'bool b = read(); float *p = make(); FREE_ONE(b, p); else { cudaFree(p); cudaFree(p); }',
    'bool b = read(); float *p = make(); FREE_ONE(b, p); else { cudaFree(p); }',
  ],
  [
    'a macro that is whole, before the else of another if',
    'bool b = read(); float *p = make(); if (b) FREE_WHOLE(true, p); else FREE_WHOLE(true, p); cudaFree(p);',
    'bool b = read(); float *p = make(); if (b) FREE_WHOLE(true, p); else FREE_WHOLE(true, p);',
  ],
  [
    'a macro that is a block, before the else of another if',
    'bool b = read(); float *p = make(), *q = make(); if (b) FREE_BLOCK(p) else FREE_BLOCK(q) FREE_BLOCK(p)',
    'bool b = read(); float *p = make(), *q = make(); if (b) FREE_BLOCK(p) else FREE_BLOCK(q) if (b) FREE_BLOCK(q) else FREE_BLOCK(p)',
  ],
  [
    'a macro that ends in an assignment to what it makes',
    'float *p = make(); CHECKED cudaFree(p); CHECKED cudaFree(p);',
    'float *p = make(), *q = make(); CHECKED cudaFree(p); CHECKED cudaFree(q);',
  ],
  [
    'another name for a namespace',
    'float *p = make(); near::give_back(p); near::give_back(p);',
    'float *p = make(); near::give_back(p);',
  ],
  [
    'another name for a namespace of the library',
    'std::vector<float *> v{make(), make()}; rg::for_each(v, [](float *p) { cudaFree(p); }); cudaFree(v[1]);',
    'std::vector<float *> v{make(), make()}; rg::for_each(v, [](float *p) { cudaFree(p); });',
  ],
  [
    'another name for a namespace inside a function',
    'namespace r = std::ranges; std::vector<float *> v{make()}; r::for_each(v, [](float *p) { cudaFree(p); }); cudaFree(v[0]);',
    'namespace r = std::ranges; std::vector<float *> v{make()}; r::for_each(v, [](float *p) { cudaFree(p); });',
  ],
  [
    'assembly',
    'int x = 0; asm volatile("mov %0, %1" : "=r"(x) : "r"(1)); float *p = make(); if (x) cudaFree(p); cudaFree(p);',
    'int x = 0; asm volatile("mov %0, %1" : "=r"(x) : "r"(1)); asm volatile("" ::: "memory"); float *p = make(); if (x) cudaFree(p); if (!x) cudaFree(p);',
  ],
  [
    'a requirement',
    'int t = 1; float *p = make(); if constexpr (requires { t.size(); }) cudaFree(p); cudaFree(p);',
    'int t = 1; float *p = make(); if constexpr (requires { t.size(); }) cudaFree(p); if constexpr (!requires { t.size(); }) cudaFree(p);',
  ],
];

describe('rare syntax', () => {
  it.each(rows)('%s', async (_what, bad, good) => {
    const right = await analyseText(`${head}void f() { ${good} }\n`);
    expect(right.findings.map(({ message }) => message)).toEqual([]);
    expect(right.gaps.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([]);
    const wrong = await analyseText(`${head}void f() { ${bad} }\n`);
    expect(wrong.findings.map(({ rule }) => rule)).toEqual(['malloc-double-free']);
  });
});

it('a macro whose parameters are being typed is no macro of a list', async () => {
  const text = '#define EACH(#define EACH(X, b) #define EACH(X (a) #define EACH(X (b)\nint main() { EACH(f) }\n';
  expect((await analyseText(`${head}${text}`)).findings).toEqual([]);
});
