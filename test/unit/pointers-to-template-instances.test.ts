/** Pointers to instances of function templates, and tables of them: what is called knows what it was named for. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { memoryInAStream } from '../support/memory-in-a-stream.ts';
import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
${memoryInAStream}
template <int N> void fill(float *p) { cudaMemsetAsync(p, 0, N * 4, s); }
template <class T> void clear(float *p) { cudaMemsetAsync(p, 0, sizeof(T), s); }
template <auto Action> void with(float *p) { Action(p); }
template <auto Action> void again(float *p) { void (*f)(float *) = &with<Action>; f(p); }
struct Engine {
  template <int N> void fill(float *p) { cudaMemsetAsync(p, 0, N * 4, s); }
  template <class T> void clear(float *p) { cudaMemsetAsync(p, 0, sizeof(T), s); }
  template <auto Action> void with(float *p) { Action(p); }
  template <int N> static void all(float *p) { cudaMemsetAsync(p, 0, N * 4, s); }
};
using Function = void (*)(float *);
using Method = void (Engine::*)(float *);
struct Row { const char *name; Method method; };
`;

/** One of the instances writes more than there is; the other does not. */
const sized = (what: string, type: string, big: string, small: string, call: string): Row => [
  what,
  'copy-out-of-range',
  '',
  `cudaStreamCreate(&s); float *p = make(); Engine e; ${type} f = ${big}; ${call}; drop(p);`,
  `cudaStreamCreate(&s); float *p = make(); Engine e; ${type} f = ${small}; ${call}; drop(p);`,
];

describeRows('pointers to instances of templates', head, [
  sized('for a number', 'Function', 'fill<2>', '&fill<1>', 'f(p)'),
  sized('for a type', 'Function', '&clear<double>', 'clear<float>', 'f(p)'),
  sized('a method for a number', 'Method', '&Engine::fill<2>', '&Engine::fill<1>', '(e.*f)(p)'),
  sized('a method for a type', 'Method', '&Engine::clear<double>', '&Engine::clear<float>', '(e.*f)(p)'),
  sized('a static function', 'Function', '&Engine::all<2>', '&Engine::all<1>', 'f(p)'),
]);

const ends = (what: string, table: string, call: string): Row => [
  what,
  'async-use-after-free',
  '',
  `cudaStreamCreate(&s); float *p = make(); Engine e; ${table} ${call} run(p);`,
  `cudaStreamCreate(&s); float *p = make(); Engine e; ${table.replace('<&drop>', '<&run>')} ${call} run(p); drop(p);`,
];

describeRows('instances for functions', head, [
  ends('a function', 'Function f = &with<&drop>;', 'f(p);'),
  ends('a table of functions', 'const Function f[] = {with<run>, with<&drop>};', 'for (auto each : f) each(p);'),
  ends('a function named for what a template was named for', 'Function f = &again<&drop>;', 'f(p);'),
  ends(
    'rows with methods',
    'const Row rows[] = {{"a", &Engine::with<run>}, {"b", &Engine::with<&drop>}};',
    'for (const auto &[name, method] : rows) (e.*method)(p);',
  ),
]);

it('names the kernel that an instance is for', async () => {
  const { findings } = await analyseText(`${head}
template <auto Kernel> void start(float *p) { Kernel<<<1, 1, 0, s>>>(p); }
int main() { cudaStreamCreate(&s); float *p = make(); drop(p); Function f = &start<&k>; f(p); cudaStreamSynchronize(s); }`);
  expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('`k` writes `p`')]);
});
